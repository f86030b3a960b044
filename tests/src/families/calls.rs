//! Calls: many of them, and through pointers.

use super::{each, with};

/// The bug: the function at the depth may hand on a number too large.
pub(super) fn chain(size: u32, bug: Option<u32>) -> String {
    let mut text = String::from("static unsigned noise;\n\nstatic int step_$last(int x) {\n");
    text += "  if (x != $last)\n    reach_error();\n  return x;\n}\n";
    text = text.replace("$last", &(size + 1).to_string());
    for depth in (1..=size).rev() {
        let handed = if bug == Some(depth) { "x + 1 + (__VERIFIER_nondet_int() == 7)" } else { "x + 1" };
        let template = "
static void aside_$i(int count) {
  for (int i = 0; i < count; i++)
    noise += i;
}

static int step_$i(int x) {
  if (x != $i)
    reach_error();
  while (__VERIFIER_nondet_bool())
    aside_$i(2);
  if (__VERIFIER_nondet_bool())
    return x;
  return step_$next($handed);
}
";
        text += &with(depth, &template.replace("$handed", handed));
    }
    text + "\nint main(void) {\n  step_1(1);\n  return 0;\n}\n"
}

/// The bug: the handler at the depth may forget to leave its mark.
pub(super) fn dispatch(size: u32, bug: Option<u32>) -> String {
    let mut text = String::from("static int mark;\nstatic unsigned waits;\n");
    text += "
static int wait(int state) {
  for (unsigned i = 0; i < 2; i++)
    waits += i;
  return state;
}

static int handler_0(int event) {
  if (event != 1)
    return wait(0);
  mark = 0;
  return 1;
}
";
    for state in 1..=size {
        let left =
            if bug == Some(state) { "    if (event != 5)\n      mark = $i;\n" } else { "    mark = $i;\n" };
        let template = "
static int handler_$i(int event) {
  if (mark != $prev)
    reach_error();
  switch (event) {
  case 0:
    return 0;
  case 1:
  case 5:
$left    return $next;
  default:
    return wait($i);
  }
}
";
        text += &with(state, &template.replace("$left", left));
    }
    let last = "
static int handler_$i(int event) {
  if (mark != $prev)
    reach_error();
  return event == 0 ? 0 : wait($i);
}

static int (*const table[])(int) = {";
    text += &with(size + 1, last);
    text += &each(0..=size + 1, "handler_$i, ");
    text + "};

int main(void) {
  int state = 0;
  while (__VERIFIER_nondet_bool())
    state = table[state](__VERIFIER_nondet_int());
  return 0;
}
"
}
