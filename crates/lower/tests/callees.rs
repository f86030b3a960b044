//! Which functions calls through pointers may lead to.

use beeline_ir::{Callee, Op};
use beeline_llvm::import::{self, import};
use beeline_lower::{Options, lower};

const FUNCTIONS: &str = "
%ops = type { ptr, ptr }
@fixed = internal constant [2 x %ops] [%ops { ptr @up, ptr @down }, %ops { ptr @twice, ptr @half }]
@table = internal global [2 x %ops] [%ops { ptr @up, ptr @down }, %ops { ptr @twice, ptr @half }]
@once = internal global %ops zeroinitializer
@other = internal global %ops zeroinitializer
declare i64 @nondet_long()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal i32 @up(i32 %x) {
  ret i32 1
}
define internal i32 @down(i32 %x) {
  ret i32 2
}
define internal i32 @twice(i32 %x) {
  ret i32 3
}
define internal i32 @half(i32 %x) {
  ret i32 4
}";

/// The candidates of the only call through a pointer of `main`, by name, in order.
fn candidates(body: &str) -> Vec<String> {
    let module = format!("{FUNCTIONS}\ndefine i32 @main() {{\n{body}\n ret i32 %r\n}}");
    let module = import(module.as_bytes(), "m.ll", &import::Options::default()).expect("it is a module");
    let program = lower(module, &Options::default()).expect("it is modelled");
    let mut found = program.edges.values().filter_map(|edge| match &edge.op {
        Op::Call(call) => match &call.callee {
            Callee::Indirect { candidates, .. } => Some(candidates),
            Callee::Direct(_) => None,
        },
        _ => None,
    });
    let list = found.next().expect("there is a call through a pointer");
    assert_eq!(found.next(), None, "there is one such call");
    let mut names: Vec<String> = list.iter().map(|&func| program.functions[func].name.clone()).collect();
    names.sort();
    names
}

#[test]
fn a_table_that_is_never_written_is_read() {
    let second_down = "
        %f = load ptr, ptr getelementptr ([2 x %ops], ptr @fixed, i64 0, i64 1, i32 1)
        %r = call i32 %f(i32 1)";
    assert_eq!(candidates(second_down), ["half"]);
}

#[test]
fn an_index_that_is_not_known_leaves_the_member() {
    let some = |table: &str| {
        format!(
            "%i = call i64 @nondet_long()
            %p = getelementptr [2 x %ops], ptr @{table}, i64 0, i64 %i, i32 0
            %f = load ptr, ptr %p
            %r = call i32 %f(i32 1)"
        )
    };
    assert_eq!(candidates(&some("fixed")), ["twice", "up"]);
    assert_eq!(candidates(&some("table")), ["twice", "up"]);
}

#[test]
fn members_that_are_written_once_are_told_apart() {
    let once = "
        store ptr @up, ptr @once
        store ptr @down, ptr getelementptr (%ops, ptr @once, i64 0, i32 1)
        %i = call i64 @nondet_long()
        %p = getelementptr [2 x %ops], ptr @table, i64 0, i64 %i, i32 0
        store ptr @down, ptr %p
        %f = load ptr, ptr @once
        %r = call i32 %f(i32 1)";
    assert_eq!(candidates(once), ["up"]);
}

#[test]
fn what_is_written_to_a_table_may_be_found_in_it() {
    let written = "
        %i = call i64 @nondet_long()
        %p = getelementptr [2 x %ops], ptr @table, i64 0, i64 %i, i32 0
        store ptr @down, ptr %p
        %f = load ptr, ptr @table
        %r = call i32 %f(i32 1)";
    assert_eq!(candidates(written), ["down", "twice", "up"]);
}

#[test]
fn copies_are_followed() {
    let copied = "
        store ptr @half, ptr @other
        %i = call i64 @nondet_long()
        %p = getelementptr %ops, ptr @other, i64 %i
        call void @llvm.memcpy.p0.p0.i64(ptr @once, ptr %p, i64 16, i1 false)
        %q = getelementptr %ops, ptr @once, i64 %i
        %f = load ptr, ptr %q
        %r = call i32 %f(i32 1)";
    assert_eq!(candidates(copied), ["half"]);
}

#[test]
fn what_is_computed_may_be_any_function_that_is_found_there() {
    let computed = "
        %i = call i64 @nondet_long()
        %p = getelementptr [2 x %ops], ptr @fixed, i64 0, i64 %i, i32 0
        %a = load ptr, ptr %p
        %n = ptrtoint ptr %a to i64
        %m = xor i64 %n, %i
        %f = inttoptr i64 %m to ptr
        %r = call i32 %f(i32 1)";
    assert!(candidates(computed).contains(&"up".to_string()));
    assert!(candidates(computed).contains(&"twice".to_string()));
}

#[test]
fn arguments_results_and_choices_are_followed() {
    let passed = "
        %i = call i64 @nondet_long()
        %c = icmp eq i64 %i, 0
        %a = select i1 %c, ptr @up, ptr @half
        %f = call ptr @same(ptr %a)
        %r = call i32 %f(i32 1)
        ret i32 %r
        }
        define internal ptr @same(ptr %p) {
        %r = alloca ptr
        store ptr %p, ptr %r
        %q = load ptr, ptr %r
        ret ptr %q
        }
        define i32 @unused() {
        %r = call i32 @up(i32 1)";
    assert_eq!(candidates(passed), ["half", "up"]);
}
