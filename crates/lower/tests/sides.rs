//! Which edges stand for which sides of branches.

use beeline_ir::{Op, text};
use beeline_llvm::import::{self, import};
use beeline_lower::{Lowered, Options, lower_traced};
use beeline_module::Side;

/// What is assumed where a side of a block of `main` is taken; nothing if it is not known when that is.
fn assumed(body: &str, block: u32, way: u32) -> Option<Vec<String>> {
    let module = format!("declare i32 @nondet_int()\ndeclare void @reach_error()\n{body}");
    let module = import(module.as_bytes(), "m.ll", &import::Options::default()).expect("it is a module");
    let Lowered { program, sides, .. } = lower_traced(module, &Options::default()).expect("it is modelled");
    let edges = sides.known().remove(&Side { function: 2, block, way })?;
    assert!(edges.iter().all(|&edge| matches!(program.edges[edge].op, Op::Assume(..))));
    let condition = |edge| text::print_op(&program, edge).split_once("] ").map(|(_, text)| text.to_string());
    let mut conditions: Vec<String> = edges.into_iter().filter_map(condition).collect();
    conditions.sort();
    Some(conditions)
}

/// Two ways lead to a block that branches on a phi, the second one with a value that is given.
fn joining(given: &str) -> String {
    format!(
        "define i32 @main() {{
         entry:
           %a = call i32 @nondet_int()
           %b = call i32 @nondet_int()
           %is = icmp eq i32 %a, 5
           br i1 %is, label %first, label %second
         first:
           %x = icmp eq i32 %b, 6
           br label %join
         second:
           %y = icmp eq i32 %b, 7
           br label %join
         join:
           %p = phi i1 [ %x, %first ], [ {given}, %second ]
           br i1 %p, label %yes, label %no
         yes:
           call void @reach_error()
           ret i32 1
         no:
           ret i32 0
         }}"
    )
}

#[test]
fn a_side_has_the_conditions_of_all_ways_that_lead_to_it() {
    let body = joining("%y");
    let is = |texts: &[&str]| Some(texts.iter().map(|text| text.to_string()).collect::<Vec<_>>());
    assert_eq!(assumed(&body, 0, 0), is(&["a == 5"]));
    assert_eq!(assumed(&body, 0, 1), is(&["a != 5"]));
    assert_eq!(assumed(&body, 3, 0), is(&["b == 6", "b == 7"]));
    assert_eq!(assumed(&body, 3, 1), is(&["b != 6", "b != 7"]));
    // There is no such branch.
    assert_eq!(assumed(&body, 1, 0), None);
}

#[test]
fn of_a_side_that_is_taken_without_a_condition_nothing_is_known() {
    let body = joining("true");
    assert_eq!(assumed(&body, 3, 0), None);
    assert_eq!(assumed(&body, 3, 1).map(|edges| edges.len()), Some(1));
    // Where both sides lead to one block, it is not known which of them is taken.
    let body = joining("%y").replace("label %yes, label %no", "label %yes, label %yes");
    assert_eq!((assumed(&body, 3, 0), assumed(&body, 3, 1)), (None, None));
}

#[test]
fn cases_of_a_switch_are_told_apart() {
    let body = "define i32 @main() {
         entry:
           %a = call i32 @nondet_int()
           switch i32 %a, label %no [ i32 3, label %yes
                                      i32 4, label %no
                                      i32 9, label %yes ]
         yes:
           call void @reach_error()
           ret i32 1
         no:
           ret i32 0
         }";
    let first = |way| assumed(body, 0, way).map(|edges| edges.join("; "));
    assert_eq!(first(1).as_deref(), Some("a == 3"));
    assert_eq!(first(2).as_deref(), Some("a == 4"));
    assert_eq!(first(3).as_deref(), Some("a == 9"));
    assert!(first(0).is_some_and(|default| default.contains("a != 4")));
}

#[test]
fn behind_passes_nothing_is_known() {
    let body = joining("%y");
    let module = format!("declare i32 @nondet_int()\ndeclare void @reach_error()\n{body}");
    let options = import::Options { passes: Some("simplifycfg".into()), ..import::Options::default() };
    let module = import(module.as_bytes(), "m.ll", &options).expect("it is a module");
    let lowered = lower_traced(module, &Options::default()).expect("it is modelled");
    assert!(lowered.sides.known().is_empty());
}
