//! Large programs around a small question: what matters for the error stays as it is, whatever the size.

use super::each;

/// An interpreter with a case for each number. The bug: the case at the depth fails where it comes twice.
pub(super) fn dispatcher(size: u32, bug: Option<u32>) -> String {
    let mut text = String::from("static unsigned work;\nstatic int seen;\n");
    for number in 1..=size {
        let check = match bug {
            Some(depth) if depth == number => "  if (seen++ == 1)\n    reach_error();\n",
            _ => "",
        };
        let template = format!("\nstatic void case_$i(int x) {{\n{check}  work += x + $i;\n}}\n");
        text += &super::with(number, &template);
    }
    text +=
        "\nint main(void) {\n  while (__VERIFIER_nondet_bool()) {\n    int x = __VERIFIER_nondet_int();\n";
    text += "    switch (__VERIFIER_nondet_int()) {\n";
    text += &each(1..=size, "    case $i: case_$i(x); break;\n");
    text + "    default: break;\n    }\n  }\n  return 0;\n}\n"
}

/// Functions that the error does not depend on, called before what it depends on.
pub(super) fn irrelevant(size: u32, bug: Option<u32>) -> String {
    let function = "
static unsigned count_$i, table_$i[8];

static unsigned unit_$i(unsigned x) {
  for (unsigned i = 0; i < x % 8; i++)
    table_$i[i] += x ^ i;
  if (x > 40)
    count_$i += x - 40;
  else
    count_$i = count_$i * 3 + 1;
  return count_$i + table_$i[x % 8];
}
";
    let mut text = each(1..=size, function);
    let error = if bug.is_some() { "held == 2" } else { "held == 3" };
    text += &format!(
        "
static int held;

static void core(void) {{
  while (__VERIFIER_nondet_bool()) {{
    if (held < 2)
      held++;
    else
      held = 0;
    if ({error})
      reach_error();
  }}
}}

int main(void) {{
  unsigned x = __VERIFIER_nondet_int();
"
    );
    text += &each(1..=size, "  x += unit_$i(x);\n");
    text + "  core();\n  return x != 0;\n}\n"
}

/// A driver whose requests go through tables of functions. The bug: the request at the depth may leave the lock taken.
pub(super) fn driver(size: u32, bug: Option<u32>) -> String {
    let mut text = String::from(
        "struct request {
  int (*begin)(struct request *);
  int (*end)(struct request *);
  int count, status;
};

static int locked;

static void take(void) {
  if (locked)
    reach_error();
  locked = 1;
}

static void release(void) {
  if (!locked)
    reach_error();
  locked = 0;
}
",
    );
    for number in 1..=size {
        let early = if bug == Some(number) { "  if (r->status == 77)\n    return -1;\n" } else { "" };
        let template = format!(
            "
static int begin_$i(struct request *r) {{
  take();
  r->count += $i;
  r->status = __VERIFIER_nondet_int();
{early}  return 0;
}}

static int end_$i(struct request *r) {{
  if (r->count > 1000)
    r->count = 0;
  release();
  return r->status;
}}
"
        );
        text += &super::with(number, &template);
    }
    text += "\nstatic struct request requests[] = {\n";
    text += &each(1..=size, "  {begin_$i, end_$i, 0, 0},\n");
    text += &format!(
        "}};

int main(void) {{
  while (__VERIFIER_nondet_bool()) {{
    unsigned number = __VERIFIER_nondet_int();
    if (number >= {size})
      continue;
    struct request *r = &requests[number];
    if (r->begin(r) == 0)
      r->end(r);
  }}
  return 0;
}}
"
    );
    text
}

/// State machines in a row, each of which hands on what it counted. The bug: the one at the depth counts too far.
pub(super) fn pipeline(size: u32, bug: Option<u32>) -> String {
    let mut text = String::new();
    for number in 1..=size {
        let most = if bug == Some(number) { 4 } else { 3 };
        let template = format!(
            "
static int state_$i, sent_$i;

static int stage_$i(int in) {{
  switch (state_$i) {{
  case 0: state_$i = in > 0 ? 1 : 0; sent_$i = 0; break;
  case 1: if (sent_$i < {most}) sent_$i++; else state_$i = 2; break;
  default: state_$i = 0;
  }}
  if (sent_$i > 3)
    reach_error();
  return state_$i == 2;
}}
"
        );
        text += &super::with(number, &template);
    }
    text +=
        "\nint main(void) {\n  while (__VERIFIER_nondet_bool()) {\n    int x = __VERIFIER_nondet_int();\n";
    text += &each(1..=size, "    x = stage_$i(x);\n");
    text + "  }\n  return 0;\n}\n"
}
