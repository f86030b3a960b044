// A call through a pointer has the functions of a fitting type whose address is taken as its candidates.
int __VERIFIER_nondet_int(void);
void reach_error(void);

static int up(int n) { return n + 1; }
static int down(int n) { return n - 1; }
static void other(void) {}

int main(void) {
  int (*step)(int) = __VERIFIER_nondet_int() ? up : down;
  void (*last)(void) = other;
  int n = step(5);
  last();
  if (n == 5)
    reach_error();
  return 0;
}
// run: lower
// > beeline 1.0
// > program "function-pointer.c"
// > entry main
// > file "function-pointer.c"
// >
// > fn main() -> `return`: i32 in "function-pointer.c" {
// >   var step: i64 as "step" "int (*)(int)" @10
// >   var last: i64 as "last" "void (*)(void)" @11
// >   var n: i32 as "n" "int" @12
// >   var t: i32
// >   var kept: i64
// >   var undefined: i8
// >   var kept.1: i64
// >   var undefined.1: i8
// >   L0: t := input "__VERIFIER_nondet_int" @10:22
// >   L1: step := t == 0 ? 4194352 : 4194336 @10:9
// >   L2: last := 4194368 @11:10
// >   L3: kept := step @12:11
// >   L4: skip @12:11
// >   L5: assume !(kept == 4194336 || kept == 4194352) @12:11
// >     | assume kept == 4194336 || kept == 4194352 goto L7 @12:11
// >   L6: undefined := 1 /u 0 @12:11
// >   L7: n := call (kept)(5) among up, down @12:11
// >   L8: kept.1 := last @13:3
// >   L9: skip @13:3
// >   L10: assume kept.1 != 4194368 @13:3
// >     | assume kept.1 == 4194368 goto L12 @13:3
// >   L11: undefined.1 := 1 /u 0 @13:3
// >   L12: call (kept.1)() among other @13:3
// >   L13: if n == 5 goto L14 else L15 @14:7
// >   L14: target "reach_error in main at function-pointer.c:15:5" @15:5
// >   L15: return 0 @16:3
// >   L16: exit
// > }
// >
// > fn up(n: i32 as "n" "int" @5) -> `return`: i32 at 0x400020 in "function-pointer.c" {
// >   L0: return n + 1 @5:24
// >   L1: exit
// > }
// >
// > fn down(n: i32 as "n" "int" @6) -> `return`: i32 at 0x400030 in "function-pointer.c" {
// >   L0: return n - 1 @6:26
// >   L1: exit
// > }
// >
// > fn other() at 0x400040 in "function-pointer.c" {
// >   L0: exit
// > }
// >
// > assumption undefined invents "no call in main through a pointer that is not a function" at main:L6@0 @"function-pointer.c":12:11
// > assumption undefined invents "no call in main through a pointer that is not a function" at main:L11@0 @"function-pointer.c":13:3

// run: verify
// verdict: safe
