//! LLVM's intrinsics: arithmetic, bits, overflow, floats.

use super::{Body, Val};
use crate::instruction::{callee, constant_i64, operand_type};
use crate::libc::FloatFunction;
use crate::options::LowerError;
use beeline_ir::{BinOp, Bits, Direction, ExprId, ExprPool, Type, UnOp, Value};
use beeline_module::*;

impl Body<'_, '_> {
    /// Translates a call of an intrinsic.
    pub(super) fn intrinsic(
        &mut self,
        inst: InstId,
        data: &Inst,
        call: &CallInst,
        name: &str,
    ) -> Result<(), LowerError> {
        // llvm.NAME.TYPES
        let short = name.trim_start_matches("llvm.");
        let base = short.split('.').take_while(|part| !is_type(part)).collect::<Vec<_>>().join(".");
        if self.control(inst, call, &base)? {
            return Ok(());
        }
        let args: Vec<Val> = call.args.iter().map(|arg| self.operand(arg)).collect();
        let known = crate::undefined::intrinsic(&base).is_some();
        if let Some(val) = self.pure(&base, &args, call).filter(|_| known) {
            let operands: Vec<ExprId> = args.iter().flatten().copied().collect();
            let val = val.iter().map(|&leaf| self.float_result(data.flags, &operands, leaf)).collect();
            self.define(inst, val);
            return Ok(());
        }
        let function = callee(self.cx.scope.module, call).map(|(_, function)| function);
        let writes = function.is_some_and(|function| !function.writes_nothing) && self.takes_pointers(call);
        let text = match writes {
            true => format!("the intrinsic {name} returns any value and writes any values to its arguments"),
            false => format!("the intrinsic {name} returns any value and writes nothing"),
        };
        if writes {
            self.write_anything(name, call, 0, &text);
        }
        let val = self.guessed(data.ty, "intrinsic", text);
        self.define(inst, val);
        Ok(())
    }

    /// Intrinsics with effects; returns whether it was one.
    fn control(&mut self, inst: InstId, call: &CallInst, base: &str) -> Result<bool, LowerError> {
        match base {
            "trap" | "debugtrap" | "ubsantrap" => self.current = None,
            "donothing" | "sideeffect" | "prefetch" | "va_end" | "clear_cache" | "pseudoprobe" => {
                call.args.iter().for_each(|arg| self.operand_used(arg));
            }
            "stacksave" => self.save_stack(inst),
            "stackrestore" => call.args.first().into_iter().for_each(|saved| self.restore_stack(saved)),
            "load.relative" => {
                let [table, offset] = call.args.as_slice() else { return Ok(false) };
                let ptr = crate::analyse::flow::operand_ptr(self.cx.points, self.id, table);
                let (table, offset) = (self.address(table), self.scalar(offset));
                let width = self.cx.scope.module.pointer_width;
                let offset = self.cx.builder.exprs().resize(offset, width, true);
                let entry = self.cx.builder.exprs().add(table, offset);
                let distance = self.read_memory(entry, ptr, 4, Type::Bv(32));
                let distance = self.cx.builder.exprs().resize(distance, width, true);
                let target = self.cx.builder.exprs().add(table, distance);
                self.define_scalar(inst, target);
            }
            "eh.sjlj.setjmp" | "eh.sjlj.longjmp" => {
                self.refuse("a jump out of a function is not supported")?
            }
            "x86.sse.ldmxcsr" | "set.rounding" | "set.fpenv" | "reset.fpenv" | "set.fpmode"
            | "reset.fpmode" => self.refuse(&format!("{base} (the floating-point mode) is not supported"))?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Intrinsics that are functions of their arguments, vectors by element.
    fn pure(&mut self, base: &str, args: &[Val], call: &CallInst) -> Option<Val> {
        if let Some((op, signed)) = overflow_operation(base) {
            let mut val = self.with_overflow(op, signed, args)?;
            if self.never_overflows(op, signed, call) {
                val[1] = self.cx.builder.exprs().constant(Value::Bool(false));
            }
            return Some(val);
        }
        if let Some(val) = self.reduction(base, args) {
            return Some(val);
        }
        match (base, args) {
            (
                "expect"
                | "expect.with.probability"
                | "launder.invariant.group"
                | "strip.invariant.group"
                | "ssa.copy"
                | "annotation"
                | "ptr.annotation"
                | "arithmetic.fence"
                | "threadlocal.address",
                [a, ..],
            ) => {
                return Some(a.clone());
            }
            ("objectsize", [_, least, ..]) => return self.unknown_size(*least.first()?, call),
            ("is.constant", _) => return Some(self.no_constant()),
            ("scmp" | "ucmp", [a, b]) if a.len() == 1 => {
                let order = if base == "scmp" { BinOp::Slt } else { BinOp::Ult };
                return self.three_way(order, *a.first()?, *b.first()?, self.result_width(call)?);
            }
            ("modf", [a]) if a.len() == 1 => return self.fraction_and_whole(*a.first()?),
            ("ptrmask", [a, b]) => {
                let masked = self.cx.builder.exprs().binary(BinOp::And, *a.first()?, *b.first()?);
                return Some(Val::from_slice(&[masked]));
            }
            _ => {}
        }
        let lanes = args.first()?.len();
        let mut out = Val::new();
        for lane in 0..lanes {
            // A last argument of one lane (such as a flag) goes with all.
            let at = |index: usize| args.get(index).and_then(|val| val.get(lane).or(val.first())).copied();
            let flat: Vec<ExprId> = (0..args.len()).map_while(at).collect();
            out.push(self.element_intrinsic(base, &flat)?);
        }
        Some(out)
    }

    /// The result of `llvm.objectsize`, a size that is not known: the least or the largest value says so.
    fn unknown_size(&mut self, least: ExprId, call: &CallInst) -> Option<Val> {
        let width = self.result_width(call)?;
        let least = self.cx.builder.program().exprs.as_const(least)?.as_bool()?;
        let bits = if least { Bits::zero(width) } else { Bits::ones(width) };
        let size = self.cx.builder.exprs().constant(Value::Bv(bits));
        let text = "llvm.objectsize returns unknown where the compiler does not know a size".into();
        self.cx.note("object-size", text, Direction::Both, self.span);
        Some(Val::from_slice(&[size]))
    }

    /// The result of `llvm.is.constant`: no value is known.
    fn no_constant(&mut self) -> Val {
        let text = "llvm.is.constant returns false: the compiler knows no value".into();
        self.cx.note("is-constant", text, Direction::Both, self.span);
        let no = self.cx.builder.exprs().bool(false);
        Val::from_slice(&[no])
    }

    /// A comparison in an order whose result is -1, 0 or 1.
    fn three_way(&mut self, order: BinOp, a: ExprId, b: ExprId, width: u32) -> Option<Val> {
        let (a, b) = (self.as_bv(a), self.as_bv(b));
        let exprs = self.cx.builder.exprs();
        let (less, greater) = (exprs.binary(order, a, b), exprs.binary(order, b, a));
        let (minus, zero, one) =
            (exprs.constant(Value::Bv(Bits::ones(width))), exprs.bv(width, 0), exprs.bv(width, 1));
        let not_less = exprs.ite(greater, one, zero);
        Some(Val::from_slice(&[exprs.ite(less, minus, not_less)]))
    }

    fn result_width(&self, call: &CallInst) -> Option<u32> {
        match self.cx.scope.module.kind(call.ty) {
            TyKind::Func(result, ..) => {
                crate::analyse::shape::scalar(self.cx.scope.module, *result)?.bv_width()
            }
            _ => None,
        }
    }

    fn element_intrinsic(&mut self, base: &str, args: &[ExprId]) -> Option<ExprId> {
        let a = *args.first()?;
        match self.cx.builder.program().exprs.ty(a) {
            Type::Float(_) => self.float_intrinsic(base, args),
            _ => self.integer_intrinsic(base, args),
        }
    }

    pub(super) fn integer_intrinsic(&mut self, base: &str, args: &[ExprId]) -> Option<ExprId> {
        let a = self.as_bv(*args.first()?);
        if matches!(base, "abs" | "ctlz" | "cttz") {
            return Some(self.partial_intrinsic(base, a, *args.get(1)?));
        }
        let b = args.get(1).map(|&b| self.as_bv(b));
        let width = self.cx.builder.program().exprs.width(a);
        let exprs = self.cx.builder.exprs();
        Some(match (base, b) {
            ("smax", Some(b)) => greatest(exprs, BinOp::Slt, a, b),
            ("smin", Some(b)) => least(exprs, BinOp::Slt, a, b),
            ("umax", Some(b)) => greatest(exprs, BinOp::Ult, a, b),
            ("umin", Some(b)) => least(exprs, BinOp::Ult, a, b),
            ("bswap", _) => reversed(exprs, a, width, 8)?,
            ("bitreverse", _) => reversed(exprs, a, width, 1)?,
            ("ctpop", _) => {
                let mut sum = exprs.bv(width, 0);
                for bit in 0..width {
                    let part = exprs.extract(bit, bit, a);
                    let part = exprs.resize(part, width, false);
                    sum = exprs.add(part, sum);
                }
                sum
            }
            ("fshl" | "fshr", Some(b)) => {
                let modulus = exprs.bv(width, u64::from(width));
                let shift = exprs.binary(BinOp::URem, *args.get(2)?, modulus);
                let rest = exprs.sub(modulus, shift);
                let (left, right) = if base == "fshl" { (shift, rest) } else { (rest, shift) };
                // A shift by the whole width gives zero, so that the other operand alone counts.
                let (high, low) = (exprs.binary(BinOp::Shl, a, left), exprs.binary(BinOp::LShr, b, right));
                exprs.binary(BinOp::Or, high, low)
            }
            ("uadd.sat" | "usub.sat" | "sadd.sat" | "ssub.sat" | "ushl.sat" | "sshl.sat", Some(b)) => {
                return self.saturating(base, a, b, width);
            }
            _ => return None,
        })
    }

    /// An intrinsic whose last argument says whether one operand, zero or the least number, does not occur.
    fn partial_intrinsic(&mut self, base: &str, a: ExprId, excluded: ExprId) -> ExprId {
        let width = self.cx.builder.program().exprs.width(a);
        let value = if base == "abs" { self.absolute(a) } else { self.zeros(base == "ctlz", a, width) };
        if self.cx.builder.program().exprs.as_const(excluded).and_then(Value::as_bool) == Some(false) {
            return value;
        }
        let exprs = self.cx.builder.exprs();
        let odd = match base {
            "abs" => Bits::new(width, 1).shl(&Bits::new(width, u64::from(width - 1))),
            _ => Bits::zero(width),
        };
        let odd = exprs.constant(Value::Bv(odd));
        let is_odd = exprs.eq(a, odd);
        let undefined = exprs.and(is_odd, excluded);
        let defined = exprs.not(undefined);
        self.if_defined(Some(defined), value)
    }

    /// The number of zeros that a number begins or ends with.
    pub(super) fn zeros(&mut self, leading: bool, a: ExprId, width: u32) -> ExprId {
        let exprs = self.cx.builder.exprs();
        let mut count = exprs.bv(width, u64::from(width));
        for step in 0..width {
            // The bit that is tested last decides.
            let bit = if leading { step } else { width - 1 - step };
            let set = exprs.extract(bit, bit, a);
            let set = exprs.nonzero(set);
            let here = exprs.bv(width, u64::from(if leading { width - 1 - bit } else { bit }));
            count = exprs.ite(set, here, count);
        }
        count
    }

    fn saturating(&mut self, base: &str, a: ExprId, b: ExprId, width: u32) -> Option<ExprId> {
        let op = match &base[1..4] {
            "add" => BinOp::Add,
            "sub" => BinOp::Sub,
            _ => return None,
        };
        let signed = base.starts_with('s');
        let val = self.with_overflow(op, signed, &[Val::from_slice(&[a]), Val::from_slice(&[b])])?;
        let exprs = self.cx.builder.exprs();
        let limit = if signed {
            let zero = exprs.bv(width, 0);
            let negative = exprs.binary(BinOp::Slt, a, zero);
            let most = Bits::ones(width).lshr(&Bits::new(width, 1));
            let (least, most) = (most.not(), most);
            let least = exprs.constant(Value::Bv(least));
            let most = exprs.constant(Value::Bv(most));
            exprs.ite(negative, least, most)
        } else if op == BinOp::Add {
            exprs.constant(Value::Bv(Bits::ones(width)))
        } else {
            exprs.bv(width, 0)
        };
        Some(exprs.ite(val[1], limit, val[0]))
    }

    /// The result of an operation and whether it is not the mathematical one.
    fn with_overflow(&mut self, op: BinOp, signed: bool, args: &[Val]) -> Option<Val> {
        let (a, b) = (*args.first()?.first()?, *args.get(1)?.first()?);
        let (a, b) = (self.as_bv(a), self.as_bv(b));
        let exprs = self.cx.builder.exprs();
        let width = exprs.width(a);
        let result = exprs.binary(op, a, b);
        let wide = match op {
            BinOp::Mul => width * 2,
            _ => width + 1,
        };
        let (x, y) = (exprs.resize(a, wide, signed), exprs.resize(b, wide, signed));
        let exact = exprs.binary(op, x, y);
        let again = exprs.resize(result, wide, signed);
        let same = exprs.eq(exact, again);
        let overflow = exprs.not(same);
        Some(Val::from_slice(&[result, overflow]))
    }

    /// Whether the result of an operation fits since its operands have few bits. Solvers need long to show that for
    /// products.
    fn never_overflows(&self, op: BinOp, signed: bool, call: &CallInst) -> bool {
        let bits = |operand: &Operand| {
            let width = |operand| {
                let ty = operand_type(self.cx.scope.module, self.function, operand)?;
                match self.cx.scope.module.kind(ty) {
                    TyKind::Int(width) => Some(*width),
                    _ => None,
                }
            };
            let number = constant_i64(operand).filter(|number| signed || *number >= 0);
            if let Some(number) = number.filter(|_| width(operand).is_some_and(|width| width <= 64)) {
                return Some(64 - number.max(!number).leading_zeros() + u32::from(signed));
            }
            match operand {
                Operand::Inst(inst) => match &self.function.insts[*inst].kind {
                    InstKind::Cast(CastKind::SExt, from) if signed => width(from),
                    InstKind::Cast(CastKind::ZExt, from) => Some(width(from)? + u32::from(signed)),
                    _ => width(operand),
                },
                _ => width(operand),
            }
        };
        let [a, b] = call.args.as_slice() else { return false };
        let (Some(a_bits), Some(b_bits)) = (bits(a), bits(b)) else { return false };
        let needed = match op {
            BinOp::Mul => a_bits + b_bits,
            BinOp::Sub if !signed => return false,
            _ => a_bits.max(b_bits) + 1,
        };
        let is_all =
            |ty: &TyId| matches!(self.cx.scope.module.kind(*ty), TyKind::Int(width) if needed <= *width);
        operand_type(self.cx.scope.module, self.function, a).as_ref().is_some_and(is_all)
    }

    /// `llvm.vector.reduce.*`
    fn reduction(&mut self, base: &str, args: &[Val]) -> Option<Val> {
        let kind = base.strip_prefix("vector.reduce.")?;
        let exprs = self.cx.builder.exprs();
        let mut lanes = args.last()?.iter().copied();
        let mut result = lanes.next()?;
        for lane in lanes {
            let is_bool = exprs.ty(lane) == Type::Bool;
            result = match kind {
                // The greater of two bits with a sign is 0.
                "mul" | "smax" | "umin" if is_bool => exprs.and(result, lane),
                "smin" | "umax" if is_bool => exprs.or(result, lane),
                "add" | "xor" if is_bool => {
                    let same = exprs.eq(result, lane);
                    exprs.not(same)
                }
                "add" => exprs.add(result, lane),
                "mul" => exprs.binary(BinOp::Mul, result, lane),
                "and" if is_bool => exprs.and(result, lane),
                "or" if is_bool => exprs.or(result, lane),
                "and" => exprs.binary(BinOp::And, result, lane),
                "or" => exprs.binary(BinOp::Or, result, lane),
                "xor" => exprs.binary(BinOp::Xor, result, lane),
                "smax" => greatest(exprs, BinOp::Slt, result, lane),
                "smin" => least(exprs, BinOp::Slt, result, lane),
                "umax" => greatest(exprs, BinOp::Ult, result, lane),
                "umin" => least(exprs, BinOp::Ult, result, lane),
                _ => return None,
            };
        }
        Some(Val::from_slice(&[result]))
    }

    fn float_intrinsic(&mut self, base: &str, args: &[ExprId]) -> Option<ExprId> {
        let a = *args.first()?;
        let op = match base {
            "fabs" => UnOp::FAbs,
            "sqrt" => UnOp::FSqrt,
            "floor" => UnOp::FFloor,
            "ceil" => UnOp::FCeil,
            "trunc" => UnOp::FTrunc,
            "round" => UnOp::FRoundAway,
            "rint" | "nearbyint" | "roundeven" => UnOp::FRoundEven,
            _ => return self.float_function_intrinsic(base, args),
        };
        Some(self.cx.builder.exprs().unary(op, a))
    }

    fn float_function_intrinsic(&mut self, base: &str, args: &[ExprId]) -> Option<ExprId> {
        let function = match base {
            "minnum" => FloatFunction::Min,
            "maxnum" => FloatFunction::Max,
            "copysign" => FloatFunction::CopySign,
            "fma" => FloatFunction::Fma,
            "fmuladd" => {
                let &[a, b, c] = args else { return None };
                let product = self.cx.builder.exprs().binary(BinOp::FMul, a, b);
                let twice = self.cx.builder.exprs().binary(BinOp::FAdd, product, c);
                if !self.may_fuse() {
                    return Some(twice);
                }
                // The compiler may or may not fuse.
                let fused = self.any_leaf(Type::Bool);
                let exprs = self.cx.builder.exprs();
                let once = exprs.fma(a, b, c);
                return Some(exprs.ite(fused, once, twice));
            }
            "is.fpclass" => {
                let &[a, mask] = args else { return None };
                let mask = self.cx.builder.program().exprs.as_bits(mask)?.to_u64()?;
                // Signalling and quiet NaNs are not distinguished.
                if matches!(mask & 3, 1 | 2) {
                    return None;
                }
                return Some(self.float_class(a, mask));
            }
            _ => return None,
        };
        self.float_function(function, args)
    }

    /// What is behind the point of a float and what is before it, both with its sign.
    fn fraction_and_whole(&mut self, a: ExprId) -> Option<Val> {
        let exprs = self.cx.builder.exprs();
        let whole = exprs.unary(UnOp::FTrunc, a);
        let rest = exprs.binary(BinOp::FSub, a, whole);
        let (infinite, zero) = (exprs.unary(UnOp::FIsInf, a), Value::zero(exprs.ty(a)));
        let zero = exprs.constant(zero);
        let rest = exprs.ite(infinite, zero, rest);
        let fraction = self.float_function(FloatFunction::CopySign, &[rest, a])?;
        Some(Val::from_slice(&[fraction, whole]))
    }

    /// Whether the float is in one of the classes of LLVM's mask.
    fn float_class(&mut self, a: ExprId, mask: u64) -> ExprId {
        let negative = self.is_negative(a);
        let exprs = self.cx.builder.exprs();
        let mut result = exprs.bool(false);
        let both = [UnOp::FIsInf, UnOp::FIsNormal, UnOp::FIsSubnormal, UnOp::FIsZero];
        for (index, op) in both.into_iter().enumerate() {
            // Bits 2 to 5 are the negative ones from infinity to zero, 6 to 9 the positive ones back.
            let (minus, plus) = (mask >> (2 + index) & 1 == 1, mask >> (9 - index) & 1 == 1);
            let class = exprs.unary(op, a);
            let part = match (minus, plus) {
                (false, false) => continue,
                (true, true) => class,
                (true, false) => exprs.and(class, negative),
                (false, true) => {
                    let positive = exprs.not(negative);
                    exprs.and(class, positive)
                }
            };
            result = exprs.or(result, part);
        }
        if mask & 3 != 0 {
            let nan = exprs.unary(UnOp::FIsNan, a);
            result = exprs.or(result, nan);
        }
        result
    }
}

/// The lesser of two values in an order.
pub(super) fn least(exprs: &mut ExprPool, less: BinOp, a: ExprId, b: ExprId) -> ExprId {
    let first = exprs.binary(less, a, b);
    exprs.ite(first, a, b)
}

/// The greater of two values in an order.
pub(super) fn greatest(exprs: &mut ExprPool, less: BinOp, a: ExprId, b: ExprId) -> ExprId {
    let first = exprs.binary(less, a, b);
    exprs.ite(first, b, a)
}

/// A value's parts of so many bits, in reverse.
fn reversed(exprs: &mut ExprPool, value: ExprId, width: u32, bits: u32) -> Option<ExprId> {
    let mut reversed: Option<ExprId> = None;
    for at in (0..width / bits).map(|index| index * bits) {
        let part = exprs.extract(at + bits - 1, at, value);
        reversed = Some(match reversed {
            Some(high) => exprs.concat(high, part),
            None => part,
        });
    }
    reversed
}

/// Whether this part of an intrinsic's name is a type.
fn is_type(part: &str) -> bool {
    let part = part.trim_start_matches('v').trim_start_matches(|c: char| c.is_ascii_digit());
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    part.strip_prefix('i').is_some_and(number)
        || part.strip_prefix('f').is_some_and(number)
        || part.strip_prefix('p').is_some_and(number)
        || part == "bf16"
}

/// The operation of `llvm.*.with.overflow`, and whether it is signed.
fn overflow_operation(base: &str) -> Option<(BinOp, bool)> {
    let op = base.strip_suffix(".with.overflow")?;
    let kind = match op.get(1..)? {
        "add" => BinOp::Add,
        "sub" => BinOp::Sub,
        "mul" => BinOp::Mul,
        _ => return None,
    };
    Some((kind, op.starts_with('s')))
}
