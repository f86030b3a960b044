//! Proofs: abstract states that are closed under the program's steps.
//!
//! A [`RunProof`] lists the reachable abstract states that the engine found. Each is at a location with a
//! call stack, and describes the execution states there by values and a formula. Formulas are decision
//! diagrams over predicates; all states share one table of nodes. Predicates are expressions over *slots*,
//! the variables of the activations on the stack, and also share one table.
//!
//! Decoding checks that all references to parts of the proof are valid, and that those within tables lead to
//! earlier entries, so that they have no cycle. Whether the ids of the program exist can be checked only with
//! the program.

use beeline_ir::file::{Decoder, Encoder, Wire, WireError};
use beeline_ir::{BinOp, CastOp, EdgeId, FuncId, LocId, RegionId, Type, UnOp, Value, VarId};

/// A key of a known value in an abstract state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunKey {
    /// A variable of an activation.
    Var(VarId, u32),
    /// A region whose cells have their initial contents unless they are listed.
    Pristine(RegionId),
    /// A cell.
    Cell(RegionId, u64),
}
beeline_ir::wire_enum!(RunKey { 0 => Var(var, level), 1 => Pristine(region), 2 => Cell(region, addr) });

/// An expression; operands are earlier entries of the table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RunExpr {
    /// A constant.
    Value(Value),
    /// A variable of an activation, counted from 0, the outermost of its function; a global has 0.
    Var(VarId, u32),
    /// The value of a type at an address of a region.
    Load(RegionId, u32, Type),
    /// The condition, the value if it holds, the value if not.
    Ite(u32, u32, u32),
    /// Product of the first two plus the third, rounded once.
    Fma(u32, u32, u32),
    /// The bits from the first, the higher one, down to the second.
    Extract(u32, u32, u32),
    /// An operator with one operand.
    Unary(UnOp, u32),
    /// An operator with two operands.
    Binary(BinOp, u32, u32),
    /// A conversion to a type.
    Cast(CastOp, Type, u32),
}
beeline_ir::wire_enum!(RunExpr {
    0 => Value(value),
    1 => Var(var, level),
    2 => Load(region, addr, ty),
    3 => Ite(cond, then, otherwise),
    4 => Fma(a, b, c),
    5 => Extract(hi, lo, arg),
    6 => Unary(op, arg),
    7 => Binary(op, left, right),
    8 => Cast(op, ty, arg),
});

impl RunExpr {
    /// The operands.
    pub fn operands(&self) -> impl Iterator<Item = u32> + use<> {
        let (operands, count) = match *self {
            RunExpr::Value(_) | RunExpr::Var(..) => ([0; 3], 0),
            RunExpr::Load(_, a, _)
            | RunExpr::Extract(_, _, a)
            | RunExpr::Unary(_, a)
            | RunExpr::Cast(_, _, a) => ([a, 0, 0], 1),
            RunExpr::Binary(_, a, b) => ([a, b, 0], 2),
            RunExpr::Ite(a, b, c) | RunExpr::Fma(a, b, c) => ([a, b, c], 3),
        };
        operands.into_iter().take(count)
    }
}

/// A formula over predicates: false, true, or a node of the proof's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunFormula(u32);

impl Wire for RunFormula {
    fn encode(&self, out: &mut Encoder) {
        self.0.encode(out);
    }
    fn decode(input: &mut Decoder<'_>) -> Result<RunFormula, WireError> {
        u32::decode(input).map(RunFormula)
    }
}

impl RunFormula {
    /// The formula that never holds.
    pub const FALSE: RunFormula = RunFormula(0);
    /// The formula that always holds.
    pub const TRUE: RunFormula = RunFormula(1);

    /// The formula of a node of the table.
    pub fn of_node(node: u32) -> RunFormula {
        RunFormula(node + 2)
    }

    /// The node of the table, unless the formula is a constant.
    pub fn node(self) -> Option<u32> {
        self.0.checked_sub(2)
    }
}

/// A decision: `yes` holds if the predicate is true and not stuck, else `no` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunNode {
    /// The predicate, by index.
    pub pred: u32,
    /// The formula otherwise: a constant or an earlier node.
    pub no: RunFormula,
    /// The formula if the predicate holds: a constant or an earlier node.
    pub yes: RunFormula,
}
beeline_ir::wire_struct!(RunNode { pred, no, yes });

/// An abstract state of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunState {
    /// The location.
    pub loc: LocId,
    /// Its call stack, by index.
    pub stack: u32,
    /// Known values, in the order of keys; a cell without a value may have any.
    pub values: Vec<(RunKey, Option<Value>)>,
    /// The formula over predicates.
    pub formula: RunFormula,
    /// The states where its block ends.
    pub children: Vec<u32>,
    /// The state that covers it.
    pub covered_by: Option<u32>,
}
beeline_ir::wire_struct!(RunState { loc, stack, values, formula, children, covered_by });

/// A call stack: the stack below with the edge of the call, and the function on top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunStack {
    /// The stack below, an earlier one, and the call; `None` for the first stack alone.
    pub caller: Option<(u32, EdgeId)>,
    /// The function.
    pub callee: FuncId,
}
beeline_ir::wire_struct!(RunStack { caller, callee });

/// Where blocks end, besides targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunCuts {
    /// At every location.
    Everywhere,
    /// At these; every loop and every recursion contains one of them.
    At(Vec<LocId>),
}
beeline_ir::wire_enum!(RunCuts { 0 => Everywhere, 1 => At(locations) });

/// A postcondition: a predicate that holds of each activation of a function that returns. It is about the
/// values of parameters and globals at the entry, in the activation [`AT_ENTRY`](crate::AT_ENTRY), and of the
/// result and the globals at the exit, in activation 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEnsures {
    /// The function.
    pub func: FuncId,
    /// The predicate, by index.
    pub pred: u32,
}
beeline_ir::wire_struct!(RunEnsures { func, pred });

/// A proof by reachable abstract states. The first one is at the start of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunProof {
    /// Where blocks end.
    pub cuts: RunCuts,
    /// The call stacks; the first is that of the entry function alone.
    pub stacks: Vec<RunStack>,
    /// The expressions that predicates are made of.
    pub exprs: Vec<RunExpr>,
    /// The predicates, each an expression.
    pub predicates: Vec<u32>,
    /// The nodes of formulas.
    pub nodes: Vec<RunNode>,
    /// The states.
    pub states: Vec<RunState>,
    /// The postconditions of functions whose calls are popped. In a file they come before the other parts, if
    /// there are any.
    pub ensures: Vec<RunEnsures>,
}

impl Wire for RunProof {
    fn encode(&self, out: &mut Encoder) {
        let RunProof { cuts, stacks, exprs, predicates, nodes, states, ensures: _ } = self;
        cuts.encode(out);
        stacks.encode(out);
        exprs.encode(out);
        predicates.encode(out);
        nodes.encode(out);
        states.encode(out);
    }

    fn decode(input: &mut Decoder<'_>) -> Result<RunProof, WireError> {
        let proof = RunProof::decode_parts(input)?;
        proof.well_formed().map_err(WireError::new)?;
        Ok(proof)
    }
}

impl RunProof {
    /// Reads the parts, without a check of their references.
    pub(crate) fn decode_parts(input: &mut Decoder<'_>) -> Result<RunProof, WireError> {
        Ok(RunProof {
            cuts: Wire::decode(input)?,
            stacks: Wire::decode(input)?,
            exprs: Wire::decode(input)?,
            predicates: Wire::decode(input)?,
            nodes: Wire::decode(input)?,
            states: Wire::decode(input)?,
            ensures: Vec::new(),
        })
    }

    /// Reports a fault of the proof's references to its own parts. A decoded proof has none.
    pub fn well_formed(&self) -> Result<(), String> {
        self.stacks_are_ordered()?;
        self.parts_are_well_formed()
    }

    /// The same check for all parts but the stacks.
    pub(crate) fn parts_are_well_formed(&self) -> Result<(), String> {
        exprs_are_well_formed(&self.exprs, &self.predicates)?;
        for (index, node) in self.nodes.iter().enumerate() {
            below("predicate", &[node.pred], self.predicates.len())?;
            for next in [node.no, node.yes] {
                below("earlier node", next.node().as_slice(), index)?;
            }
        }
        for ensures in &self.ensures {
            below("predicate", &[ensures.pred], self.predicates.len())?;
        }
        if self.states.is_empty() {
            return Err("the proof has no state".into());
        }
        self.states.iter().try_for_each(|state| {
            below("stack", &[state.stack], self.stacks.len())?;
            below("node", state.formula.node().as_slice(), self.nodes.len())?;
            below("state", &state.children, self.states.len())?;
            below("state", state.covered_by.as_slice(), self.states.len())?;
            let ordered = state.values.windows(2).all(|pair| pair[0].0 < pair[1].0);
            if ordered { Ok(()) } else { Err("the values of a state are not sorted by key".into()) }
        })
    }

    fn stacks_are_ordered(&self) -> Result<(), String> {
        for (index, stack) in self.stacks.iter().enumerate() {
            match stack.caller {
                None if index > 0 => return Err(format!("stack {index} has no caller")),
                Some((caller, _)) => below("earlier stack", &[caller], index)?,
                None => {}
            }
        }
        if self.stacks.is_empty() { Err("the proof has no stack".into()) } else { Ok(()) }
    }
}

/// Checks that operands are earlier expressions, and that all predicates are among the expressions.
pub(crate) fn exprs_are_well_formed(exprs: &[RunExpr], predicates: &[u32]) -> Result<(), String> {
    for (index, expr) in exprs.iter().enumerate() {
        if expr.operands().any(|operand| operand as usize >= index) {
            return Err(format!("expression {index} uses an operand that comes later"));
        }
    }
    below("expression", predicates, exprs.len())
}

/// Checks that all references are below the number of entries of a table.
pub(crate) fn below(what: &str, references: &[u32], count: usize) -> Result<(), String> {
    match references.iter().find(|&&reference| reference as usize >= count) {
        Some(reference) => Err(format!("{what} {reference} does not exist")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Certificate, Run, RunVerdict};
    use beeline_ir::file;

    fn proof() -> RunProof {
        let (func, loc) = (FuncId::from_u32(0), LocId::from_u32(0));
        let var = RunExpr::Var(VarId::from_u32(0), 0);
        let state = |children, covered_by| RunState {
            loc,
            stack: 1,
            values: vec![
                (RunKey::Var(VarId::from_u32(1), 2), Some(Value::bv(8, 3))),
                (RunKey::Cell(RegionId::from_u32(0), 4), None),
            ],
            formula: RunFormula::of_node(1),
            children,
            covered_by,
        };
        RunProof {
            cuts: RunCuts::At(vec![loc]),
            stacks: vec![
                RunStack { caller: None, callee: func },
                RunStack { caller: Some((0, EdgeId::from_u32(5))), callee: func },
            ],
            exprs: vec![
                var,
                RunExpr::Value(Value::bv(8, 7)),
                RunExpr::Binary(BinOp::Ult, 0, 1),
                RunExpr::Unary(UnOp::Not, 2),
            ],
            predicates: vec![2, 3],
            nodes: vec![
                RunNode { pred: 0, no: RunFormula::FALSE, yes: RunFormula::TRUE },
                RunNode { pred: 1, no: RunFormula::of_node(0), yes: RunFormula::TRUE },
            ],
            states: vec![state(vec![1], None), state(vec![], Some(0))],
            ensures: vec![RunEnsures { func, pred: 1 }],
        }
    }

    fn read_back(proof: RunProof) -> Result<RunProof, String> {
        let run = Run {
            verdict: RunVerdict::Safe,
            targets: Vec::new(),
            paths: Vec::new(),
            proofs: vec![Certificate::Graph(proof)],
            statistics: Vec::new(),
            undefined: Vec::new(),
            rests: Vec::new(),
            resting: Vec::new(),
            parts: Vec::new(),
            precision: None,
            callees: Vec::new(),
            broken: Vec::new(),
        };
        let bytes = file::to_bytes(&run, None).expect("a run can be written");
        let read = file::from_bytes::<Run>("p.run", &bytes).map_err(|error| error.to_string())?;
        Ok(read.body.graph().expect("a proof was written").clone())
    }

    #[test]
    fn a_proof_is_read_back() {
        assert_eq!(read_back(proof()), Ok(proof()));
    }

    /// Checks that a proof with one fault is refused with this message.
    fn refused(message: &str, fault: impl FnOnce(&mut RunProof)) {
        let mut proof = proof();
        fault(&mut proof);
        let error = read_back(proof).expect_err(message);
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn references_that_lead_nowhere_or_forward_are_refused() {
        refused("expression 2 uses an operand that comes later", |proof| {
            proof.exprs[2] = RunExpr::Binary(BinOp::Ult, 0, 2)
        });
        refused("expression 3 uses an operand that comes later", |proof| {
            proof.exprs[3] = RunExpr::Ite(0, 1, 9)
        });
        refused("expression 4", |proof| proof.predicates[1] = 4);
        refused("predicate 2", |proof| proof.nodes[0].pred = 2);
        refused("earlier node 1", |proof| proof.nodes[1].yes = RunFormula::of_node(1));
        refused("earlier node 0", |proof| proof.nodes[0].no = RunFormula::of_node(0));
        refused("node 2", |proof| proof.states[0].formula = RunFormula::of_node(2));
        refused("stack 2", |proof| proof.states[1].stack = 2);
        refused("predicate 2", |proof| proof.ensures[0].pred = 2);
        refused("state 2", |proof| proof.states[0].children.push(2));
        refused("state 7", |proof| proof.states[1].covered_by = Some(7));
        refused("stack 1 has no caller", |proof| proof.stacks[1].caller = None);
        refused("earlier stack 1", |proof| proof.stacks[1].caller = Some((1, EdgeId::from_u32(0))));
        refused("no state", |proof| proof.states.clear());
        refused("sorted by key", |proof| proof.states[0].values.swap(0, 1));
        refused("sorted by key", |proof| {
            let entry = proof.states[0].values[0].clone();
            proof.states[0].values.insert(0, entry);
        });
    }

    #[test]
    fn any_cut_or_changed_byte_is_refused_or_read_without_harm() {
        let mut out = Encoder::default();
        proof().encode(&mut out);
        let bytes = out.into_bytes();
        for len in 0..bytes.len() {
            assert!(RunProof::decode(&mut Decoder::new(&bytes[..len])).is_err(), "cut at {len}");
        }
        for at in 0..bytes.len() {
            for byte in 0..=255 {
                let mut changed = bytes.clone();
                changed[at] = byte;
                if let Ok(read) = RunProof::decode(&mut Decoder::new(&changed)) {
                    assert_eq!(read.well_formed(), Ok(()));
                }
            }
        }
    }
}
