; The heap.
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
define i32 @one(i32 %a) {
  %p = call ptr @malloc(i64 4)
  store i32 %a, ptr %p
  %v = load i32, ptr %p
  call void @free(ptr %p)
  ret i32 %v
}
define i32 @many(i64 %n, i64 %i) {
  %size = mul i64 %n, 4
  %p = call ptr @malloc(i64 %size)
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q
  ret i32 0
}
define i32 @zeroed(i64 %i) {
  %p = call ptr @calloc(i64 8, i64 4)
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  ret i32 %v
}
define i8 @grown(i64 %n) {
  %p = call ptr @malloc(i64 1)
  store i8 3, ptr %p
  %q = call ptr @realloc(ptr %p, i64 %n)
  %v = load i8, ptr %q
  ret i8 %v
}
