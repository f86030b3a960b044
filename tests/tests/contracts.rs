//! Contracts of entry functions: the same words on the command line, in `beeline.toml` and in a comment above the function.

use beeline_tests::driver::{Ran, beeline};
use std::path::Path;

const SOURCE: &str = "int other(int a) { return a; } // beeline: requires a > 0
// The index is in the array.
// beeline: requires n >= 0 && n <= 64 && fresh(p, n + 1)
int at(int *p, int n) { return p[n]; }
/* beeline: requires n >= 0 && n <= 64
 * beeline: requires fresh(p, n)
 */
static inline int behind(int *p, int n) { return p[n]; }
// beeline: requires q > 0
int no_q(int *p, int n) { return p[n]; }
// beeline: requires n >
int no_condition(int *p, int n) { return p[n]; }
// beeline: requries n > 2
int no_word(int *p, int n) { return p[n]; }
// beeline: requires n > 0 && fresh(x, 2)
int no_x(int *p, int n) { return p[n]; }
// beeline: requires n = 3
int no_effect(int *p, int n) { return p[n]; }
// beeline: requires n > 0 && p[0] < n && fresh(p, n)
int many(int *p, unsigned long n) { return p[n - 1] + p[0] < 0; }
// beeline: requires n == 0 || n > 5 && n < 8
int either(int n) { return 8 / (n - 1) + 8 / (n - 4) + 8 / (n - 8); }
int plain(int n) { return 8 / (n - 3); }
// beeline: requires n <= 64 && fresh(p, n)
int few(int *p, unsigned n) { return n > 0 ? p[n - 1] : 0; }
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("a.c"), SOURCE).expect("the program is written");
    folder
}

fn check(folder: &Path, function: &str, options: &[&str]) -> Ran {
    let fixed = ["check", "a.c", "--function", function];
    beeline(folder, &[&fixed, options].concat())
}

const MEMORY: [&str; 2] = ["--property", "memory-safety"];

#[test]
fn a_comment_says_what_the_function_is_given() {
    let folder = folder();
    let ran = check(folder.path(), "at", &MEMORY);
    assert_eq!(ran.verdict(), "verdict: safe (under 3 assumptions, proof certified)", "{}", ran.out);
    assert!(ran.out.contains("  p points to n + 1 separate elements\n"), "{}", ran.out);
    let ran = check(folder.path(), "behind", &MEMORY);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    // Clang warns of nothing that no person wrote.
    let ran = check(folder.path(), "few", &MEMORY);
    assert_eq!(ran.verdict(), "verdict: safe (under 2 assumptions, proof certified)", "{}", ran.out);
    assert_eq!(ran.err, "");
    // A contract holds whatever the property is, and no object is larger than the address space.
    let ran = check(folder.path(), "either", &["--property", "no-overflow,all"]);
    assert_eq!(ran.verdict(), "verdict: safe (under 1 assumption, proof certified)", "{}", ran.out);
    let ran = check(folder.path(), "many", &MEMORY);
    assert_eq!(ran.verdict(), "verdict: safe (under 3 assumptions, proof certified)", "{}", ran.out);
}

#[test]
fn the_command_line_goes_before_the_comment() {
    let folder = folder();
    let ran = check(
        folder.path(),
        "behind",
        &["--property", "memory-safety", "--requires", "n == 2 && fresh(p, 3)"],
    );
    assert_eq!(ran.verdict(), "verdict: safe (under 2 assumptions, proof certified)", "{}", ran.out);
    let ran = check(folder.path(), "plain", &["--property", "all"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{}", ran.out);
    let ran = check(folder.path(), "plain", &["--property", "all", "--requires", "n != 3 && n > -9"]);
    assert_eq!(ran.verdict(), "verdict: safe (under 2 assumptions, proof certified)", "{}", ran.out);
}

#[test]
fn a_contract_that_no_arguments_meet_makes_a_hollow_proof() {
    let folder = folder();
    for flags in [&[][..], &["--", "-O2"]] {
        let options = [&["--property", "all", "--requires", "n > 3 && n < 2"], flags].concat();
        let ran = check(folder.path(), "plain", &options);
        assert!(
            ran.verdict().starts_with("verdict: safe (hollow: no arguments meet the contract, "),
            "{}",
            ran.out
        );
        let said = "Hollow: no arguments of plain meet n > 3 && n < 2, so no execution was checked.\n";
        assert!(ran.out.contains(said), "{}", ran.out);
        let ran = check(folder.path(), "plain", &[&["--json"], &options[..]].concat());
        assert!(ran.out.contains("\"hollow\": \"n > 3 && n < 2\""), "{}", ran.out);
        let options = [&["--property", "all", "--requires", "n > 3 && n < 5"], flags].concat();
        let ran = check(folder.path(), "plain", &options);
        assert!(ran.verdict().starts_with("verdict: safe (") && !ran.out.contains("ollow"), "{}", ran.out);
    }
}

#[test]
fn wrong_words_are_refused_with_their_place() {
    let folder = folder();
    for (function, said) in [
        ("no_q", "a.c:9: clang rejects what is required: use of undeclared identifier 'q'"),
        ("no_condition", "a.c:11: clang rejects what is required: expected expression"),
        ("no_word", "a.c:13: \"requries n > 2\" is no contract; write `beeline: requires CONDITION`"),
        ("no_x", "a.c:15: no_x has no parameter x"),
        ("no_effect", "a.c:17: \"n = 3\" is not a condition"),
    ] {
        let ran = check(folder.path(), function, &[]);
        assert_eq!((ran.code, ran.err), (Some(2), format!("beeline: {said}\n")), "{function}");
    }
    let ran = check(folder.path(), "plain", &["--requires", "n > 2 && m"]);
    let said = "beeline: --requires: clang rejects what is required: use of undeclared identifier 'm'\n";
    assert_eq!((ran.code, &*ran.err), (Some(2), said));
    let ran = beeline(folder.path(), &["check", "a.c", "--requires", "n > 2"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn an_entry_of_a_project_has_a_contract() {
    let folder = folder();
    let project = "[[entry]]
files = \"a.c\"
function = \"at\"
property = \"memory-safety\"
[[entry]]
name = \"own\"
files = \"a.c\"
function = \"behind\"
property = \"memory-safety\"
requires = [\"n >= 0\",
  \"n < 9 && fresh(p, 9)\"]
[[entry]]
name = \"wrong\"
files = \"a.c\"
function = \"at\"
requires = [
  \"n >= 0\",
  \"m < 9\"]
";
    std::fs::write(folder.path().join("beeline.toml"), project).expect("the project is written");
    let ran = beeline(folder.path(), &["ci"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    let told: Vec<(&str, &str)> = ran
        .out
        .lines()
        .filter_map(|line| Some((line.split(' ').next()?, line.split_once(" s  ")?.1)))
        .collect();
    let expected = [
        ("at", "under 3 assumptions, proof certified"),
        ("own", "under 3 assumptions, proof certified"),
        ("wrong", "beeline.toml:18: clang rejects what is required: use of undeclared identifier 'm'"),
    ];
    assert_eq!(told, expected, "{}", ran.out);
    // Functions of one file have results of their own.
    let kept = std::fs::read_dir(folder.path().join(".beeline")).expect("there is a cache");
    let names: Vec<String> =
        kept.map(|entry| entry.expect("it is read").file_name().to_string_lossy().into_owned()).collect();
    assert!(
        ["a-at-", "a-behind-"].iter().all(|name| names.iter().any(|kept| kept.starts_with(name))),
        "{names:?}"
    );
}
