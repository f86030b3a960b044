//! Functions: their blocks and instructions.

use super::address::walk_address;
use super::constants::Constants;
use super::debug::Debug;
use super::integers::{int_bits, integer_operation};
use crate::raw::{Attributes, BlockRef, DebugRecord, Inst as RawInst, Meta, Says, Value};
use crate::unchecked::{POINTER, Unchecked};
use beeline_module::*;
use llvm_sys::{LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMValueKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The state that the functions of a module share.
pub(super) struct Shared<'m> {
    /// Constants and types.
    pub constants: Constants<'m>,
    /// Debug information.
    pub debug: Debug<'m>,
    /// The attributes to look for.
    pub attributes: Attributes,
    /// The lines where some checks are not wanted.
    pub unchecked: Unchecked,
}

/// A function during its import.
struct Body<'a, 'm> {
    shared: &'a mut Shared<'m>,
    params: FxHashMap<Value<'m>, u32>,
    blocks: FxHashMap<BlockRef<'m>, BlockId>,
    insts: FxHashMap<Value<'m>, InstId>,
    /// Declarations of debug intrinsics that were recorded already: many repeat them.
    described: FxHashSet<(Value<'m>, Meta<'m>)>,
}

/// Imports a function or an ifunc; the latter as a declaration, since its definition is chosen only when the program
/// starts.
pub(super) fn import_function<'m>(raw: Value<'m>, shared: &mut Shared<'m>) -> Function {
    let ty = shared.constants.types.get(raw.value_type());
    let mut function = Function {
        weak: raw.is_weak_reference(),
        exported: raw.is_exported(),
        writes_nothing: raw.writes_nothing(),
        ..Function::new(&raw.name(), ty, 0)
    };
    if raw.kind() != LLVMValueKind::LLVMFunctionValueKind {
        if let TyKind::Func(_, params, _) = &shared.constants.types.found[function.ty].kind {
            function.params = vec![String::new(); params.len()];
            function.byval = vec![None; params.len()];
        }
        return function;
    }
    let params = raw.params();
    function.params = params.iter().map(|param| param.name()).collect();
    function.byval = (0..)
        .zip(&params)
        .map(|(i, _)| raw.param_byval(i, shared.attributes).map(|ty| shared.constants.types.get(ty)))
        .collect();
    function.noreturn = raw.is_noreturn(shared.attributes);
    function.features = raw.features();
    function.number = raw.number();
    function.place = shared.debug.function_place(raw);
    Body::new(params, shared).fill(raw, &mut function);
    function
}

impl<'a, 'm> Body<'a, 'm> {
    fn new(params: Vec<Value<'m>>, shared: &'a mut Shared<'m>) -> Body<'a, 'm> {
        let params = params.into_iter().zip(0..).collect();
        Body {
            shared,
            params,
            blocks: FxHashMap::default(),
            insts: FxHashMap::default(),
            described: FxHashSet::default(),
        }
    }

    /// Numbers all instructions, since uses may come before definitions, then imports them.
    fn fill(mut self, raw: Value<'m>, function: &mut Function) {
        let mut records: Vec<(DebugRecord<'m>, Option<Range<u32>>)> = Vec::new();
        let mut listed = Vec::new();
        for raw_block in raw.blocks() {
            let id = function.blocks.push(Block { name: raw_block.name(), ..Block::default() });
            self.blocks.insert(raw_block, id);
            let first = u32::try_from(listed.len()).unwrap_or(u32::MAX);
            for inst in raw_block.insts() {
                // A call that only describes variables has no number: the instruction after it gets this one.
                let number = InstId::from_u32(u32::try_from(listed.len()).unwrap_or(u32::MAX));
                let described = self.shared.debug.records(inst).into_iter();
                records.extend(
                    described.map(|record| (record, (id.as_u32() > 0).then_some(first..number.as_u32()))),
                );
                if !inst.is_debug_call() {
                    self.insts.insert(inst.value(), number);
                    function.blocks[id].insts.push(number);
                    listed.push((inst, id));
                }
            }
        }
        for (raw_inst, block) in listed {
            let inst = self.inst(raw_inst, block.as_u32() == 0);
            function.insts.push(inst);
        }
        for (record, before) in records {
            self.describe(record, before, function);
        }
    }

    fn inst(&mut self, raw: RawInst<'m>, in_entry: bool) -> Inst {
        let unchecked = raw.opcode() == LLVMOpcode::LLVMLoad
            && self.shared.unchecked.has(&mut self.shared.debug, raw, POINTER);
        Inst {
            kind: self.kind(raw, in_entry),
            flags: Flags { unchecked, ..raw.flags() },
            ty: self.shared.constants.types.get(raw.value().ty()),
            name: raw.value().name(),
            place: self.shared.debug.inst_place(raw),
        }
    }

    fn operand(&mut self, value: Value<'m>) -> Operand {
        if let Some(&inst) = self.insts.get(&value) {
            return Operand::Inst(inst);
        }
        if let Some(&param) = self.params.get(&value) {
            return Operand::Param(param);
        }
        if value.is_constant() {
            let ty = self.shared.constants.types.get(value.ty());
            return Operand::Const(ty, self.shared.constants.get(value));
        }
        if value.inline_assembly().is_some() {
            return Operand::Other("inline assembly".to_string());
        }
        if let Some(meta) = value.as_metadata() {
            return Operand::Other(self.shared.debug.string(meta).unwrap_or_else(|| "metadata".to_string()));
        }
        Operand::Other(value.print().chars().take(120).collect())
    }

    /// The operand of an instruction at a position.
    fn at(&mut self, raw: RawInst<'m>, index: u32) -> Operand {
        self.operand(raw.value().operand(index))
    }

    fn block(&self, raw: BlockRef<'m>) -> BlockId {
        self.blocks[&raw]
    }

    fn kind(&mut self, raw: RawInst<'m>, in_entry: bool) -> InstKind {
        use LLVMOpcode::*;
        let opcode = raw.opcode();
        if let Some(op) = integer_operation(opcode).or_else(|| float_operation(opcode)) {
            return InstKind::Binary(op, self.at(raw, 0), self.at(raw, 1));
        }
        if let Some(kind) = self.cast(raw) {
            return kind;
        }
        match opcode {
            LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMRet | LLVMUnreachable => self.terminator(raw),
            LLVMAlloca => self.alloca(raw, in_entry),
            LLVMLoad => InstKind::Load { addr: self.at(raw, 0), volatile: raw.is_volatile() },
            LLVMStore => InstKind::Store { value: self.at(raw, 0), addr: self.at(raw, 1) },
            LLVMGetElementPtr => self.address(raw),
            LLVMFNeg => InstKind::FNeg(self.at(raw, 0)),
            LLVMICmp => {
                InstKind::IntCompare(int_predicate(raw.int_predicate()), self.at(raw, 0), self.at(raw, 1))
            }
            LLVMFCmp => {
                let predicate = float_predicate(raw.float_predicate());
                InstKind::FloatCompare(predicate, self.at(raw, 0), self.at(raw, 1))
            }
            LLVMSelect => InstKind::Select(self.at(raw, 0), self.at(raw, 1), self.at(raw, 2)),
            LLVMPHI => {
                let incoming = raw.incoming().into_iter();
                InstKind::Phi(incoming.map(|(from, value)| (self.block(from), self.operand(value))).collect())
            }
            LLVMFreeze => InstKind::Freeze(self.at(raw, 0)),
            LLVMExtractValue => InstKind::ExtractValue(self.at(raw, 0), raw.indices()),
            LLVMInsertValue => InstKind::InsertValue(self.at(raw, 0), self.at(raw, 1), raw.indices()),
            LLVMExtractElement => InstKind::ExtractElement(self.at(raw, 0), self.at(raw, 1)),
            LLVMInsertElement => InstKind::InsertElement(self.at(raw, 0), self.at(raw, 1), self.at(raw, 2)),
            LLVMShuffleVector if raw.value().ty().length().is_some() => {
                InstKind::ShuffleVector(self.at(raw, 0), self.at(raw, 1), raw.shuffle_mask())
            }
            LLVMCall => InstKind::Call(self.call(raw)),
            LLVMAtomicCmpXchg => InstKind::CmpXchg {
                addr: self.at(raw, 0),
                expected: self.at(raw, 1),
                new: self.at(raw, 2),
                weak: raw.is_weak(),
            },
            LLVMAtomicRMW => InstKind::AtomicRmw {
                op: rmw_op(raw.rmw_operation()),
                addr: self.at(raw, 0),
                value: self.at(raw, 1),
            },
            LLVMFence => InstKind::Fence,
            LLVMVAArg => InstKind::VaArg { list: self.at(raw, 0) },
            _ => unsupported(opcode),
        }
    }

    fn cast(&mut self, raw: RawInst<'m>) -> Option<InstKind> {
        let kind = match raw.opcode() {
            LLVMOpcode::LLVMTrunc => CastKind::Trunc,
            LLVMOpcode::LLVMZExt => CastKind::ZExt,
            LLVMOpcode::LLVMSExt => CastKind::SExt,
            LLVMOpcode::LLVMFPTrunc => CastKind::FpTrunc,
            LLVMOpcode::LLVMFPExt => CastKind::FpExt,
            LLVMOpcode::LLVMFPToUI => CastKind::FpToUi,
            LLVMOpcode::LLVMFPToSI => CastKind::FpToSi,
            LLVMOpcode::LLVMUIToFP => CastKind::UiToFp,
            LLVMOpcode::LLVMSIToFP => CastKind::SiToFp,
            LLVMOpcode::LLVMPtrToInt => CastKind::PtrToInt,
            #[cfg(feature = "llvm-22")]
            LLVMOpcode::LLVMPtrToAddr => CastKind::PtrToInt,
            LLVMOpcode::LLVMIntToPtr => CastKind::IntToPtr,
            LLVMOpcode::LLVMBitCast => CastKind::BitCast,
            LLVMOpcode::LLVMAddrSpaceCast => {
                let types = &mut self.shared.constants.types;
                let (from, to) = (types.get(raw.value().operand(0).ty()), types.get(raw.value().ty()));
                if types.found[from].size != types.found[to].size {
                    return Some(unsupported(raw.opcode()));
                }
                CastKind::BitCast
            }
            _ => return None,
        };
        Some(InstKind::Cast(kind, self.at(raw, 0)))
    }

    fn terminator(&mut self, raw: RawInst<'m>) -> InstKind {
        let targets: Vec<BlockId> = raw.successors().into_iter().map(|block| self.block(block)).collect();
        match (raw.opcode(), targets.as_slice()) {
            (LLVMOpcode::LLVMBr, targets) => match (raw.condition(), targets) {
                (Some(condition), &[yes, no]) => InstKind::CondBr(self.operand(condition), yes, no),
                (None, &[target]) => InstKind::Br(target),
                _ => unsupported(LLVMOpcode::LLVMBr),
            },
            (LLVMOpcode::LLVMSwitch, &[default, ref cases @ ..]) => {
                let values = (0..).map(|case| int_bits(raw.case_value(case)?));
                let cases = cases.iter().zip(values);
                match cases.map(|(&block, value)| Some((value?, block))).collect() {
                    Some(cases) => InstKind::Switch { value: self.at(raw, 0), default, cases },
                    None => unsupported(LLVMOpcode::LLVMSwitch),
                }
            }
            (LLVMOpcode::LLVMIndirectBr, _) => InstKind::IndirectBr { addr: self.at(raw, 0), targets },
            (LLVMOpcode::LLVMRet, _) => {
                InstKind::Ret((raw.value().operand_count() > 0).then(|| self.at(raw, 0)))
            }
            (LLVMOpcode::LLVMUnreachable, _) => InstKind::Unreachable,
            (opcode, _) => unsupported(opcode),
        }
    }

    fn alloca(&mut self, raw: RawInst<'m>, in_entry: bool) -> InstKind {
        let dynamic = !in_entry || raw.value().operand(0).small_int().is_none();
        let ty = self.shared.constants.types.get(raw.allocated_type());
        InstKind::Alloca { ty, count: self.at(raw, 0), align: raw.alignment(), dynamic }
    }

    fn address(&mut self, raw: RawInst<'m>) -> InstKind {
        let Some(walk) = walk_address(raw.value(), self.shared.constants.types.layout()) else {
            return unsupported(LLVMOpcode::LLVMGetElementPtr);
        };
        let steps = walk.steps.into_iter();
        InstKind::Gep {
            base: self.at(raw, 0),
            offset: walk.offset,
            steps: steps.map(|(index, scale)| GepStep { index: self.operand(index), scale }).collect(),
        }
    }

    fn call(&mut self, raw: RawInst<'m>) -> CallInst {
        let attributes = self.shared.attributes;
        let args = 0..raw.arg_count();
        let byval = args.clone().map(|i| raw.arg_byval(i, attributes));
        CallInst {
            callee: self.operand(raw.callee()),
            ty: self.shared.constants.types.get(raw.callee_type()),
            byval: byval.map(|ty| ty.map(|ty| self.shared.constants.types.get(ty))).collect(),
            args: args.map(|i| self.at(raw, i)).collect(),
            noreturn: raw.is_noreturn(attributes),
            asm: raw.callee().inline_assembly(),
        }
    }

    /// Notes the source variable that a debug record names, and the instruction after that. In blocks other than the
    /// entry, `before` are the instructions of the block that come first.
    fn describe(&mut self, record: DebugRecord<'m>, before: Option<Range<u32>>, function: &mut Function) {
        let DebugRecord { says, value, variable, .. } = record;
        if !self.described.insert((value, variable)) {
            return;
        }
        let variable = self.shared.debug.variable(variable);
        let (inst, param) = (self.insts.get(&value).copied(), self.params.get(&value).copied());
        match (says != Says::Value, inst, param) {
            (true, Some(inst), _) => {
                if matches!(function.insts[inst].kind, InstKind::Alloca { .. }) {
                    function.allocas.push((inst, variable));
                    let begins = before.filter(|before| !is_set(function, inst, before.clone()));
                    function.begins.extend(begins.map(|before| (InstId::from_u32(before.end), inst)));
                }
            }
            // The variable is where the parameter points (`byval`): only its name is known.
            (true, None, Some(param)) => {
                let name = &mut function.params[param as usize];
                if name.is_empty() {
                    *name = variable.name;
                }
            }
            (false, Some(inst), _) => function.values.push((Operand::Inst(inst), variable)),
            (false, None, Some(param)) => function.values.push((Operand::Param(param), variable)),
            (_, None, None) => {}
        }
    }
}

/// Whether instructions set a variable. Where they stand before its declaration, it is a parameter of a function that was
/// inlined: it has its value there.
fn is_set(function: &Function, alloca: InstId, mut among: Range<u32>) -> bool {
    let leads = |addr: &Operand| match addr {
        Operand::Inst(at) if *at == alloca => true,
        Operand::Inst(at) => {
            matches!(&function.insts[*at].kind, InstKind::Gep { base, .. } if *base == Operand::Inst(alloca))
        }
        _ => false,
    };
    among.any(|inst| match &function.insts[InstId::from_u32(inst)].kind {
        InstKind::Store { addr, .. } => leads(addr),
        // A copy of a structure; marks of lifetimes have fewer arguments.
        InstKind::Call(call) => call.args.len() > 2 && call.args.first().is_some_and(leads),
        _ => false,
    })
}

fn float_operation(opcode: LLVMOpcode) -> Option<BinaryOp> {
    Some(match opcode {
        LLVMOpcode::LLVMFAdd => BinaryOp::FAdd,
        LLVMOpcode::LLVMFSub => BinaryOp::FSub,
        LLVMOpcode::LLVMFMul => BinaryOp::FMul,
        LLVMOpcode::LLVMFDiv => BinaryOp::FDiv,
        LLVMOpcode::LLVMFRem => BinaryOp::FRem,
        _ => return None,
    })
}

fn int_predicate(predicate: LLVMIntPredicate) -> IntPredicate {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => IntPredicate::Eq,
        LLVMIntPredicate::LLVMIntNE => IntPredicate::Ne,
        LLVMIntPredicate::LLVMIntUGT => IntPredicate::Ugt,
        LLVMIntPredicate::LLVMIntUGE => IntPredicate::Uge,
        LLVMIntPredicate::LLVMIntULT => IntPredicate::Ult,
        LLVMIntPredicate::LLVMIntULE => IntPredicate::Ule,
        LLVMIntPredicate::LLVMIntSGT => IntPredicate::Sgt,
        LLVMIntPredicate::LLVMIntSGE => IntPredicate::Sge,
        LLVMIntPredicate::LLVMIntSLT => IntPredicate::Slt,
        LLVMIntPredicate::LLVMIntSLE => IntPredicate::Sle,
    }
}

/// LLVM numbers the predicates by the relations that make them true.
fn float_predicate(predicate: LLVMRealPredicate) -> FloatPredicate {
    let bits = predicate as u32;
    FloatPredicate {
        equal: bits & 1 != 0,
        greater: bits & 2 != 0,
        less: bits & 4 != 0,
        unordered: bits & 8 != 0,
    }
}

fn rmw_op(op: LLVMAtomicRMWBinOp) -> RmwOp {
    use LLVMAtomicRMWBinOp::*;
    match op {
        LLVMAtomicRMWBinOpXchg => RmwOp::Xchg,
        LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        LLVMAtomicRMWBinOpAnd => RmwOp::And,
        LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        LLVMAtomicRMWBinOpOr => RmwOp::Or,
        LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        LLVMAtomicRMWBinOpMax => RmwOp::Max,
        LLVMAtomicRMWBinOpMin => RmwOp::Min,
        LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        LLVMAtomicRMWBinOpFMax => RmwOp::FMax,
        LLVMAtomicRMWBinOpFMin => RmwOp::FMin,
        LLVMAtomicRMWBinOpUIncWrap => RmwOp::UIncWrap,
        LLVMAtomicRMWBinOpUDecWrap => RmwOp::UDecWrap,
        #[cfg(feature = "llvm-22")]
        LLVMAtomicRMWBinOpUSubCond => RmwOp::USubCond,
        #[cfg(feature = "llvm-22")]
        LLVMAtomicRMWBinOpUSubSat => RmwOp::USubSat,
        #[cfg(feature = "llvm-22")]
        LLVMAtomicRMWBinOpFMaximum => RmwOp::FMaximum,
        #[cfg(feature = "llvm-22")]
        LLVMAtomicRMWBinOpFMinimum => RmwOp::FMinimum,
    }
}

fn unsupported(opcode: LLVMOpcode) -> InstKind {
    InstKind::Unsupported(format!("{opcode:?}").trim_start_matches("LLVM").to_lowercase())
}
