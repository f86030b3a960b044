//! The 25 features by which a metric is chosen (TOUR, Table 4.1 and section 7.2).
//!
//! Where the paper speaks of C, they have this meaning here:
//! - EDGES counts a call twice, as call and as return; MXEGFN, AVEGFN, SDEGFN and the cyclomatic
//!   complexities count it once, as the edge from the call to where it returns.
//! - A condition that reads memory, such as `x[1] > x[2]`, uses the variables of the addresses (`x`), and for VARS the
//!   variables of what may be stored there; a region itself is no variable.
//! - VARS are the variables in branch conditions and in addresses, closed over the flow of data.
//! - VARSINC are variables that an edge inside a loop changes by a constant while one of the loop's exit
//!   conditions reads them.
//! - FIELDS can count the bit-fields that share a byte only, among the relevant variables: they have names such as
//!   `.a|b`. A bit-field with a byte of its own looks like any other member.

use crate::calls::Graph;
use crate::dependency::Dependencies;
use crate::effects::Uses;
use crate::loops::{LoopId, Loops};
use beeline_ir::{BinOp, Expr, ExprId, FuncId, Op, Program, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// The names of the features, in the order of files.
pub const NAMES: [&str; 25] = [
    "LOCS", "MXLOFN", "AVLOFN", "SDLOFN", "EDGES", "MXEGFN", "AVEGFN", "SDEGFN", "LOOPS", "MXLPFN", "AVLPFN",
    "SDLPFN", "FUNCS", "MXCALLS", "AVCALLS", "SDCALLS", "VARS", "VARSASM", "VARSLOOP", "VARSINC", "FIELDS",
    "MXCC", "SMCC", "AVCC", "SDCC",
];

/// The features of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    /// The values, in the order of [`NAMES`].
    pub values: [f64; 25],
}

impl Features {
    /// Measures a program.
    pub fn new(graph: &Graph<'_>) -> Features {
        let program = graph.program();
        let functions = || program.functions.keys();
        let loops: Vec<Loops> = functions().map(|func| Loops::new(program, func)).collect();
        let edges_of = |func: FuncId| -> usize {
            program.functions[func].locations().map(|loc| program.out_edges(loc).len()).sum()
        };
        let locs: Vec<f64> = functions().map(|func| program.functions[func].locs.len() as f64).collect();
        let edges: Vec<f64> = functions().map(|func| edges_of(func) as f64).collect();
        let heads: Vec<f64> = loops.iter().map(|loops| loops.len() as f64).collect();
        let calls: Vec<f64> = functions().map(|func| graph.calls_in(func).count() as f64).collect();
        let complexity: Vec<f64> = edges.iter().zip(&locs).map(|(edges, locs)| edges - locs + 2.0).collect();
        let vars = variables(program, &loops);

        let (locs, edges, heads) = (Spread::of(&locs), Spread::of(&edges), Spread::of(&heads));
        let (calls, complexity) = (Spread::of(&calls), Spread::of(&complexity));
        let with_sum = |spread: &Spread| [spread.sum, spread.max, spread.average, spread.deviation];
        let mut values = Vec::with_capacity(NAMES.len());
        values.extend(with_sum(&locs));
        values.extend([edges.sum + calls.sum, edges.max, edges.average, edges.deviation]);
        values.extend(with_sum(&heads));
        values.extend([program.functions.len() as f64, calls.max, calls.average, calls.deviation]);
        values.extend(vars);
        values.extend([complexity.max, complexity.sum, complexity.average, complexity.deviation]);
        Features { values: values.try_into().expect("there are 25 features") }
    }

    /// The value of a feature, if there is one with this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        NAMES.iter().position(|&other| other == name).map(|index| self.values[index])
    }

    /// All features with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> {
        NAMES.into_iter().zip(self.values)
    }
}

/// The distribution of a number over functions.
struct Spread {
    sum: f64,
    max: f64,
    average: f64,
    /// The standard deviation of the population, not of a sample.
    deviation: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Spread {
        // A program has at least one function.
        let count = values.len() as f64;
        let sum: f64 = values.iter().sum();
        let average = sum / count;
        let variance = values.iter().map(|value| (value - average).powi(2)).sum::<f64>() / count;
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Spread { sum, max, average, deviation: variance.sqrt() }
    }
}

/// VARS, VARSASM, VARSLOOP, VARSINC and FIELDS.
fn variables(program: &Program, loops: &[Loops]) -> [f64; 5] {
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
    [relevant.len(), conditions.len(), looping.len(), counters.len(), fields].map(|count| count as f64)
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
                if steps_by_constant(program, var, value)
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

/// Whether the value is the variable's own plus or minus a constant.
fn steps_by_constant(program: &Program, var: VarId, value: ExprId) -> bool {
    let is_var = |expr| program.exprs[expr] == Expr::Var(var);
    let is_const = |expr| program.exprs.as_const(expr).is_some();
    match program.exprs[value] {
        Expr::Binary(BinOp::Add | BinOp::FAdd, left, right) => {
            is_var(left) && is_const(right) || is_const(left) && is_var(right)
        }
        Expr::Binary(BinOp::Sub | BinOp::FSub, left, right) => is_var(left) && is_const(right),
        _ => false,
    }
}
