//! The schedule of a path through several threads, with a column for each.

use super::{Shown, escaped, line_id};
use std::fmt::Write;

/// A row is a step; its cell is in the column of the thread that makes it.
pub(super) fn schedule(paths: &[Vec<Shown>]) -> String {
    let mut text = String::new();
    for path in paths {
        let threads = threads(path);
        let mut rows = String::new();
        let mut running = 0;
        for shown in path {
            if let Some(name) = &shown.thread {
                running = threads.iter().position(|known| known == name).unwrap_or(0);
                continue;
            }
            let remark = match shown.remark.is_empty() {
                true => String::new(),
                false => format!(" <small>// {}</small>", escaped(&shown.remark)),
            };
            let step = match shown.span {
                Some(span) => format!(
                    "<a href=\"#{}\">{}</a> <code>{}</code>",
                    line_id((span.file, span.line)),
                    span.line,
                    escaped(&shown.text)
                ),
                None => format!("<code>{}</code>", escaped(&shown.text)),
            };
            let _ = writeln!(rows, "<tr>{}<td>{step}{remark}</tr>", "<td>".repeat(running));
        }
        if threads.len() > 1 {
            let heads: String = threads.iter().map(|name| format!("<th>{}", escaped(name))).collect();
            text += &format!("<table class=\"schedule\">\n<tr>{heads}</tr>\n{rows}</table>\n");
        }
    }
    if text.is_empty() { text } else { format!("<h2>Schedule</h2>\n{text}") }
}

/// The names of the threads, "thread 2 (add)", by their numbers. The first one runs before any is named.
fn threads(path: &[Shown]) -> Vec<String> {
    let others = path.iter().filter_map(|shown| shown.thread.clone());
    let mut threads: Vec<String> = others.chain([FIRST.to_string()]).collect();
    let number = |name: &String| name.split(' ').nth(1).and_then(|number| number.parse::<u32>().ok());
    threads.sort_by_key(number);
    threads.dedup();
    threads
}

/// The name of the thread that runs `main`.
const FIRST: &str = "thread 1";
