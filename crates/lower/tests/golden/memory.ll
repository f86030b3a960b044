; Variables, arrays, structs, bytes.
%pair = type { i32, i64 }
@counter = global i32 5
@table = global [4 x i16] [i16 1, i16 2, i16 3, i16 4]
@both = global %pair zeroinitializer
define i32 @local(i32 %a) {
  %x = alloca i32
  store i32 %a, ptr %x
  %v = load i32, ptr %x
  %w = add i32 %v, 1
  store i32 %w, ptr %x
  %r = load i32, ptr %x
  ret i32 %r
}
define void @global() {
  %v = load i32, ptr @counter
  %w = add i32 %v, 1
  store i32 %w, ptr @counter
  ret void
}
define i64 @field(i64 %a) {
  %p = getelementptr %pair, ptr @both, i32 0, i32 1
  store i64 %a, ptr %p
  %q = getelementptr %pair, ptr @both, i32 0, i32 0
  store i32 3, ptr %q
  %v = load i64, ptr %p
  ret i64 %v
}
define i16 @element(i64 %i) {
  %p = getelementptr [4 x i16], ptr @table, i64 0, i64 %i
  %v = load i16, ptr %p
  store i16 7, ptr %p
  ret i16 %v
}
define i8 @bytes(i32 %a, i64 %i) {
  %x = alloca i32
  store i32 %a, ptr %x
  %p = getelementptr i8, ptr %x, i64 %i
  %v = load i8, ptr %p
  ret i8 %v
}
define i32 @through(ptr %p) {
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  ret i32 %v
}
define i32 @watched() {
  %x = alloca i32
  store volatile i32 1, ptr %x
  %v = load volatile i32, ptr %x
  ret i32 %v
}
define i32 @atomic(ptr %p) {
  %a = load atomic i32, ptr %p seq_cst, align 4
  store atomic i32 2, ptr %p seq_cst, align 4
  %b = atomicrmw add ptr %p, i32 %a seq_cst
  %c = cmpxchg ptr %p, i32 %b, i32 9 seq_cst seq_cst
  %d = extractvalue { i32, i1 } %c, 0
  fence seq_cst
  ret i32 %d
}
define i32 @extremes(ptr %p, i32 %a) {
  %x = atomicrmw umax ptr %p, i32 %a seq_cst
  %y = atomicrmw nand ptr %p, i32 %a seq_cst
  %z = atomicrmw xchg ptr %p, i32 %y seq_cst
  ret i32 %x
}
define i32 @stack(i64 %n) {
  %x = alloca i32, i64 %n
  %p = getelementptr i32, ptr %x, i64 1
  store i32 4, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
}

%node = type { i32, ptr }

; The second node may be the first one.
define i32 @given(ptr %node) {
  store i32 1, ptr %node
  %at = getelementptr %node, ptr %node, i64 0, i32 1
  %next = load ptr, ptr %at
  store i32 2, ptr %next
  %value = load i32, ptr %node
  ret i32 %value
}
