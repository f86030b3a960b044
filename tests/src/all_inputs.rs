//! What a program does for all inputs of two bytes, by native runs.

use crate::CLANG;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Runs a program with all pairs of bytes, each time with its variables as they were, and prints the numbers of the marks
/// that were passed.
const ALL_INPUTS: &str = r#"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int program(void);
extern char __data_start[], _end[];
static struct {
  unsigned char given[2];
  int next;
  unsigned char seen[1000];
  jmp_buf out;
} *state;
unsigned char __VERIFIER_nondet_uchar(void) { return state->next < 2 ? state->given[state->next++] : 0; }
void stop(int code) { longjmp(state->out, code + 1); }
void mark(int, int) __asm__("beeline.mark");
void mark(int holds, int number) { if (holds) state->seen[number] = 1; }
int main(void) {
  state = calloc(1, sizeof *state);
  unsigned long size = _end - __data_start;
  char *begin = malloc(size);
  memcpy(begin, __data_start, size);
  for (int input = 0; input < 1 << 16; input++) {
    memcpy(__data_start, begin, size);
    state->next = 0;
    state->given[0] = input & 255;
    state->given[1] = input >> 8;
    if (!setjmp(state->out))
      program();
  }
  for (int number = 0; number < 1000; number++)
    if (state->seen[number])
      printf("%d\n", number);
}
"#;

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the tool is there");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

/// The marks that native runs of all inputs pass; the program is bitcode of `beeline-mark`.
///
/// # Panics
/// If it cannot be compiled or run.
pub fn passed(folder: &Path, marked: &Path) -> BTreeSet<usize> {
    let (object, runner) = (folder.join("program.o"), folder.join("all.c"));
    std::fs::write(&runner, ALL_INPUTS).expect("it can be written");
    run(Command::new(CLANG).args(["-w", "-c"]).arg(marked).arg("-o").arg(&object));
    let names = ["--redefine-sym", "main=program", "--redefine-sym", "exit=stop"];
    run(Command::new("objcopy").args(names).arg(&object));
    run(Command::new(CLANG).arg(&object).arg(&runner).arg("-o").arg(folder.join("all")));
    let told = run(&mut Command::new(folder.join("all")));
    told.lines().map(|line| line.parse().expect("it is a number")).collect()
}
