; Integer arithmetic, of usual and unusual widths.
define i32 @sums(i32 %a, i32 %b) {
  %s = add nsw i32 %a, %b
  %d = sub i32 %s, 7
  %p = mul i32 %d, %b
  ret i32 %p
}
define i32 @quotients(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  %r = srem i32 %a, %b
  %u = udiv i32 %q, 10
  %m = urem i32 %r, 8
  %s = add i32 %u, %m
  ret i32 %s
}
define i64 @shifts(i64 %a, i64 %n) {
  %l = shl i64 %a, %n
  %r = lshr i64 %l, 3
  %s = ashr i64 %r, %n
  ret i64 %s
}
define i8 @logic(i8 %a, i8 %b) {
  %x = and i8 %a, %b
  %y = or i8 %x, 16
  %z = xor i8 %y, -1
  ret i8 %z
}
define i128 @wide(i128 %a) {
  %m = mul i128 %a, 1000000000000000000000
  ret i128 %m
}
define i17 @odd(i17 %a) {
  %m = add i17 %a, 65536
  ret i17 %m
}
define i1 @truth(i1 %a, i1 %b) {
  %x = xor i1 %a, true
  %y = add i1 %x, %b
  ret i1 %y
}
