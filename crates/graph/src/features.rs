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
//! - Checks of sanitizers are no branches, so that neither they nor what they read count in VARSASM, VARSLOOP and VARSINC.
//!   With debug information, the counts of variables are those of variables that a person named. The sizes (LOCS, EDGES and
//!   the complexities) are those of the automaton that is searched, with its checks.
//! - FIELDS can count the bit-fields that share a byte only, among the relevant variables: they have names such as
//!   `.a|b`. A bit-field with a byte of its own looks like any other member.

mod variables;

use crate::calls::Graph;
use crate::loops::Loops;
use beeline_ir::FuncId;

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
        let vars = variables::counted(program, &loops);

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
