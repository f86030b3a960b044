//! Constant folding: the values of expressions as far as known values determine them.
//!
//! What is decided here needs no query. Nothing is ever assumed: an expression whose value depends on
//! something unknown is unknown.

use beeline_interp::eval::{self as operators, Evaluated};
use beeline_ir::{BinOp, Bits, Expr, ExprId, ExprPool, Region, RegionId, Type, Value, VarId, cells_of};
use rustc_hash::FxHashMap;

/// The known values of variables and memory.
pub trait Known {
    /// The value of a variable.
    fn var(&self, var: VarId) -> Option<Value>;
    /// The value of a cell.
    fn cell(&self, region: RegionId, addr: u64) -> Option<Value>;
    /// A region.
    fn region(&self, region: RegionId) -> &Region;
    /// Whether the most significant cell is the one at the lowest address.
    fn big_endian(&self) -> bool;
}

/// The result of folding an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folded {
    /// Its value.
    Value(Value),
    /// Nothing is known.
    Unknown,
    /// It is stuck.
    Stuck,
}

/// The greatest nesting; beyond it, nothing is known.
const MAX_DEPTH: u32 = 400;

/// Evaluates an expression.
pub fn fold(pool: &ExprPool, root: ExprId, known: &impl Known) -> Folded {
    Folder { pool, known, done: FxHashMap::default() }.expr(root, 0)
}

struct Folder<'a, K> {
    pool: &'a ExprPool,
    known: &'a K,
    done: FxHashMap<ExprId, Folded>,
}

impl<K: Known> Folder<'_, K> {
    fn expr(&mut self, id: ExprId, depth: u32) -> Folded {
        match self.pool[id] {
            Expr::Const(value) => return Folded::Value(self.pool.value(value).clone()),
            Expr::Var(var) => return self.known.var(var).map_or(Folded::Unknown, Folded::Value),
            _ if depth > MAX_DEPTH => return Folded::Unknown,
            _ => {}
        }
        if let Some(known) = self.done.get(&id) {
            return known.clone();
        }
        let folded = self.node(id, depth + 1);
        self.done.insert(id, folded.clone());
        folded
    }

    fn node(&mut self, id: ExprId, depth: u32) -> Folded {
        match self.pool[id] {
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), a, b) => match self.expr(a, depth) {
                Folded::Value(Value::Bool(a)) if a == (op == BinOp::BoolAnd) => self.expr(b, depth),
                // The left operand decides, is stuck, or is unknown.
                left => left,
            },
            Expr::Ite(cond, a, b) => match self.expr(cond, depth) {
                Folded::Value(Value::Bool(truth)) => self.expr(if truth { a } else { b }, depth),
                other => other,
            },
            Expr::Load { region, addr, ty } => match self.expr(addr, depth) {
                Folded::Value(addr) => self.load(region, &addr, ty),
                other => other,
            },
            node => {
                let operands = node.operands().map(|operand| self.expr(operand, depth));
                let mut values: Vec<Value> = Vec::with_capacity(3);
                let mut unknown = false;
                for operand in operands {
                    match operand {
                        Folded::Value(value) => values.push(value),
                        Folded::Unknown => unknown = true,
                        Folded::Stuck => return Folded::Stuck,
                    }
                }
                if unknown { Folded::Unknown } else { apply(node, &values) }
            }
        }
    }

    fn load(&self, id: RegionId, addr: &Value, ty: Type) -> Folded {
        let region = self.known.region(id);
        let (Some(addr), Some(count)) = (addr.as_bits().and_then(Bits::to_u64), cells_of(ty, region.cell))
        else {
            return Folded::Unknown;
        };
        if !region.allows(addr, u64::from(count) * region.stride()) {
            return Folded::Stuck;
        }
        let cells: Option<Vec<Value>> =
            addresses(region, addr, count).map(|addr| self.known.cell(id, addr)).collect();
        let value = cells.and_then(|cells| joined(self.known.big_endian(), ty, cells));
        value.map_or(Folded::Unknown, Folded::Value)
    }
}

fn apply(node: Expr, values: &[Value]) -> Folded {
    let result: Evaluated = match (node, values) {
        (Expr::Unary(op, _), [a]) => operators::unary(op, a),
        (Expr::Binary(op, ..), [a, b]) => operators::binary(op, a, b),
        (Expr::Fma(..), [a, b, c]) => operators::fma(a, b, c),
        (Expr::Extract { hi, lo, .. }, [a]) => operators::extract(hi, lo, a),
        (Expr::Cast(op, to, _), [a]) => operators::cast(op, to, a),
        _ => return Folded::Unknown,
    };
    result.map_or(Folded::Stuck, Folded::Value)
}

/// The addresses of consecutive cells.
pub fn addresses(region: &Region, addr: u64, count: u32) -> impl Iterator<Item = u64> + use<> {
    let (width, stride) = (region.addr.bv_width().unwrap_or(64), region.stride());
    let mask = u64::MAX >> (64 - width.clamp(1, 64));
    (0..u64::from(count)).map(move |index| addr.wrapping_add(index.wrapping_mul(stride)) & mask)
}

/// The value of a type in consecutive cells, the one at the lowest address first.
fn joined(big_endian: bool, ty: Type, mut cells: Vec<Value>) -> Option<Value> {
    if let [cell] = &cells[..]
        && cell.ty() == ty
    {
        return cells.pop();
    }
    if !big_endian {
        cells.reverse();
    }
    let mut image: Option<Bits> = None;
    for cell in &cells {
        let low = cell.as_bits()?;
        image = Some(image.map_or_else(|| low.clone(), |high| high.concat(low)));
    }
    Value::from_image(ty, image?)
}
