//! Inline assembly. A single instruction of x86 that computes a register is modelled; otherwise outputs are any values.
//! Assembly without text returns its arguments.

mod template;

use super::{Body, Val};
use crate::analyse::points_to::Ptr;
use crate::analyse::promote::Object;
use crate::instruction::assembly_words;
use crate::options::LowerError;
use beeline_ir::{BinOp, Direction, ExprId, Op, Type};
use beeline_module::*;
use template::{Count, Instruction, Operation, Register};

impl Body<'_, '_> {
    pub(super) fn assembly(&mut self, inst: InstId, data: &Inst, call: &CallInst) -> Result<(), LowerError> {
        let Some(assembly) = &call.asm else { return Ok(()) };
        let (text, constraints) = (&assembly.text, &assembly.constraints);
        let args: Vec<Val> = call.args.iter().map(|arg| self.operand(arg)).collect();
        if text.trim().is_empty() {
            let val = self.unchanged(data, constraints, &args);
            self.define(inst, val);
            return Ok(());
        }
        if self.names_function(text) {
            self.refuse("inline assembly that names a function")?;
        }
        if self.cx.scope.module.is_x86() && !assembly.intel {
            if template::does_nothing(text, constraints) {
                return Ok(());
            }
            if let Some(result) = self.computed(data, text, constraints, &args) {
                self.define_scalar(inst, result);
                return Ok(());
            }
        }
        self.write_by_assembly(call, constraints);
        self.write_named(text);
        let shown: String = text.lines().next().unwrap_or("").chars().take(40).collect();
        let note = format!(
            "the inline assembly {shown:?} returns any value and writes only memory that it is given"
        );
        let val = self.guessed(data.ty, "assembly", note);
        self.define(inst, val);
        Ok(())
    }

    /// Whether the text of assembly mentions a function of the program.
    fn names_function(&self, text: &str) -> bool {
        let functions = &self.cx.scope.module.functions;
        assembly_words(text).any(|word| functions.values().any(|function| function.name == word))
    }

    /// Havocs the variables of the program that the text of assembly mentions.
    fn write_named(&mut self, text: &str) {
        let scope = self.cx.scope;
        let named = |id: &&GlobalId| assembly_words(text).any(|word| scope.module.globals[**id].name == word);
        let named: Vec<GlobalId> = scope.reach.globals.iter().filter(named).copied().collect();
        for object in named.into_iter().map(Object::Global) {
            for cell in scope.promotion.cells(object).unwrap_or(&[]) {
                if let Some(&var) = self.cx.cells.get(&(object, cell.offset)) {
                    self.emit(Op::Havoc(var, None));
                    self.written_by_assembly();
                }
            }
            if let Some(ptr) = self.cx.points.known_object(object) {
                self.havoc_behind(ptr);
            }
        }
    }

    fn havoc_behind(&mut self, ptr: Ptr) {
        for group in self.cx.memory.groups(self.cx.points, ptr).to_vec() {
            self.emit(Op::HavocRegion(group.region));
            self.written_by_assembly();
        }
    }

    fn written_by_assembly(&mut self) {
        self.inexact("assembly", "inline assembly writes any values".into(), Direction::Both);
    }

    /// Havocs outputs of assembly in memory, and all memory that it is given where it declares to write memory.
    pub(super) fn write_by_assembly(&mut self, call: &CallInst, constraints: &str) {
        let outputs = constraints.split(',').filter(|constraint| constraint.starts_with('='));
        let in_memory = outputs.filter(|constraint| constraint.contains('*')).count();
        let written = if constraints.contains("~{memory}") { call.args.len() } else { in_memory };
        for arg in call.args.iter().take(written) {
            let Some(ptr) = crate::analyse::flow::operand_ptr(self.cx.points, self.id, arg) else { continue };
            self.havoc_behind(ptr);
        }
    }

    /// The result of assembly that is a single instruction whose result its operands determine.
    fn computed(&mut self, data: &Inst, text: &str, constraints: &str, args: &[Val]) -> Option<ExprId> {
        let TyKind::Int(width) = *self.cx.scope.module.kind(data.ty) else { return None };
        let Instruction { operation, source, destination, suffix } =
            template::instruction(text, constraints)?;
        let to = destination.unwrap_or(width);
        // Less than 32 bits leave the others of their register as they were.
        let whole = to >= width.min(32) && suffix.is_none_or(|suffix| suffix == to);
        if !whole || !operation.has_width(to) || source.width.is_some_and(|from| from != to) {
            return None;
        }
        let value = self.register(source, to, args)?;
        let result = match operation {
            Operation::SwapBytes | Operation::ExchangeBytes => self.integer_intrinsic("bswap", &[value])?,
            Operation::CountOnes => self.integer_intrinsic("ctpop", &[value])?,
            Operation::RotateLeft(by) => self.rotated("fshl", value, to, by, args)?,
            Operation::RotateRight(by) => self.rotated("fshr", value, to, by, args)?,
            Operation::LowestOne => self.position_of_one(false, value, to),
            Operation::HighestOne => self.position_of_one(true, value, to),
        };
        // A result of 32 bits clears the upper half of its register.
        Some(self.cx.builder.exprs().resize(result, width, false))
    }

    /// The lowest bits of an argument that is a number of at least so many.
    fn register(&mut self, register: Register, width: u32, args: &[Val]) -> Option<ExprId> {
        let &[value] = args.get(register.argument)?.as_slice() else { return None };
        let exprs = &self.cx.builder.program().exprs;
        let known = exprs.ty(value).bv_width().filter(|&known| known >= width)?;
        // An operand that is wider than the instruction says so there.
        if known > width && register.width.is_none() {
            return None;
        }
        Some(self.cx.builder.exprs().resize(value, width, false))
    }

    /// A rotation. The machine takes the lowest five bits of the count, six for a register of 64.
    fn rotated(&mut self, way: &str, value: ExprId, width: u32, by: Count, args: &[Val]) -> Option<ExprId> {
        let count = match by {
            Count::Number(number) => self.cx.builder.exprs().bv(width, number),
            Count::Register(register) => {
                let byte = self.register(register, 8, args)?;
                self.cx.builder.exprs().resize(byte, width, false)
            }
        };
        let exprs = self.cx.builder.exprs();
        let mask = exprs.bv(width, if width == 64 { 63 } else { 31 });
        let count = exprs.binary(BinOp::And, count, mask);
        self.integer_intrinsic(way, &[value, value, count])
    }

    /// The position of the lowest or highest one. What the machine leaves for zero is not defined: any value.
    fn position_of_one(&mut self, highest: bool, value: ExprId, width: u32) -> ExprId {
        let any = self.any_leaf(Type::Bv(width));
        let zeros = self.zeros(highest, value, width);
        let exprs = self.cx.builder.exprs();
        let position = if highest {
            let last = exprs.bv(width, u64::from(width - 1));
            exprs.sub(last, zeros)
        } else {
            zeros
        };
        let some = exprs.nonzero(value);
        exprs.ite(some, position, any)
    }

    /// The results of assembly without text: the arguments that are in the same registers, else any value.
    pub(super) fn unchanged(&mut self, data: &Inst, constraints: &str, args: &[Val]) -> Val {
        let (results, others): (Vec<&str>, Vec<&str>) =
            constraints.split(',').partition(|constraint| constraint.starts_with('='));
        let registers: Vec<usize> = (0..results.len()).filter(|&at| !results[at].contains('*')).collect();
        // Addresses of results in memory are arguments as well, ahead of the others.
        let ahead = results.len() - registers.len();
        let mut val = self.any(data.ty);
        for (number, slot) in registers.into_iter().zip(val.iter_mut()) {
            let same = number.to_string();
            let tied = others.iter().position(|constraint| *constraint == same);
            let tied = tied.and_then(|at| args.get(ahead + at)?.first().copied());
            let exprs = &self.cx.builder.program().exprs;
            if let Some(value) = tied.filter(|&value| exprs.ty(value) == exprs.ty(*slot)) {
                *slot = value;
            }
        }
        val
    }
}
