//! Evaluation of expressions of which only some variables are known.

use beeline_interp::eval::{self as operators, Evaluated};
use beeline_ir::{
    BinOp, Bits, CastOp, Expr, ExprId, Program, Region, RegionId, Type, Value, VarId, cells_of,
};

/// The known values of variables and memory.
pub trait Environment {
    /// The value of a variable.
    fn var(&self, var: VarId) -> Option<Value>;
    /// The value of a cell.
    fn cell(&self, region: RegionId, addr: u64) -> Option<Value>;
}

/// The value of an expression, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AbstractValue {
    /// Its value.
    Value(Value),
    /// Nothing is known.
    Unknown,
    /// It is stuck, whatever the unknown values are.
    Stuck,
}

/// The greatest number of visited nodes; beyond it, nothing is known.
const BUDGET: u32 = 5000;
/// The greatest nesting; beyond it, nothing is known.
const MAX_DEPTH: u32 = 500;

/// Evaluates an expression as far as the known values allow. Also returns whether it certainly has a result,
/// unless it is certainly stuck.
pub fn eval(program: &Program, root: ExprId, known: &impl Environment) -> (AbstractValue, bool) {
    let mut evaluator = Evaluator { program, known, budget: BUDGET, certain: true };
    let outcome = evaluator.expr(root, 0);
    (outcome, evaluator.certain)
}

struct Evaluator<'a, K> {
    program: &'a Program,
    known: &'a K,
    budget: u32,
    /// Whether every operation so far has a result.
    certain: bool,
}

impl<K: Environment> Evaluator<'_, K> {
    fn expr(&mut self, id: ExprId, depth: u32) -> AbstractValue {
        use AbstractValue::{Stuck, Unknown};
        if self.budget == 0 || depth > MAX_DEPTH {
            self.certain = false;
            return Unknown;
        }
        self.budget -= 1;
        let pool = &self.program.exprs;
        let depth = depth + 1;
        let operand = match pool[id] {
            Expr::Const(value) => return AbstractValue::Value(pool.value(value).clone()),
            Expr::Var(var) => return self.known.var(var).map_or(Unknown, AbstractValue::Value),
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), a, b) => {
                return self.connective(op == BinOp::BoolAnd, a, b, depth);
            }
            Expr::Ite(c, a, b) => return self.choice(c, a, b, depth),
            Expr::Binary(op, a, b) => return self.binary(op, a, b, depth),
            Expr::Fma(a, b, c) => {
                return match (self.expr(a, depth), self.expr(b, depth), self.expr(c, depth)) {
                    (AbstractValue::Value(a), AbstractValue::Value(b), AbstractValue::Value(c)) => {
                        done(operators::fma(&a, &b, &c))
                    }
                    (Stuck, ..) | (_, Stuck, _) | (.., Stuck) => Stuck,
                    _ => Unknown,
                };
            }
            Expr::Unary(_, a) | Expr::Extract { arg: a, .. } | Expr::Cast(_, _, a) => a,
            Expr::Load { addr, .. } => addr,
        };
        let value = match self.expr(operand, depth) {
            AbstractValue::Value(value) => value,
            other => {
                let partial =
                    matches!(pool[id], Expr::Load { .. } | Expr::Cast(CastOp::FToS | CastOp::FToU, ..));
                self.certain &= !partial;
                return other;
            }
        };
        match pool[id] {
            Expr::Unary(op, _) => done(operators::unary(op, &value)),
            Expr::Extract { hi, lo, .. } => done(operators::extract(hi, lo, &value)),
            Expr::Cast(op, to, _) => done(operators::cast(op, to, &value)),
            Expr::Load { region, ty, .. } => self.load(region, &value, ty),
            _ => Unknown,
        }
    }

    fn choice(&mut self, cond: ExprId, a: ExprId, b: ExprId, depth: u32) -> AbstractValue {
        use AbstractValue::{Stuck, Unknown};
        match self.expr(cond, depth) {
            AbstractValue::Value(Value::Bool(truth)) => self.expr(if truth { a } else { b }, depth),
            Stuck => Stuck,
            _ => match (self.expr(a, depth), self.expr(b, depth)) {
                (a, b) if a == b => a,
                (a, b) => {
                    self.certain &= a != Stuck && b != Stuck;
                    Unknown
                }
            },
        }
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, depth: u32) -> AbstractValue {
        use AbstractValue::{Stuck, Unknown};
        match (self.expr(a, depth), self.expr(b, depth)) {
            (AbstractValue::Value(a), AbstractValue::Value(b)) => done(operators::binary(op, &a, &b)),
            (Stuck, _) | (_, Stuck) => Stuck,
            (_, AbstractValue::Value(b)) => {
                self.certain &= total_for(op, &b);
                Unknown
            }
            _ => {
                self.certain &= !is_division(op);
                Unknown
            }
        }
    }

    fn connective(&mut self, and: bool, a: ExprId, b: ExprId, depth: u32) -> AbstractValue {
        let decides = AbstractValue::Value(Value::Bool(!and));
        match self.expr(a, depth) {
            AbstractValue::Value(Value::Bool(truth)) if truth == and => self.expr(b, depth),
            // If the right operand is stuck or decides, the left one could do so as well. So only a decision
            // holds in both cases, as far as nothing is stuck.
            AbstractValue::Unknown => {
                let right = self.expr(b, depth);
                self.certain &= right != AbstractValue::Stuck;
                if right == decides { decides } else { AbstractValue::Unknown }
            }
            other => other,
        }
    }

    fn load(&mut self, region: RegionId, addr: &Value, ty: Type) -> AbstractValue {
        let Some(addr) = addr.as_bits().and_then(Bits::to_u64) else {
            self.certain = false;
            return AbstractValue::Unknown;
        };
        let (id, region) = (region, &self.program.regions[region]);
        if !accessible(region, addr, ty) {
            return AbstractValue::Stuck;
        }
        let Some(count) = cells_of(ty, region.cell) else { return AbstractValue::Unknown };
        let cells: Option<Vec<Value>> =
            addresses(region, addr, count).map(|addr| self.known.cell(id, addr)).collect();
        let value = cells.and_then(|cells| join_cells(self.program.big_endian, ty, cells));
        value.map_or(AbstractValue::Unknown, AbstractValue::Value)
    }
}

fn is_division(op: BinOp) -> bool {
    matches!(op, BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem)
}

/// Whether the operator has a result for this right operand, whatever the left one is.
fn total_for(op: BinOp, b: &Value) -> bool {
    !is_division(op) || b.as_bits().is_some_and(|b| !b.is_zero() && !b.is_ones())
}

fn done(result: Evaluated) -> AbstractValue {
    result.map_or(AbstractValue::Stuck, AbstractValue::Value)
}

/// Whether a value of the type may be accessed at the address.
pub fn accessible(region: &Region, addr: u64, ty: Type) -> bool {
    let cells = cells_of(ty, region.cell).unwrap_or(1);
    region.allows(addr, u64::from(cells) * region.stride())
}

/// The addresses of consecutive cells.
pub fn addresses(region: &Region, addr: u64, count: u32) -> impl Iterator<Item = u64> + use<> {
    let (width, stride) = (region.addr.bv_width().unwrap_or(64), region.stride());
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    (0..u64::from(count)).map(move |index| addr.wrapping_add(index.wrapping_mul(stride)) & mask)
}

/// The value of a type in consecutive cells, the one at the lowest address first.
fn join_cells(big_endian: bool, ty: Type, mut cells: Vec<Value>) -> Option<Value> {
    if cells.len() == 1 && cells[0].ty() == ty {
        return cells.pop();
    }
    if !big_endian {
        cells.reverse();
    }
    let mut image: Option<Bits> = None;
    for cell in &cells {
        let bits = cell.as_bits()?;
        image = Some(match image {
            Some(high) => high.concat(bits),
            None => bits.clone(),
        });
    }
    Value::from_image(ty, image?)
}

/// The cells that a value occupies in a region, the one at the lowest address first.
pub fn split_cells(region: &Region, big_endian: bool, value: &Value) -> Option<Vec<Value>> {
    if value.ty() == region.cell {
        return Some(vec![value.clone()]);
    }
    let (image, width) = (value.memory_image()?, region.cell.bv_width()?);
    let count = cells_of(value.ty(), region.cell)?;
    let cell = |index: u32| Value::Bv(image.extract(index * width + width - 1, index * width));
    let mut cells: Vec<Value> = (0..count).map(cell).collect();
    if big_endian {
        cells.reverse();
    }
    Some(cells)
}
