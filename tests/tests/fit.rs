//! `beeline check` among other tools: compiled as the project is, with the project's defaults, from a pipe, and with
//! answers in the format of SARIF.

use beeline_tests::driver::{Ran, beeline, command};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

const CLAMP: &str = "\
#include <assert.h>
#include <limit.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > LIMIT)
    n = LIMIT;
  assert(n <= 9);
  return 0;
}
";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn typed(folder: &Path, arguments: &[&str], text: &str) -> Ran {
    let mut command = command(folder);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_program_comes_through_a_pipe() {
    let files = folder(&[("limit.h", "#define LIMIT 12\n")]);
    let text = CLAMP.replace("<limit.h>", "\"limit.h\"");
    let ran = typed(files.path(), &["check", "-"], &text);
    assert_eq!((ran.code, ran.verdict()), (Some(1), "verdict: unsafe (confirmed)"), "{ran:?}");
    let told = "<stdin>:8:3: error: the assertion fails in main\n      8 |   assert(n <= 9);\n";
    assert!(ran.out.starts_with(told) && ran.out.contains("  <stdin>:6  if (n > LIMIT)"), "{}", ran.out);
    let ran = typed(files.path(), &["check", "-", "--", "-I."], "int main(void) { return x; }\n");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.starts_with("<stdin>:1:25: error: use of undeclared identifier 'x'"), "{}", ran.err);
    let ran = typed(files.path(), &["check", "-", "-"], "int main(void) { return 0; }\n");
    assert_eq!(ran.err, "beeline: standard input can be read only once\n");
}

#[test]
fn flags_of_compilers_need_no_dashes() {
    let text = format!("#if __STDC_VERSION__ != 199901L || !defined A || defined B\n#error\n#endif\n{CLAMP}");
    let files =
        folder(&[("a.c", &text), ("include/limit.h", "#define LIMIT (sizeof(long) == 4 ? 9 : 10)\n")]);
    let run = |more: &[&str]| {
        let usual = ["check", "a.c", "-Iinclude", "-DA=1", "-D", "B", "-UB", "-std=c99", "-O1"];
        beeline(files.path(), &[&usual, more].concat())
    };
    assert_eq!((run(&[]).code, run(&["-m32"]).code), (Some(1), Some(0)), "{:?}", run(&["--explain"]));
}

#[test]
fn a_compilation_database_says_how_a_file_is_compiled() {
    let database = |folder: &Path, flags: &str| {
        let command = format!("cc -O2 -Werror -Iinc {flags} -MD -MF a.d -o a.o -c ../src/a.c");
        let entry = json!([{ "directory": folder.join("build"), "file": "../src/a.c", "command": command }]);
        std::fs::write(folder.join("build/compile_commands.json"), entry.to_string()).unwrap();
    };
    let files = folder(&[("src/a.c", CLAMP), ("src/b.c", CLAMP), ("build/inc/limit.h", "\n")]);
    let run = |file: &str| beeline(files.path(), &["check", "-p", "build", file]);
    let missing =
        "beeline: cannot read build/compile_commands.json: No such file or directory (os error 2)\n";
    assert_eq!(run("src/a.c").err, missing);
    database(files.path(), "-DLIMIT=12");
    assert_eq!(run("src/a.c").code, Some(1), "{:?}", run("src/a.c"));
    database(files.path(), "-D LIMIT=5");
    assert_eq!(run("src/a.c").code, Some(0));
    let unknown = "beeline: build/compile_commands.json does not say how src/b.c is compiled\n";
    assert_eq!(run("src/b.c").err, unknown);
}

#[test]
fn a_project_has_defaults() {
    let files = folder(&[
        ("a.c", &CLAMP.replace("<limit.h>", "\"limit.h\"")),
        ("inc/limit.h", "\n"),
        ("beeline.toml", "include = \"inc\"\ndefine = [\"LIMIT=12\"]\nproperty = \"no-overflow\"\n"),
    ]);
    let run = |more: &[&str]| beeline(files.path(), &[&["check", "a.c"], more].concat());
    assert_eq!(run(&[]).code, Some(0), "{:?}", run(&[]));
    assert_eq!(run(&["--property", "unreach-call"]).code, Some(1));
    std::fs::write(files.path().join("beeline.toml"), "proprety = \"null\"\n").unwrap();
    let ran = run(&[]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(2), "beeline: beeline.toml: beeline check has no option --proprety\n")
    );
}

const WRONG: &str = "\
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), *p = NULL;
  if (n == 5)
    return *p;
  if (n == 6)
    return n + 0x7fffffff;
  if (n == 7)
    return 1 << (n + 30);
  assert(n != 8);
  assert(n < 0 || n >= 0);
  return 0;
}
";

#[test]
fn several_properties_are_checked_at_once() {
    let files = folder(&[("a.c", WRONG)]);
    let properties = |asked: &[&str]| -> Vec<String> {
        let ran = beeline(files.path(), &[&["check", "a.c", "--json", "--every"], asked].concat());
        let object: Value = serde_json::from_str(&ran.out).unwrap();
        let targets = object["targets"].as_array().unwrap().iter();
        let found = targets.filter(|target| target["verdict"] == "unsafe");
        let mut found: Vec<String> = found
            .map(|target| format!("{}:{}", target["property"].as_str().unwrap(), target["line"]))
            .collect();
        found.sort();
        found
    };
    assert_eq!(properties(&["--property", "no-overflow,null"]), ["no-overflow:9", "null:7"]);
    assert_eq!(
        properties(&["--property", "bounds", "--property", "null", "--property", "unreach-call"]),
        ["null:7", "unreach-call:12"]
    );
}

#[test]
fn answers_are_told_in_sarif() {
    let files = folder(&[("a b.c", WRONG)]);
    let ran = beeline(
        files.path(),
        &["check", "a b.c", "--property", "unreach-call,null", "--sarif", "-", "--sarif-all"],
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let log: Value = serde_json::from_str(&ran.out).unwrap();
    is_valid("sarifLog", &log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let found: Vec<[&Value; 4]> = results
        .iter()
        .map(|result| {
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], "a%20b.c");
            [&result["ruleId"], &result["kind"], &result["level"], &place["region"]["startLine"]]
        })
        .collect();
    // Clang's check of the pointer is a target, and so is the access itself.
    for (rule, kind, level, line) in [
        ("null", "fail", "error", 7),
        ("unreach-call", "fail", "error", 12),
        ("unreach-call", "pass", "none", 13),
    ] {
        assert!(json!(found).as_array().unwrap().contains(&json!([rule, kind, level, line])), "{found:?}");
    }
    let null = results.iter().find(|result| result["ruleId"] == "null" && result["kind"] == "fail").unwrap();
    let flow = null["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let texts: Vec<&str> =
        flow.iter().filter_map(|step| step["location"]["message"]["text"].as_str()).collect();
    assert!(texts.contains(&"n = 5") || texts.iter().any(|text| text.starts_with("n = 5; ")), "{texts:?}");
    // A file of its own leaves the text as it is; the program itself is not overwritten.
    let ran = beeline(files.path(), &["check", "a b.c", "--sarif", "log.sarif"]);
    assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)");
    let log: Value = serde_json::from_slice(&std::fs::read(files.path().join("log.sarif")).unwrap()).unwrap();
    is_valid("sarifLog", &log);
    // Review shows each result as something to mend: what is proved or open is none.
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(!results.is_empty() && results.iter().all(|result| result["kind"] == "fail"), "{results:?}");
    let ran = beeline(files.path(), &["check", "a b.c", "--sarif", "a b.c"]);
    assert!(ran.code == Some(2) && ran.err.contains("a b.c"), "{ran:?}");
    // Even without a result there is a log.
    let ran = typed(
        files.path(),
        &["check", "-", "--sarif", "-"],
        "_Bool __CPROVER_is_fresh(void *, int);\nint x;\nint main(void) { return __CPROVER_is_fresh(&x, 4); }\n",
    );
    let log: Value = serde_json::from_str(&ran.out).unwrap();
    is_valid("sarifLog", &log);
    assert_eq!(
        (ran.code, &log["runs"][0]["invocations"][0]["executionSuccessful"]),
        (Some(3), &json!(false))
    );
}

/// What the schema of SARIF 2.1.0 says of objects that we write: required properties, and others with their types.
/// A type in brackets is that of the elements of a list; words behind a bar are the values that a text can have.
const SCHEMA: [(&str, &str, &str); 19] = [
    ("sarifLog", "version:|2.1.0 runs:[run]", "$schema:text"),
    (
        "run",
        "tool:tool",
        "automationDetails:runAutomationDetails invocations:[invocation] results:[result] columnKind:|utf16CodeUnits|unicodeCodePoints properties:any",
    ),
    ("runAutomationDetails", "", "id:text"),
    ("tool", "driver:toolComponent", ""),
    ("toolComponent", "name:text", "version:text semanticVersion:text rules:[reportingDescriptor]"),
    ("reportingDescriptor", "id:text", "shortDescription:multiformatMessageString"),
    ("multiformatMessageString", "text:text", ""),
    ("invocation", "executionSuccessful:truth", "exitCode:number toolExecutionNotifications:[notification]"),
    ("notification", "message:message", "level:|none|note|warning|error"),
    ("message", "text:text", ""),
    (
        "result",
        "message:message",
        "ruleId:text kind:|notApplicable|pass|fail|review|open|informational level:|none|note|warning|error \
         locations:[location] codeFlows:[codeFlow] properties:any",
    ),
    ("codeFlow", "threadFlows:[threadFlow]", "message:message"),
    ("threadFlow", "locations:[threadFlowLocation]", ""),
    (
        "threadFlowLocation",
        "",
        "location:location nestingLevel:number importance:|important|essential|unimportant",
    ),
    ("location", "", "physicalLocation:physicalLocation logicalLocations:[logicalLocation] message:message"),
    ("logicalLocation", "", "name:text kind:text"),
    ("physicalLocation", "artifactLocation:artifactLocation", "region:region"),
    ("artifactLocation", "", "uri:text"),
    ("region", "", "startLine:number startColumn:number"),
];

/// Is a value what the schema calls by a name?
fn is_valid(kind: &str, value: &Value) {
    if let Some(words) = kind.strip_prefix('|') {
        return assert!(words.split('|').any(|word| value == word), "{value} is none of {words}");
    }
    if let Some(element) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
        return value
            .as_array()
            .unwrap_or_else(|| panic!("no list: {value}"))
            .iter()
            .for_each(|value| is_valid(element, value));
    }
    match kind {
        "any" => return,
        "text" => return assert!(value.is_string(), "{value}"),
        "truth" => return assert!(value.is_boolean(), "{value}"),
        "number" => return assert!(value.is_u64(), "{value}"),
        _ => {}
    }
    let (_, required, others) =
        SCHEMA.iter().find(|(name, ..)| *name == kind).unwrap_or_else(|| panic!("{kind}"));
    let object = value.as_object().unwrap_or_else(|| panic!("no {kind}: {value}"));
    let known = |text: &'static str| text.split_whitespace().filter_map(|word| word.split_once(':'));
    for (name, _) in known(required) {
        assert!(object.contains_key(name), "a {kind} has no {name}: {value}");
    }
    for (name, value) in object {
        let found = known(required).chain(known(others)).find(|(known, _)| known == name);
        let (_, kind) = found.unwrap_or_else(|| panic!("a {kind} has no {name}"));
        is_valid(kind, value);
    }
    if kind == "result" {
        assert!(object["kind"] == "fail" || object["level"] == "none", "{value}");
    }
    if kind == "region" {
        assert!(object.values().all(|number| number.as_u64() >= Some(1)), "{value}");
    }
}
