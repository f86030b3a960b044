//! Functions that fill or copy a range of memory are known, and none that does anything else.

use beeline_ir::text::{TextError, parse};
use beeline_ir::{Program, Range, RangeSource};

const FUNCTIONS: &str = "beeline 1.0
entry main
region m: i8 -> i8 in 0x10+6, 0x18+4
region n: i8 -> i8 in 0x10+6
fn main() {
  call fill(16, 1, 3)
  call copy(16, 17, 3)
  exit
}
fn fill(to: i8, from: i8, size: i8) {
  var i: i8
  i := 0
  more: while i + 1 <=u size goto body else done
  body: m[to + i] := from
  i := i + 1 goto more
  done: exit
}
fn copy(to: i8, from: i8, size: i8) {
  var i: i8
  if to <=u from goto up else down
  up: i := 0
  upwards: while i + 1 <=u size goto next else done
  next: m[to + i] := m[from + i]
  onwards: i := i + 1 goto upwards
  down: i := size
  downwards: while 0 <u i goto last else done
  last: i := i - 1
  before: m[to + i] := m[from + i] goto downwards
  done: exit
}
";

fn program(text: &str) -> Program {
    parse(text).unwrap_or_else(|faults| {
        let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
        panic!("{}\n{text}", faults.join("\n"))
    })
}

/// What the functions of these names do.
fn found(text: &str) -> [Option<Range>; 2] {
    let program = program(text);
    ["fill", "copy"].map(|name| {
        let func = program.functions.iter().find(|(_, function)| function.name == name).unwrap().0;
        Range::of(&program, func)
    })
}

#[test]
fn fills_and_copies_are_known() {
    let program = program(FUNCTIONS);
    let [fill, copy] = found(FUNCTIONS).map(Option::unwrap);
    let name = |var| program.vars[var].name.as_str();
    for range in [fill, copy] {
        assert_eq!((name(range.to), name(range.size)), ("to", "size"));
        assert_eq!(program.regions[range.region].name, "m");
    }
    assert!(matches!(fill.source, RangeSource::Byte(from) if name(from) == "from"));
    assert!(matches!(copy.source, RangeSource::Copy(from) if name(from) == "from"));
    let calls = Range::of_calls(&program);
    assert_eq!(calls.len(), 2);
    assert!(calls.keys().all(|&edge| program.function_of(program.edges[edge].src) == program.entry));
}

/// What is written differently in one place is something else.
#[test]
fn nothing_else_is() {
    for (of_fill, changes) in [
        (
            true,
            &[
                ("  i := 0\n  more", "  i := 1\n  more"),
                ("more: while i + 1 <=u size", "more: while i <=u size"),
                ("more: while i + 1 <=u size", "more: while i + 1 <=s size"),
                ("more: while i + 1 <=u size", "more: while i + 1 <=u to"),
                ("more: while i + 1 <=u size", "more: while i + 2 <=u size"),
                ("goto body else done", "goto done else body"),
                ("m[to + i] := from\n", "m[to + i] := size\n"),
                ("m[to + i] := from\n", "m[to + i] := from + 1\n"),
                ("m[to + i] := from\n", "m[to] := from\n"),
                ("m[to + i] := from\n", "m[from + i] := from\n"),
                ("m[to + i] := from\n", "m[to + i] := 7\n"),
                ("body: m[to", "body: skip\n  m[to"),
                (
                    "body: m[to + i] := from\n  i",
                    "body: m[to + i] := from goto then\n  | skip goto done\n  then: i",
                ),
                ("  i := i + 1 goto more", "  i := i + 2 goto more"),
                ("  i := i + 1 goto more", "  i, to := i + 1, to + 1 goto more"),
                ("body: m", "body: target \"t\"\n  m"),
                (
                    "from: i8, size: i8) {\n  var i: i8\n  i := 0\n  more",
                    "from: i8, size: i8) {\n  var i: i8, j: i8\n  i := 0\n  more",
                ),
                ("fn fill(to: i8, from: i8, size: i8) {", "fn fill(to: i8, from: i8, size: i8) -> r: i8 {\n"),
            ][..],
        ),
        (
            false,
            &[
                ("if to <=u from", "if from <=u to"),
                ("if to <=u from", "if to <=s from"),
                ("goto up else down", "goto down else up"),
                ("up: i := 0", "up: i := size"),
                ("upwards: while i + 1 <=u size", "upwards: while i <=u size"),
                ("next: m[to + i] := m[from + i]", "next: m[to + i] := m[to + i]"),
                ("next: m[to + i] := m[from + i]", "next: m[from + i] := m[to + i]"),
                ("next: m[to + i] := m[from + i]", "next: m[to + i] := n[from + i]"),
                ("next: m[to + i] := m[from + i]", "next: n[to + i] := m[from + i]"),
                ("onwards: i := i + 1 goto upwards", "onwards: i := i + 1 goto downwards"),
                ("down: i := size", "down: i := to"),
                ("down: i := size", "down: i := size - 1"),
                ("downwards: while 0 <u i", "downwards: while 1 <u i"),
                ("downwards: while 0 <u i", "downwards: while 0 <s i"),
                ("last: i := i - 1\n", "last: i := i - 2\n"),
                ("before: m[to + i] := m[from + i]", "before: m[to + i] := from"),
                ("before: m[to + i] := m[from + i]", "before: n[to + i] := n[from + i]"),
                (
                    "before: m[to + i] := m[from + i] goto downwards",
                    "before: m[to + i] := m[from + i] goto upwards",
                ),
            ][..],
        ),
    ] {
        for (from, into) in changes {
            assert_eq!(FUNCTIONS.matches(from).count(), 1, "{from}");
            let [fill, copy] = found(&FUNCTIONS.replace(from, into));
            assert_eq!((fill.is_none(), copy.is_none()), (of_fill, !of_fill), "{into}");
        }
    }
}

/// All bytes of a range are allowed where it is inside an extent: the reason why one step says as much as many.
#[test]
fn all_bytes_of_a_range_are_in_one_extent() {
    let in_region = |extents: &str| {
        let found = found(&FUNCTIONS.replace("0x10+6, 0x18+4", extents));
        assert_eq!(found[0].is_some(), found[1].is_some());
        found[0].is_some()
    };
    // A range may go on from one extent to the next one that begins where it ends.
    assert!(!in_region("0x10+6, 0x16+4"));
    assert!(in_region("0x10+6, 0x17+4"));
    // Nor may addresses begin anew behind one, nor an index that is as large as any number be followed by 0.
    assert!(!in_region("0x00+4, 0xf0+16"));
    assert!(!in_region("0x00+255"));
    assert!(in_region("0x00+254"));
    // Cells of two bytes are no bytes.
    let wide = FUNCTIONS.replace("region m: i8 -> i8", "region m: i8 -> i16");
    let wide = wide.replace(":= from\n", ":= zext(from, i16)\n").replace("m[from + i]", "m[from + i, i16]");
    assert_eq!(found(&wide), [None, None]);
}
