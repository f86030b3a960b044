; Structs and vectors as values.
define i32 @struct(i32 %a, i64 %b) {
  %s = insertvalue { i32, i64 } undef, i32 %a, 0
  %t = insertvalue { i32, i64 } %s, i64 %b, 1
  %x = extractvalue { i32, i64 } %t, 1
  %y = trunc i64 %x to i32
  %z = extractvalue { i32, i64 } %t, 0
  %r = add i32 %y, %z
  ret i32 %r
}
define { i32, i32 } @returned(i32 %a) {
  %s = insertvalue { i32, i32 } { i32 1, i32 2 }, i32 %a, 1
  ret { i32, i32 } %s
}
define i32 @used(i32 %a) {
  %s = call { i32, i32 } @returned(i32 %a)
  %x = extractvalue { i32, i32 } %s, 1
  ret i32 %x
}
define i32 @vector(<4 x i32> %v, i32 %a) {
  %w = insertelement <4 x i32> %v, i32 %a, i32 2
  %s = add <4 x i32> %w, <i32 1, i32 2, i32 3, i32 4>
  %t = shufflevector <4 x i32> %s, <4 x i32> zeroinitializer, <4 x i32> <i32 2, i32 7, i32 1, i32 0>
  %x = extractelement <4 x i32> %t, i32 0
  %y = extractelement <4 x i32> %t, i32 1
  %r = add i32 %x, %y
  ret i32 %r
}
define i32 @chosen_element(<2 x i32> %v, i32 %i) {
  %x = extractelement <2 x i32> %v, i32 %i
  ret i32 %x
}
define i32 @mask(<2 x i32> %a, <2 x i32> %b) {
  %c = icmp sgt <2 x i32> %a, %b
  %s = select <2 x i1> %c, <2 x i32> %a, <2 x i32> %b
  %r = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %s)
  ret i32 %r
}
define i64 @as_bits(<2 x i32> %a) {
  %b = bitcast <2 x i32> %a to i64
  ret i64 %b
}
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
