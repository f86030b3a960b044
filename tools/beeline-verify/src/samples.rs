//! Programs that unit tests share.

use beeline_ir::Program;

/// A program that is safe if what is added is 1.
pub(crate) fn adding(step: &str) -> Program {
    let text = "beeline 1.0
        fn main() {
          var x: i8, y: i8, n: i8
          n := input \"n\"
          assume n <u 5
          x, y := 0, 0
          head: while x <u n goto body else after
          body: x, y := x + 1, y + STEP goto head
          after: if x != y goto bad else done
          bad: target \"differ\"
          done: exit
        }";
    beeline_ir::text::parse(&text.replace("STEP", step)).expect("the text is a program")
}
