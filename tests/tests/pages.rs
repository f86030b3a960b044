//! What ARCHITECTURE.md and CONTRIBUTING.md name is there: the files that they link to, and the tests.

use std::path::{Path, PathBuf};

const PAGES: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_link_leads_to_a_file() {
    for page in PAGES {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
        let links: Vec<&str> = links.filter(|link| !link.contains("://")).collect();
        assert!(!links.is_empty(), "{page} has no links");
        for link in links {
            assert!(root().join(link).exists(), "{page}: there is no {link}");
        }
    }
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
