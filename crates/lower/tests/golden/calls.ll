; Calls: direct, recursive, through pointers, with variable arguments.
@hook = global ptr @double
define internal i32 @double(i32 %a) {
  %r = shl i32 %a, 1
  ret i32 %r
}
define internal i32 @triple(i32 %a) {
  %r = mul i32 %a, 3
  ret i32 %r
}
define i32 @direct(i32 %a) {
  %r = call i32 @double(i32 %a)
  %s = call i32 @double(i32 %r)
  ret i32 %s
}
define i32 @factorial(i32 %n) {
  %c = icmp ule i32 %n, 1
  br i1 %c, label %one, label %more
one:
  ret i32 1
more:
  %m = sub i32 %n, 1
  %f = call i32 @factorial(i32 %m)
  %r = mul i32 %n, %f
  ret i32 %r
}
define i32 @pointer(i1 %c, i32 %a) {
  br i1 %c, label %set, label %call
set:
  store ptr @triple, ptr @hook
  br label %call
call:
  %f = load ptr, ptr @hook
  %r = call i32 %f(i32 %a)
  ret i32 %r
}
define internal i32 @sum(i32 %n, ...) {
  %list = alloca [24 x i8], align 8
  call void @llvm.va_start.p0(ptr %list)
  %field = getelementptr i8, ptr %list, i64 8
  %area = load ptr, ptr %field
  %after = getelementptr i8, ptr %area, i64 8
  store ptr %after, ptr %field
  %x = load i32, ptr %area
  call void @llvm.va_end.p0(ptr %list)
  %r = add i32 %n, %x
  ret i32 %r
}
define i32 @variable(i32 %a) {
  %r = call i32 (i32, ...) @sum(i32 1, i32 %a)
  ret i32 %r
}
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
declare i32 @elsewhere(i32)
declare i32 @__VERIFIER_nondet_int()
declare void @__VERIFIER_assume(i32)
declare void @exit(i32) noreturn
declare double @pow(double, double)
define i32 @outside(i32 %a) {
  %r = call i32 @elsewhere(i32 %a)
  ret i32 %r
}
define i32 @input() {
  %r = call i32 @__VERIFIER_nondet_int()
  call void @__VERIFIER_assume(i32 %r)
  ret i32 %r
}
define void @stop(i32 %a) {
  call void @exit(i32 %a)
  unreachable
}
define double @power(double %a) {
  %r = call double @pow(double %a, double 2.0)
  ret double %r
}
define i32 @assembly(i32 %a) {
  %r = call i32 asm "bswap $0", "=r,0"(i32 %a)
  ret i32 %r
}
