; Values that LLVM leaves open.
define i32 @undefined(i32 %a) {
  %x = add i32 undef, %a
  ret i32 %x
}
define i32 @poisoned(i32 %a) {
  %x = add i32 poison, %a
  ret i32 %x
}
define i32 @frozen() {
  %x = freeze i32 undef
  %y = sub i32 %x, %x
  ret i32 %y
}
define i32 @kept(i32 %a) {
  %x = freeze i32 %a
  ret i32 %x
}
define i32 @unwritten() {
  %x = alloca i32
  %v = load i32, ptr %x
  ret i32 %v
}
