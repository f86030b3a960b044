; Branches, loops, and what merges values.
declare void @reach_error()
define i32 @branch(i32 %a) {
  %c = icmp sgt i32 %a, 0
  br i1 %c, label %yes, label %no
yes:
  br label %end
no:
  br label %end
end:
  %r = phi i32 [ 1, %yes ], [ %a, %no ]
  ret i32 %r
}
define i32 @loop(i32 %n) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  %sum = phi i32 [ 0, %0 ], [ %more, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %end
body:
  %more = add i32 %sum, %i
  %next = add i32 %i, 1
  br label %head
end:
  ret i32 %sum
}
define i32 @swapped(i32 %n, i32 %x, i32 %y) {
  br label %head
head:
  %a = phi i32 [ %x, %0 ], [ %b, %head ]
  %b = phi i32 [ %y, %0 ], [ %a, %head ]
  %i = phi i32 [ 0, %0 ], [ %next, %head ]
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %head, label %end
end:
  ret i32 %a
}
define i32 @cases(i32 %a) {
  switch i32 %a, label %other [
    i32 1, label %one
    i32 2, label %two
    i32 3, label %two
  ]
one:
  ret i32 10
two:
  ret i32 20
other:
  ret i32 30
}
define i32 @computed(i32 %a) {
  %c = icmp eq i32 %a, 0
  %to = select i1 %c, ptr blockaddress(@computed, %one), ptr blockaddress(@computed, %two)
  indirectbr ptr %to, [label %one, label %two]
one:
  ret i32 1
two:
  ret i32 2
}
define i32 @chosen(i1 %c, i32 %a, i32 %b) {
  %r = select i1 %c, i32 %a, i32 %b
  ret i32 %r
}
define void @never(i32 %a) {
  %c = icmp eq i32 %a, 0
  br i1 %c, label %bad, label %good
bad:
  unreachable
good:
  ret void
}
define void @violation(i32 %a) {
  %c = icmp ne i32 %a, 0
  br i1 %c, label %good, label %bad
bad:
  call void @reach_error()
  unreachable
good:
  ret void
}

declare void @llvm.ubsantrap(i8)

define i32 @trapping(i1 %overflow, i1 %large) {
entry:
  br i1 %overflow, label %trap, label %go
trap:
  call void @llvm.ubsantrap(i8 21)
  unreachable
go:
  br i1 %large, label %shift, label %done
shift:
  call void @llvm.ubsantrap(i8 20)
  unreachable
done:
  ret i32 0
}
