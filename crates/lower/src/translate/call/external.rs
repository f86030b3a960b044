//! Calls of functions without a body: modelled ones, and those that return any value.

use super::super::Body;
use super::super::library::{EDOM, may_fail};
use crate::analyse::flow::{functions_only, given_functions, may_call, operand_ptr};
use crate::libc::{
    Effect, FloatFunction, LONGJMP, effect, goes_on_behind, is_passed_over, opens_beside_world, shown,
};
use crate::options::{Externals, LowerError};
use beeline_ir::{BinOp, Direction, ExprId, UnOp, Value};
use beeline_module::*;

impl Body<'_, '_> {
    pub(super) fn external(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &CallInst,
        id: FnId,
        next: Option<InstId>,
    ) -> Result<(), LowerError> {
        let name = self.cx.scope.module.functions[id].name.as_str();
        self.guard_arguments(name, call);
        if self.cx.options.as_command && opens_beside_world(name) && !self.cx.options.allow_unsound {
            self.not_modelled(&format!("{name} where a program starts as a command"));
        } else if self.is_modelled(inst, data, call, id, next)? {
            return Ok(());
        }
        self.without_model(inst, data, call, id, next);
        Ok(())
    }

    /// Translates a call of a function that is modelled, or its effects besides the result; returns whether that is
    /// all.
    fn is_modelled(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &CallInst,
        id: FnId,
        next: Option<InstId>,
    ) -> Result<bool, LowerError> {
        let name = self.cx.scope.module.functions[id].name.as_str();
        match effect(name) {
            Effect::Stop if LONGJMP.contains(&name) && !self.comes_back() => {
                call.args.iter().for_each(|arg| self.operand_used(arg));
                self.jumps_nowhere(&format!(
                    "{name} is not called: no setjmp of the program remembers a place"
                ));
            }
            Effect::Allocate(kind) => self.allocate(inst, call, kind, next)?,
            Effect::Reallocate => self.reallocate(inst, call)?,
            Effect::Free => self.free(call),
            Effect::Stop => self.stops(name, call),
            Effect::Nowhere => {
                self.jumps_nowhere("longjmp is called while the function that called setjmp is active")
            }
            Effect::Assume | Effect::Assert => self.assume_or_assert(name, call),
            Effect::Ask(question) => self.ask(inst, data, call, question)?,
            Effect::Apart => self.guard_copied(call),
            Effect::VaStart => self.va_start(call)?,
            Effect::VaCopy => self.va_copy(call)?,
            Effect::Float(op) if call.args.len() == 1 => self.float_operation(inst, call, op),
            Effect::FloatOther(function) => return Ok(self.float_call(inst, call, function)),
            Effect::Abs if call.args.len() == 1 => {
                let value = self.scalar(&call.args[0]);
                let value = self.absolute(value);
                self.define_scalar(inst, value);
            }
            Effect::SetRounding => return self.set_rounding(inst, call),
            Effect::Landing if !self.ends_threads() => {
                call.args.iter().for_each(|arg| self.operand_used(arg));
                let result = self.landing(name);
                self.define_scalar(inst, result);
            }
            _ => return self.has_other_effect(name, call),
        }
        Ok(true)
    }

    /// Refuses a call, or does the writes before its result is known; more remains to be done in any case.
    fn has_other_effect(&mut self, name: &str, call: &CallInst) -> Result<bool, LowerError> {
        match effect(name) {
            Effect::Landing => self.refuse(&format!("{name} (setjmp) is not supported"))?,
            Effect::NotModelled if self.cx.options.allow_unsound => {
                self.refuse(&format!("{} is not supported", shown(name)))?;
            }
            Effect::NotModelled => {
                self.not_modelled(shown(name));
                return Ok(true);
            }
            Effect::Refused(what)
                if goes_on_behind(name) && !self.cx.options.allow_unsound && self.sees_given(call) =>
            {
                self.not_modelled(&format!("{} ({what})", shown(name)));
            }
            Effect::Refused(_) if self.cx.options.externals == Externals::Inert && is_passed_over(name) => {}
            Effect::Refused(what) => self.refuse(&format!("{name} ({what}) is not supported"))?,
            Effect::Buffer => self.note_buffer(name, call),
            Effect::ReadInto(_) if self.reads_if_counted(name, call) => {}
            Effect::ReadInto(first) | Effect::GuessInto(first) => self.read_into(name, call, first),
            Effect::Print => {
                if let Some(first) = self.prints_into(name, call) {
                    self.read_into(name, call, first);
                }
            }
            _ => {}
        }
        Ok(false)
    }

    /// Whether all functions of the program that a call may be given are found among its arguments.
    fn sees_given(&self, call: &CallInst) -> bool {
        let points = self.cx.points;
        call.args.iter().all(|arg| {
            let ptr = operand_ptr(points, self.id, arg);
            ptr.is_none_or(|ptr| {
                points.functions_of(ptr).is_empty() || !functions_only(points, self.id, arg).is_empty()
            })
        })
    }

    /// Ends executions that jump, which are excluded by an assumption.
    fn jumps_nowhere(&mut self, assumption: &str) {
        self.cx.note("jump", assumption.into(), Direction::MayHideBug, None);
        self.current = None;
    }

    /// Ends the execution in a function.
    fn stops(&mut self, name: &str, call: &CallInst) {
        call.args.iter().for_each(|arg| self.operand_used(arg));
        if name == "exit" {
            self.end_of_program(false);
        }
        self.current = None;
    }

    /// A function that is an operator on floats.
    fn float_operation(&mut self, inst: InstId, call: &CallInst, op: UnOp) {
        let val = self.operand(&call.args[0]);
        if let (UnOp::FSqrt, [value]) = (op, val.as_slice()) {
            let exprs = self.cx.builder.exprs();
            let zero = exprs.constant(Value::zero(exprs.ty(*value)));
            let negative = exprs.binary(BinOp::FLt, *value, zero);
            self.set_errno(Some(negative), Some(EDOM));
        }
        let val = val.iter().map(|&leaf| self.cx.builder.exprs().unary(op, leaf)).collect();
        self.define(inst, val);
    }

    /// Another function on floats, if its arguments are such that it is modelled.
    fn float_call(&mut self, inst: InstId, call: &CallInst, function: FloatFunction) -> bool {
        let args: Vec<ExprId> = call.args.iter().map(|arg| self.scalar(arg)).collect();
        let Some(value) = self.float_function(function, &args) else { return false };
        if function == FloatFunction::Remainder {
            self.set_errno_of_remainder(&args, value);
        } else if function == FloatFunction::Dim || function == FloatFunction::Fma {
            self.set_errno(None, None);
        }
        self.define_scalar(inst, value);
        true
    }

    fn set_rounding(&mut self, inst: InstId, call: &CallInst) -> Result<bool, LowerError> {
        let mode = call.args.first().map(|arg| self.scalar(arg));
        let nearest = mode.and_then(|mode| self.cx.builder.program().exprs.as_bits(mode)?.to_u64());
        if nearest == Some(0) {
            let done = self.cx.builder.exprs().bv(32, 0);
            self.define_scalar(inst, done);
            return Ok(true);
        }
        self.refuse("fesetround: only rounding to nearest is supported")?;
        Ok(false)
    }

    /// A call of a function that returns any value, perhaps within bounds, and has the other effects of such functions.
    fn without_model(&mut self, inst: InstId, data: &Inst, call: &CallInst, id: FnId, next: Option<InstId>) {
        let name = self.cx.scope.module.functions[id].name.as_str();
        if !matches!(effect(name), Effect::FloatOther(_)) {
            call.args.iter().for_each(|arg| self.operand_used(arg));
        }
        let anything = self.cx.scope.reach.havoc.contains(&id);
        if anything {
            self.call_world();
        }
        let given = given_functions(self.cx.scope, self.cx.points, self.id, call);
        let calls = self.cx.options.externals != Externals::Inert && may_call(name);
        if !given.is_empty() && !anything && calls {
            self.call_given(name, call, &given);
        }
        // What the standard leaves open does not come from outside.
        if effect(name) == Effect::Any {
            let val = self.any(data.ty);
            return self.define(inst, val);
        }
        let bounds = self.bounds_of_read(name, call);
        let next = next.filter(|_| bounds.is_none());
        let has_result = self.havoc_result(inst, data, name, next);
        if let Some((least, most)) = bounds {
            self.keep_within(inst, least, most);
        }
        if let Effect::ReadInto(first) = effect(name)
            && self.reads_if_counted(name, call)
        {
            self.read_if_counted(inst, name, call, first);
        }
        if name == "fgets" {
            self.end_line(call);
        }
        if !anything {
            self.note_unknown(call, name, data, has_result);
        }
        if may_fail(name) {
            self.set_errno(None, None);
        }
        self.set_variables(name);
        if call.noreturn {
            self.current = None;
        }
    }
}
