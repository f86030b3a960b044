//! The variables, regions and objects of two versions of a program that match.
//!
//! Variables and regions match by name and type, and renamed ones by what reads and writes them at edges that match.

use crate::shape::Shapes;
use beeline_ir::{Callee, EdgeId, Expr, ExprId, FuncId, Op, Program, RegionId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// The matching variables, regions and objects.
#[derive(Debug)]
pub(crate) struct Symbols {
    pub(crate) variables: FxHashMap<VarId, VarId>,
    pub(crate) regions: FxHashMap<RegionId, RegionId>,
    /// The objects that have moved, by their old addresses.
    moved: Vec<Moved>,
    pointer_width: u32,
    /// For each expression of the old program, that of the new one.
    exprs: Vec<Option<ExprId>>,
}

/// An object at two addresses, or a function.
#[derive(Debug)]
struct Moved {
    from: u64,
    size: u64,
    to: u64,
}

impl Symbols {
    /// The symbols that match, given which functions and edges do.
    pub(crate) fn new(
        (old, new): (&Program, &Program),
        functions: &FxHashMap<FuncId, FuncId>,
        edges: &FxHashMap<EdgeId, EdgeId>,
        shapes: &(Shapes<'_>, Shapes<'_>),
    ) -> Symbols {
        let mut variables = variables_by_name(old, new, functions);
        let mut regions = regions_by_name(old, new);
        let mut votes = Votes::default();
        for (&one, &other) in edges {
            let (one, other) = (&old.edges[one].op, &new.edges[other].op);
            if shapes.0.of_op(one) == shapes.1.of_op(other) {
                votes.count((old, one), (new, other));
            }
        }
        let fits = |&(one, other): &(VarId, VarId)| {
            let (one, other) = (&old.vars[one], &new.vars[other]);
            one.ty == other.ty
                && one.owner.map(|owner| functions.get(&owner).copied()) == other.owner.map(Some)
        };
        complete(&mut variables, votes.variables, fits);
        let fits = |&(one, other): &(RegionId, RegionId)| {
            let (one, other) = (&old.regions[one], &new.regions[other]);
            (one.addr, one.cell) == (other.addr, other.cell)
        };
        complete(&mut regions, votes.regions, fits);
        let moved = moved(old, new, functions, &regions);
        let pointer_width = old.pointer_width;
        let mut symbols = Symbols { variables, regions, moved, pointer_width, exprs: Vec::new() };
        symbols.exprs = symbols.renamed(old, new);
        symbols
    }

    /// A value in the new program: another one only if it is a pointer to an object that has moved.
    pub(crate) fn value(&self, value: &Value) -> Value {
        let bits = value.as_bits().filter(|bits| bits.width() == self.pointer_width);
        let address = bits.and_then(|bits| bits.to_u64());
        address.map_or_else(|| value.clone(), |address| Value::bv(self.pointer_width, self.address(address)))
    }

    /// An address in the new program.
    pub(crate) fn address(&self, address: u64) -> u64 {
        let after = self.moved.partition_point(|object| object.from <= address);
        let object = after.checked_sub(1).map(|index| &self.moved[index]);
        match object {
            Some(object) if address - object.from < object.size => object.to + (address - object.from),
            _ => address,
        }
    }

    /// Whether two operations are the same but for names and addresses.
    pub(crate) fn is_same_op(
        &self,
        (old, one): (&Program, &Op),
        (new, other): (&Program, &Op),
        functions: &FxHashMap<FuncId, FuncId>,
    ) -> bool {
        let exprs = |one: ExprId, other: ExprId| self.exprs[one.as_u32() as usize] == Some(other);
        let same_exprs = || {
            let (one, other) = (one.expressions(), other.expressions());
            one.len() == other.len() && one.iter().zip(&other).all(|(&one, &other)| exprs(one, other))
        };
        let same_writes = || {
            let (one, other) = (one.writes(), other.writes());
            one.len() == other.len()
                && one.iter().zip(&other).all(|(one, other)| self.variables.get(one) == Some(other))
        };
        let same_kind = || match (one, other) {
            (Op::Skip, Op::Skip) | (Op::Assume(..), Op::Assume(..)) | (Op::Assign(_), Op::Assign(_)) => true,
            (Op::Havoc(_, one), Op::Havoc(_, other)) => {
                one.map(|input| &old.inputs[input]) == other.map(|input| &new.inputs[input])
            }
            (Op::HavocRegion(one), Op::HavocRegion(other))
            | (Op::Store { region: one, .. }, Op::Store { region: other, .. }) => {
                self.regions.get(one) == Some(other)
            }
            (Op::Call(one), Op::Call(other)) => {
                let is_direct = |callee: &Callee| matches!(callee, Callee::Direct(_));
                let (one, other) = (&one.callee, &other.callee);
                let callees: Option<FxHashSet<FuncId>> =
                    one.functions().iter().map(|callee| functions.get(callee).copied()).collect();
                is_direct(one) == is_direct(other)
                    && callees.is_some_and(|callees| callees == other.functions().iter().copied().collect())
            }
            _ => false,
        };
        same_kind() && same_exprs() && same_writes()
    }

    /// Whether globals and memory begin with the same contents.
    pub(crate) fn have_same_contents(&self, old: &Program, new: &Program) -> bool {
        let value = |program: &'_ Program, init| program.exprs.value(init).clone();
        let same_vars = self.variables.iter().all(|(&one, &other)| {
            let one = old.vars[one].init.map(|init| self.value(&value(old, init)));
            one == new.vars[other].init.map(|init| value(new, init))
        });
        let from: FxHashMap<RegionId, RegionId> =
            self.regions.iter().map(|(&old, &new)| (new, old)).collect();
        let contents = |program: &Program, region: RegionId, moves: bool| -> Vec<(u64, u64, Value)> {
            let runs = program.regions[region].init.iter();
            runs.map(|run| match moves {
                true => (self.address(run.addr), run.count, self.value(program.exprs.value(run.value))),
                false => (run.addr, run.count, program.exprs.value(run.value).clone()),
            })
            .collect()
        };
        let same_regions = new.regions.keys().all(|region| {
            from.get(&region).is_some_and(|&before| {
                let sizes = |program: &Program, region: RegionId| -> Vec<u64> {
                    program.regions[region].extents.iter().map(|extent| extent.size).collect()
                };
                sizes(old, before) == sizes(new, region)
                    && contents(old, before, true) == contents(new, region, false)
            })
        });
        same_vars && same_regions
    }

    /// For each expression of the old program, the one of the new program that is the same but for names and addresses.
    fn renamed(&self, old: &Program, new: &Program) -> Vec<Option<ExprId>> {
        let consts: FxHashMap<&Value, _> = new.exprs.consts().map(|(id, value)| (value, id)).collect();
        let nodes: FxHashMap<Expr, ExprId> = new.exprs.iter().map(|(id, &node)| (node, id)).collect();
        let mut renamed: Vec<Option<ExprId>> = Vec::with_capacity(old.exprs.len());
        for (_, &node) in old.exprs.iter() {
            let operands: Option<Vec<ExprId>> =
                node.operands().map(|operand| renamed[operand.as_u32() as usize]).collect();
            let node = operands.and_then(|operands| {
                let mut operands = operands.into_iter();
                Some(match node {
                    Expr::Const(id) => Expr::Const(*consts.get(&self.value(old.exprs.value(id)))?),
                    Expr::Var(var) => Expr::Var(*self.variables.get(&var)?),
                    Expr::Load { region, ty, .. } => {
                        Expr::Load { region: *self.regions.get(&region)?, addr: operands.next()?, ty }
                    }
                    node => node.map_operands(|operand| operands.next().unwrap_or(operand)),
                })
            });
            renamed.push(node.and_then(|node| nodes.get(&node).copied()));
        }
        renamed
    }
}

fn variables_by_name(
    old: &Program,
    new: &Program,
    functions: &FxHashMap<FuncId, FuncId>,
) -> FxHashMap<VarId, VarId> {
    let by_name: FxHashMap<(Option<FuncId>, &str), VarId> =
        new.vars.iter().map(|(id, var)| ((var.owner, &*var.name), id)).collect();
    let mut matched = FxHashMap::default();
    for (id, var) in old.vars.iter() {
        let owner = match var.owner {
            None => None,
            Some(owner) => match functions.get(&owner) {
                Some(&owner) => Some(owner),
                None => continue,
            },
        };
        if let Some(&found) = by_name.get(&(owner, &*var.name))
            && new.vars[found].ty == var.ty
        {
            matched.insert(id, found);
        }
    }
    for (&one, &other) in functions {
        let (one, other) = (&old.functions[one], &new.functions[other]);
        let pairs = one.params.iter().zip(&other.params).chain(one.ret.iter().zip(&other.ret));
        matched.extend(pairs.filter(|&(&one, &other)| old.vars[one].ty == new.vars[other].ty));
    }
    matched
}

fn regions_by_name(old: &Program, new: &Program) -> FxHashMap<RegionId, RegionId> {
    let by_name: FxHashMap<&str, RegionId> =
        new.regions.iter().map(|(id, region)| (&*region.name, id)).collect();
    let matched = old.regions.iter().filter_map(|(id, region)| {
        let found = *by_name.get(&*region.name)?;
        let other = &new.regions[found];
        ((region.addr, region.cell) == (other.addr, other.cell)).then_some((id, found))
    });
    matched.collect()
}

/// How often two symbols are at the same place of operations that match.
#[derive(Default)]
struct Votes {
    variables: FxHashMap<(VarId, VarId), usize>,
    regions: FxHashMap<(RegionId, RegionId), usize>,
}

impl Votes {
    fn count(&mut self, old: (&Program, &Op), new: (&Program, &Op)) {
        let (one, other) = (used(old), used(new));
        // Shared parts of expressions differ where two variables became one.
        if one.0.len() == other.0.len() {
            one.0.into_iter().zip(other.0).for_each(|pair| *self.variables.entry(pair).or_default() += 1);
        }
        if one.1.len() == other.1.len() {
            one.1.into_iter().zip(other.1).for_each(|pair| *self.regions.entry(pair).or_default() += 1);
        }
    }
}

/// The variables and regions of an operation, in an order that its shape determines.
fn used((program, op): (&Program, &Op)) -> (Vec<VarId>, Vec<RegionId>) {
    let (mut variables, mut regions) = (op.writes().to_vec(), Vec::new());
    if let Op::HavocRegion(region) | Op::Store { region, .. } = op {
        regions.push(*region);
    }
    for root in op.expressions() {
        for (_, node) in program.exprs.parts([root]) {
            match node {
                Expr::Var(var) => variables.push(var),
                Expr::Load { region, .. } => regions.push(region),
                _ => {}
            }
        }
    }
    (variables, regions)
}

/// Adds the pairs with the most votes whose symbols have no match.
fn complete<T: Copy + Eq + Hash + Ord>(
    matched: &mut FxHashMap<T, T>,
    votes: FxHashMap<(T, T), usize>,
    fits: impl Fn(&(T, T)) -> bool,
) {
    let mut taken: FxHashSet<T> = matched.values().copied().collect();
    let mut votes: Vec<((T, T), usize)> = votes.into_iter().filter(|(pair, _)| fits(pair)).collect();
    votes.sort_unstable_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
    for ((one, other), _) in votes {
        if !matched.contains_key(&one) && taken.insert(other) {
            matched.insert(one, other);
        }
    }
}

/// The objects and functions at other addresses than before.
fn moved(
    old: &Program,
    new: &Program,
    functions: &FxHashMap<FuncId, FuncId>,
    regions: &FxHashMap<RegionId, RegionId>,
) -> Vec<Moved> {
    let mut moved = Vec::new();
    for (&one, &other) in regions {
        let (one, other) = (&old.regions[one].extents, &new.regions[other].extents);
        for (from, to) in one.iter().zip(other) {
            moved.push(Moved { from: from.base, size: from.size.min(to.size), to: to.base });
        }
    }
    for (&one, &other) in functions {
        if let (Some(from), Some(to)) = (old.functions[one].addr, new.functions[other].addr) {
            moved.push(Moved { from, size: 1, to });
        }
    }
    moved.sort_unstable_by_key(|object| object.from);
    moved
}
