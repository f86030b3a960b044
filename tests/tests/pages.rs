//! What pages name exists: the files that they link to, the tests, the options; and the book has all pages of `docs/`.

use beeline_tests::driver::beeline;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The pages for users, as far as they name options or tools.
const ADVICE: &str = "docs/options.md";

const PAGES: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All pages: those at the top, and those of the folders that have some.
fn pages() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/evidence", "ir-spec", "measure", "contrib", "contrib/benchexec"];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    pages
}

/// The places that a page links to, without those on the web.
fn links(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    links.filter(|link| !link.contains("://") && !link.contains(char::is_whitespace)).collect()
}

/// The anchors of a page's headings, as renderers make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_leads_to_a_file() {
    let pages = pages();
    assert!(pages.len() > 30, "{pages:?}");
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: there is no {link}", page.display());
            if !anchor.is_empty() {
                let known = anchors(&std::fs::read_to_string(&target).unwrap());
                assert!(known.contains(anchor), "{}: there is no {link}, but {known:?}", page.display());
            }
        }
    }
}

#[test]
fn the_book_has_every_page_of_docs() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<PathBuf> = links(&summary).into_iter().map(|link| docs.join(link)).collect();
    let there = pages().into_iter().filter(|page| page.starts_with(&docs) && !page.ends_with("SUMMARY.md"));
    assert_eq!(listed, there.collect());
}

#[test]
fn every_test_is_there() {
    let mut found = 0;
    for page in PAGES {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        for (file, test) in text.split('`').filter_map(|word| word.split_once(".rs::")) {
            let source = std::fs::read_to_string(root().join(format!("{file}.rs")));
            let source = source.unwrap_or_else(|error| panic!("{page}: {file}.rs: {error}"));
            assert!(
                source.contains(&format!("#[test]\nfn {test}()")),
                "{page}: {file}.rs has no test {test}"
            );
            found += 1;
        }
    }
    assert!(found > 10, "{found} tests are named");
}

/// The words of a text that are options.
fn options(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '-'));
    words.filter(|word| word.starts_with("--") && !word.starts_with("---") && word.len() > 2).collect()
}

#[test]
fn every_option_has_its_advice() {
    let page = |option: &str| beeline(&root(), &["check", option]).out;
    let help = page("--help") + &page("--help-search");
    let advice = std::fs::read_to_string(root().join(ADVICE)).unwrap();
    let (there, named) = (options(&help), options(&advice));
    assert!(there.len() > 40, "{there:?}");
    let without: Vec<_> =
        there.difference(&named).filter(|option| **option != "--help" && **option != "--version").collect();
    assert!(without.is_empty(), "{ADVICE} says nothing of {without:?}");
    // What is handed to another tool is no option of this one.
    let unknown: Vec<_> = named.difference(&there).filter(|option| **option != "--condition").collect();
    assert!(unknown.is_empty(), "there is no {unknown:?}, which {ADVICE} names");
}

/// The page for users of Makefiles has a table of steps, each a command that does what is said.
#[test]
fn the_steps_of_a_makefile_run() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("docs/makefiles.md")).unwrap();
    std::fs::copy(root().join("examples/scheduler.c"), folder.path().join("P.c")).unwrap();
    let clang = "clang-19 -g -O0 -Xclang -disable-O0-optnone -fwrapv -emit-llvm -c P.c -o P.bc";
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.contains("`beeline-"));
    let steps: Vec<&str> = rows.flat_map(|line| line.split('`').skip(1).step_by(2)).collect();
    let commands: Vec<&str> = steps.into_iter().filter(|step| step.contains(' ')).collect();
    assert_eq!(commands.len(), 6, "{commands:?}");
    let tools = beeline_tests::tools().unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    for command in [clang].into_iter().chain(commands) {
        let ran = std::process::Command::new("sh")
            .args(["-c", command])
            .env("PATH", &path)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    assert!(folder.path().join("P.yml").exists());
}
