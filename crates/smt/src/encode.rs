//! The encoder: terms of expressions.

use crate::ast::evaluated;
use crate::float;
use crate::memory::{self, Memory};
use crate::shape;
use crate::term::Unsupported;
use crate::term::{Formula, Kind, Term, check_type};
use crate::words::signed;
use beeline_ir::walk::PostOrder;
use beeline_ir::{
    BinOp, CastOp, Expr, ExprId, ExprPool, Program, Region, RegionId, Type, UnOp, VarId, cells_of,
};
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;
use z3::AstKind;
use z3::ast::{Ast, BV, Bool, Float};

/// The terms that variables and regions stand for.
pub trait Valuation {
    /// The term of a variable.
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported>;
    /// The content of a region.
    fn region(&mut self, region: RegionId) -> Result<Memory, Unsupported>;
    /// The value that an allowed access reads at an address of a region, if that needs no map.
    fn flat_load(&mut self, _region: RegionId, _addr: &Term, _ty: Type) -> Result<Option<Term>, Unsupported> {
        Ok(None)
    }
    /// Called for each access to memory without bounds, with the formula that its address is one of real
    /// memory.
    fn accessed(&mut self, _plausible: Formula) {}
    /// Called with a condition under which all further reads matter, in addition to earlier ones.
    fn assume(&mut self, _condition: &Formula) {}
    /// Withdraws the last of these conditions.
    fn withdraw(&mut self) {}
}

/// The term of an expression, and the condition under which it is not stuck.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The value, meaningless where the expression is stuck.
    pub term: Term,
    /// The condition under which evaluation is not stuck.
    pub defined: Formula,
}

/// The encoded parts of an expression.
type Done = FxHashMap<ExprId, Encoded>;

/// The greatest nesting at which operands of conditions are encoded one by one.
const DEEPEST: u32 = 64;

/// A store: its address and value.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The address.
    pub addr: Term,
    /// The stored value.
    pub value: Term,
    /// The condition under which the store is not stuck.
    pub defined: Formula,
}

/// The encoder of expressions.
#[derive(Clone, Copy)]
pub struct Encoder<'a> {
    pool: &'a ExprPool,
    regions: &'a PrimaryMap<RegionId, Region>,
    big_endian: bool,
    /// Whether operations on numbers are folded.
    folds: bool,
}

impl<'a> Encoder<'a> {
    /// An encoder for the expressions of a program.
    pub fn new(program: &'a Program) -> Encoder<'a> {
        Encoder {
            pool: &program.exprs,
            regions: &program.regions,
            big_endian: program.big_endian,
            folds: false,
        }
    }

    /// The same encoder, which folds operations on numbers.
    pub fn folding(self) -> Encoder<'a> {
        Encoder { folds: true, ..self }
    }

    /// The same encoder for expressions of another pool about the same regions.
    pub fn with_pool(self, pool: &'a ExprPool) -> Encoder<'a> {
        Encoder { pool, ..self }
    }

    /// A region of expressions. After the regions of the program come the same ones at another time.
    fn region(&self, region: RegionId) -> &'a Region {
        &self.regions[RegionId::new(region.index() % self.regions.len())]
    }

    /// The term of an expression.
    pub fn expr(&self, root: ExprId, valuation: &mut dyn Valuation) -> Result<Encoded, Unsupported> {
        let mut done = Done::default();
        if self.folds {
            return self.side(root, &mut done, valuation, 0);
        }
        self.all(root, &mut done, valuation)
    }

    /// The term of an expression, part by part.
    fn all(
        &self,
        root: ExprId,
        done: &mut Done,
        valuation: &mut dyn Valuation,
    ) -> Result<Encoded, Unsupported> {
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(self.pool, |id| done.contains_key(&id)) {
            let encoded = self.node(id, done, valuation)?;
            done.insert(id, encoded);
        }
        Ok(done[&root].clone())
    }

    /// The term of an expression. The second operand of a conjunction or a disjunction is encoded under the
    /// condition that it matters, given the first one.
    fn side(
        &self,
        root: ExprId,
        done: &mut Done,
        valuation: &mut dyn Valuation,
        depth: u32,
    ) -> Result<Encoded, Unsupported> {
        let encoded = match self.pool[root] {
            Expr::Unary(UnOp::Not, arg) if depth < DEEPEST => {
                let encoded = self.side(arg, done, valuation, depth + 1)?;
                Encoded { term: unary(UnOp::Not, &encoded.term), ..encoded }
            }
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), first, second) if depth < DEEPEST => {
                let first = self.side(first, done, valuation, depth + 1)?;
                let holds = truth(&first.term);
                let matters = if op == BinOp::BoolAnd { holds.clone() } else { holds.not() };
                if matters.is_constant(false) {
                    return Ok(first);
                }
                valuation.assume(&matters);
                let second = self.side(second, &mut done.clone(), valuation, depth + 1);
                valuation.withdraw();
                binary(op, &first, &second?)
            }
            _ => return self.all(root, done, valuation),
        };
        done.insert(root, encoded.clone());
        Ok(encoded)
    }

    /// The formula that the expression is true and not stuck.
    pub fn holds(&self, root: ExprId, valuation: &mut dyn Valuation) -> Result<Formula, Unsupported> {
        let encoded = self.expr(root, valuation)?;
        let truth = encoded.term.as_formula().expect("a condition is a truth value").clone();
        Ok(encoded.defined.and(&truth))
    }

    /// A store to a region.
    pub fn stored(
        &self,
        region: RegionId,
        addr: ExprId,
        value: ExprId,
        valuation: &mut dyn Valuation,
    ) -> Result<Stored, Unsupported> {
        let (addr, value) = (self.expr(addr, valuation)?, self.expr(value, valuation)?);
        let allowed = self.allowed(region, bits(&addr.term), value.term.ty());
        let defined = Formula::all([addr.defined, value.defined, allowed]);
        Ok(Stored { addr: addr.term, value: value.term, defined })
    }

    /// The content of a region after a store to it.
    pub fn after(
        &self,
        region: RegionId,
        before: &Memory,
        stored: &Stored,
        valuation: &mut dyn Valuation,
    ) -> Memory {
        let region = self.region(region);
        let at = bits(&stored.addr);
        if let Some(plausible) = memory::plausible(region, at) {
            valuation.accessed(plausible);
        }
        before.store(region, self.big_endian, at, &stored.value).expect("stores are typed")
    }

    fn node(&self, id: ExprId, done: &Done, valuation: &mut dyn Valuation) -> Result<Encoded, Unsupported> {
        check_type(self.pool.ty(id))?;
        let total = |term: Term| Ok(Encoded { term, defined: Formula::constant(true) });
        match self.pool[id] {
            Expr::Const(value) => total(Term::value(self.pool.value(value))?),
            Expr::Var(var) => total(valuation.var(var)?),
            Expr::Unary(op, a) => {
                let a = &done[&a];
                Ok(self.folded(Encoded { term: unary(op, &a.term), defined: a.defined.clone() }, &[a]))
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (&done[&a], &done[&b]);
                if let Some(term) = self.divided(op, &a.term, &b.term) {
                    return Ok(Encoded { term, defined: a.defined.and(&b.defined) });
                }
                let encoded = self.folded(binary(op, a, b), &[a, b]);
                Ok(match self.compared(op, &a.term, &b.term) {
                    Some(truth) => Encoded { term: Term::truth(truth), ..encoded },
                    None => encoded,
                })
            }
            Expr::Fma(a, b, c) => {
                let (a, b, c) = (&done[&a], &done[&b], &done[&c]);
                let (kind, x) = float_of(&a.term);
                let result = float::fma(x, float_of(&b.term).1, float_of(&c.term).1);
                let defined = Formula::all([&a.defined, &b.defined, &c.defined].map(Clone::clone));
                Ok(Encoded { term: Term(Kind::Float(kind, result)), defined })
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (&done[&c], &done[&a], &done[&b]);
                let cond = truth(&c.term);
                let term = Term::ite(cond, &a.term, &b.term);
                Ok(Encoded { term, defined: c.defined.and(&cond.ite(&a.defined, &b.defined)) })
            }
            Expr::Extract { hi, lo, arg } => {
                let a = &done[&arg];
                let term = Term(Kind::Bv(bits(&a.term).extract(hi, lo)));
                Ok(self.folded(Encoded { term, defined: a.defined.clone() }, &[a]))
            }
            Expr::Cast(op, to, a) => {
                let a = &done[&a];
                Ok(self.folded(cast(op, to, a), &[a]))
            }
            Expr::Load { region, addr, ty } => self.load(region, &done[&addr], ty, valuation),
        }
    }

    /// A value of a type that is read at an address of a region.
    fn load(
        &self,
        region: RegionId,
        addr: &Encoded,
        ty: Type,
        valuation: &mut dyn Valuation,
    ) -> Result<Encoded, Unsupported> {
        let at = bits(&addr.term);
        let defined = addr.defined.and(&self.allowed(region, at, ty));
        if let Some(term) = valuation.flat_load(region, &addr.term, ty)? {
            return Ok(Encoded { term, defined });
        }
        let memory = valuation.region(region)?;
        let region = self.region(region);
        if let Some(plausible) = memory::plausible(region, at) {
            valuation.accessed(plausible);
        }
        let term = memory.load(region, self.big_endian, at, ty).expect("loads are typed");
        Ok(Encoded { term, defined })
    }

    /// The condition under which a value of a type may be accessed at an address.
    fn allowed(&self, region: RegionId, at: &BV, ty: Type) -> Formula {
        let region = self.region(region);
        let bytes = u64::from(cells_of(ty, region.cell).unwrap_or(1)) * region.stride();
        let among = if self.folds { shape::among(at, |addr| region.allows(addr, bytes)) } else { None };
        among.unwrap_or_else(|| memory::allowed(region, at, ty))
    }

    /// The division of an extended number by a number of the narrow type: the extended bits take no part in
    /// it.
    fn divided(&self, op: BinOp, a: &Term, b: &Term) -> Option<Term> {
        let (Kind::Bv(a), Kind::Bv(b)) = (&a.0, &b.0) else { return None };
        let narrow = shape::widened(a).filter(|_| self.folds)?;
        let (width, divisor) = (narrow.get_size(), b.as_u64()?);
        if divisor == 0 || width < u64::BITS && divisor >> width != 0 {
            return None;
        }
        let divisor = BV::from_u64(divisor, width);
        let narrow = match op {
            BinOp::UDiv | BinOp::SDiv => narrow.bvudiv(&divisor),
            BinOp::URem | BinOp::SRem => narrow.bvurem(&divisor),
            _ => return None,
        };
        Some(of_bits(narrow.zero_ext(a.get_size() - width)))
    }

    /// The condition under which a comparison holds, where its operands can be only few numbers. It is then
    /// about their conditions, and no longer about bits.
    fn compared(&self, op: BinOp, a: &Term, b: &Term) -> Option<Formula> {
        let (Kind::Bv(a), Kind::Bv(b)) = (&a.0, &b.0) else { return None };
        let width = a.get_size();
        if !self.folds || width > u64::BITS {
            return None;
        }
        let signed = |number: u64| signed(number, width);
        match op {
            BinOp::Eq => shape::compare(a, b, |a, b| a == b),
            BinOp::Ult => shape::compare(a, b, |a, b| a < b),
            BinOp::Ule => shape::compare(a, b, |a, b| a <= b),
            BinOp::Slt => shape::compare(a, b, |a, b| signed(a) < signed(b)),
            BinOp::Sle => shape::compare(a, b, |a, b| signed(a) <= signed(b)),
            _ => None,
        }
    }

    /// Folds an operation on numbers, so that no choice has to be made for its result.
    fn folded(&self, encoded: Encoded, operands: &[&Encoded]) -> Encoded {
        let is_number = |term: &Term| matches!(&term.0, Kind::Bv(bits) if bits.kind() == AstKind::Numeral);
        match &encoded.term.0 {
            Kind::Bv(bits) if self.folds && operands.iter().all(|operand| is_number(&operand.term)) => {
                Encoded { term: Term(Kind::Bv(evaluated(bits))), ..encoded }
            }
            _ => encoded,
        }
    }
}

fn truth(term: &Term) -> &Formula {
    term.as_formula().expect("the pool's types fit")
}

pub(crate) fn bits(term: &Term) -> &BV {
    match &term.0 {
        Kind::Bv(bits) => bits,
        _ => unreachable!("the pool's types fit"),
    }
}

fn float_of(term: &Term) -> (beeline_ir::FloatKind, &Float) {
    match &term.0 {
        Kind::Float(kind, float) => (*kind, float),
        _ => unreachable!("the pool's types fit"),
    }
}

fn of_bits(term: BV) -> Term {
    Term(Kind::Bv(term))
}

fn of_bool(term: Bool) -> Term {
    Term(Kind::Bool(term.into()))
}

fn unary(op: UnOp, a: &Term) -> Term {
    match op {
        UnOp::Not => Term::truth(truth(a).not()),
        UnOp::BvNot => of_bits(bits(a).bvnot()),
        UnOp::Neg => of_bits(bits(a).bvneg()),
        _ => {
            let (kind, float) = float_of(a);
            match float::unary(op, kind, float) {
                Some(result) => Term(Kind::Float(kind, result)),
                None => of_bool(float::classify(op, float).expect("every operator is covered")),
            }
        }
    }
}

fn binary(op: BinOp, a: &Encoded, b: &Encoded) -> Encoded {
    use BinOp::*;
    let both = || a.defined.and(&b.defined);
    match op {
        BoolAnd | BoolOr => {
            let (x, y) = (truth(&a.term), truth(&b.term));
            let (term, second) = if op == BoolAnd { (x.and(y), x.clone()) } else { (x.or(y), x.not()) };
            let defined = a.defined.and(&second.implies(&b.defined));
            Encoded { term: Term::truth(term), defined }
        }
        FAdd | FSub | FMul | FDiv | FRem | FEq | FLt | FLe => {
            let ((kind, x), (_, y)) = (float_of(&a.term), float_of(&b.term));
            let term = match op {
                FEq => of_bool(x.eq_fpa(y)),
                FLt => of_bool(x.lt(y)),
                FLe => of_bool(x.le(y)),
                _ => Term(Kind::Float(kind, float::arithmetic(op, x, y).expect("the rest is arithmetic"))),
            };
            Encoded { term, defined: both() }
        }
        Eq => Encoded { term: Term::truth(a.term.same(&b.term)), defined: both() },
        _ => {
            let (x, y) = (bits(&a.term), bits(&b.term));
            let (term, condition) = machine(op, x, y);
            let defined = match condition {
                Some(condition) => Formula::all([a.defined.clone(), b.defined.clone(), condition.into()]),
                None => both(),
            };
            Encoded { term, defined }
        }
    }
}

/// An operator on bit-vectors, with the condition under which it is not stuck, if it can be.
fn machine(op: BinOp, x: &BV, y: &BV) -> (Term, Option<Bool>) {
    use BinOp::*;
    let width = y.get_size();
    let divides = || y.eq(BV::from_u64(0, width)).not();
    let no_overflow = || {
        let lowest = BV::from_u64(1, width).bvshl(BV::from_u64(u64::from(width) - 1, width));
        Bool::and(&[x.eq(lowest), y.eq(BV::from_i64(-1, width))]).not()
    };
    let signed = || Some(Bool::and(&[divides(), no_overflow()]));
    match op {
        Add => (of_bits(x.bvadd(y)), None),
        Sub => (of_bits(x.bvsub(y)), None),
        Mul => (of_bits(x.bvmul(y)), None),
        UDiv => (of_bits(x.bvudiv(y)), Some(divides())),
        URem => (of_bits(x.bvurem(y)), Some(divides())),
        SDiv => (of_bits(x.bvsdiv(y)), signed()),
        SRem => (of_bits(x.bvsrem(y)), signed()),
        And => (of_bits(x.bvand(y)), None),
        Or => (of_bits(x.bvor(y)), None),
        Xor => (of_bits(x.bvxor(y)), None),
        Shl => (of_bits(x.bvshl(y)), None),
        LShr => (of_bits(x.bvlshr(y)), None),
        AShr => (of_bits(x.bvashr(y)), None),
        Concat => (of_bits(x.concat(y)), None),
        Ult => (of_bool(x.bvult(y)), None),
        Ule => (of_bool(x.bvule(y)), None),
        Slt => (of_bool(x.bvslt(y)), None),
        Sle => (of_bool(x.bvsle(y)), None),
        Eq | BoolAnd | BoolOr | FAdd | FSub | FMul | FDiv | FRem | FEq | FLt | FLe => {
            unreachable!("not an operator on bit-vectors alone")
        }
    }
}

fn cast(op: CastOp, to: Type, a: &Encoded) -> Encoded {
    let defined = a.defined.clone();
    let total = |term| Encoded { term, defined: defined.clone() };
    match (op, to) {
        (CastOp::ZExt | CastOp::SExt, Type::Bv(width)) => {
            let bits = bits(&a.term);
            let more = width - bits.get_size();
            total(of_bits(if op == CastOp::ZExt { bits.zero_ext(more) } else { bits.sign_ext(more) }))
        }
        (CastOp::FToF, Type::Float(kind)) => {
            total(Term(Kind::Float(kind, float::to_float(float_of(&a.term).1, kind))))
        }
        (CastOp::SToF | CastOp::UToF, Type::Float(kind)) => {
            total(Term(Kind::Float(kind, float::from_integer(op, bits(&a.term), kind))))
        }
        (CastOp::FToS | CastOp::FToU, Type::Bv(width)) => {
            let (kind, float) = float_of(&a.term);
            let (term, fits) = float::to_integer(op, float, kind, width);
            Encoded { term: of_bits(term), defined: defined.and(&fits.into()) }
        }
        (CastOp::ToBits, Type::Bv(_)) => {
            let (kind, float) = float_of(&a.term);
            total(of_bits(float::to_bits(kind, float)))
        }
        (CastOp::FromBits, Type::Float(kind)) => {
            total(Term(Kind::Float(kind, float::from_bits(kind, bits(&a.term)))))
        }
        _ => unreachable!("the pool's types fit"),
    }
}
