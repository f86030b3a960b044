; Float arithmetic of all precisions.
define double @arithmetic(double %a, double %b) {
  %s = fadd double %a, %b
  %d = fsub double %s, 0.1
  %p = fmul double %d, %a
  %q = fdiv double %p, %b
  %r = frem double %q, %a
  %n = fneg double %r
  ret double %n
}
define half @small(half %a) {
  %s = fadd half %a, 0xH3C00
  ret half %s
}
define x86_fp80 @long_double(x86_fp80 %a) {
  %s = fmul x86_fp80 %a, 0xK4000C90FDAA22168C235
  ret x86_fp80 %s
}
define fp128 @quad(fp128 %a) {
  %s = fadd fp128 %a, 0xL00000000000000003FFF000000000000
  ret fp128 %s
}
define double @special(i1 %c) {
  %x = select i1 %c, double 0x7FF0000000000000, double 0x7FF8000000000000
  ret double %x
}
define double @intrinsics(double %a, double %b) {
  %1 = call double @llvm.fabs.f64(double %a)
  %2 = call double @llvm.sqrt.f64(double %1)
  %3 = call double @llvm.floor.f64(double %2)
  %4 = call double @llvm.fma.f64(double %3, double %b, double 1.0)
  %5 = call double @llvm.fmuladd.f64(double %4, double %b, double 2.0)
  %6 = call double @llvm.copysign.f64(double %5, double %b)
  ret double %6
}
define double @choices(double %a, double %b) {
  %1 = call double @llvm.minnum.f64(double %a, double %b)
  %2 = call double @llvm.maxnum.f64(double %1, double 0.0)
  ret double %2
}
define i1 @classes(float %a) {
  %1 = call i1 @llvm.is.fpclass.f32(float %a, i32 3)
  ret i1 %1
}
define double @unknown(double %a) {
  %1 = call double @llvm.sin.f64(double %a)
  ret double %1
}
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maxnum.f64(double, double)
declare i1 @llvm.is.fpclass.f32(float, i32)
declare double @llvm.sin.f64(double)
