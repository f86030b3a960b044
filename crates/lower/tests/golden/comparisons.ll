; Comparisons of integers, pointers and floats.
define i1 @signed(i32 %a, i32 %b) {
  %l = icmp slt i32 %a, %b
  %g = icmp sge i32 %a, 5
  %x = and i1 %l, %g
  ret i1 %x
}
define i1 @unsigned(i32 %a, i32 %b) {
  %l = icmp ult i32 %a, %b
  %g = icmp uge i32 %a, 5
  %x = or i1 %l, %g
  ret i1 %x
}
define i1 @equal(i32 %a, ptr %p) {
  %e = icmp eq i32 %a, 3
  %n = icmp ne ptr %p, null
  %x = select i1 %e, i1 %n, i1 false
  ret i1 %x
}
define i32 @as_number(i32 %a, i32 %b) {
  %c = icmp sgt i32 %a, %b
  %z = zext i1 %c to i32
  ret i32 %z
}
define i1 @ordered(double %a, double %b) {
  %l = fcmp olt double %a, %b
  %e = fcmp oeq double %a, 1.5
  %n = fcmp one double %a, %b
  %o = fcmp ord double %a, %b
  %x = and i1 %l, %e
  %y = and i1 %n, %o
  %z = or i1 %x, %y
  ret i1 %z
}
define i1 @unordered(float %a, float %b) {
  %l = fcmp ult float %a, %b
  %e = fcmp ueq float %a, %b
  %n = fcmp une float %a, %b
  %o = fcmp uno float %a, %b
  %x = and i1 %l, %e
  %y = and i1 %n, %o
  %z = or i1 %x, %y
  ret i1 %z
}
define i1 @constant(float %a) {
  %t = fcmp true float %a, 0.0
  %f = fcmp false float %a, 0.0
  %x = xor i1 %t, %f
  ret i1 %x
}
define i1 @of_numbers(float %a, float %b) {
  %l = fcmp nnan olt float %a, %b
  ret i1 %l
}
