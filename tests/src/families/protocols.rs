//! Protocols: who may do what when.

use super::{each, with};

/// The bug: the work at the depth may give its lock back early, and then again.
pub(super) fn locks(size: u32, bug: Option<u32>) -> String {
    let mut text = String::from("static unsigned work;\n");
    text += &each(
        1..=size,
        "static int held_$i;

static void acquire_$i(void) {
  if (held_$i)
    reach_error();
  held_$i = 1;
}

static void release_$i(void) {
  if (!held_$i)
    reach_error();
  held_$i = 0;
}

",
    );
    let innermost = "static void level_$i(void) {
  for (unsigned i = 0; i < 3; i++)
    work += i;
}
";
    text += &with(size + 1, innermost);
    for level in (1..=size).rev() {
        let early = if bug == Some(level) {
            "    if (__VERIFIER_nondet_int() == 3)\n      release_$i();\n"
        } else {
            ""
        };
        let template = "
static void level_$i(void) {
  acquire_$i();
  while (__VERIFIER_nondet_bool()) {
    level_$next();
$early  }
  release_$i();
}
";
        text += &with(level, &template.replace("$early", early));
    }
    text + "\nint main(void) {\n  level_1();\n  return 0;\n}\n"
}

/// The bug: at the depth the server takes no message twice, although its answer may have got lost.
pub(super) fn client_server(size: u32, bug: Option<u32>) -> String {
    let again = "request == server";
    let again = bug.map_or(again.into(), |depth| format!("{again} && server != {depth}"));
    let template = "static int request; /* 0 is none */
static int answer;
static int client = 1; /* which message it sends */
static int server;     /* which message it has */
static unsigned lost;

static void client_step(void) {
  if (answer == client) {
    client++;
    answer = 0;
  } else if (request == 0) {
    request = client;
  }
}

static void server_step(void) {
  if (request == 0)
    return;
  if (request == server + 1)
    server++;
  else if (!($again))
    reach_error();
  answer = server;
  request = 0;
}

static void lose(void) {
  for (unsigned i = 0; i < 3; i++)
    lost += i;
  if (__VERIFIER_nondet_bool())
    request = 0;
  else
    answer = 0;
}

int main(void) {
  while (client <= $size) {
    switch (__VERIFIER_nondet_int()) {
    case 1:
      client_step();
      break;
    case 2:
      server_step();
      break;
    default:
      lose();
    }
  }
  if (server < client - 1)
    reach_error();
  return 0;
}
";
    template.replace("$again", &again).replace("$size", &size.to_string())
}
