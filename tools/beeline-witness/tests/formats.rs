//! Witnesses follow the published rules of their formats: what must be there, of what type, where.

use assert_cmd::Command;
use beeline_ir::{Bits, Value, file};
use beeline_run::{Reason, Run, RunVerdict};
use beeline_tests::{counterexample, lower_to, tool};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;
use yaml_rust2::{Yaml, YamlLoader};

const UNSAFE: &str = "#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);
static int read(void) { return __VERIFIER_nondet_int  (  ); }
void reach_error(void) { assert(0); }
int main(void) {
  int x = read();
  unsigned u = __VERIFIER_nondet_uint();
  unsigned char c = __VERIFIER_nondet_uchar();
  if (x == -5 && u == 4000000000 && c == 200)
    reach_error();
  return 0;
}
";

const SAFE: &str = "#include <assert.h>
int __VERIFIER_nondet_int(void);
int limit = 3;
static unsigned char steps;
static int climb(int from) {
  while (from < limit)
    from++;
  return from;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0;
  for (int i = 0; i < 4; i++) {
    int inner = climb(x);
    while (x < limit && x < inner)
      x++, steps += 100;
    assert(x <= 3);
  }
  { int gone = 7; x += gone; }
  while (n > 0) { n = __VERIFIER_nondet_int(); assert(x == 10); }
  return n;
}
";

/// Runs the tool in a folder.
fn witness(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("beeline-witness").expect("the tool is built");
    let output = command.current_dir(folder).args(arguments).output().expect("the tool runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A folder with the unsafe program and its result.
fn unsafe_task() -> tempfile::TempDir {
    unsafe_task_of(UNSAFE)
}

/// A folder with a variant of the unsafe program and its result.
fn unsafe_task_of(source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = lower_to(source, &folder.path().join("p.cfa")).expect("the program is lowered");
    let inputs = [(32, -5), (32, 4_000_000_000), (8, 200)];
    let inputs = inputs.map(|(width, value)| Value::Bv(Bits::from_i64(width, value)));
    let run = counterexample(&program, inputs.to_vec()).expect("the inputs lead to the target");
    let digest = file::peek(folder.path().join("p.cfa")).expect("the program is read").digest;
    file::write(folder.path().join("p.run"), &run, Some(digest)).expect("the result is written");
    folder
}

/// A folder with a safe program and its result.
fn safe_task(source: &str) -> tempfile::TempDir {
    safe_task_by(source, &[])
}

/// The same with options of the search.
fn safe_task_by(source: &str, options: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    lower_to(source, &folder.path().join("p.cfa")).expect("the program is lowered");
    let mut verify = std::process::Command::new(tool("beeline-verify").expect("the tool is built"));
    let output = verify.args(["p.cfa", "-o", "p.run"]).args(options).current_dir(folder.path()).output();
    let said = String::from_utf8(output.expect("the tool runs").stdout).expect("it prints text");
    assert_eq!(said.lines().last(), Some("verdict: safe"));
    folder
}

fn text<'y>(node: &'y Yaml, key: &str) -> &'y str {
    node[key].as_str().unwrap_or_else(|| panic!("{key} is a text in {node:?}"))
}

fn keys(node: &Yaml) -> Vec<&str> {
    node.as_hash().expect("it is a map").keys().map(|key| key.as_str().expect("keys are texts")).collect()
}

fn is_time(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00T00:00:00Z"
}

/// Checks an entry in YAML 2.0, or 2.1 with contracts of functions, but for its content, which is returned.
fn checked_entry(document: &str, kind: &str, source: &str) -> Vec<Yaml> {
    let documents = YamlLoader::load_from_str(document).expect("it is YAML");
    let [Yaml::Array(entries)] = &documents[..] else { panic!("one document with a list") };
    let [entry] = &entries[..] else { panic!("one entry") };
    assert_eq!(keys(entry), ["entry_type", "metadata", "content"]);
    assert_eq!(text(entry, "entry_type"), kind);
    let metadata = &entry["metadata"];
    assert_eq!(keys(metadata), ["format_version", "uuid", "creation_time", "producer", "task"]);
    let content = entry["content"].as_vec().expect("a list");
    let version = if content.iter().any(is_contract) { "2.1" } else { "2.0" };
    assert_eq!(text(metadata, "format_version"), version);
    assert_eq!(text(metadata, "uuid").len(), 36);
    assert!(is_time(text(metadata, "creation_time")), "{metadata:?}");
    text(&metadata["producer"], "name");
    text(&metadata["producer"], "version");
    let task = &metadata["task"];
    let required = ["input_files", "input_file_hashes", "specification", "data_model", "language"];
    assert_eq!(keys(task), required);
    let files = task["input_files"].as_vec().expect("a list of files");
    assert_eq!(files.len(), 1);
    let hash: String = Sha256::digest(source).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(text(&task["input_file_hashes"], files[0].as_str().expect("a name")), hash);
    assert_eq!((text(task, "data_model"), text(task, "language")), ("LP64", "C"));
    content.clone()
}

fn is_contract(item: &Yaml) -> bool {
    item["invariant"]["type"].as_str() == Some("function_contract")
}

/// Checks a location: the line and the column, counted from 1.
fn checked_location(location: &Yaml) -> (usize, usize) {
    assert_eq!(keys(location), ["file_name", "line", "column", "function"]);
    assert!(text(location, "file_name").ends_with("p.c"));
    let number = |key: &str| location[key].as_i64().unwrap_or_else(|| panic!("{key} is a number"));
    assert!(number("line") >= 1 && number("column") >= 1);
    (number("line") as usize, number("column") as usize)
}

#[test]
fn a_violation_in_yaml_tells_the_inputs_in_order() {
    let folder = unsafe_task();
    let (code, out, err) = witness(folder.path(), &["p.run"]);
    assert_eq!((code, err.as_str()), (0, ""));
    check_violation(&out, UNSAFE);
}

#[test]
fn lines_of_preprocessed_files_are_their_own() {
    let source = UNSAFE.replace(
        "#include <assert.h>\n",
        "# 1 \"orig.c\"\n# 1 \"lib.h\" 1\nvoid assert(int);\n# 70 \"orig.c\" 2\n",
    );
    let folder = unsafe_task_of(&source);
    let (code, _, err) = witness(folder.path(), &["p.run"]);
    assert!(code == 2 && err.contains("orig.c") && err.contains("--source"), "{err}");
    let (code, out, err) = witness(folder.path(), &["p.run", "--source", "p.c"]);
    assert_eq!((code, err.as_str()), (0, ""));
    check_violation(&out, &source);
}

/// Checks the violation witness of a variant of the unsafe program.
fn check_violation(document: &str, source: &str) {
    let segments = checked_entry(document, "violation_sequence", source);
    assert_eq!(segments.len(), 4);
    let lines: Vec<&str> = source.lines().collect();
    let expected = ["-5", "4000000000U", "200"];
    for (index, segment) in segments.iter().enumerate() {
        assert_eq!(keys(segment), ["segment"]);
        let [waypoint] = &segment["segment"].as_vec().expect("a list")[..] else { panic!("one waypoint") };
        let waypoint = &waypoint["waypoint"];
        assert_eq!(text(waypoint, "action"), "follow");
        let (line, column) = checked_location(&waypoint["location"]);
        if let Some(value) = expected.get(index) {
            assert_eq!(text(waypoint, "type"), "function_return");
            // The place of a return is the parenthesis that closes the call.
            assert_eq!(lines[line - 1].as_bytes()[column - 1], b')', "{line}:{column}");
            assert_eq!(text(&waypoint["constraint"], "value"), format!("\\result == {value}"));
            assert_eq!(text(&waypoint["constraint"], "format"), "acsl_expression");
        } else {
            assert_eq!(text(waypoint, "type"), "target");
            assert!(waypoint["constraint"].is_badvalue());
            assert!(lines[line - 1][column - 1..].starts_with("reach_error()"));
        }
    }
}

/// The data of an element of GraphML, by key.
fn data<'a>(element: roxmltree::Node<'a, '_>) -> HashMap<&'a str, &'a str> {
    let data = element
        .children()
        .filter(|child| child.has_tag_name(("http://graphml.graphdrawing.org/xmlns", "data")));
    data.map(|data| (data.attribute("key").expect("data has a key"), data.text().unwrap_or(""))).collect()
}

/// The nodes and edges of a document in GraphML that follows the rules, each with its data.
struct Graph {
    nodes: HashMap<String, HashMap<String, String>>,
    edges: Vec<(String, String, HashMap<String, String>)>,
    about: HashMap<String, String>,
}

fn checked_graph(document: &str, source: &str) -> Graph {
    let parsed = roxmltree::Document::parse(document).expect("it is XML");
    let owned = |data: HashMap<&str, &str>| -> HashMap<String, String> {
        data.into_iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
    };
    assert_eq!(parsed.root_element().tag_name().name(), "graphml");
    let mut declared = HashMap::new();
    for key in parsed.descendants().filter(|node| node.tag_name().name() == "key") {
        let [id, ty, of] = ["id", "attr.type", "for"].map(|name| key.attribute(name).expect(name));
        assert!(key.attribute("attr.name").is_some());
        assert_eq!(key.children().any(|child| child.tag_name().name() == "default"), ty == "boolean", "{id}");
        assert!(declared.insert(id, (ty, of)).is_none(), "{id} is declared once");
    }
    for used in parsed.descendants().filter(|node| node.tag_name().name() == "data") {
        let key = used.attribute("key").expect("data has a key");
        let (ty, of) = declared[key];
        assert_eq!(used.parent().map(|parent| parent.tag_name().name()), Some(of), "{key}");
        let value = used.text().unwrap_or("");
        match ty {
            "boolean" => assert!(["true", "false"].contains(&value), "{key}"),
            "int" => assert!(value.parse::<u32>().is_ok_and(|number| number > 0), "{key}"),
            _ => assert!(!value.is_empty(), "{key}"),
        }
    }
    let graph = parsed.descendants().find(|node| node.tag_name().name() == "graph").expect("a graph");
    assert_eq!(graph.attribute("edgedefault"), Some("directed"));
    let about = owned(data(graph));
    for key in ["witness-type", "sourcecodelang", "producer", "specification", "programfile", "creationtime"]
    {
        assert!(about.contains_key(key), "{key}");
    }
    let hash: String = Sha256::digest(source).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((about["programhash"].as_str(), about["architecture"].as_str()), (hash.as_str(), "64bit"));
    assert!(is_time(&about["creationtime"]));
    let mut nodes = HashMap::new();
    for node in graph.children().filter(|node| node.tag_name().name() == "node") {
        let id = node.attribute("id").expect("a node has an id").to_string();
        assert!(nodes.insert(id, owned(data(node))).is_none(), "ids are unique");
    }
    let edges = graph.children().filter(|node| node.tag_name().name() == "edge");
    let edges: Vec<_> = edges
        .map(|edge| {
            let [from, to] = ["source", "target"].map(|end| edge.attribute(end).expect(end).to_string());
            assert!(nodes.contains_key(&from) && nodes.contains_key(&to), "{from} -> {to}");
            (from, to, owned(data(edge)))
        })
        .collect();
    assert_eq!(nodes.values().filter(|data| data.contains_key("entry")).count(), 1, "one entry");
    let lines = source.lines().count();
    for (_, _, data) in &edges {
        for key in ["startline", "endline"] {
            assert!(data.get(key).is_none_or(|line| line.parse::<usize>().unwrap() <= lines));
        }
        let result = data.get("assumption").is_some_and(|assumption| assumption.contains("\\result"));
        assert_eq!(result, data.contains_key("assumption.resultfunction"));
    }
    Graph { nodes, edges, about }
}

#[test]
fn a_violation_in_graphml_is_a_path_to_the_violation() {
    let folder = unsafe_task();
    let (code, out, err) = witness(folder.path(), &["p.run", "--format", "graphml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let graph = checked_graph(&out, UNSAFE);
    assert_eq!(graph.about["witness-type"], "violation_witness");
    assert_eq!(graph.about["specification"], "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    assert!(graph.nodes.values().all(|data| !data.contains_key("invariant")));
    let mut at = graph.nodes.iter().find(|(_, data)| data.contains_key("entry")).expect("an entry").0.clone();
    let mut told = Vec::new();
    while !graph.nodes[&at].contains_key("violation") {
        let (_, to, data) = graph.edges.iter().find(|edge| edge.0 == at).expect("the path goes on");
        if let Some(assumption) = data.get("assumption") {
            told.push((assumption.clone(), data["startline"].clone(), data["assumption.scope"].clone()));
        }
        at = to.clone();
    }
    let expected = [
        ("\\result == -5", "5", "read"),
        ("\\result == 4000000000U", "9", "main"),
        ("\\result == 200", "10", "main"),
    ];
    assert_eq!(told, expected.map(|(a, b, c)| (a.to_string(), b.to_string(), c.to_string())));
    assert_eq!(graph.edges.len(), graph.nodes.len() - 1);
}

/// The invariants of a correctness witness in YAML: line, column, function, expression.
fn invariants(document: &str, source: &str) -> Vec<(usize, usize, String, String)> {
    let content = checked_entry(document, "invariant_set", source);
    let read = content.iter().filter(|item| !is_contract(item)).map(|item| {
        assert_eq!(keys(item), ["invariant"]);
        let invariant = &item["invariant"];
        assert_eq!(keys(invariant), ["type", "location", "value", "format"]);
        assert_eq!((text(invariant, "type"), text(invariant, "format")), ("loop_invariant", "c_expression"));
        let (line, column) = checked_location(&invariant["location"]);
        let function = text(&invariant["location"], "function").to_string();
        (line, column, function, text(invariant, "value").to_string())
    });
    read.collect()
}

/// The program with each invariant asserted where the condition of its loop is evaluated.
fn asserted(source: &str, invariants: &[(usize, usize, String, String)]) -> String {
    let mut lines: Vec<String> = source.lines().map(String::from).collect();
    for (line, column, _, invariant) in invariants {
        let text = &mut lines[line - 1];
        let rest = &text[column - 1..];
        let mark = if rest.starts_with("for") { ';' } else { '(' };
        let at = column - 1 + rest.find(mark).expect("the loop has a condition") + 1;
        text.insert_str(at, &format!(" ({invariant} ? 0 : __builtin_trap()),"));
    }
    lines.join("\n") + "\n"
}

/// Needs predicates, as its variables have many values.
const COUNTING: &str = "#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = n;
  if (n < 0 || n > 1000) return 0;
  while (y > 0) {
    x++;
    y--;
  }
  assert(x == n);
  return 0;
}
";

#[test]
fn invariants_hold_when_the_program_runs() {
    run_with_invariants(SAFE, 3);
    run_with_invariants(COUNTING, 1);
}

/// The contexts of a function are alternatives, in which a global is what it is now and not what it was at the entry.
#[test]
fn invariants_of_summaries_hold_when_the_program_runs() {
    let source = "#include <assert.h>
static int steps;
static int climb(int from, int to) {
  int at = from;
  while (at < to) {
    at++;
    steps++;
  }
  return at;
}
int main(void) {
  assert(climb(2, 4) == 4);
  assert(climb(1, 2) + steps == 5);
}
";
    run_with_invariants_by(source, 1, &["--calls", "summaries", "--domain", "value"]);
}

/// Calls of these functions, and one behind the last target.
const CALLS: &str = "#include <assert.h>
int __VERIFIER_nondet_int(void);
static int calls;
static int count(int n) {
  calls = calls + 1;
  if (n == 0) return 0;
  return count(n - 1) + 1;
}
static int cap(int value, int most) {
  if (value > most) value = most;
  return value;
}
static int last(int n) {
  if (n > 3) assert(calls != 0);
  return n;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 20) return 0;
  assert(count(n) == n);
  int c = cap(n, 7);
  assert(c <= 7);
  calls = 9;
  int l = last(4);
  cap(-2000, -1000);
  return l == 5;
}
";

/// The program where calls of a function check what it requires and what it ensures.
fn with_contract(source: &str, head: &str, function: &str, contract: &Yaml) -> String {
    let parameters = head.split(['(', ')']).nth(1).expect("it has parameters");
    let names = parameters.split(", ").map(|parameter| parameter.trim_start_matches("int "));
    let arguments: Vec<&str> = names.collect();
    let in_c = |clause: &str| {
        let olds = arguments.iter().chain(&["calls"]).fold(clause.to_string(), |text, name| {
            text.replace(&format!("\\old({name})"), &format!("old_{name}"))
        });
        format!("if (!({})) __builtin_trap();", olds.replace("\\result", "result"))
    };
    let clause = |key: &str| contract[key].as_str().map_or(String::new(), in_c);
    let olds: String =
        arguments.iter().chain(&["calls"]).map(|name| format!("int old_{name} = {name}; ")).collect();
    let body = head.replace(&format!(" {function}("), &format!(" {function}_("));
    let checking = format!(
        "{head} {{ {olds} {} int result = {function}_({}); {} return result; }}\n",
        clause("requires"),
        arguments.join(", "),
        clause("ensures"),
    );
    format!("{}{checking}", source.replace(head, &format!("{head};\n{body}")))
}

/// The contracts of a program that is proved by summaries.
fn contracts(source: &str, options: &[&str]) -> (tempfile::TempDir, Vec<Yaml>) {
    let folder = safe_task_by(source, &[&["--calls", "summaries", "--ticks", "60000000"], options].concat());
    let (code, out, err) = witness(folder.path(), &["p.run"]);
    assert_eq!(code, 0, "{err}");
    let content = checked_entry(&out, "invariant_set", source);
    let contracts = content.iter().filter(|item| is_contract(item));
    (folder, contracts.map(|item| item["invariant"].clone()).collect())
}

fn contract_of<'y>(contracts: &'y [Yaml], function: &str) -> Option<&'y Yaml> {
    contracts.iter().find(|contract| text(&contract["location"], "function") == function)
}

#[test]
fn contracts_of_functions_hold_when_the_program_runs() {
    let (folder, contracts) = contracts(CALLS, &["--domain", "predicate"]);
    // Behind the last target calls are in no context, and `cap` is called there.
    assert_eq!(contract_of(&contracts, "cap"), None);
    let count = contract_of(&contracts, "count").expect("it has one");
    assert_eq!(checked_location(&count["location"]), (4, 1));
    assert!(text(count, "ensures").contains("\\old(n) == (int)\\result"), "{count:?}");
    ran_well(folder.path(), &with_contract(CALLS, "static int count(int n)", "count", count));
}

#[test]
fn contexts_are_alternatives_of_a_contract() {
    let source = "#include <assert.h>
static int calls;
static int cap(int value, int most) {
  calls = calls + value;
  if (value > most) value = most;
  return value;
}
int main(void) {
  assert(cap(9, 7) == 7);
  assert(cap(3, 7) == 3);
  assert(calls == 12);
}
";
    let (folder, contracts) = contracts(source, &["--domain", "value"]);
    let cap = contract_of(&contracts, "cap").expect("it has one");
    let (requires, ensures) = (text(cap, "requires"), text(cap, "ensures"));
    assert!(requires.contains("value == 9") && requires.contains(" || "), "{requires}");
    assert!(ensures.contains("\\old(value) == 9") && ensures.contains("calls == 12"), "{ensures}");
    ran_well(folder.path(), &with_contract(source, "static int cap(int value, int most)", "cap", cap));
}

/// A proof says nothing of executions that reach no target any more, an invariant does.
#[test]
fn invariants_hold_behind_the_last_target() {
    let source = "#include <assert.h>
static int climb(int to) {
  int from = 0;
  while (from < to)
    from++;
  return from;
}
static int deeper(int to) { return climb(to); }
int main(void) {
  int i = 0;
  while (i < 2)
    i++;
  assert(deeper(3) == 3 && i == 2);
  return deeper(5) != 5;
}
";
    run_with_invariants_by(source, 1, &["--domain", "value"]);
    run_with_invariants_by(source, 1, &["--domain", "predicate"]);
    run_with_invariants_by(source, 1, &["--domain", "value", "--calls", "summaries"]);
}

/// Runs a program that asserts the invariants of its witness, which are at least so many.
fn run_with_invariants(source_text: &str, least: usize) {
    run_with_invariants_by(source_text, least, &[]);
}

/// The same with options of the search.
fn run_with_invariants_by(source_text: &str, least: usize, options: &[&str]) {
    let folder = safe_task_by(source_text, options);
    let (code, out, err) = witness(folder.path(), &["p.run"]);
    assert_eq!(code, 0, "{err}");
    let found = invariants(&out, source_text);
    assert!(found.len() >= least, "{out}");
    ran_well(folder.path(), &asserted(source_text, &found));
}

/// Runs a program with some inputs.
fn ran_well(folder: &Path, text: &str) {
    let inputs = "#include <stdlib.h>\nint __VERIFIER_nondet_int(void) { static int n = 5; return n--; }\n";
    let (source, program) = (folder.join("asserted.c"), folder.join("asserted"));
    std::fs::write(&source, inputs.to_string() + text).expect("the source is written");
    let mut clang = std::process::Command::new(beeline_tests::CLANG);
    let built = clang
        .args(["-w", "-fsanitize=undefined", "-fsanitize-trap=all"])
        .arg(&source)
        .arg("-o")
        .arg(&program);
    let built = built.output().expect("clang runs");
    assert!(built.status.success(), "{}\n{text}", String::from_utf8_lossy(&built.stderr));
    let ran = std::process::Command::new(&program).output().expect("the program runs");
    assert_eq!(ran.status.code(), Some(0), "{text} {}", String::from_utf8_lossy(&ran.stderr));
}

/// A proof after a residual condition does not look at what that shows: what holds in it does not always hold. Both of one result
/// are an invariant together; a residual condition in another result is not looked at.
#[test]
fn a_proof_that_leaves_executions_out_has_invariants_only_with_them() {
    let source = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
                  int main(void) {\n  unsigned n = __VERIFIER_nondet_int(), i = 0, s = 0;\n\
                  \x20 if (n == 1) { for (i = 0; i < 5; i++) s += 2; if (s != 10) reach_error(); return 0; }\n\
                  \x20 while (i < n) { i++; s++; }\n  if (s != i) reach_error();\n  return 0;\n}\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    lower_to(source, &folder.path().join("p.cfa")).expect("the program is lowered");
    let verify = |words: &str| {
        let mut verify = std::process::Command::new(tool("beeline-verify").expect("the tool is built"));
        let output = verify.args(words.split(' ')).current_dir(folder.path()).output();
        String::from_utf8(output.expect("the tool runs").stdout).expect("it prints text")
    };
    assert_eq!(verify("p.cfa --domain predicate -o p.run"), "verdict: safe\n");
    let (_, out, _) = witness(folder.path(), &["p.run"]);
    assert!(out.contains("loop_invariant"), "{out}");
    let first = verify("p.cfa --domain value --ticks 100000 -o first.run");
    assert!(first.starts_with("verdict: unknown"), "{first}");
    assert_eq!(verify("p.cfa --condition first.run --domain predicate -o p.run"), "verdict: safe\n");
    let (code, out, err) = witness(folder.path(), &["p.run"]);
    assert!(code == 0 && err.contains("no invariants: the proof builds on earlier results"), "{err}");
    assert!(!out.contains("loop_invariant"), "{out}");
    // One target for both loops, so that there is one proof.
    let checked = source
        .replace("if (s != 10) reach_error();", "check(s == 10);")
        .replace("if (s != i) reach_error();", "check(s == i);");
    let checked =
        checked.replace("int main", "static void check(int holds) { if (!holds) reach_error(); }\nint main");
    lower_to(&checked, &folder.path().join("p.cfa")).expect("the program is lowered");
    let plan = "[[step]]\ndomain = \"value\"\nbudget.ticks = 100000\nhand = [\"condition\"]\n[[step]]\ndomain = \"predicate\"\n";
    std::fs::write(folder.path().join("two.toml"), plan).expect("the plan is written");
    assert_eq!(verify("p.cfa --plan two.toml -o p.run"), "verdict: safe\n");
    let (_, out, err) = witness(folder.path(), &["p.run"]);
    // The proof leaves out the first loop, and the residual condition has all of it.
    assert!(out.contains("i == 5U && s == 10U") && out.contains("i == s"), "{out}{err}");
}

#[test]
fn invariants_in_graphml_are_those_in_yaml() {
    let folder = safe_task(SAFE);
    let (_, yaml, _) = witness(folder.path(), &["p.run"]);
    let (code, out, _) = witness(folder.path(), &["p.run", "--format", "graphml"]);
    assert_eq!(code, 0);
    let graph = checked_graph(&out, SAFE);
    assert_eq!(graph.about["witness-type"], "correctness_witness");
    let mut told: Vec<(String, String)> = graph
        .nodes
        .values()
        .filter(|data| data.contains_key("invariant"))
        .map(|data| (data["invariant"].clone(), data["invariant.scope"].clone()))
        .collect();
    let mut expected: Vec<(String, String)> =
        invariants(&yaml, SAFE).into_iter().map(|(_, _, function, text)| (text, function)).collect();
    told.sort();
    expected.sort();
    assert_eq!(told, expected);
    assert!(graph.nodes.values().all(|data| !data.contains_key("violation")));
    assert!(graph.edges.iter().all(|(.., data)| !data.contains_key("assumption")));
}

#[test]
fn floats_at_loops_are_said_as_well() {
    let source = "#include <assert.h>
int main(void) {
  float f = 0.5f;
  double nan = 0.0;
  nan /= nan;
  for (int i = 0; i < 2; i++)
    f += nan == nan;
  assert(f == 0.5f);
}
";
    run_with_invariants(source, 1);
}

#[test]
fn names_that_mean_something_else_are_not_used() {
    let source = "#include <assert.h>
int x = 1;
int main(void) {
  { int gone = 4; x += gone; }
  for (int i = 0; i < 2; i++) { int i = 9; x += i - 8; }
  int j = 0;
  while (j < 3) { int x = j; j = x + 1; }
  for (int j = 5; j < 6; j++) x++;
  assert(x == 8);
}
";
    let folder = safe_task(source);
    let (_, out, _) = witness(folder.path(), &["p.run"]);
    for (line, _, _, text) in invariants(&out, source) {
        // Two variables are called i, two j, two x; `gone` is out of sight.
        for name in ["i", "j", "x", "gone"] {
            assert!(!text.split(|c: char| !c.is_alphanumeric()).any(|word| word == name), "{line}: {text}");
        }
    }
}

#[test]
fn the_property_can_be_given() {
    let folder = unsafe_task();
    std::fs::write(folder.path().join("p.prp"), "CHECK( init(main()), LTL(G ! call(alarm())) )\n\n").unwrap();
    let arguments = ["p.run", "--format", "graphml", "--property", "p.prp", "-o", "w.graphml", "--json"];
    let (code, out, err) = witness(folder.path(), &arguments);
    assert_eq!((code, out.as_str()), (0, "{\"inputs\":3,\"kind\":\"violation\",\"left_out\":0}\n"), "{err}");
    let document = std::fs::read_to_string(folder.path().join("w.graphml")).unwrap();
    assert_eq!(
        checked_graph(&document, UNSAFE).about["specification"],
        "CHECK( init(main()), LTL(G ! call(alarm())) )"
    );
}

#[test]
fn wrong_input_is_a_sentence_and_exit_code_2() {
    let folder = unsafe_task();
    let file = |name: &str| folder.path().join(name);
    let digest = file::peek(file("p.cfa")).unwrap().digest;
    let unknown = Run {
        verdict: RunVerdict::Unknown(Reason::Time),
        targets: vec![],
        paths: vec![],
        proofs: vec![],
        statistics: vec![],
        undefined: vec![],
        rests: vec![],
        resting: vec![],
        parts: vec![],
        precision: None,
        callees: vec![],
        broken: vec![],
    };
    file::write(file("unknown.run"), &unknown, Some(digest)).unwrap();
    std::fs::copy(file("p.run"), file("alone.run")).unwrap();
    std::fs::write(file("text.run"), "text").unwrap();
    for (arguments, message) in [
        (&["missing.run"][..], "missing.run"),
        (&["p.cfa"], "p.cfa"),
        (&["text.run", "--cfa", "p.cfa"], "text.run"),
        (&["alone.run"], "--cfa"),
        (
            &["unknown.run", "--cfa", "p.cfa"],
            "the verdict unknown and no witness (the time limit was reached)",
        ),
        (&["p.run", "--source", "missing.c"], "missing.c"),
        (&["p.run", "--property", "missing.prp"], "missing.prp"),
        (&["p.run", "--format", "json"], "json"),
        (&["p.run", "--json"], "-o"),
        (&["p.run", "-o", "missing/w"], "missing/w"),
    ] {
        let (code, out, err) = witness(folder.path(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(message) && !err.contains("panicked"), "{arguments:?}: {err}");
    }
    std::fs::remove_file(file("p.c")).unwrap();
    let (code, _, err) = witness(folder.path(), &["p.run"]);
    assert!(code == 2 && err.contains("--source"), "{err}");
}
