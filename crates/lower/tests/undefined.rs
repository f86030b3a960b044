//! The table of what LLVM leaves undefined is in order, has each kind of instruction, and is the page of ir-spec.

use beeline_lower::undefined::{FLAGS, INTRINSICS, Row, instruction, intrinsic, page};
use beeline_module::*;
use cranelift_entity::EntityRef;
use std::path::Path;

/// The rows of all instructions. The table itself is an exhaustive `match`.
fn instructions() -> Vec<Row> {
    use BinaryOp::*;
    use CastKind::*;
    let value = || Operand::Other(String::new());
    let block = BlockId::new(0);
    let list = || CallInst {
        callee: value(),
        ty: TyId::new(0),
        args: Vec::new(),
        byval: Vec::new(),
        noreturn: false,
        asm: None,
    };
    let binary =
        [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, FAdd, FSub, FMul, FDiv, FRem];
    let casts =
        [Trunc, ZExt, SExt, FpTrunc, FpExt, FpToUi, FpToSi, UiToFp, SiToFp, PtrToInt, IntToPtr, BitCast];
    let ordered = FloatPredicate { less: true, equal: false, greater: false, unordered: false };
    let mut kinds: Vec<InstKind> = vec![
        InstKind::Alloca { ty: TyId::new(0), count: value(), align: 1, dynamic: false },
        InstKind::Load { addr: value(), volatile: false },
        InstKind::Store { addr: value(), value: value() },
        InstKind::Gep { base: value(), offset: 0, steps: Vec::new() },
    ];
    kinds.extend(binary.map(|op| InstKind::Binary(op, value(), value())));
    kinds.extend([
        InstKind::FNeg(value()),
        InstKind::IntCompare(IntPredicate::Eq, value(), value()),
        InstKind::FloatCompare(ordered, value(), value()),
    ]);
    kinds.extend(casts.map(|kind| InstKind::Cast(kind, value())));
    kinds.extend([
        InstKind::Select(value(), value(), value()),
        InstKind::Phi(Vec::new()),
        InstKind::Freeze(value()),
        InstKind::ExtractValue(value(), Vec::new()),
        InstKind::InsertValue(value(), value(), Vec::new()),
        InstKind::ExtractElement(value(), value()),
        InstKind::InsertElement(value(), value(), value()),
        InstKind::ShuffleVector(value(), value(), Vec::new()),
        InstKind::Call(list()),
        InstKind::CmpXchg { addr: value(), expected: value(), new: value(), weak: false },
        InstKind::AtomicRmw { op: RmwOp::Add, addr: value(), value: value() },
        InstKind::Fence,
        InstKind::VaArg { list: value() },
        InstKind::Br(block),
        InstKind::Switch { value: value(), default: block, cases: Vec::new() },
        InstKind::IndirectBr { addr: value(), targets: Vec::new() },
        InstKind::Ret(None),
        InstKind::Unreachable,
    ]);
    kinds.iter().map(instruction).collect()
}

#[test]
fn intrinsics_are_found_by_their_names() {
    assert!(INTRINSICS.is_sorted_by_key(|row| row.name), "they are looked up by bisection");
    assert!(INTRINSICS.iter().all(|row| intrinsic(row.name) == Some(row)));
    assert_eq!(intrinsic("ctlz.poison"), None);
}

#[test]
fn no_row_stands_twice() {
    let rows = instructions();
    for (index, row) in rows.iter().chain(FLAGS).enumerate() {
        let again = rows.iter().chain(FLAGS).skip(index + 1).any(|other| other.name == row.name);
        assert!(!again, "{}", row.name);
    }
}

#[test]
fn the_page_is_the_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ir-spec/undefined.md");
    let text = page(&instructions());
    if std::env::var("BEELINE_GOLDEN").is_ok_and(|what| what == "write") {
        std::fs::write(&file, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "BEELINE_GOLDEN=write renews the page");
}
