//! Loops: around a `switch`, and in each other.

use super::{each, with};

/// The bug: the task at the depth takes back what the one before it did.
pub(super) fn scheduler(size: u32, bug: Option<u32>) -> String {
    let mut text = String::from("static int state_0 = 2;\nstatic unsigned ticks;\n");
    text += &each(1..=size, "static int state_$i;\n");
    text += "
static void idle(void) {
  for (unsigned i = 0; i < 3; i++)
    ticks += i;
}
";
    for task in 1..=size {
        let done = if bug == Some(task) { "state_$i = 2, state_$prev = 0" } else { "state_$i = 2" };
        let template = "
static void task_$i(void) {
  switch (state_$i) {
  case 0:
    if (state_$prev == 2)
      state_$i = 1;
    break;
  case 1:
    if (__VERIFIER_nondet_bool())
      $done;
    break;
  }
}
";
        text += &with(task, &template.replace("$done", done));
    }
    text += "
int main(void) {
  while (__VERIFIER_nondet_bool()) {
    switch (__VERIFIER_nondet_int()) {
";
    text += &each(1..=size, "    case $i:\n      task_$i();\n      break;\n");
    text += "    default:\n      idle();\n    }\n";
    text += &each(1..=size, "    if (state_$i == 2 && state_$prev != 2)\n      reach_error();\n");
    text + "  }\n  return 0;\n}\n"
}

/// The bug: the loop at the depth may take a step more, which its body notices.
pub(super) fn nested(size: u32, bug: Option<u32>) -> String {
    let mut text = String::from("int main(void) {\n  int steps = 0;\n");
    for level in 1..=size {
        let indent = "  ".repeat(level as usize);
        let bound = if bug == Some(level) { "2 + (__VERIFIER_nondet_int() == 7)" } else { "2" };
        text += &with(level, &format!("{indent}int bound_$i = {bound};\n"));
        text += &with(level, &format!("{indent}for (int i_$i = 0; i_$i < bound_$i; i_$i++) {{\n"));
        text += &with(level, &format!("{indent}  if (i_$i > 1)\n{indent}    reach_error();\n"));
    }
    text += &format!("{}steps++;\n", "  ".repeat(size as usize + 1));
    for level in (1..=size).rev() {
        text += &format!("{}}}\n", "  ".repeat(level as usize));
    }
    text + "  return steps;\n}\n"
}

/// The bug: the one plugin that is checked, whose number is the depth, fills its buffer to the brim.
pub(super) fn plugins(size: u32, bug: Option<u32>) -> String {
    let checked = bug.unwrap_or(size);
    let mut text = String::from("static unsigned noise;\n");
    for plugin in 1..=size {
        let template = if plugin == checked { CHECKED_PLUGIN } else { PLUGIN };
        let brim = if bug.is_some() { "3" } else { "4" };
        text += &with(plugin, &template.replace("$brim", brim));
    }
    text += "
int main(void) {
  while (__VERIFIER_nondet_bool()) {
    switch (__VERIFIER_nondet_int()) {
";
    text += &each(1..=size, "    case $i:\n      plugin_$i();\n      break;\n");
    text + "    }\n  }\n  return 0;\n}\n"
}

const PLUGIN: &str = "
static int used_$i;

static void plugin_$i(void) {
  for (int i = 0; i < 3; i++)
    noise += i;
  while (__VERIFIER_nondet_bool())
    if (used_$i < 3)
      used_$i++;
}
";

const CHECKED_PLUGIN: &str = "
static int used_$i;

static void plugin_$i(void) {
  for (int i = 0; i < 3; i++)
    noise += i;
  while (__VERIFIER_nondet_bool())
    if (used_$i < 3)
      used_$i++;
  if (used_$i >= $brim)
    reach_error();
}
";
