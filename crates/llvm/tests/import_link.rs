//! Linking models of library functions.

use beeline_llvm::import::{ImportError, Options, import};
use beeline_module::*;

fn link(program: &str, models: &[&str]) -> Result<Module, ImportError> {
    let named = |(i, text): (usize, &&str)| (format!("model{i}.ll"), text.as_bytes().to_vec());
    let options = Options { link: models.iter().enumerate().map(named).collect(), ..Options::default() };
    import(program.as_bytes(), "program.ll", &options)
}

fn linked(program: &str, models: &[&str]) -> Module {
    link(program, models).expect("they fit")
}

/// Names of functions, defined (`name`) and declared (`name?`), in alphabetical order.
fn names(module: &Module) -> Vec<String> {
    let name = |function: &Function| {
        format!("{}{}", function.name, if function.is_declaration() { "?" } else { "" })
    };
    let mut names: Vec<String> = module.functions.values().map(name).collect();
    names.sort();
    names
}

/// The name of the function that the first instruction of a function calls.
fn first_callee<'a>(module: &'a Module, name: &str) -> &'a str {
    let function = module.functions.values().find(|f| f.name == name).expect("there is such a function");
    match &function.insts.values().next().expect("it has instructions").kind {
        InstKind::Call(CallInst { callee: Operand::Const(_, Const::Func(callee)), .. }) => {
            &module.functions[*callee].name
        }
        other => panic!("no call: {other:?}"),
    }
}

const PROGRAM: &str = "declare void @strdup()
    define void @main() {
      call void @strdup()
      ret void
    }";

const STRDUP: &str = "declare void @malloc()
    @count = global i32 0
    @unused = global i32 0
    define internal void @helper() { ret void }
    define void @strdup() {
      call void @malloc()
      call void @helper()
      %x = load i32, ptr @count
      ret void
    }
    define void @strlen() { ret void }";

const MALLOC: &str = "define void @malloc() { ret void }\ndefine void @free() { ret void }";

#[test]
fn only_what_is_needed_is_taken_in_any_order_of_models() {
    for models in [[STRDUP, MALLOC], [MALLOC, STRDUP]] {
        let module = linked(PROGRAM, &models);
        assert_eq!(names(&module), ["helper", "main", "malloc", "strdup"]);
        let globals: Vec<_> = module.globals.values().map(|global| global.name.as_str()).collect();
        assert_eq!(globals, ["count"]);
    }
}

#[test]
fn nothing_is_taken_if_nothing_is_missing() {
    let module = linked("define void @main() { ret void }", &[STRDUP, MALLOC]);
    assert_eq!((names(&module), module.globals.len()), (vec!["main".to_string()], 0));
}

#[test]
fn what_models_lack_stays_undefined() {
    assert_eq!(names(&linked(PROGRAM, &[STRDUP])), ["helper", "main", "malloc?", "strdup"]);
}

/// As in a library: its functions do not call those of the program, whatever their names.
#[test]
fn the_program_s_own_functions_are_kept_and_models_use_theirs() {
    let program = format!("{PROGRAM}\ndefine void @malloc() {{ unreachable }}");
    let module = linked(&program, &[STRDUP, MALLOC]);
    let called = first_callee(&module, "strdup");
    assert!(called.starts_with("malloc") && called != "malloc", "{called}");
    let body = |name: &str| {
        let function = module.functions.values().find(|f| f.name == name).expect("it is there");
        function.insts.values().next().map(|inst| inst.kind.clone())
    };
    assert_eq!(body("malloc"), Some(InstKind::Unreachable));
    assert_eq!(body(called), Some(InstKind::Ret(None)));
    // Without a use, there is one only.
    let program = "define void @main() { ret void }\ndefine void @malloc() { unreachable }";
    assert_eq!(names(&linked(program, &[STRDUP, MALLOC])), ["main", "malloc"]);
}

#[test]
fn a_private_function_of_the_program_is_not_mixed_up_with_a_model() {
    let program = format!(
        "{PROGRAM}\ndefine internal void @malloc() {{ unreachable }}
        define void @other() {{
          call void @malloc()
          ret void
        }}"
    );
    let module = linked(&program, &[STRDUP, MALLOC]);
    assert_ne!(first_callee(&module, "strdup"), first_callee(&module, "other"));
}

#[test]
fn models_must_fit() {
    let error = |models: &[&str]| link(PROGRAM, models).expect_err("they do not fit");
    assert!(matches!(error(&[STRDUP, STRDUP]), ImportError::Link { .. }));
    assert!(matches!(error(&["what"]), ImportError::NotIr { name, .. } if name == "model0.ll"));
}

#[test]
fn models_for_another_target_are_passed_over() {
    let program = format!("target datalayout = \"e-p:64:64\"\n{PROGRAM}");
    let other = format!("target datalayout = \"e-p:32:32\"\n{STRDUP}");
    let same = format!("target datalayout = \"e-p:64:64\"\n{STRDUP}");
    assert_eq!(names(&linked(&program, &[&other])), ["main", "strdup?"]);
    assert_eq!(names(&linked(&program, &[&other, &same])), ["helper", "main", "malloc?", "strdup"]);
}

#[test]
fn the_taken_functions_are_internal() {
    // Were they visible from outside, they would stay after their only use is gone.
    let options = Options {
        link: vec![("strdup".to_string(), STRDUP.as_bytes().to_vec())],
        passes: Some("function(instsimplify),inline,globaldce".to_string()),
        ..Options::default()
    };
    let program = "declare void @strlen()
        define void @main() alwaysinline {
          call void @strlen()
          ret void
        }";
    let module = import(program.as_bytes(), "program.ll", &options).expect("they fit");
    assert_eq!(names(&module), ["main"]);
}
