//! `beeline cover` and `beeline reach`: what they say is what native runs of all inputs show.

use beeline_tests::CLANG;
use beeline_tests::all_inputs::passed;
use beeline_tests::driver::{Ran, beeline};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cover").join(name)
}

/// Covers a program, and compares with all inputs; gives how many places are dead.
fn compare(name: &str, of: &str) -> usize {
    let folder = tempfile::tempdir().expect("there is room");
    let (source, kept) = (program(name), folder.path().join("kept"));
    let (source, keep) = (source.display().to_string(), kept.display().to_string());
    let ran = beeline(folder.path(), &["cover", &source, "--of", of, "--json", "--keep", &keep]);
    let object: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let places = object["places"].as_array().expect("it has places");
    let marked = kept.join(format!("{}.marked.bc", name.trim_end_matches(".c")));
    let passed = passed(folder.path(), &marked);
    let are = |word: &str| -> BTreeSet<usize> {
        (0..places.len()).filter(|&number| places[number]["is"] == word).collect()
    };
    let (covered, dead) = (are("covered"), are("dead"));
    assert_eq!(covered, passed, "{name}, {of}: covered, and passed by native runs");
    assert_eq!(covered.len() + dead.len(), places.len(), "{name}, {of}: nothing is open: {}", ran.out);
    assert_eq!(ran.code, Some(0));
    let tests = object["tests"].as_array().expect("it has tests");
    assert!(tests.len() <= covered.len().max(1));
    dead.len()
}

#[test]
fn what_is_covered_is_what_inputs_get_to() {
    for (name, [branches, lines, functions]) in
        [("menu.c", [5, 5, 1]), ("parity.c", [5, 4, 0]), ("through.c", [1, 2, 1])]
    {
        assert_eq!(compare(name, "branches"), branches, "{name}: branches");
        assert_eq!(compare(name, "lines"), lines, "{name}: lines");
        assert_eq!(compare(name, "functions"), functions, "{name}: functions");
    }
}

/// The tests that come out are run natively, and llvm-cov counts which ways of branches they take.
#[test]
fn what_is_covered_is_what_llvm_cov_measures() {
    let tools = beeline_tests::tools().expect("the tools can be built");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let ran = Command::new(root.join("measure/cover-natively"))
        .arg("--tools")
        .arg(tools)
        .args(["menu.c", "parity.c"].map(program))
        .output()
        .expect("python3 is there");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
    // Of the 15 lines with branches of the one and the other, these have as many ways natively.
    let compared = said.lines().filter_map(|line| line.split('|').nth(7)?.trim().split_once(" of "));
    let compared: usize = compared.filter_map(|(number, _)| number.parse::<usize>().ok()).sum();
    assert!(compared >= 12, "{said}");
}

/// An execution ends at a place that is looked for, and passes those that are known.
#[test]
fn random_inputs_get_behind_the_places_that_are_known() {
    let folder = tempfile::tempdir().expect("there is room");
    let branches: String = (0..24).map(|bit| format!("  if (x >> {bit} & 1)\n    n++;\n")).collect();
    let head = "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n";
    let text =
        format!("{head}  unsigned x = __VERIFIER_nondet_uint(), n = 0;\n{branches}  return n > 9;\n}}\n");
    std::fs::write(folder.path().join("p.c"), text).expect("it can be written");
    let ran = beeline(folder.path(), &["cover", "p.c", "--engine", "concrete"]);
    assert!(ran.out.contains("cover: of 48 branches, 48 covered by "), "{}", ran.out);
}

/// A character is compared as an integer, so that the program mentions it in a wider type than inputs have.
#[test]
fn random_inputs_are_characters_that_the_program_mentions() {
    let folder = tempfile::tempdir().expect("there is room");
    let word = "{\"k\":[2]}";
    let deeper = |(index, letter)| format!("  if (c[{index}] != '{letter}')\n    return {index};\n");
    let branches: String = word.chars().enumerate().map(deeper).collect();
    let head = "extern char __VERIFIER_nondet_char(void);\nint main(void) {\n  char c[9];\n";
    let inputs = "  for (int i = 0; i < 9; i++)\n    c[i] = __VERIFIER_nondet_char();\n";
    std::fs::write(folder.path().join("p.c"), format!("{head}{inputs}{branches}}}\n"))
        .expect("it can be written");
    let ran = beeline(folder.path(), &["cover", "p.c", "--engine", "concrete"]);
    assert!(ran.out.contains("cover: of 20 branches, 20 covered by "), "{}", ran.out);
}

#[test]
fn what_is_dead_is_shown_with_its_line() {
    let folder = tempfile::tempdir().expect("there is room");
    let source = program("parity.c").display().to_string();
    let Ran { out: stdout, code, .. } = beeline(folder.path(), &["cover", &source, "--of", "branches"]);
    assert_eq!(code, Some(0), "{stdout}");
    assert!(stdout.contains("parity.c:13:7: the condition holds\n        if ((sum ^ differ) & 1)\n"));
    assert!(stdout.lines().last().is_some_and(|line| line.ends_with("5 dead, 0 open")), "{stdout}");
}

#[test]
fn conditions_at_one_place_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>\nint main(void) {\n  int a = 1, b = 2;\n  assert(a > 0 && b > 0);\n  return 0;\n}\n";
    std::fs::write(folder.path().join("a.c"), text).unwrap();
    let Ran { out, .. } = beeline(folder.path(), &["cover", "a.c"]);
    let lines: Vec<&str> = out.lines().filter(|line| line.starts_with("  a.c:4:")).collect();
    // Which column that is differs between clangs.
    let [line] = lines[..] else { panic!("{out}") };
    assert!(line.ends_with(": the condition does not hold (2 conditions)"), "{out}");
    assert!(out.ends_with("2 dead, 0 open\n"), "{out}");
}

#[test]
fn tests_and_tracefiles_say_the_same() {
    let folder = tempfile::tempdir().expect("there is room");
    let source = program("parity.c").display().to_string();
    let ran =
        beeline(folder.path(), &["cover", &source, "--tests", "tests", "--lcov", "cover.info", "--json"]);
    let object: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    for (number, test) in object["tests"].as_array().expect("it has tests").iter().enumerate() {
        let file = folder.path().join(format!("tests/test-{number}.xml"));
        let text = std::fs::read_to_string(file).expect("the test is there");
        let inputs = test["inputs"].as_array().expect("it has inputs");
        assert_eq!(text.matches("<input>").count(), inputs.len());
        for input in inputs {
            assert!(text.contains(&format!("<input>{}</input>", input["value"].as_str().expect("a text"))));
        }
    }
    let metadata = std::fs::read_to_string(folder.path().join("tests/metadata.xml")).expect("it is there");
    assert!(metadata.contains("<entryfunction>main</entryfunction>"));
    let info = std::fs::read_to_string(folder.path().join("cover.info")).expect("it is there");
    let covered = object["places"].as_array().into_iter().flatten().filter(|place| place["is"] == "covered");
    let taken = info.lines().filter(|line| line.starts_with("BRDA:") && line.ends_with(",1"));
    assert_eq!(taken.count(), covered.count());
}

/// The last line that `beeline reach` prints, and its exit code.
fn reach(name: &str, places: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().expect("there is room");
    let source = program(name).display().to_string();
    let mut words = vec!["reach", &source];
    places.iter().for_each(|place| words.extend(["--to", place]));
    let ran = beeline(folder.path(), &words);
    let said = if ran.code == Some(2) { ran.err } else { ran.out };
    (said.trim_end().lines().last().unwrap_or_default().to_string(), ran.code.unwrap_or(-1))
}

#[test]
fn places_are_reached_in_an_order() {
    let reachable = ("verdict: reachable (confirmed)".to_string(), 1);
    let unreachable = ("verdict: unreachable (proof certified)".to_string(), 0);
    assert_eq!(reach("menu.c", &["menu.c:33"]), reachable);
    assert_eq!(reach("menu.c", &["unused"]), unreachable);
    // One who goes up in the menu can go down next, and both once only.
    assert_eq!(reach("menu.c", &["menu.c:9", "menu.c:11"]), reachable);
    assert_eq!(reach("menu.c", &["menu.c:9", "menu.c:11", "menu.c:9"]), unreachable);
    // The table is called before its results are looked at.
    assert_eq!(reach("through.c", &["add", "through.c:24"]), reachable);
    assert_eq!(reach("through.c", &["divide", "through.c:24"]), unreachable);
    assert_eq!(reach("through.c", &["call:exit"]), reachable);
}

#[test]
fn a_place_that_there_is_not_names_the_nearest() {
    let refused = |places: &[&str]| {
        let (said, code) = reach("menu.c", places);
        assert_eq!(code, 2, "{said}");
        said
    };
    assert!(
        refused(&["menu.c:25"])
            .ends_with("no code at menu.c:25; the nearest are menu.c:24, menu.c:23, menu.c:27")
    );
    // The line of a function's head is where it begins.
    assert_eq!(reach("menu.c", &["menu.c:26"]).1, 1);
    assert!(refused(&["mvoe"]).contains("no code at mvoe; the nearest are move, "));
    assert!(refused(&["call:moev"]).contains("the nearest are call:move"));
    assert!(
        refused(&["other.c:3"]).contains("the nearest are ") && refused(&["other.c:3"]).ends_with("menu.c")
    );
    assert!(refused(&["menu.c:0"]).contains("write FILE:LINE, a function, or call:FUNCTION"));
}

/// A warning in SARIF: its rule, and its path by line, column and note.
fn warning_along(rule: &str, path: &[(u32, u32, &str)]) -> Value {
    let uri = format!("file://{}", program("warned.c").display());
    let location = |&(line, column, note): &(u32, u32, &str)| {
        let region = json!({ "startLine": line, "startColumn": column });
        let physical = json!({ "artifactLocation": { "uri": uri }, "region": region });
        json!({ "physicalLocation": physical, "message": { "text": note } })
    };
    let steps: Vec<Value> = path.iter().map(|step| json!({ "location": location(step) })).collect();
    json!({
        "ruleId": rule,
        "message": { "text": "it is so" },
        "locations": [location(&path[path.len() - 1])],
        "codeFlows": [{ "threadFlows": [{ "locations": steps }] }],
    })
}

/// A warning in SARIF: its rule, and the lines of its path.
fn warning(rule: &str, lines: &[u32]) -> Value {
    warning_along(rule, &lines.iter().map(|&line| (line, 1, "")).collect::<Vec<_>>())
}

/// What is decided of warnings in a file about `warned.c`, and the last line.
fn decided(input: &str, text: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join(input), text).expect("it can be written");
    decided_of(folder.path(), "warned.c", input)
}

/// What is decided of warnings in a file about a program, and the last line.
fn decided_of(folder: &Path, name: &str, input: &str) -> (Vec<String>, String) {
    let source = program(name).display().to_string();
    let ran = beeline(folder, &["reach", &source, "--warnings", input, "--sarif", "out.sarif"]);
    let log = std::fs::read_to_string(folder.join("out.sarif")).unwrap_or_default();
    let log: Value = serde_json::from_str(&log).unwrap_or_default();
    let results = log["runs"][0]["results"].as_array().into_iter().flatten();
    let words = results.filter_map(|result| result["properties"]["beeline"]["decision"].as_str());
    (words.map(String::from).collect(), ran.out.lines().last().unwrap_or(&ran.err).into())
}

#[test]
fn the_path_of_a_warning_takes_the_branches_that_it_tells() {
    let path = |column, first| [(12, column, first), (14, 3, "Taking true branch"), (15, 5, "it is so")];
    // Whoever does not take the first one does not take the second one either. The condition begins in column 7.
    let results = [
        (3, "Taking false branch"),
        (3, "Taking true branch"),
        (3, "other words"),
        (7, "Taking false branch"),
        (5, "Taking false branch"),
    ]
    .map(|(column, note)| warning_along("some.Thing", &path(column, note)));
    let log = json!({ "runs": [{ "results": results }] }).to_string();
    let (words, last) = decided("in.sarif", &log);
    assert_eq!(words, ["false", "open", "open", "false", "open"], "{last}");
}

#[test]
fn warnings_in_a_property_list_are_decided() {
    let place = |line: u32| {
        format!(
            "<dict><key>line</key><integer>{line}</integer><key>col</key><integer>3</integer><key>file</key><integer>0</integer></dict>"
        )
    };
    let event = |line: u32, note: &str| {
        let at = place(line);
        format!(
            "<dict><key>kind</key><string>event</string><key>location</key>{at}<key>message</key><string>{note}</string></dict>"
        )
    };
    let warning = |rule: &str, steps: &[(u32, &str)]| {
        let path: String = steps.iter().map(|&(line, note)| event(line, note)).collect();
        let at = place(steps[steps.len() - 1].0);
        format!(
            "<dict><key>path</key><array>{path}</array><key>description</key><string>it is so</string><key>check_name</key><string>{rule}</string><key>location</key>{at}</dict>"
        )
    };
    let warnings = [
        warning("core.NullDereference", &[(5, ""), (6, ""), (7, "")]),
        warning("some.Thing", &[(12, "Taking false branch"), (14, "Taking true branch"), (15, "")]),
        warning("some.Thing", &[(12, "Taking true branch"), (14, "Taking true branch"), (15, "")]),
    ];
    let file = program("warned.c");
    let head = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">";
    let list = format!(
        "{head}<plist><dict><key>diagnostics</key><array>{}</array><key>files</key><array><string>{}</string></array></dict></plist>",
        warnings.concat(),
        file.display()
    );
    let (words, last) = decided("in.plist", &list);
    assert_eq!(words, ["real", "false", "open"], "{last}");
    assert_eq!(last, "warnings: 3, 1 real, 1 false, 1 open");
    let hidden =
        ["<!--", "<?a "].map(|begin| format!("{begin}</a>").repeat(100_000) + &"<a>".repeat(100_000));
    let deep = "<array>".repeat(100_000);
    let half = &list[..list.len() / 2];
    for wrong in [half, "<plist><dict></dict></plist>", "<a", &deep, &hidden[0], &hidden[1]] {
        let (words, last) = decided("in.plist", wrong);
        assert!(
            words.is_empty() && last.starts_with("beeline: in.plist is not a list of warnings: "),
            "{last}"
        );
    }
}

/// Null pointers, division, freed memory: the comment where it goes wrong says whether any input leads there.
#[test]
fn warnings_of_clangs_analyser_are_decided() {
    let (folder, source) = (tempfile::tempdir().expect("there is room"), program("analysed.c"));
    let text = std::fs::read_to_string(&source).expect("it is there");
    let expected: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("; // ")).map(|(_, is)| is).collect();
    assert_eq!(expected, ["real", "false"].repeat(3));
    for (input, format) in [("in.sarif", "sarif"), ("in.plist", "plist")] {
        let analyser = ["--analyze", "-Xclang", &format!("-analyzer-output={format}"), "-o", input];
        let ran = Command::new(CLANG).args(analyser).arg(&source).current_dir(&folder).output();
        assert!(ran.expect("clang runs").status.success());
        let (words, last) = decided_of(folder.path(), "analysed.c", input);
        assert_eq!(words, expected, "{format}: {last}");
        assert_eq!(last, "warnings: 6, 3 real, 3 false, 0 open");
    }
}

#[test]
fn warnings_of_other_tools_are_decided() {
    let folder = tempfile::tempdir().expect("there is room");
    let results = [
        warning("core.NullDereference", &[5, 6, 7]),
        // One that takes the branch in line 14 took the one in line 12.
        warning("core.DivideZero", &[12, 14, 15]),
        warning("core.DivideZero", &[11, 11, 16]),
        warning("security.ArrayBound", &[25]),
        // Nothing goes wrong there, but that is not what the warning says.
        warning("deadcode.DeadStores", &[25]),
        warning("deadcode.DeadStores", &[22]),
        warning("nothing is here", &[1]),
    ];
    let log = json!({ "version": "2.1.0", "runs": [{ "tool": {}, "results": results }] });
    std::fs::write(folder.path().join("in.sarif"), log.to_string()).expect("it can be written");
    let source = program("warned.c").display().to_string();
    let words = ["reach", &source, "--warnings", "in.sarif", "--sarif", "out.sarif"];
    let ran = beeline(folder.path(), &words);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let decided = std::fs::read_to_string(folder.path().join("out.sarif")).expect("it is written");
    let decided: Value = serde_json::from_str(&decided).expect("it is JSON");
    let results = decided["runs"][0]["results"].as_array().expect("it has results");
    let known: Vec<&str> =
        results.iter().filter_map(|result| result["properties"]["beeline"]["decision"].as_str()).collect();
    assert_eq!(known, ["real", "false", "open", "false", "open", "open", "open"], "{}", ran.out);
    let suppressed: Vec<bool> = results.iter().map(|result| result["suppressions"].is_array()).collect();
    assert_eq!(suppressed, [false, true, false, true, false, false, false]);
    assert!(ran.out.ends_with("warnings: 7, 1 real, 2 false, 4 open\n"), "{}", ran.out);
    let none = beeline(folder.path(), &["reach", &source, "--warnings", "out.txt"]);
    assert_eq!(none.code, Some(2));
}

/// The tests share one native program, and each has memory of its own behind its pointers from outside.
#[test]
fn each_test_has_its_own_environment() {
    let folder = tempfile::tempdir().expect("there is room");
    let text = "#include <stdlib.h>\nint main(int argc, char **argv) {\n  char *mode = getenv(\"MODE\");\n  if (!mode)\n    return 1;\n\
        \u{20} if (mode[0] == 'x' && mode[1] == argc)\n    return 2;\n  if (mode[0] == 'y')\n    return 3;\n  return 0;\n}\n";
    std::fs::write(folder.path().join("p.c"), text).expect("there is room");
    let ran = beeline(folder.path(), &["cover", "p.c", "--keep", "kept"]);
    assert!(ran.out.contains("cover: of 8 branches, 8 covered by "), "{}", ran.out);
}

#[test]
fn coverage_is_counted_by_file_and_function() {
    let folder = tempfile::tempdir().expect("there is room");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("there is room");
    write(
        "sign.h",
        "static int sign(int x) {\n  if (x < 0)\n    return -1;\n  if (x == -4)\n    return 7;\n  return x > 0;\n}\n",
    );
    write(
        "p.c",
        "#include \"sign.h\"\nextern int __VERIFIER_nondet_int(void);\nint spare(int x) {\n  if (x)\n    return 1;\n  return 2;\n}\n\
         int main(void) {\n  int x = __VERIFIER_nondet_int();\n  return x == 5 ? 3 : sign(x);\n}\n",
    );
    let ran = beeline(folder.path(), &["cover", "p.c"]);
    // The column of a condition depends on the version of clang.
    let (place, rest) = ran.out.split_once(": the condition holds\n").expect("a branch is dead");
    assert!(place.starts_with("dead, proof certified:\n  ./sign.h:4:"), "{}", ran.out);
    let expected = "        if (x == -4)

           branches     covered  dead  open
./sign.h          4     3 100 %     1     0
  sign            4     3 100 %     1     0
p.c               2     2 100 %     0     0
Not counted, as the entry never calls them: spare
cover: of 6 branches, 5 covered by ";
    assert!(rest.starts_with(expected), "{}", ran.out);
    assert_eq!(ran.code, Some(0));
}

#[test]
fn dead_code_is_told_with_what_that_rests_on() {
    let folder = tempfile::tempdir().expect("there is room");
    let source = program("helper.c").display().to_string();
    let ran = beeline(folder.path(), &["cover", &source]);
    assert!(ran.out.contains("dead, ") && ran.out.contains("covered by 1 test"), "{}", ran.out);
    assert!(ran.out.contains("helper returns any value and writes nothing"), "{}", ran.out);
}

#[test]
fn what_is_for_check_is_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let source = program("menu.c").display().to_string();
    for (option, value, why) in [
        ("--target", "main", "--target chooses targets, which only `beeline check` does"),
        ("--sarif", "out.sarif", "--sarif writes verdicts, which only `beeline check` does"),
        ("--property", "all", "--property chooses properties, which only `beeline check` does"),
    ] {
        for words in [vec!["cover", &source], vec!["reach", &source, "--to", "main"]] {
            let ran = beeline(folder.path(), &[words, vec![option, value]].concat());
            assert_eq!((ran.code, ran.err.contains(why)), (Some(2), true), "{option}: {}", ran.err);
        }
    }
}

#[test]
fn a_function_of_the_program_marks_nothing() {
    let folder = tempfile::tempdir().expect("there is room");
    let source = program("named.c").display().to_string();
    let ran = beeline(folder.path(), &["check", &source]);
    assert!(ran.out.contains("verdict: unsafe (confirmed)"), "{}", ran.out);
    let (said, _) = reach("named.c", &["named.c:13"]);
    assert_eq!(said, "verdict: reachable (confirmed)");
}

#[test]
fn an_open_answer_tells_how_near_the_search_came() {
    let folder = tempfile::tempdir().expect("there is room");
    let source = program("far.c").display().to_string();
    let words = ["reach", &source, "--to", "far.c:14", "--to", "far.c:19", "--ticks", "3000"];
    let told = beeline(folder.path(), &words);
    assert_eq!(told.code, Some(3), "{}", told.out);
    // An execution gets to the first place, and the search got to the loop, from which the way leads on.
    let begins = "  an execution passes the first of 2 places (confirmed), with these inputs:\n";
    assert!(told.out.contains(begins), "{}", told.out);
    let returned = told.out.lines().find_map(|line| line.split_once("() returns ")?.1.parse::<u32>().ok());
    assert!(returned.is_some_and(|number| number > 10), "{}", told.out);
    assert!(told.out.contains("  open: whether an execution passes far.c:19 next"), "{}", told.out);
    assert!(told.out.contains("far.c:5\n  ended: the limit on ticks was reached\n"), "{}", told.out);
    let told = beeline(folder.path(), &[&words[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&told.out).expect("it is JSON");
    assert!(object["nearest"]["at"].as_str().is_some_and(|at| at.ends_with("far.c:5")), "{}", told.out);
    assert_eq!(object["nearest"]["ended"], "the limit on ticks was reached");
    assert!(object["nearest"]["passed"] == 1 && object["nearest"]["next"] == "far.c:19", "{}", told.out);
    // What cannot begin cannot end.
    let words = ["reach", &source, "--to", "far.c:14 if a < 5", "--to", "far.c:19", "--ticks", "3000"];
    let told = beeline(folder.path(), &words);
    assert_eq!(told.code, Some(0), "{}", told.out);
    assert!(told.out.starts_with("No execution passes the first of 2 places"), "{}", told.out);
    assert!(told.out.ends_with("verdict: unreachable (proof certified)\n"), "{}", told.out);
    // An answer needs none of that.
    let told = beeline(folder.path(), &["reach", &source, "--to", "far.c:14", "--json"]);
    let object: Value = serde_json::from_str(&told.out).expect("it is JSON");
    assert!(object["verdict"] == "reachable" && object["nearest"].is_null(), "{}", told.out);
}
