//! Inline assembly: its outputs are any values. Assembly without text returns its arguments.

use super::{Body, Val};
use crate::analyse::points_to::Ptr;
use crate::analyse::promote::Object;
use crate::instruction::assembly_words;
use crate::options::LowerError;
use beeline_ir::{Direction, Op};
use beeline_module::*;

impl Body<'_, '_> {
    pub(super) fn assembly(&mut self, inst: InstId, data: &Inst, call: &CallInst) -> Result<(), LowerError> {
        let (text, constraints) = call.asm.clone().unwrap_or_default();
        let args: Vec<Val> = call.args.iter().map(|arg| self.operand(arg)).collect();
        if text.trim().is_empty() {
            let val = self.unchanged(data, &constraints, &args);
            self.define(inst, val);
            return Ok(());
        }
        if self.names_function(&text) {
            self.refuse("inline assembly that names a function")?;
        }
        self.write_by_assembly(call, &constraints);
        self.write_named(&text);
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
