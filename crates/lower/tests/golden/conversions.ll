; Conversions between integers, floats and pointers.
define i64 @widths(i32 %a) {
  %t = trunc i32 %a to i8
  %s = sext i8 %t to i16
  %z = zext i16 %s to i64
  ret i64 %z
}
define i32 @from_float(double %d, float %f) {
  %s = fptosi double %d to i32
  %u = fptoui float %f to i32
  %x = add i32 %s, %u
  ret i32 %x
}
define double @to_float(i32 %a, i16 %b) {
  %s = sitofp i32 %a to double
  %u = uitofp i16 %b to double
  %x = fadd double %s, %u
  ret double %x
}
define float @precision(double %d) {
  %t = fptrunc double %d to float
  %e = fpext float %t to x86_fp80
  %b = fptrunc x86_fp80 %e to float
  ret float %b
}
define i64 @pointers(ptr %p) {
  %i = ptrtoint ptr %p to i64
  %q = inttoptr i64 %i to ptr
  %j = ptrtoint ptr %q to i32
  %k = zext i32 %j to i64
  ret i64 %k
}
define i32 @bits(float %f) {
  %b = bitcast float %f to i32
  ret i32 %b
}
define float @floats(i32 %i) {
  %b = bitcast i32 %i to float
  ret float %b
}
define i1 @one_bit(i8 %a) {
  %u = trunc nuw i8 %a to i1
  %s = trunc nsw i8 %a to i1
  %x = and i1 %u, %s
  ret i1 %x
}
