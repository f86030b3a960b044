//! Modules that tell which places an execution gets to.

use beeline_llvm::import;
use beeline_llvm::mark::{MarkKind, Point, Selection, mark};
use beeline_module::names::MARK;

/// A function with a branch and a switch; one line has code in two blocks.
const MODULE: &str = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define i32 @start(i32 %n, i1 %c) !dbg !4 {
entry:
  %x = alloca i32
  store i32 %n, ptr %x, !dbg !7
  br i1 %c, label %one, label %two, !dbg !7
one:
  switch i32 %n, label %two [ i32 3, label %three
                              i32 -4, label %three ], !dbg !8
two:
  store i32 1, ptr %x, !dbg !8
  br label %three, !dbg !9
three:
  ret i32 0, !dbg !9
}
declare void @elsewhere()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/d")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "start", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 2, column: 3, scope: !4)
!8 = !DILocation(line: 5, column: 1, scope: !4)
!9 = !DILocation(line: 9, column: 1, scope: !4)
"#;

fn kinds(selection: &Selection) -> Vec<MarkKind> {
    let marked = mark(MODULE.as_bytes(), "m.ll", selection).expect("it can be marked");
    marked.marks.into_iter().map(|mark| mark.kind).collect()
}

/// How many calls of the mark a module has.
fn calls(selection: &Selection) -> usize {
    let marked = mark(MODULE.as_bytes(), "m.ll", selection).expect("it can be marked");
    let module =
        import::import(&marked.bitcode, "m.bc", &import::Options::default()).expect("it is a module");
    let (_, start) =
        module.functions.iter().find(|(_, function)| function.name == "start").expect("it is there");
    let (id, _) =
        module.functions.iter().find(|(_, function)| function.name == MARK).expect("it is declared");
    let is_call = |text: &str| text.contains(&format!("{id:?}"));
    start.insts.values().filter(|inst| is_call(&format!("{:?}", inst.kind))).count()
}

#[test]
fn each_way_of_branches_and_switches_is_marked() {
    let case = |value: &str| MarkKind::Case(value.into());
    let ways = [MarkKind::Taken, MarkKind::NotTaken, case("3"), case("-4"), MarkKind::Default];
    assert_eq!(kinds(&Selection::Branches), ways);
    assert_eq!(calls(&Selection::Branches), 5);
}

#[test]
fn a_line_has_one_mark_however_many_pieces_it_has() {
    assert_eq!(kinds(&Selection::Lines).len(), 3);
    // Line 5 begins in two blocks, and so does line 9.
    assert_eq!(calls(&Selection::Lines), 5);
    assert_eq!(kinds(&Selection::Functions), [MarkKind::Function]);
}

#[test]
fn what_is_marked_is_not_marked_again() {
    let marked = mark(MODULE.as_bytes(), "m.ll", &Selection::Lines).expect("it can be marked");
    let again = mark(&marked.bitcode, "marked.bc", &Selection::Lines).expect_err("it is marked");
    assert_eq!(again.to_string(), "marked.bc has marks already; mark the module that it was made from");
}

#[test]
fn a_sequence_marks_its_last_place() {
    let line = |line| Point::Line("a.c".into(), line);
    let sequence = |lines: &[u32], skip_missing| Selection::Sequence {
        points: lines.iter().map(|&number| line(number)).collect(),
        skip_missing,
    };
    // Line 5 has two pieces; one passed place is stored, not told.
    assert_eq!(kinds(&sequence(&[2, 5], false)), [MarkKind::Sequence]);
    assert_eq!(calls(&sequence(&[2, 5], false)), 2);
    // Without line 3, which has no code, they are the same.
    assert_eq!(calls(&sequence(&[2, 3, 5], true)), 2);
    let none = mark(MODULE.as_bytes(), "m.ll", &sequence(&[2, 6], true)).expect_err("there is none");
    // The line of the function itself is where it begins.
    assert_eq!(kinds(&sequence(&[1], false)), [MarkKind::Sequence]);
    assert_eq!(calls(&sequence(&[1], false)), 1);
    assert_eq!(none.to_string(), "no code at a.c:6; the nearest are a.c:5, a.c:9, a.c:2");
}
