; Intrinsic functions on integers and memory.
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.bswap.i32(i32)
declare i8 @llvm.scmp.i8.i32(i32, i32)
declare i8 @llvm.ucmp.i8.i32(i32, i32)
declare i8 @llvm.bitreverse.i8(i8)
declare i8 @llvm.ctpop.i8(i8)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.cttz.i8(i8, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare i1 @llvm.expect.i1(i1, i1)
declare void @llvm.assume(i1)
declare i1 @llvm.is.constant.i32(i32)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.trap()
@from = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@to = global [4 x i32] zeroinitializer
define i32 @choice(i32 %a, i32 %b) {
  %1 = call i32 @llvm.abs.i32(i32 %a, i1 false)
  %2 = call i32 @llvm.smax.i32(i32 %1, i32 %b)
  %3 = call i32 @llvm.umin.i32(i32 %2, i32 100)
  ret i32 %3
}
define i32 @turned(i32 %a, i32 %n) {
  %1 = call i32 @llvm.bswap.i32(i32 %a)
  %2 = call i32 @llvm.fshl.i32(i32 %1, i32 %1, i32 5)
  %3 = call i32 @llvm.fshr.i32(i32 %2, i32 %a, i32 %n)
  ret i32 %3
}
define i8 @reversed(i8 %a) {
  %1 = call i8 @llvm.bitreverse.i8(i8 %a)
  ret i8 %1
}
define i8 @counted(i8 %a) {
  %1 = call i8 @llvm.ctpop.i8(i8 %a)
  ret i8 %1
}
define i8 @leading(i8 %a) {
  %1 = call i8 @llvm.ctlz.i8(i8 %a, i1 false)
  ret i8 %1
}
define i8 @trailing(i8 %a) {
  %1 = call i8 @llvm.cttz.i8(i8 %a, i1 true)
  ret i8 %1
}
define i32 @overflow(i32 %a, i32 %b) {
  %1 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %2 = extractvalue { i32, i1 } %1, 1
  %3 = extractvalue { i32, i1 } %1, 0
  %4 = select i1 %2, i32 0, i32 %3
  ret i32 %4
}
define i1 @product(i32 %a, i32 %b) {
  %1 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %2 = extractvalue { i32, i1 } %1, 1
  ret i1 %2
}
define i8 @saturated(i8 %a, i8 %b) {
  %1 = call i8 @llvm.sadd.sat.i8(i8 %a, i8 %b)
  %2 = call i8 @llvm.usub.sat.i8(i8 %1, i8 1)
  ret i8 %2
}
define i32 @hints(i32 %a) {
  %c = icmp sgt i32 %a, 0
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  call void @llvm.assume(i1 %e)
  %k = call i1 @llvm.is.constant.i32(i32 %a)
  %s = call i64 @llvm.objectsize.i64.p0(ptr @from, i1 false, i1 true, i1 false)
  %t = trunc i64 %s to i32
  %r = select i1 %k, i32 0, i32 %t
  ret i32 %r
}
define i32 @copied() {
  call void @llvm.memcpy.p0.p0.i64(ptr @to, ptr @from, i64 8, i1 false)
  %q = getelementptr [4 x i32], ptr @to, i64 0, i64 1
  %v = load i32, ptr %q
  ret i32 %v
}
define i32 @moved(i64 %n, i64 %i) {
  %p = getelementptr [4 x i32], ptr @to, i64 0, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr @to, i64 %n, i1 false)
  %q = getelementptr [4 x i32], ptr @to, i64 0, i64 %i
  %v = load i32, ptr %q
  ret i32 %v
}
define i32 @filled(i8 %c, i64 %i) {
  call void @llvm.memset.p0.i64(ptr @to, i8 %c, i64 8, i1 false)
  %q = getelementptr [4 x i32], ptr @to, i64 0, i64 %i
  %v = load i32, ptr %q
  ret i32 %v
}
define i32 @alive(i32 %a) {
  %x = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  store i32 %a, ptr %x
  %v = load i32, ptr %x
  ret i32 %v
}
define void @trapped() {
  call void @llvm.trap()
  unreachable
}
define i8 @order(i32 %a, i32 %b) {
  %s = call i8 @llvm.scmp.i8.i32(i32 %a, i32 %b)
  %u = call i8 @llvm.ucmp.i8.i32(i32 %a, i32 %b)
  %x = add i8 %s, %u
  ret i8 %x
}
define i1 @bits(<2 x i1> %v) {
  %s = call i1 @llvm.vector.reduce.add.v2i1(<2 x i1> %v)
  %g = call i1 @llvm.vector.reduce.smax.v2i1(<2 x i1> %v)
  %u = call i1 @llvm.vector.reduce.umax.v2i1(<2 x i1> %v)
  %x = select i1 %s, i1 %g, i1 %u
  ret i1 %x
}
declare i1 @llvm.vector.reduce.add.v2i1(<2 x i1>)
declare i1 @llvm.vector.reduce.smax.v2i1(<2 x i1>)
declare i1 @llvm.vector.reduce.umax.v2i1(<2 x i1>)
