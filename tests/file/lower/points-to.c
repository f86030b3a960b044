// Variables that a pointer may lead to share a region; one whose address is never taken is promoted to a variable.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int first = 1, second = 2, alone = 3, own = 4;
  int *either = __VERIFIER_nondet_int() ? &first : &second;
  int *one = &own;
  *either = 5;
  *one = alone;
  if (first + second == 3)
    reach_error();
  return own;
}
// run: lower
// > beeline 1.1
// > program "points-to.c"
// > entry main
// > file "points-to.c"
// > region mem.main.first: i64 -> i32 in 0x1000000000+4, 0x2000000000+4
// > region mem.main.own: i64 -> i32 in 0x3000000000+4
// > cells "first" "int" at 0x1000000000
// > cells "second" "int" at 0x2000000000
// > cells "own" "int" at 0x3000000000
// >
// > fn main() -> `return`: i32 in "points-to.c" {
// >   var alone: i32 as "alone" "int" @6
// >   var either: i64 as "either" "int *" @7
// >   var one: i64 as "one" "int *" @8
// >   var t: i32
// >   var t.1: i64
// >   L0: mem.main.first[0x1000000000] := 1 @6:7
// >   L1: mem.main.first[0x2000000000] := 2 @6:18
// >   L2: alone := 3 @6:30
// >   L3: mem.main.own[0x3000000000] := 4 @6:41
// >   L4: t := input "__VERIFIER_nondet_int" @7:17
// >   L5: if t != 0 goto L6 else L7 @7:17
// >   L6: t.1 := 0x1000000000 goto L8 @7:17
// >   L7: t.1 := 0x2000000000 @7:17
// >   L8: either := t.1 @7:8
// >   L9: one := 0x3000000000 @8:8
// >   L10: mem.main.first[either] := 5 @9:11
// >   L11: mem.main.own[one] := alone @10:8
// >   L12: if mem.main.first[0x1000000000] + mem.main.first[0x2000000000] == 3 goto L13 else L14 @11:7
// >   L13: target "reach_error in main at points-to.c:12:5" @12:5
// >   L14: return mem.main.own[0x3000000000] @13:3
// >   L15: exit
// > }

// run: verify
// verdict: safe
