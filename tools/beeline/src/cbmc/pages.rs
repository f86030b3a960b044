//! Pages for browsers: one with all proofs, and one for each.

use super::row::Row;
use crate::answer::Answer;
use crate::html::{self, document, escaped};
use crate::job::file_name;
use std::path::{Path, PathBuf};

/// Writes the page of a proof.
pub(crate) fn proof(folder: &Path, page: &str, answer: &Answer) -> Result<(), String> {
    write(folder, &format!("{page}.html"), &html::page(answer))
}

/// Writes the page with all proofs.
pub(crate) fn index(folder: &Path, rows: &[Row]) -> Result<(), String> {
    let count = |verdict: Option<&str>| rows.iter().filter(|row| row.verdict.as_deref() == verdict).count();
    let line = format!(
        "{} proofs: {} safe, {} unsafe, {} unknown, {} not started",
        rows.len(),
        count(Some("safe")),
        count(Some("unsafe")),
        count(Some("unknown")),
        count(None)
    );
    let body: String = rows.iter().map(|row| entry(folder, row)).collect();
    let table = format!(
        "<table>\n<tr><th>Proof<th>Verdict<th>Time<th>Lines that executions get to<th>Remarks\n{body}</table>\n"
    );
    let side = format!("<h1>{}</h1>\n", escaped(&line));
    write(folder, "index.html", &document("Proofs", &side, &table, ""))
}

fn entry(folder: &Path, row: &Row) -> String {
    let link = |file: String, text: String| match folder.join(&file).is_file() {
        true => format!("<a href=\"{}\">{}</a>", escaped(&file), escaped(&text)),
        false => escaped(&text),
    };
    let word = row.verdict.as_deref().unwrap_or("not started");
    let covered = row.coverage.as_ref();
    let covered = covered.map_or(String::new(), |covered| link(coverage_name(&row.page), covered.shares()));
    let unchecked = (!row.unchecked.is_empty()).then(|| format!("not checked: {}", row.unchecked.join(", ")));
    let remarks: Vec<String> =
        [Some(row.remark.clone()), row.hollow.clone(), unchecked].into_iter().flatten().collect();
    format!(
        "<tr><td>{}<td class=\"{word}\">{word}<td>{:.2} s<td>{covered}<td>{}\n",
        link(format!("{}.html", row.page), row.proof.clone()),
        row.seconds,
        escaped(&remarks.join("; "))
    )
}

/// The names of proofs' pages, without the ending: those of the folders, with a number if two are equal.
pub(crate) fn names(folders: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for folder in folders {
        let plain = file_name(folder);
        let all = (1..).map(|number| if number == 1 { plain.clone() } else { format!("{plain}-{number}") });
        let free = all.into_iter().find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

/// The file of the page with a proof's coverage.
pub(crate) fn coverage_name(page: &str) -> String {
    format!("{page}.coverage.html")
}

/// Writes a page.
pub(crate) fn write(folder: &Path, name: &str, page: &str) -> Result<(), String> {
    beeline_ir::file::write_bytes(folder.join(name), page.as_bytes()).map_err(|error| error.to_string())
}
