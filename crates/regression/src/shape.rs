//! Shapes: hashes of what locations do, without the names of variables, places in the source and addresses.
//!
//! Renamed variables, moved lines and another layout of memory change no shape.

use beeline_ir::{Callee, Expr, Extent, FuncId, LocId, Op, Program, Region, Type, Value, VarId};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// The shapes of a program.
pub(crate) struct Shapes<'a> {
    program: &'a Program,
    /// The names of functions that both programs have.
    common: &'a FxHashSet<&'a str>,
    /// All objects in memory, by address.
    objects: Vec<Extent>,
    /// The shape of each expression.
    exprs: Vec<u64>,
}

impl<'a> Shapes<'a> {
    /// The shapes of a program; functions that the other version has as well are distinguished by name.
    pub(crate) fn new(program: &'a Program, common: &'a FxHashSet<&'a str>) -> Shapes<'a> {
        let mut objects: Vec<Extent> =
            program.regions.values().flat_map(|region| region.extents.iter().cloned()).collect();
        objects.sort_by_key(|extent| extent.base);
        let mut shapes = Shapes { program, common, objects, exprs: Vec::new() };
        for (id, expr) in program.exprs.iter() {
            let shape = shapes.of_expr(expr, program.exprs.ty(id));
            shapes.exprs.push(shape);
        }
        shapes
    }

    /// The shape of a location: that of the edges that leave it, in order.
    pub(crate) fn of_location(&self, loc: LocId) -> u64 {
        hashed(|hasher| {
            for edge in self.program.out_edges(loc) {
                self.of_op(&self.program.edges[edge].op).hash(hasher);
            }
        })
    }

    /// The shape of a function.
    pub(crate) fn of_function(&self, func: FuncId) -> u64 {
        hashed(|hasher| {
            for loc in self.program.functions[func].locations() {
                self.of_location(loc).hash(hasher);
            }
        })
    }

    /// The shape of an operation.
    pub(crate) fn of_op(&self, op: &Op) -> u64 {
        hashed(|hasher| {
            std::mem::discriminant(op).hash(hasher);
            for expr in op.expressions() {
                self.exprs[expr.as_u32() as usize].hash(hasher);
            }
            for var in op.writes() {
                self.of_var(var).hash(hasher);
            }
            match op {
                Op::Havoc(_, input) => input.map(|input| &self.program.inputs[input]).hash(hasher),
                Op::HavocRegion(region) | Op::Store { region, .. } => {
                    of_region(&self.program.regions[*region]).hash(hasher);
                }
                Op::Call(call) => {
                    matches!(call.callee, Callee::Direct(_)).hash(hasher);
                    for &callee in call.callee.functions() {
                        let name = &*self.program.functions[callee].name;
                        self.common.get(name).hash(hasher);
                    }
                }
                Op::Skip | Op::Assume(..) | Op::Assign(_) => {}
            }
        })
    }

    fn of_var(&self, var: VarId) -> (Type, bool) {
        let var = &self.program.vars[var];
        (var.ty, var.owner.is_some())
    }

    /// The shape of an expression whose operands have theirs.
    fn of_expr(&self, expr: &Expr, ty: Type) -> u64 {
        hashed(|hasher| {
            std::mem::discriminant(expr).hash(hasher);
            ty.hash(hasher);
            for operand in expr.operands() {
                self.exprs[operand.as_u32() as usize].hash(hasher);
            }
            match *expr {
                Expr::Const(id) => self.of_value(self.program.exprs.value(id), hasher),
                Expr::Var(var) => self.of_var(var).hash(hasher),
                Expr::Unary(op, _) => op.hash(hasher),
                Expr::Binary(op, ..) => op.hash(hasher),
                Expr::Cast(op, ..) => op.hash(hasher),
                Expr::Extract { hi, lo, .. } => (hi, lo).hash(hasher),
                Expr::Load { region, .. } => of_region(&self.program.regions[region]).hash(hasher),
                Expr::Fma(..) | Expr::Ite(..) => {}
            }
        })
    }

    /// A pointer to an object counts as the size of the object and the offset.
    fn of_value(&self, value: &Value, hasher: &mut FxHasher) {
        match self.object(value) {
            Some((object, offset)) => (object.size, offset).hash(hasher),
            None => value.hash(hasher),
        }
    }

    fn object(&self, value: &Value) -> Option<(&Extent, u64)> {
        let bits = value.as_bits().filter(|bits| bits.width() == self.program.pointer_width)?;
        let address = bits.to_u64()?;
        let after = self.objects.partition_point(|extent| extent.base <= address);
        let object = &self.objects[after.checked_sub(1)?];
        let offset = address - object.base;
        (offset < object.size).then_some((object, offset))
    }
}

fn of_region(region: &Region) -> (Type, Type) {
    (region.addr, region.cell)
}

fn hashed(write: impl FnOnce(&mut FxHasher)) -> u64 {
    let mut hasher = FxHasher::default();
    write(&mut hasher);
    hasher.finish()
}
