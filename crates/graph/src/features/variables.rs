//! The features that count variables.

use crate::dependency::Dependencies;
use crate::effects::Uses;
use crate::loops::{LoopId, Loops};
use beeline_ir::{BinOp, Expr, ExprId, Op, Program, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// The longest chain of operations and of the compiler's variables that a step of a counter is looked for in.
const LONGEST_CHAIN: usize = 16;

/// VARS, VARSASM, VARSLOOP, VARSINC and FIELDS.
pub(super) fn counted(program: &Program, loops: &[Loops]) -> [f64; 5] {
    let mut uses = Uses::new(program);
    let (mut conditions, mut looping) = (BTreeSet::<VarId>::new(), BTreeSet::<VarId>::new());
    let (mut relevant, mut regions) = (BTreeSet::new(), BTreeSet::new());
    for edge in program.edges.values() {
        for expr in edge.op.expressions() {
            relevant.extend(&uses.of(expr).addresses);
        }
        match edge.op {
            Op::Store { addr, .. } => relevant.extend(&uses.of(addr).vars),
            Op::Assume(cond, kind) if kind.branch => {
                let used = uses.of(cond);
                conditions.extend(&used.vars);
                regions.extend(&used.regions);
                if kind.looping {
                    looping.extend(&used.vars);
                }
            }
            _ => {}
        }
    }
    relevant.extend(&conditions);
    let (relevant, _) = Dependencies::with_uses(program, &mut uses).closure(relevant, regions);
    let fields = relevant.iter().map(|&var| bit_fields(program, var)).sum::<usize>();
    let counters = counters(program, loops, &mut uses);
    let has_names = program.vars.values().any(|var| var.source.is_some());
    let named = |vars: &BTreeSet<VarId>| {
        vars.iter().filter(|&&var| !has_names || program.vars[var].source.is_some()).count()
    };
    let sets = [&relevant, &conditions, &looping, &counters];
    let [relevant, conditions, looping, counters] = sets.map(named);
    [relevant, conditions, looping, counters, fields].map(|count| count as f64)
}

/// The number of bit-fields that a variable stands for.
fn bit_fields(program: &Program, var: VarId) -> usize {
    let Some(source) = &program.vars[var].source else { return 0 };
    let member = source.name.rsplit('.').next().unwrap_or_default();
    if member.contains('|') { member.split('|').count() } else { 0 }
}

/// The variables that count a loop's iterations.
fn counters(program: &Program, loops: &[Loops], uses: &mut Uses<'_>) -> BTreeSet<VarId> {
    let mut counters = BTreeSet::new();
    let temporaries = Temporaries::new(program);
    for (func, loops) in program.functions.keys().zip(loops) {
        if loops.is_empty() {
            continue;
        }
        let edges = || program.functions[func].locations().flat_map(|loc| program.out_edges(loc));
        let mut read: BTreeMap<LoopId, BTreeSet<VarId>> = BTreeMap::new();
        for edge in edges().map(|edge| &program.edges[edge]) {
            if let Op::Assume(cond, kind) = edge.op
                && kind.looping
                && let Some(inside) = loops.innermost(edge.src)
            {
                read.entry(inside).or_default().extend(&uses.of(cond).vars);
            }
        }
        for edge in edges().map(|edge| &program.edges[edge]) {
            let Op::Assign(list) = &edge.op else { continue };
            for &(var, value) in list {
                if temporaries.step_by_constant(var, value)
                    && loops
                        .around(edge.src)
                        .any(|inside| read.get(&inside).is_some_and(|read| read.contains(&var)))
                {
                    counters.insert(var);
                }
            }
        }
    }
    counters
}

/// What the compiler's variables, those without a name in the source, stand for.
struct Temporaries<'p> {
    program: &'p Program,
    /// The value of each that has only one.
    values: BTreeMap<VarId, ExprId>,
    /// Those that are assigned no value: they have any.
    any: BTreeSet<VarId>,
}

impl<'p> Temporaries<'p> {
    fn new(program: &'p Program) -> Temporaries<'p> {
        let is_temporary = |var: &VarId| program.vars[*var].source.is_none();
        let mut assigned: BTreeMap<VarId, Vec<Option<ExprId>>> = BTreeMap::new();
        let mut any = BTreeSet::new();
        for edge in program.edges.values() {
            match &edge.op {
                Op::Havoc(var, _) => any.extend(Some(*var).filter(is_temporary)),
                Op::Assign(list) => {
                    list.iter().filter(|(var, _)| is_temporary(var)).for_each(|&(var, value)| {
                        assigned.entry(var).or_default().push(Some(value));
                    })
                }
                op => op.writes().into_iter().filter(is_temporary).for_each(|var| {
                    assigned.entry(var).or_default().push(None);
                }),
            }
        }
        any.retain(|var| !assigned.contains_key(var));
        let only = |(var, values): (VarId, Vec<Option<ExprId>>)| match values[..] {
            [Some(value)] => Some((var, value)),
            _ => None,
        };
        Temporaries { program, values: assigned.into_iter().filter_map(only).collect(), any }
    }

    /// Whether the value is the variable's own plus or minus a constant, wherever that is a number of its type.
    fn step_by_constant(&self, var: VarId, mut value: ExprId) -> bool {
        let exprs = &self.program.exprs;
        let is_const = |expr| exprs.as_const(expr).is_some();
        let is_any = |expr| matches!(exprs[expr], Expr::Var(other) if self.any.contains(&other));
        let mut steps = false;
        for _ in 0..LONGEST_CHAIN {
            value = match exprs[value] {
                Expr::Var(other) if other == var => return steps,
                Expr::Var(other) => match self.values.get(&other) {
                    Some(&behind) => behind,
                    None => return false,
                },
                Expr::Ite(_, defined, otherwise) if is_any(otherwise) => defined,
                Expr::Binary(BinOp::Add | BinOp::FAdd, left, right) if is_const(left) || is_const(right) => {
                    steps = true;
                    if is_const(left) { right } else { left }
                }
                Expr::Binary(BinOp::Sub | BinOp::FSub, left, right) if is_const(right) => {
                    steps = true;
                    left
                }
                _ => return false,
            };
        }
        false
    }
}
