//! A program asked about in several ways: by each engine and treatment of calls, and after changes that keep its verdict. Two
//! answers that contradict each other show that one of them is wrong, whatever the truth is.

use crate::driver::beeline;
use std::path::Path;

/// Options that choose another search.
const SEARCHES: [&[&str]; 5] = [
    &[],
    &["--engine", "lazy", "--domain", "predicate"],
    &["--engine", "lazy", "--domain", "value", "--calls", "top"],
    &["--engine", "bounded"],
    &["--calls", "summaries"],
];

/// Flags of clang under which a program means the same, where it is defined.
const FLAGS: [&[&str]; 2] = [&[], &["-O1"]];

/// A change of a program's text that keeps its verdict.
type Change = (&'static str, fn(&str) -> String);

const CHANGES: [Change; 4] = [
    ("as it is", |text| text.to_string()),
    ("main is called through a pointer", |text| {
        let body = text.replace("int main(void)", "static int body(void)");
        format!("{body}\nstatic int (*volatile start)(void) = body;\nint main(void) {{ return start(); }}\n")
    }),
    ("functions that do not matter are called", |text| {
        let more = "struct other { struct other *next; int value; };\n\
                    static int unrelated(int n) {\n  struct other a = {0, n}, b = {&a, n + 1};\n  int sum = 0;\n  \
                    for (struct other *p = &b; p; p = p->next)\n    sum += p->value;\n  return sum;\n}\n";
        let text = text.replace("int main(void) {\n", "int main(void) {\n  unrelated(3);\n");
        text.replacen("static int global", &format!("{more}static int global"), 1)
    }),
    ("a loop of one turn is around what main does", |text| {
        text.replace("int main(void) {\n", "static int once(void);\nint main(void) {\n  int r = 0;\n  for (int turn = 0; turn < 1; turn++)\n    r += once();\n  return r;\n}\nstatic int once(void) {\n")
    }),
];

/// An answer.
#[derive(Debug, Clone)]
pub struct Told {
    /// How it was asked for.
    pub how: String,
    /// The last line.
    pub verdict: String,
}

impl Told {
    fn is(&self, word: &str) -> bool {
        self.verdict.starts_with(&format!("verdict: {word}"))
    }

    /// Does it rest on nothing that is not known?
    fn is_sure(&self) -> bool {
        !self.verdict.contains("assumption")
    }
}

/// Asks for everything about a file in a folder; gives two answers that contradict each other, if there are some.
///
/// # Panics
/// If the file cannot be read or a changed one cannot be written.
pub fn contradiction(folder: &Path, file: &Path, property: &str, limits: &[&str]) -> Option<(Told, Told)> {
    let text = std::fs::read_to_string(file).expect("it can be read");
    let mut told: Vec<Told> = Vec::new();
    for (number, (change, apply)) in CHANGES.into_iter().enumerate() {
        let changed = folder.join(format!("changed{number}.c"));
        std::fs::write(&changed, apply(&text)).expect("it can be written");
        let name = changed.display().to_string();
        // One search for each change, each search and all flags for the program as it is.
        let searches = if number == 0 { &SEARCHES[..] } else { &SEARCHES[..1] };
        let flags = if number == 0 { &FLAGS[..] } else { &FLAGS[..1] };
        for (search, flags) in
            searches.iter().flat_map(|search| flags.iter().map(move |flags| (search, flags)))
        {
            let arguments =
                [&["check", "--property", property], limits, search, &[&name, "--"], flags].concat();
            let verdict = beeline(folder, &arguments).verdict().to_string();
            let how = format!("{change}, {} {}", search.join(" "), flags.join(" "));
            told.push(Told { how, verdict });
        }
    }
    let sure = |word: &str| told.iter().find(|told| told.is(word) && told.is_sure()).cloned();
    sure("safe").zip(sure("unsafe"))
}
