//! Proofs by unrolling: no execution gets beyond these places, and none to a target before.
//!
//! A [`RunUnrolling`] says where to stop when a program is unrolled: places that steps lead to and executions do not.
//! A place is a location in a context: the calls that are open, and for each how often the loops around were begun
//! anew. What is a loop and when it is begun anew is said in `ir-spec/proofs.md`. Decoding checks that the references
//! of the proof to its own parts lead to what exists.

use beeline_ir::file::{Decoder, Encoder, Wire, WireError};
use beeline_ir::{EdgeId, FuncId, LocId};

/// The calls that are open, and the turns of loops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunContext {
    /// An earlier context, and the call; none for the function where the program starts.
    pub caller: Option<(u32, EdgeId)>,
    /// The function called.
    pub callee: FuncId,
    /// How often each loop around the place was begun anew, the outermost first.
    pub counts: Vec<u32>,
}
beeline_ir::wire_struct!(RunContext { caller, callee, counts });

/// A place that no execution gets to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEnd {
    /// The location.
    pub loc: LocId,
    /// The context, by index.
    pub context: u32,
}
beeline_ir::wire_struct!(RunEnd { loc, context });

/// A loop about which the unrolling argues by induction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunInduction {
    /// Its head.
    pub head: LocId,
    /// How many turns without a target show that the next one has none.
    pub turns: u32,
}
beeline_ir::wire_struct!(RunInduction { head, turns });

impl RunInduction {
    /// No induction is over more turns.
    pub const MOST_TURNS: u32 = 1 << 20;
}

/// A proof by unrolling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunUnrolling {
    /// The contexts that ends name.
    pub contexts: Vec<RunContext>,
    /// Where unrolling stops.
    pub ends: Vec<RunEnd>,
    /// How many places there are before.
    pub places: u64,
    /// The functions that executions enter, as far as is known.
    pub entered: Vec<FuncId>,
    /// The loops that are unrolled for some turns only.
    pub inductions: Vec<RunInduction>,
}

impl Wire for RunUnrolling {
    fn encode(&self, out: &mut Encoder) {
        self.contexts.encode(out);
        self.ends.encode(out);
        self.places.encode(out);
        self.entered.encode(out);
    }

    fn decode(input: &mut Decoder<'_>) -> Result<RunUnrolling, WireError> {
        let proof = RunUnrolling {
            contexts: Wire::decode(input)?,
            ends: Wire::decode(input)?,
            places: Wire::decode(input)?,
            entered: Wire::decode(input)?,
            inductions: Vec::new(),
        };
        proof.well_formed().map_err(WireError::new)?;
        Ok(proof)
    }
}

impl RunUnrolling {
    /// Says what is wrong with the proof's references to its own parts. What was decoded has no fault.
    pub fn well_formed(&self) -> Result<(), String> {
        for (index, context) in self.contexts.iter().enumerate() {
            if context.caller.is_some_and(|(caller, _)| caller as usize >= index) {
                return Err(format!("context {index} has a caller that comes later"));
            }
        }
        match self.ends.iter().find(|end| end.context as usize >= self.contexts.len()) {
            Some(end) => Err(format!("there is no context {}", end.context)),
            None => Ok(()),
        }
    }
}
