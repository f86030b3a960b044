// Both conditions of a loop are edges of its head, and the step leads back to it.
void reach_error(void);

int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 4; i++)
    sum += i;
  if (sum != 6)
    reach_error();
  return 0;
}
// run: lower
// > beeline 1.0
// > program "loop.c"
// > entry main
// > file "loop.c"
// >
// > fn main() -> `return`: i32 in "loop.c" {
// >   var sum: i32 as "sum" "unsigned int" @5
// >   var i: i32 as "i" "unsigned int" @6
// >   L0: sum := 0 @5:12
// >   L1: i := 0 @6:17
// >   L2: while i <u 4 goto L3 else L5 @6:3
// >   L3: sum := sum + i @7:9
// >   L4: i := i + 1 goto L2 @6:32
// >   L5: if sum != 6 goto L6 else L7 @8:7
// >   L6: target "reach_error in main at loop.c:9:5" @9:5
// >   L7: return 0 @10:3
// >   L8: exit
// > }

// run: distances
// > fn main
// >             st            bb            lh            lf
// >          4 (5)         2 (2)         1 (1)         2 (2)  L0: sum := 0 goto L1
// >          3 (4)         2 (2)         1 (1)         1 (1)  L1: i := 0 goto L2
// >          2 (3)         2 (2)         1 (1)         1 (1)  L2: assume[loop] i <u 4 goto L3
// >                                                               assume[loop negated] !(i <u 4) goto L5
// >          4 (5)         2 (2)         1 (1)         1 (1)  L3: sum := sum + i goto L4
// >          3 (4)         2 (2)         1 (1)         1 (1)  L4: i := i + 1 goto L2
// >          1 (2)         1 (1)         0 (0)         0 (0)  L5: assume[branch] sum != 6 goto L6
// >                                                               assume[branch negated] sum == 6 goto L7
// >        0 (inf)       0 (inf)       0 (inf)       0 (inf)  L6:
// >        inf (1)       inf (0)       inf (0)       inf (0)  L7: `return` := 0 goto L8
// >        inf (0)       inf (0)       inf (0)       inf (0)  L8:

// run: verify --domain {value,predicate,value+predicate}
// verdict: safe

// change: sum != 6 => sum == 6
// run: verify --domain {value,predicate,value+predicate}
// verdict: unsafe
