//! Expressions: typed, without side effects, hash-consed in an [`ExprPool`]. Their operators are in
//! [`crate::operator`].
//!
//! Two constructors lead into the pool. [`ExprPool::intern`] takes a node as it is, after checking its types. The named
//! ones ([`ExprPool::add`], [`ExprPool::not`] ...) are for producers of programs: they fold constants and drop
//! operations without effect, so that lowered programs stay small.

use crate::bits::Bits;
use crate::operator::{BinOp, CastOp, UnOp};
use crate::types::{FloatKind, Type};
use crate::value::Value;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::fmt;
use std::hash::BuildHasher;

/// An expression in a pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);
entity_impl!(ExprId, "e");

/// A constant in a pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(u32);
entity_impl!(ConstId, "c");

/// A variable, global or local.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(u32);
entity_impl!(VarId, "v");

/// A memory region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(u32);
entity_impl!(RegionId, "r");

/// A node of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant.
    Const(ConstId),
    /// The value of a variable.
    Var(VarId),
    /// An operator with one operand.
    Unary(UnOp, ExprId),
    /// An operator with two operands.
    Binary(BinOp, ExprId, ExprId),
    /// A float's product and sum with one rounding: first times second plus third.
    Fma(ExprId, ExprId, ExprId),
    /// The second operand if the first one holds, else the third; the other one is not evaluated.
    Ite(ExprId, ExprId, ExprId),
    /// The bits from `hi` down to `lo`, both included.
    Extract {
        /// Highest bit.
        hi: u32,
        /// Lowest bit.
        lo: u32,
        /// The operand.
        arg: ExprId,
    },
    /// A conversion to a type.
    Cast(CastOp, Type, ExprId),
    /// The value that a region holds at an address: one cell, or the consecutive cells that make up the type.
    Load {
        /// The region read.
        region: RegionId,
        /// The address of the first cell.
        addr: ExprId,
        /// The type read.
        ty: Type,
    },
}

impl Expr {
    /// The operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = ExprId> + use<> {
        let operands = match *self {
            Expr::Const(_) | Expr::Var(_) => [None, None, None],
            Expr::Unary(_, a) | Expr::Extract { arg: a, .. } | Expr::Cast(_, _, a) => [Some(a), None, None],
            Expr::Load { addr, .. } => [Some(addr), None, None],
            Expr::Binary(_, a, b) => [Some(a), Some(b), None],
            Expr::Ite(a, b, c) | Expr::Fma(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    /// The same node with each operand replaced.
    pub fn map_operands(self, mut map: impl FnMut(ExprId) -> ExprId) -> Expr {
        match self {
            Expr::Const(_) | Expr::Var(_) => self,
            Expr::Unary(op, a) => Expr::Unary(op, map(a)),
            Expr::Binary(op, a, b) => {
                let a = map(a);
                Expr::Binary(op, a, map(b))
            }
            Expr::Fma(a, b, c) => {
                let (a, b) = (map(a), map(b));
                Expr::Fma(a, b, map(c))
            }
            Expr::Ite(a, b, c) => {
                let (a, b) = (map(a), map(b));
                Expr::Ite(a, b, map(c))
            }
            Expr::Extract { hi, lo, arg } => Expr::Extract { hi, lo, arg: map(arg) },
            Expr::Cast(op, ty, a) => Expr::Cast(op, ty, map(a)),
            Expr::Load { region, addr, ty } => Expr::Load { region, addr: map(addr), ty },
        }
    }
}

/// Why a node is not part of a valid program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeError(pub String);

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The declarations of a program that the pool needs to type an expression.
pub trait Declarations {
    /// The type of a variable, if it exists.
    fn var_type(&self, var: VarId) -> Option<Type>;
    /// Address type and cell type of a region, if it exists.
    fn region_types(&self, region: RegionId) -> Option<(Type, Type)>;
}

/// The expressions of a program, each stored once: equal expressions have equal ids.
///
/// Operands have smaller ids than the nodes that use them.
#[derive(Clone, Default)]
pub struct ExprPool {
    consts: PrimaryMap<ConstId, Value>,
    nodes: PrimaryMap<ExprId, Expr>,
    types: PrimaryMap<ExprId, Type>,
    const_ids: FxHashMap<Value, ConstId>,
    /// The nodes by their hash; an id takes a fifth of the memory of the node.
    ids: HashTable<ExprId>,
}

impl PartialEq for ExprPool {
    fn eq(&self, other: &Self) -> bool {
        self.consts == other.consts && self.nodes == other.nodes
    }
}

impl fmt::Debug for ExprPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.nodes.iter()).finish()
    }
}

impl std::ops::Index<ExprId> for ExprPool {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.nodes[id]
    }
}

impl ExprPool {
    /// Number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no expression yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Reserves room for so many more expressions.
    pub fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve(nodes);
        self.types.reserve(nodes);
        self.ids.reserve(nodes, |&id| hash(&self.nodes[id]));
    }

    /// All expressions with their ids, operands first.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.nodes.iter()
    }

    /// All constants with their ids.
    pub fn consts(&self) -> impl ExactSizeIterator<Item = (ConstId, &Value)> {
        self.consts.iter()
    }

    /// Whether the id belongs to this pool.
    pub fn contains(&self, id: ExprId) -> bool {
        id.index() < self.nodes.len()
    }

    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> Type {
        self.types[id]
    }

    /// The width of an expression that is a bit-vector, else 0.
    pub fn width(&self, id: ExprId) -> u32 {
        self.types[id].bv_width().unwrap_or(0)
    }

    /// The value of a constant.
    pub fn value(&self, id: ConstId) -> &Value {
        &self.consts[id]
    }

    /// The value of an expression that is a constant.
    pub fn as_const(&self, id: ExprId) -> Option<&Value> {
        if let Expr::Const(value) = self.nodes[id] { Some(&self.consts[value]) } else { None }
    }

    /// The bits of an expression that is a bit-vector constant.
    pub fn as_bits(&self, id: ExprId) -> Option<&Bits> {
        self.as_const(id).and_then(Value::as_bits)
    }

    /// Adds a constant without making it an expression.
    pub fn intern_const(&mut self, value: Value) -> ConstId {
        if let Some(&id) = self.const_ids.get(&value) {
            return id;
        }
        let id = self.consts.push(value.clone());
        self.const_ids.insert(value, id);
        id
    }

    /// Adds a node as it is, if its operands are in the pool and its types fit.
    pub fn intern(&mut self, node: Expr, program: &impl Declarations) -> Result<ExprId, TypeError> {
        if let Some(id) = self.find(&node) {
            return Ok(id);
        }
        let ty = self.check(&node, program)?;
        Ok(self.push(node, ty))
    }

    /// The id of a node that is in the pool.
    fn find(&self, node: &Expr) -> Option<ExprId> {
        self.ids.find(hash(node), |&id| self.nodes[id] == *node).copied()
    }

    fn push(&mut self, node: Expr, ty: Type) -> ExprId {
        let id = self.nodes.push(node);
        self.types.push(ty);
        self.ids.insert_unique(hash(&node), id, |&id| hash(&self.nodes[id]));
        id
    }

    /// The type of a node, or why it has none.
    fn check(&self, node: &Expr, program: &impl Declarations) -> Result<Type, TypeError> {
        let fail = |message: String| Err(TypeError(message));
        for operand in node.operands() {
            if !self.contains(operand) {
                return fail(format!("operand {operand} is used before its definition"));
            }
        }
        match *node {
            Expr::Const(value) => match self.consts.get(value) {
                Some(value) => Ok(value.ty()),
                None => fail(format!("constant {value} does not exist")),
            },
            Expr::Var(var) => match program.var_type(var) {
                Some(ty) => Ok(ty),
                None => fail(format!("variable {var} does not exist")),
            },
            Expr::Load { region, addr, ty } => {
                let Some((addr_ty, cell)) = program.region_types(region) else {
                    return fail(format!("region {region} does not exist"));
                };
                if self.ty(addr) != addr_ty {
                    return fail(format!(
                        "the address is {}, but the region has addresses of type {addr_ty}",
                        self.ty(addr)
                    ));
                }
                match cells_of(ty, cell) {
                    Some(_) => Ok(ty),
                    None => fail(format!("{ty} does not consist of cells of type {cell}")),
                }
            }
            _ => self.result_type(node),
        }
    }

    /// The type of a node whose operands are in the pool and which needs no declarations.
    fn result_type(&self, node: &Expr) -> Result<Type, TypeError> {
        let misfit = |what: &str, types: &[Type]| {
            let types: Vec<String> = types.iter().map(Type::to_string).collect();
            Err(TypeError(format!("{what} does not fit operands of type {}", types.join(", "))))
        };
        match *node {
            Expr::Unary(op, a) => {
                let a = self.ty(a);
                op.result(a).map_or_else(|| misfit(&format!("{op:?}"), &[a]), Ok)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.ty(a), self.ty(b));
                op.result(a, b).map_or_else(|| misfit(&format!("{op:?}"), &[a, b]), Ok)
            }
            Expr::Fma(a, b, c) => {
                let (a, b, c) = (self.ty(a), self.ty(b), self.ty(c));
                if matches!(a, Type::Float(_)) && a == b && b == c {
                    Ok(a)
                } else {
                    misfit("fma", &[a, b, c])
                }
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (self.ty(c), self.ty(a), self.ty(b));
                if c == Type::Bool && a == b { Ok(a) } else { misfit("? :", &[c, a, b]) }
            }
            Expr::Extract { hi, lo, arg } => match self.ty(arg) {
                Type::Bv(width) if lo <= hi && hi < width => Ok(Type::Bv(hi - lo + 1)),
                ty => misfit(&format!("extract {hi} to {lo}"), &[ty]),
            },
            Expr::Cast(op, to, a) => {
                let from = self.ty(a);
                if op.fits(from, to) { Ok(to) } else { misfit(&format!("{op:?} to {to}"), &[from]) }
            }
            Expr::Const(_) | Expr::Var(_) | Expr::Load { .. } => {
                Err(TypeError("this node needs declarations to be typed".into()))
            }
        }
    }

    /// Adds a node that is well typed by construction.
    ///
    /// # Panics
    /// If the node is not well typed, which is a bug of the caller.
    pub(crate) fn build(&mut self, node: Expr) -> ExprId {
        if let Some(id) = self.find(&node) {
            return id;
        }
        match self.result_type(&node) {
            Ok(ty) => self.push(node, ty),
            Err(error) => panic!("ill-typed expression {node:?}: {error}"),
        }
    }

    pub(crate) fn build_typed(&mut self, node: Expr, ty: Type) -> ExprId {
        self.find(&node).unwrap_or_else(|| self.push(node, ty))
    }
}

fn hash(node: &Expr) -> u64 {
    FxBuildHasher.hash_one(node)
}

/// The number of cells of a region into which a type divides, if it does: a float cell holds that float only, a
/// bit-vector cell any type whose width is a multiple of it.
pub fn cells_of(ty: Type, cell: Type) -> Option<u32> {
    if ty == cell {
        return Some(1);
    }
    let (bits, Type::Bv(cell)) = (ty.memory_bits()?, cell) else { return None };
    (cell > 0 && bits % cell == 0).then(|| bits / cell)
}

/// The name of a float kind's type in messages.
impl From<FloatKind> for Type {
    fn from(kind: FloatKind) -> Type {
        Type::Float(kind)
    }
}
