//! Proofs by summaries: functions on their own, each in contexts that describe how it is called and what it
//! does.
//!
//! A *context* is a function with what is known at its entry. In the graph of a [`RunSummaries`], each
//! context has a stack of its own that begins with its function: places say nothing of its callers.
//! Activation 0 of a variable is the one in the context, and activation [`AT_ENTRY`] is a *ghost*: the value
//! of a parameter or a global at the entry of the context. A summary of the function is what the states at
//! its exit say of ghosts and of current values. `ir-spec/proofs.md` says what makes such a proof valid.
//! Decoding checks that its references to its own parts are valid.

use crate::proof::{RunProof, below};
use beeline_ir::file::{Decoder, Encoder, Wire, WireError};
use beeline_ir::{EdgeId, FuncId};

/// The activation of ghosts: the values of parameters and globals at the entry of the context.
pub const AT_ENTRY: u32 = u32::MAX;
/// The activation of variables that stand for any value of their type: what is said holds for all of them.
pub const ANY_VALUE: u32 = u32::MAX - 1;

/// A call from a state at the start of the call's edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunCall {
    /// The state.
    pub state: u32,
    /// The edge of the call.
    pub edge: EdgeId,
    /// The function called.
    pub callee: FuncId,
    /// The context that describes how it is called.
    pub context: u32,
    /// The states after the call.
    pub children: Vec<u32>,
}
beeline_ir::wire_struct!(RunCall { state, edge, callee, context, children });

/// A proof by summaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSummaries {
    /// The states of all contexts, each of which is a stack. The first context is the one at the start of the
    /// program.
    pub graph: RunProof,
    /// For each context, the state at the entry of its function.
    pub entries: Vec<u32>,
    /// The calls, in the order of states.
    pub calls: Vec<RunCall>,
}

impl Wire for RunSummaries {
    fn encode(&self, out: &mut Encoder) {
        self.graph.encode(out);
        self.entries.encode(out);
        self.calls.encode(out);
    }

    fn decode(input: &mut Decoder<'_>) -> Result<RunSummaries, WireError> {
        let graph = RunProof::decode_parts(input)?;
        let proof = RunSummaries { graph, entries: Wire::decode(input)?, calls: Wire::decode(input)? };
        proof.well_formed().map_err(WireError::new)?;
        Ok(proof)
    }
}

impl RunSummaries {
    /// Reports a fault of the proof's references to its own parts. A decoded proof has none.
    pub fn well_formed(&self) -> Result<(), String> {
        let RunSummaries { graph, entries, calls } = self;
        graph.parts_are_well_formed()?;
        let contexts = graph.stacks.len();
        if let Some(index) = graph.stacks.iter().position(|stack| stack.caller.is_some()) {
            return Err(format!("context {index} has a caller"));
        }
        if entries.len() != contexts {
            return Err(format!("{contexts} contexts have {} entries", entries.len()));
        }
        below("state", entries, graph.states.len())?;
        for (context, &entry) in entries.iter().enumerate() {
            if graph.states[entry as usize].stack as usize != context {
                return Err(format!("context {context} starts in another one"));
            }
        }
        if entries.first() != Some(&0) {
            return Err("the first context does not start in the first state".into());
        }
        let key = |call: &RunCall| (call.state, call.edge, call.callee);
        if !calls.is_sorted_by(|a, b| key(a) < key(b)) {
            return Err("the calls are not sorted".into());
        }
        calls.iter().try_for_each(|call| {
            below("state", &[call.state], graph.states.len())?;
            below("context", &[call.context], contexts)?;
            below("state", &call.children, graph.states.len())
        })
    }

    /// The calls from a state.
    pub fn calls_from(&self, state: u32) -> &[RunCall] {
        let first = self.calls.partition_point(|call| call.state < state);
        let count = self.calls[first..].partition_point(|call| call.state == state);
        &self.calls[first..first + count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RunCuts, RunFormula, RunStack, RunState};
    use beeline_ir::LocId;

    fn proof() -> RunSummaries {
        let state = |stack, children| RunState {
            loc: LocId::from_u32(stack),
            stack,
            values: vec![],
            formula: RunFormula::TRUE,
            children,
            covered_by: None,
        };
        let stack = |callee| RunStack { caller: None, callee: FuncId::from_u32(callee) };
        RunSummaries {
            graph: RunProof {
                cuts: RunCuts::At(vec![]),
                stacks: vec![stack(0), stack(1)],
                exprs: vec![],
                predicates: vec![],
                nodes: vec![],
                states: vec![state(0, vec![]), state(1, vec![2]), state(1, vec![])],
                ensures: vec![],
            },
            entries: vec![0, 1],
            calls: vec![RunCall {
                state: 0,
                edge: EdgeId::from_u32(3),
                callee: FuncId::from_u32(1),
                context: 1,
                children: vec![0],
            }],
        }
    }

    fn read_back(proof: &RunSummaries) -> Result<RunSummaries, String> {
        let mut out = Encoder::default();
        proof.encode(&mut out);
        RunSummaries::decode(&mut Decoder::new(&out.into_bytes())).map_err(|error| error.to_string())
    }

    #[test]
    fn a_proof_is_read_back() {
        assert_eq!(read_back(&proof()), Ok(proof()));
        assert_eq!(proof().calls_from(0), proof().calls);
        assert_eq!(proof().calls_from(1), []);
    }

    fn refused(message: &str, fault: impl FnOnce(&mut RunSummaries)) {
        let mut proof = proof();
        fault(&mut proof);
        let error = read_back(&proof).expect_err(message);
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn references_that_lead_nowhere_are_refused() {
        refused("context 1 has a caller", |proof| {
            proof.graph.stacks[1].caller = Some((0, EdgeId::from_u32(3)));
        });
        refused("2 contexts have 1 entries", |proof| proof.entries.truncate(1));
        refused("state 3", |proof| proof.entries[1] = 3);
        refused("starts in another one", |proof| proof.entries[1] = 0);
        refused("does not start in the first state", |proof| {
            proof.graph.states.swap(0, 1);
            proof.entries = vec![1, 0];
        });
        refused("context 2", |proof| proof.calls[0].context = 2);
        refused("state 9", |proof| proof.calls[0].children.push(9));
        refused("state 7", |proof| proof.calls[0].state = 7);
        refused("not sorted", |proof| proof.calls.push(proof.calls[0].clone()));
        refused("stack 2", |proof| proof.graph.states[0].stack = 2);
    }
}
