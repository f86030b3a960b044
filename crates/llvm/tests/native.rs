//! Modules made ready to run natively.

use beeline_llvm::import;
use beeline_llvm::native::{ENTRY, NativeType, REACHED, Reports, native};

const MODULE: &str = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@level = external global i64
declare void @fail(i32)
declare signext i8 @read_char()
declare i16 @read_word()
declare void @stop() noreturn
define void @alarm() {
  ret void
}
define internal void @check(i1 %ok) {
  br i1 %ok, label %good, label %bad
bad:
  call void @fail(i32 1)
  call void @alarm()
  unreachable
good:
  ret void
}
define i32 @start(i32 %n, ptr %p) {
  %level = load i64, ptr @level
  call void @check(i1 0)
  ret i32 0
}
define i32 @main() {
  ret i32 0
}
"#;

fn is_violation(name: &str) -> bool {
    ["fail", "alarm"].contains(&name)
}

fn reports(entry: &str) -> Reports<'_> {
    Reports {
        entry,
        is_violation: &is_violation,
        fills: &|_| false,
        reads_into: &|_| None,
        point: &|_, _| None,
        sanitized: false,
    }
}

#[test]
fn each_violation_is_reported_where_it_is() {
    let module = native(MODULE.as_bytes(), "m.ll", &reports("main")).expect("it is a module");
    let sites: Vec<_> = module.sites.iter().map(|it| (it.callee.as_str(), it.caller.as_deref())).collect();
    let called = |callee| (callee, Some("check"));
    assert_eq!(sites, [("alarm", None), called("fail"), called("alarm")]);
    // The reports are calls in the module, which is still one.
    let read = import::import(&module.bitcode, "m.bc", &import::Options::default()).expect("it is a module");
    let reports = read.functions.values().find(|function| function.name == REACHED).expect("it is declared");
    assert!(reports.is_declaration());
}

#[test]
fn what_comes_from_elsewhere_is_listed() {
    let module = native(MODULE.as_bytes(), "m.ll", &reports("main")).expect("it is a module");
    let declared: Vec<&str> = module.declared.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(declared, ["fail", "read_char", "read_word", "stop"]);
    assert_eq!(module.declared[1].result, NativeType::Int { width: 8, signed: true });
    assert_eq!(module.declared[2].result, NativeType::Int { width: 16, signed: false });
    assert!(module.declared[3].noreturn && !module.declared[0].noreturn);
    let variables: Vec<_> = module.variables.iter().map(|it| (it.name.as_str(), it.size)).collect();
    assert_eq!((variables, module.pointer_width), (vec![("level", 8)], 64));
    assert!(module.entry.is_none(), "main without parameters starts the program itself");
}

#[test]
fn another_entry_gets_a_name_of_its_own() {
    let module = native(MODULE.as_bytes(), "m.ll", &reports("start")).expect("it is a module");
    let entry = module.entry.expect("start has parameters");
    assert_eq!(entry.params, [NativeType::Int { width: 32, signed: false }, NativeType::Pointer]);
    let read = import::import(&module.bitcode, "m.bc", &import::Options::default()).expect("it is a module");
    let names: Vec<&str> = read.functions.values().map(|function| function.name.as_str()).collect();
    assert!(names.contains(&ENTRY) && !names.contains(&"start") && !names.contains(&"main"), "{names:?}");
}

#[test]
fn what_is_no_module_is_refused() {
    assert!(native(b"not a module", "m.ll", &reports("main")).is_err());
    assert!(native(b"", "m.ll", &reports("main")).is_err());
}
