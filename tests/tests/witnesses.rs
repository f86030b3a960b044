//! `beeline check --witness`: true claims of witnesses are confirmed, false ones are not.

use beeline_tests::driver::{Ran, beeline};
use beeline_tests::tool;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
const OVERFLOW: &str = "CHECK( init(main()), LTL(G ! overflow) )";

const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 0, zero = 0, *none = 0;
  int n = __VERIFIER_nondet_int();
  while (x < 5) {
    x++;
  }
  for (int i = 0; i < 3; i++)
    n = i;
  for (;;) {
    if (x != 5) break;
    x = 6;
  }
  do x++; while (x < 9);
  if (x < 9)
    reach_error();
  return n + zero + !none;
}
";

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int get(int most) { return __VERIFIER_nondet_int() % most; }
int main(void) {
  int x = get(10), y = get(10);
  if (x == 3)
    y++;
  switch (y) {
  case 5: x++; break;
  default: break;
  }
  while (x > 6)
    x--;
  if (x == 6)
    reach_error();
  if (x == 4)
    reach_error();
  return 0;
}
";

const TURNS: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int last = 0;
  for (int i = 0; i < 4; i++) {
    int x = __VERIFIER_nondet_int();
    if (x > 100)
      assert(last != 7 || i < 3);
    last = x;
  }

  assert(__VERIFIER_nondet_int() > 3);
  assert(last != 8 &&
         last != 9);
  for (int i = 0; i < 2; i++)
    { static int turns; turns++; assert(turns < 2); }
  return 0;
}
";

const SUM: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = x > 5 ? x : 0;
  if (y)
    y = x + 1000000;
  return y;
}
";

/// A witness about `p.c` with a content.
fn witness(source: &str, specification: &str, kind: &str, content: &str) -> String {
    let mut hash = String::new();
    for byte in Sha256::digest(source) {
        let _ = write!(hash, "{byte:02x}");
    }
    format!(
        "- entry_type: {kind}
  metadata:
    format_version: '2.0'
    uuid: 0c5ba5a1-3ec7-4b2a-9f4d-2f30a4a39b1c
    creation_time: 2026-11-23T08:00:00Z
    producer: {{ name: another, version: '1', command_line: x }}
    task:
      input_files: [ ./else/where/p.c ]
      input_file_hashes: {{ ./else/where/p.c: {hash} }}
      specification: {specification}
      data_model: LP64
      language: C
  content:
{content}"
    )
}

fn location(place: &str) -> String {
    match place.split_once(':') {
        Some((line, column)) => format!("{{ file_name: p.c, line: {line}, column: {column} }}"),
        None => format!("{{ file_name: p.c, line: {place} }}"),
    }
}

/// What is said of a witness, and the exit code. The folder is left where a test wants to go on.
fn validated(source: &str, witness: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("p.c"), source).expect("it is written");
    std::fs::write(folder.path().join("w.yml"), witness).expect("it is written");
    let words = [&["check", "--witness", "w.yml", "p.c"], more].concat();
    beeline(folder.path(), &words)
}

/// The word of the verdict on invariants: their types, places and values.
fn correct(source: &str, invariants: &[(&str, &str, &str)]) -> (String, Ran) {
    let mut content = String::from(if invariants.is_empty() { "    []\n" } else { "" });
    for (kind, place, value) in invariants {
        let at = location(place);
        let _ = writeln!(
            content,
            "    - invariant: {{ type: {kind}_invariant, location: {at}, value: \"{value}\", format: c_expression }}"
        );
    }
    let ran = validated(source, &witness(source, UNREACH, "invariant_set", &content), &[]);
    (word(&ran), ran)
}

/// The word of a verdict, which goes with the exit code.
fn word(ran: &Ran) -> String {
    let line = ran.verdict().strip_prefix("verdict: ").unwrap_or_default();
    let word = line.split(' ').next().unwrap_or_default();
    let code = match word {
        "confirmed" => 0,
        "rejected" => 1,
        "unknown" => 3,
        _ => 2,
    };
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
    word.to_string()
}

fn each_invariant(expected: &[(&str, &str, &str, &str)]) {
    for (kind, place, value, verdict) in expected {
        let (said, ran) = correct(SAFE, &[(kind, place, value)]);
        assert_eq!(said, *verdict, "{kind} {place} {value}: {}{}", ran.out, ran.err);
    }
}

/// The word of the verdict on a violation: its waypoints and the place of the target.
fn violated(source: &str, specification: &str, waypoints: &[&str], target: &str) -> (String, Ran) {
    let mut content = String::new();
    let mut begins = true;
    let target = format!("target {target}");
    for waypoint in waypoints.iter().chain([&target.as_str()]) {
        let (avoids, waypoint) = match waypoint.strip_prefix("avoid ") {
            Some(waypoint) => (true, waypoint),
            None => (false, *waypoint),
        };
        let mut words = waypoint.splitn(3, ' ');
        let (kind, place, value) = (words.next(), words.next(), words.next());
        let constraint = value.map_or(String::new(), |value| {
            let format = if kind == Some("function_return") { "acsl" } else { "c" };
            let quote = if kind == Some("branching") { "" } else { "'" };
            format!(", constraint: {{ value: {quote}{value}{quote}, format: {format}_expression }}")
        });
        if begins {
            content.push_str("    - segment:\n");
        }
        let _ = writeln!(
            content,
            "      - waypoint: {{ type: {}, action: {}, location: {}{constraint} }}",
            kind.unwrap_or_default(),
            if avoids { "avoid" } else { "follow" },
            location(place.unwrap_or_default()),
        );
        begins = !avoids;
    }
    let ran = validated(source, &witness(source, specification, "violation_sequence", &content), &[]);
    (word(&ran), ran)
}

fn each_violation(source: &str, specification: &str, expected: &[(&[&str], &str, &str)]) {
    for (waypoints, target, verdict) in expected {
        let (said, ran) = violated(source, specification, waypoints, target);
        assert_eq!(said, *verdict, "{waypoints:?} {target}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn invariants_of_loops() {
    each_invariant(&[
        ("loop", "6:3", "x >= 0 && x <= 5", "confirmed"),
        ("loop", "6", "0 <= x && 5 >= x", "confirmed"),
        // It holds in the body, but not when the condition fails.
        ("loop", "6:3", "x < 5", "rejected"),
        // It holds behind the loop only.
        ("loop", "6:3", "x == 5", "rejected"),
        ("loop", "9:3", "i >= 0 && i <= 3 && x == 5", "confirmed"),
        ("loop", "9:3", "i < 3", "rejected"),
        ("loop", "11:3", "x == 5 || x == 6", "confirmed"),
        ("loop", "11:3", "x == 5", "rejected"),
        ("loop", "15:3", "x >= 5", "unknown"),
    ]);
}

#[test]
fn invariants_of_places() {
    each_invariant(&[
        ("location", "7:5", "x < 5", "confirmed"),
        ("location", "7:5", "x < 4", "rejected"),
        ("location", "10:5", "i < 3", "confirmed"),
        ("location", "13:5", "x == 5", "confirmed"),
        ("location", "16:3", "x == 9", "confirmed"),
        ("location", "16:3", "x == 8", "rejected"),
        // Nothing gets there.
        ("location", "17:5", "x == 100", "confirmed"),
    ]);
}

#[test]
fn what_has_no_value_does_not_hold() {
    for value in ["10 / zero < 3", "*none == 3", "none[2] > 1", "(x << 40) == (x << 40)", "10 % zero == 0"] {
        let (said, ran) = correct(SAFE, &[("location", "7:5", value)]);
        assert_ne!(said, "confirmed", "{value}: {}", ran.out);
        // It must not hide another one behind it.
        let (said, ran) = correct(SAFE, &[("location", "7:5", value), ("location", "16:3", "x == 8")]);
        assert_ne!(said, "confirmed", "{value}: {}", ran.out);
    }
}

#[test]
fn what_is_no_invariant_leaves_the_witness_open() {
    for (kind, place, value) in [
        ("loop", "7:5", "x < 5"),
        ("loop", "6:4", "x <= 5"),
        ("loop", "60:3", "x <= 5"),
        ("location", "6:4", "x <= 5"),
        ("loop", "6:3", "x <= 5; x = 3"),
        ("loop", "6:3", "x++ <= 5"),
        ("loop", "6:3", "y <= 5"),
        ("loop", "6:3", "x <= 5)); reach_error(); ((1"),
        ("loop", "6:3", ""),
        ("loop", "6:3", "reach_error(), 1"),
    ] {
        let (said, ran) = correct(SAFE, &[(kind, place, value), ("loop", "9:3", "i >= 0")]);
        assert_eq!(said, "unknown", "{kind} {place} {value}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("p.c:") && ran.out.contains("holds"), "{}", ran.out);
    }
}

#[test]
fn the_property_has_to_hold_too() {
    let (said, ran) = correct(UNSAFE, &[("loop", "12:3", "1")]);
    assert_eq!(said, "rejected", "{}", ran.out);
    assert!(ran.verdict().contains("the property is violated"), "{}", ran.out);
    assert_eq!(correct(SAFE, &[]).0, "confirmed");
}

#[test]
fn several_invariants_are_told_apart() {
    let (said, ran) = correct(
        SAFE,
        &[
            ("loop", "6:3", "x <= 5"),
            ("loop", "9:3", "i <= 2"),
            ("loop", "6:3", "x >= 0"),
            ("loop", "9:3", "n < 0"),
        ],
    );
    assert_eq!(said, "rejected", "{}", ran.out);
    let words: Vec<_> = ran.out.lines().take(4).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["holds", "fails", "holds", "fails"], "{}", ran.out);
    assert!(ran.verdict().contains("p.c:9:3 does not hold: i <= 2"), "{}", ran.verdict());
}

#[test]
fn violations_follow_their_waypoints() {
    each_violation(
        UNSAFE,
        UNREACH,
        &[
            (&[], "15:5", "confirmed"),
            (&[], "15", "confirmed"),
            (&["assumption 6:3 x == 9"], "15:5", "confirmed"),
            (&["assumption 6:3 x == 5 && y == 5"], "15:5", "confirmed"),
            (&["assumption 6:3 x == 5 && y == 4"], "15:5", "rejected"),
            (&["assumption 6:3 x == 5", "branching 12:3 true"], "15:5", "rejected"),
            (&["branching 6:3 true", "branching 8:3 5"], "17:5", "confirmed"),
            (&["branching 6:3 false", "branching 8:3 5"], "17:5", "rejected"),
            (&["branching 8:3 4"], "17:5", "confirmed"),
            (&["branching 8:3 11"], "17:5", "rejected"),
            (&["branching 6:3 true", "branching 8:3 default"], "17:5", "rejected"),
            (&["branching 6:3 false", "branching 8:3 default"], "17:5", "confirmed"),
            // The loop turns four times at most.
            (&["branching 12:3 true", "branching 12:3 true", "branching 12:3 true"], "15:5", "confirmed"),
            (&["branching 12:3 true"; 5], "15:5", "rejected"),
        ],
    );
}

#[test]
fn violations_follow_their_waypoints_in_order() {
    // Each is passed by executions that get to the target, the first one before the second one.
    let (first, second) = ("assumption 6:3 x == 9", "branching 12:3 true");
    let third = "assumption 14:3 x == 6";
    each_violation(
        UNSAFE,
        UNREACH,
        &[
            (&[first, second, third], "15:5", "confirmed"),
            (&[second, first], "15:5", "rejected"),
            (&[third, second], "15:5", "rejected"),
            (&[first, third, second], "15:5", "rejected"),
        ],
    );
}

#[test]
fn violations_follow_calls() {
    each_violation(
        UNSAFE,
        UNREACH,
        &[
            (&["function_return 3:57 \\result == 6"], "15:5", "confirmed"),
            (
                &["function_return 3:57 \\result == -13", "function_return 3:57 \\result == 34"],
                "17:5",
                "rejected",
            ),
            (
                &["function_return 3:57 \\result == -13", "function_return 3:57 \\result == 34"],
                "15:5",
                "rejected",
            ),
            (
                &["function_return 3:57 \\result == 13", "function_return 3:57 \\result == 34"],
                "17:5",
                "confirmed",
            ),
            (
                &["function_return 3:57 \\result == 13", "function_return 3:57 \\result == 35"],
                "17:5",
                "rejected",
            ),
            (&["function_return 5:17 \\result == 3", "function_enter 5:30"], "17:5", "confirmed"),
            (&["function_enter 5:30", "function_return 5:17 \\result == 3"], "17:5", "rejected"),
            // It is called twice, not three times.
            (&["function_return 3:57", "function_return 3:57"], "15:5", "confirmed"),
            (&["function_return 3:57", "function_return 3:57", "function_return 3:57"], "15:5", "rejected"),
        ],
    );
}

#[test]
fn violations_avoid_waypoints() {
    each_violation(
        UNSAFE,
        UNREACH,
        &[
            (&["avoid branching 12:3 true"], "15:5", "confirmed"),
            (&["avoid branching 12:3 true", "assumption 6:3 x == 8"], "15:5", "confirmed"),
            (&["assumption 6:3 x == 8", "avoid branching 12:3 true"], "15:5", "rejected"),
            (&["avoid branching 6:3 false"], "17:5", "confirmed"),
            (&["avoid branching 6:3 true"], "17:5", "confirmed"),
            (&["avoid branching 6:3 true", "avoid assumption 6:3 x == 4"], "17:5", "rejected"),
            (&["avoid branching 8:3 5", "branching 8:3 5"], "17:5", "rejected"),
            (&["avoid assumption 6:3 x == 4", "assumption 6:3 x == 4"], "17:5", "rejected"),
        ],
    );
}

#[test]
fn violations_are_at_their_target() {
    each_violation(
        UNSAFE,
        UNREACH,
        &[
            (&[], "13:5", "rejected"),
            (&["assumption 6:3 x == 8"], "17:5", "rejected"),
            (&["assumption 7:5 1"], "15:5", "rejected"),
            (&[], "150:5", "unknown"),
            (&["assumption 6:5 x == 8"], "15:5", "unknown"),
            (&["branching 8:3 default"], "15:5", "confirmed"),
            (&["assumption 6:3 x = 6"], "15:5", "unknown"),
        ],
    );
    each_violation(
        SUM,
        OVERFLOW,
        &[
            (&["assumption 5:3 x == 2147483647"], "6:5", "confirmed"),
            (&["assumption 5:3 x == 2147"], "6:5", "rejected"),
            (&["assumption 6:5 x + 2147483647 > 0"], "6:5", "unknown"),
            (&[], "4:3", "rejected"),
        ],
    );
}

#[test]
fn a_target_may_be_passed_before_it_is_violated() {
    let assertion = "CHECK( init(main()), LTL(G ! call(__assert_fail())) )";
    each_violation(
        TURNS,
        assertion,
        &[
            (&["assumption 8:7 i == 0", "assumption 8:7 i == 1"], "8:7", "confirmed"),
            // After that, `last` is more than 100.
            (&["assumption 8:7 i == 1", "assumption 8:7 i == 2"], "8:7", "rejected"),
            (&["assumption 8:7 i == 3"], "8:7", "confirmed"),
            // It holds there.
            (&["assumption 8:7 i == 2", "assumption 6:5 i == 3 && last < 7"], "8:7", "rejected"),
            (&["assumption 8:7 i == 3", "assumption 8:7 i == 3"], "8:7", "rejected"),
            // Another one fails.
            (&["assumption 12:3 1"], "8:7", "rejected"),
            (&["assumption 12:3 1"], "12:3", "confirmed"),
            (&[], "13:3", "confirmed"),
            (&["assumption 12:3 last == 9"], "13:3", "confirmed"),
            // There must not be two of the variable.
            (&["assumption 16:5 i == 0"], "16:5", "confirmed"),
            (&["assumption 16:5 i == 1"], "16:5", "unknown"),
            (&["function_return 12:32 \\result == 0"], "12:3", "unknown"),
        ],
    );
}

#[test]
fn witnesses_of_other_tasks_and_damaged_ones_are_refused() {
    let content = "    - invariant: { type: loop_invariant, location: { file_name: p.c, line: 6 }, value: x <= 5, format: c_expression }\n";
    let good = witness(SAFE, UNREACH, "invariant_set", content);
    assert_eq!(word(&validated(SAFE, &good, &[])), "confirmed");
    assert_eq!(word(&validated(SAFE, &good, &["--property", "unreach-call"])), "confirmed");
    for (from, to, says) in [
        ("p.c: ", "q.c: ", "hash"),
        ("where/p.c ]", "where/q.c ]", "not about p.c"),
        ("where/p.c ]", "where/p.c, q.c ]", "also about q.c"),
        ("'2.0'", "'0.1'", "the format 0.1"),
        ("invariant_set", "loop_invariant_certificate", "loop_invariant_certificate"),
        ("loop_invariant,", "loop_transition_invariant,", "loop_transition_invariant"),
        ("c_expression", "acsl_expression", "acsl_expression"),
        ("line: 6", "line: six", "line"),
        ("line: 6", "line: 6, identifier: 3", "identifier"),
        ("- invariant:", "- function_contract:", "function_contract"),
        ("language: C", "language: Java", "Java"),
        ("LP64", "LP32", "LP32"),
        ("reach_error())", "reach_error())) , LTL(F end", "CHECK"),
        ("G ! call(reach_error())", "F end", "a property that Beeline does not check"),
        ("- entry_type", "entry_type", "is not a witness"),
        ("- entry_type", "<graphml> - entry_type", "GraphML"),
    ] {
        let damaged = good.replace(from, to);
        let ran = validated(SAFE, &damaged, &[]);
        let is_refused = ran.code == Some(2) && ran.err.contains(says);
        // What follows the formula is no part of it.
        assert!(is_refused || says == "CHECK", "{from} {to}: {}{}", ran.out, ran.err);
    }
    let ran = validated(&SAFE.replace("x < 5", "x < 4"), &good, &[]);
    assert!(ran.code == Some(2) && ran.err.contains("the hash differs"), "{}", ran.err);
    for (option, says) in
        [("--property=no-overflow", "not about no-overflow"), ("--data-model=ILP32", "data model")]
    {
        let ran = validated(SAFE, &good, &[option]);
        assert!(ran.code == Some(2) && ran.err.contains(says), "{option}: {}{}", ran.out, ran.err);
    }
    for option in ["--first", "--no-check", "--sarif=x.sarif", "--html=x.html", "--target=main"] {
        assert_eq!(validated(SAFE, &good, &[option]).code, Some(2), "{option}");
    }
}

#[test]
fn a_switch_may_have_any_cases() {
    const CASES: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
  signed char x = (signed char)__VERIFIER_nondet_uchar();
  switch (x) {
  case -2 ... 3:
    switch (x) { case 9: x = 8; }
    break;
  case 0x100000005LL:
  case 'a':
    break;
  }
  if (x == 9)
    reach_error();
  if (x == 0 || x == 5)
    reach_error();
  return 0;
}
";
    each_violation(
        CASES,
        UNREACH,
        &[
            (&["branching 5:3 default"], "14:5", "confirmed"),
            (&["branching 5:3 default"], "16:5", "rejected"),
            (&["branching 5:3 5"], "16:5", "confirmed"),
            (&["branching 7:5 default"], "16:5", "confirmed"),
        ],
    );
}

#[test]
fn programs_may_be_preprocessed() {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("p.i"), SAFE).expect("it is written");
    for (value, verdict) in [("x <= 5", "confirmed"), ("x < 5", "rejected")] {
        let content = format!(
            "    - invariant: {{ type: loop_invariant, location: {{ file_name: p.i, line: 6 }}, value: {value}, format: c_expression }}\n"
        );
        let text = witness(SAFE, UNREACH, "invariant_set", &content).replace("p.c", "p.i");
        std::fs::write(folder.path().join("w.yml"), text).expect("it is written");
        let ran = beeline(folder.path(), &["check", "--witness", "w.yml", "p.i"]);
        assert_eq!(word(&ran), verdict, "{value}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn locations_may_have_the_hash_of_their_file() {
    let about = |hash: &str| {
        let content = format!(
            "    - invariant: {{ type: loop_invariant, location: {{ file_name: p.c, file_hash: {hash}, line: 6 }}, value: x <= 5, format: c_expression }}\n"
        );
        validated(SAFE, &witness(SAFE, UNREACH, "invariant_set", &content), &[])
    };
    let hash = Sha256::digest(SAFE).iter().fold(String::new(), |hash, byte| hash + &format!("{byte:02x}"));
    assert_eq!(word(&about(&hash)), "confirmed");
    let ran = about(&"0".repeat(64));
    assert!(ran.code == Some(2) && ran.err.contains("no file of the task"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_formula_may_stand_alone() {
    let content = "    - segment: [ { waypoint: { type: target, action: follow, location: { file_name: p.c, line: 15, column: 5 } } } ]\n";
    let about = |specification: &str| witness(UNSAFE, specification, "violation_sequence", content);
    for (specification, verdict) in [
        ("G ! call(reach_error())", "confirmed"),
        ("'  G ! call(reach_error()) '", "confirmed"),
        ("G ! call(reached_error())", "rejected"),
        ("G ! overflow", "rejected"),
        ("G ! data-race", "rejected"),
    ] {
        let ran = validated(UNSAFE, &about(specification), &[]);
        assert_eq!(word(&ran), verdict, "{specification}: {}{}", ran.out, ran.err);
    }
    for (specification, says) in
        [("G ! leak", "LTL(G ! leak)"), ("TERMINATION", "does not check: TERMINATION"), ("F end", "F end")]
    {
        let ran = validated(UNSAFE, &about(specification), &[]);
        assert!(ran.code == Some(2) && ran.err.contains(says), "{specification}: {}{}", ran.out, ran.err);
    }
    let ran = validated(UNSAFE, &about("G ! call(reach_error())"), &["--function", "get"]);
    assert!(ran.code == Some(2) && ran.err.contains("entry function main"), "{}{}", ran.out, ran.err);
}

#[test]
fn any_piece_of_a_witness_may_be_lost() {
    let content = "    - invariant: { type: loop_invariant, location: { file_name: p.c, line: 6 }, value: x == 5, format: c_expression }\n";
    let good = witness(SAFE, UNREACH, "invariant_set", content);
    let lines: Vec<&str> = good.lines().collect();
    for lost in 0..lines.len() {
        let left: Vec<&str> =
            lines.iter().enumerate().filter(|(at, _)| *at != lost).map(|(_, line)| *line).collect();
        let ran = validated(SAFE, &left.join("\n"), &[]);
        // Without its line, an invariant is not there.
        assert!(matches!(ran.code, Some(0..=3)), "{lost}: {}", ran.err);
        assert!(ran.code != Some(0) || lost == lines.len() - 1, "{}: {}", lines[lost], ran.out);
    }
}

#[test]
fn our_own_witnesses_are_confirmed() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for (name, property) in [
        ("lock", "unreach-call"),
        ("scheduler", "unreach-call"),
        ("average", "no-overflow"),
        ("dispatch", "unreach-call"),
        ("invariant", "unreach-call"),
    ] {
        let folder = tempfile::tempdir().expect("there is room");
        let source = examples.join(format!("{name}.c")).display().to_string();
        beeline(folder.path(), &["check", &source, "--property", property, "--first", "--keep", "kept"]);
        let mut tell = Command::new(tool("beeline-witness").expect("the tool is built"));
        tell.current_dir(folder.path()).args([&format!("kept/{name}.run"), "-o", "w.yml"]);
        assert!(tell.status().expect("it runs").success(), "{name}");
        let ran = beeline(folder.path(), &["check", "--witness", "w.yml", &source]);
        assert_eq!(word(&ran), "confirmed", "{name}: {}{}", ran.out, ran.err);
    }
}
