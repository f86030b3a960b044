//! What LLVM 20 to 22 added to the language: its meaning is imported, or it is refused by name.
#![cfg(feature = "llvm-22")]

use beeline_llvm::import::{Options, import};
use beeline_module::*;

fn read(text: &str) -> Module {
    import(text.as_bytes(), "test.ll", &Options::default()).expect("the text is LLVM IR")
}

/// The instructions of `@f` before its end.
fn insts(params: &str, body: &str) -> Vec<Inst> {
    let module = read(&format!("define void @f({params}) {{\n{body}\nret void\n}}"));
    let f = module.functions.values().find(|function| function.name == "f").expect("it is there");
    let all = f.blocks.values().flat_map(|block| &block.insts).map(|&inst| f.insts[inst].clone());
    all.filter(|inst| !matches!(inst.kind, InstKind::Ret(_))).collect()
}

fn only(params: &str, body: &str) -> Inst {
    let mut all = insts(params, body);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[test]
fn comparisons_may_assume_equal_signs() {
    let flag = |text: &str| only("i32 %a, i32 %b", text).flags.same_sign;
    assert!(flag("%x = icmp samesign ult i32 %a, %b"));
    assert!(!flag("%x = icmp ult i32 %a, %b"));
}

#[test]
fn conversions_may_assume_that_nothing_is_lost() {
    let flags = |text: &str| only("i32 %a", text).flags;
    assert!(flags("%x = trunc nuw i32 %a to i8").nuw && flags("%x = trunc nsw i32 %a to i1").nsw);
    assert!(flags("%x = uitofp nneg i32 %a to float").nneg);
}

#[test]
fn addresses_are_computed_whatever_they_assume() {
    let kind =
        |flags: &str| only("ptr %p, i64 %i", &format!("%x = getelementptr {flags} i32, ptr %p, i64 %i")).kind;
    for flags in ["inbounds", "nusw", "nuw", "nusw nuw", "inbounds nuw"] {
        assert_eq!(kind(flags), kind(""), "{flags}");
    }
    let cast = only("ptr %p", "%x = ptrtoaddr ptr %p to i64");
    assert_eq!(cast.kind, InstKind::Cast(CastKind::PtrToInt, Operand::Param(0)));
}

#[test]
fn new_atomic_operations_have_names() {
    let op = |text: &str| match only("ptr %p, i32 %v, float %f", text).kind {
        InstKind::AtomicRmw { op, .. } => op,
        other => panic!("{other:?}"),
    };
    assert_eq!(op("%x = atomicrmw usub_cond ptr %p, i32 %v seq_cst"), RmwOp::USubCond);
    assert_eq!(op("%x = atomicrmw usub_sat ptr %p, i32 %v seq_cst"), RmwOp::USubSat);
    assert_eq!(op("%x = atomicrmw fmaximum ptr %p, float %f seq_cst"), RmwOp::FMaximum);
    assert_eq!(op("%x = atomicrmw fminimum ptr %p, float %f seq_cst"), RmwOp::FMinimum);
}

#[test]
fn vectors_of_one_number_have_its_parts() {
    let inst = only("<2 x i32> %v", "%x = add <2 x i32> %v, splat (i32 3)");
    let InstKind::Binary(BinaryOp::Add, _, Operand::Const(_, Const::Aggregate(parts))) = inst.kind else {
        panic!("{:?}", inst.kind);
    };
    let three = |part: &(TyId, Const)| matches!(&part.1, Const::Int(bits) if bits.to_u64() == Some(3));
    assert!(parts.len() == 2 && parts.iter().all(three));
}

#[test]
fn cases_of_switches_are_found() {
    let text = "define void @f(i32 %x) {\nswitch i32 %x, label %a [ i32 7, label %b\n i32 -1, label %c ]\n\
                a: ret void\nb: ret void\nc: ret void\n}";
    let module = read(text);
    let f = module.functions.values().next().expect("it is there");
    let InstKind::Switch { default, cases, .. } = &f.insts[InstId::from_u32(0)].kind else { panic!() };
    let cases: Vec<(i64, u32)> =
        cases.iter().map(|(bits, block)| (bits.to_i64().expect("it is small"), block.as_u32())).collect();
    assert_eq!((default.as_u32(), cases), (1, vec![(7, 2), (-1, 3)]));
}

/// A function that writes a kind of memory that earlier versions do not tell apart is not one that writes nothing.
#[test]
fn all_kinds_of_memory_count_as_written() {
    let writes_nothing = |memory: &str| {
        let module = read(&format!("declare void @f() memory({memory})"));
        module.functions.values().next().expect("it is there").writes_nothing
    };
    assert!(writes_nothing("none") && writes_nothing("read") && writes_nothing("argmem: read"));
    for kind in ["argmem", "inaccessiblemem", "errnomem", "target_mem0", "target_mem1"] {
        assert!(!writes_nothing(&format!("{kind}: write")), "{kind}");
        assert!(!writes_nothing(&format!("read, {kind}: readwrite")), "{kind}");
    }
}

#[test]
fn lifetimes_without_sizes_name_their_variables() {
    let all = insts("", "%x = alloca i32\ncall void @llvm.lifetime.start.p0(ptr %x)");
    let InstKind::Call(call) = &all[1].kind else { panic!() };
    assert_eq!(call.args, [Operand::Inst(InstId::from_u32(0))]);
}

/// Clang says why a sanitizer traps by a function without lines that it pretends to have inlined.
#[test]
fn traps_are_where_the_operation_is() {
    let module = read(
        "declare void @llvm.ubsantrap(i8 immarg)
        define void @f() !dbg !4 {
          call void @llvm.ubsantrap(i8 0), !dbg !6
          ret void, !dbg !7
        }
        !llvm.dbg.cu = !{!0}
        !llvm.module.flags = !{!1}
        !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)
        !1 = !{i32 2, !\"Debug Info Version\", i32 3}
        !2 = !DIFile(filename: \"a.c\", directory: \"/x\")
        !3 = !DISubroutineType(types: !{null})
        !4 = distinct !DISubprogram(name: \"f\", scope: !2, file: !2, line: 5, unit: !0, type: !3, spFlags: DISPFlagDefinition)
        !5 = distinct !DISubprogram(name: \"__clang_trap_msg$x$y\", scope: !2, file: !2, unit: !0, type: !3, flags: DIFlagArtificial, spFlags: DISPFlagDefinition)
        !6 = !DILocation(line: 0, scope: !5, inlinedAt: !7)
        !7 = !DILocation(line: 6, column: 9, scope: !4)",
    );
    let f = module.functions.values().find(|function| function.name == "f").expect("it is there");
    assert_eq!(f.insts[InstId::from_u32(0)].place, Some(Place { file: 0, line: 6, col: 9 }));
}
