//! Functions without a body that are given functions, and inline assembly: what they may do is over-approximated.

use beeline_tests::driver::{Ran, beeline};

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

/// Checks a program that begins like all of them.
fn check(source: &str, options: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("p.c"), format!("{HEAD}{source}")).expect("the file is written");
    beeline(folder.path(), &[&["check", "p.c", "--no-check", "--ticks", "30000000"], options].concat())
}

fn is_safe(source: &str, options: &[&str]) -> Ran {
    let ran = check(source, options);
    assert!(ran.verdict().starts_with("verdict: safe"), "{}\n{}{}", ran.verdict(), ran.out, ran.err);
    ran
}

/// There is an execution that reaches the error; nobody can run it.
fn is_reached(source: &str, options: &[&str]) {
    let ran = check(source, options);
    assert!(ran.out.contains("reach_error is called"), "{}\n{}{}", ran.verdict(), ran.out, ran.err);
}

const DRIVER: &str = "
typedef int (*handler)(int, void *);
extern int register_handler(int line, handler handle, void *device);
struct device { int count, ready; };
static int opened;
static int handle(int line, void *data) {
  struct device *device = data;
  if (device && device->ready == 7 && opened) reach_error();
  return 1;
}
int main(void) {
  struct device device = {0, 0};
  handler given = __VERIFIER_nondet_int() ? handle : 0;
  device.ready = READY;
  opened = OPENED;
  register_handler(3, given, &device);
  LATER
  return device.count;
}
";

fn driver(ready: &str, opened: &str, later: &str) -> String {
    DRIVER.replace("READY", ready).replace("OPENED", opened).replace("LATER", later)
}

#[test]
fn a_function_that_is_given_away_is_called_while_the_other_one_runs() {
    is_reached(&driver("7", "1", ""), &[]);
    is_safe(&driver("6", "0", ""), &[]);
    let ran = is_safe(&driver("7", "0", "opened = 1;"), &[]);
    let assumed = "register_handler calls its function arguments only while it runs, with pointers to its own arguments or to separate memory";
    assert!(ran.out.contains(assumed), "{}", ran.out);
}

#[test]
fn it_may_be_called_with_any_number_and_with_null() {
    let source = "
extern void each(void (*visit)(int, int *));
static void visit(int n, int *p) { if (n == -77 && !p) reach_error(); }
int main(void) { each(visit); return 0; }
";
    is_reached(source, &[]);
}

#[test]
fn it_may_be_called_many_times() {
    let source = "
extern void each(void (*visit)(void));
static int calls;
static void visit(void) { if (++calls == 3) reach_error(); }
int main(void) { each(visit); return 0; }
";
    is_reached(source, &[]);
    is_safe(&source.replace("++calls == 3", "calls < 0"), &[]);
}

#[test]
fn what_is_called_in_between_may_be_active_twice() {
    let source = "
extern void each(void (*visit)(int *), int *);
static int depth;
static void visit(int *above) {
  int own = depth;
  if (depth == 2) { if (above && *above == 0) reach_error(); return; }
  depth++;
  each(visit, depth == 1 ? &own : above);
}
int main(void) { int none = 5; each(visit, &none); return 0; }
";
    is_reached(source, &[]);
}

#[test]
fn where_anything_may_happen_it_is_called_at_any_later_call_out() {
    let later = "opened = 1; other();";
    let source = driver("7", "0", later).replacen(
        "static int opened",
        "extern void other(void);\nstatic int opened",
        1,
    );
    is_safe(&source, &[]);
    is_reached(&source, &["--externals", "havoc"]);
}

#[test]
fn a_function_whose_address_only_unknown_code_takes_may_be_called_through_a_pointer() {
    let source = "
extern void (*find(void))(void);
void wanted(void) { reach_error(); }
int main(void) { find()(); return 0; }
";
    is_reached(source, &["--externals", "havoc"]);
}

#[test]
fn assembly_may_change_the_variables_that_it_names() {
    let source = "
int state;
int main(void) {
  state = 1;
  __asm__ volatile(\"incl state\" : : : \"memory\");
  if (state == 2) reach_error();
  return 0;
}
";
    is_reached(source, &[]);
    is_safe(&source.replace("incl state", "incl other"), &[]);
}

#[test]
fn a_pointer_from_outside_leads_to_no_other_function_by_assumption() {
    let program = |pointer: &str| {
        format!(
            "typedef int function(void);\nfunction *get(void);\nstatic int one(void) {{ return 1; }}\nint main(void) {{\n  \
             function *p = one;\n  if (__VERIFIER_nondet_int())\n    p = {pointer};\n  if (p() != 1)\n    reach_error();\n  return 0;\n}}\n"
        )
    };
    let told = "calls no function that is not among those that the program gives it";
    let ran = is_safe(&program("get()"), &[]);
    assert!(ran.out.contains(told), "{}", ran.out);
    let ran = is_safe(&program("one"), &[]);
    assert!(!ran.out.contains(told), "{}", ran.out);
}
