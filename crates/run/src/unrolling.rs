//! Proofs by unrolling: no execution reaches these places, and none reaches a target before them.
//!
//! A [`RunUnrolling`] lists where the unrolling of a program stops: places that steps lead to and executions
//! do not reach. A place is a location in a context: the open calls, and for each the iterations of the loops
//! around. `ir-spec/proofs.md` defines loops and how their iterations are counted. Decoding checks that the
//! references of the proof to its own parts are valid.

use crate::predicates::Predicates;
use crate::proof::{RunExpr, exprs_are_well_formed};
use beeline_ir::file::{Decoder, Encoder, Wire, WireError};
use beeline_ir::{EdgeId, FuncId, LocId, Program};

/// The open calls, and the iterations of loops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunContext {
    /// An earlier context, and the call; `None` for the entry function.
    pub caller: Option<(u32, EdgeId)>,
    /// The function called.
    pub callee: FuncId,
    /// How often each loop around the place went back to its head, the outermost loop first.
    pub counts: Vec<u32>,
}
beeline_ir::wire_struct!(RunContext { caller, callee, counts });

/// A place that no execution reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEnd {
    /// The location.
    pub loc: LocId,
    /// The context, by index.
    pub context: u32,
}
beeline_ir::wire_struct!(RunEnd { loc, context });

/// A loop that is proved by induction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunInduction {
    /// Its head.
    pub head: LocId,
    /// The number of iterations without a target that show that the next one has none.
    pub turns: u32,
}
beeline_ir::wire_struct!(RunInduction { head, turns });

impl RunInduction {
    /// The greatest number of iterations of an induction.
    pub const MOST_TURNS: u32 = 1 << 20;
}

/// An invariant of a loop that is proved by induction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunInvariant {
    /// The head of the loop.
    pub head: LocId,
    /// What holds there, by the number of an expression. Variables of activation 0 are those of the activation that is
    /// in the loop, and [`AT_ENTRY`](crate::AT_ENTRY) is what they held where the loop was entered. Those of
    /// [`ANY_VALUE`](crate::ANY_VALUE) are any value: the invariant holds for all of them. Regions may be those of
    /// [`region_at_entry`](crate::region_at_entry).
    pub expr: u32,
}
beeline_ir::wire_struct!(RunInvariant { head, expr });

/// The invariants of loops that are proved by induction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunInvariants {
    /// The expressions that they are made of.
    pub exprs: Vec<RunExpr>,
    /// The invariants.
    pub list: Vec<RunInvariant>,
}
beeline_ir::wire_struct!(RunInvariants { exprs, list });

impl RunInvariants {
    /// The invariants over the program that the proof belongs to, in their order, or the reason why they are not
    /// well-typed there.
    pub fn over(&self, program: &Program) -> Result<Predicates, String> {
        Predicates::over(program, &self.exprs, &self.roots(), true)
    }

    pub(crate) fn roots(&self) -> Vec<u32> {
        self.list.iter().map(|invariant| invariant.expr).collect()
    }
}

/// A proof by unrolling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunUnrolling {
    /// The contexts that ends name.
    pub contexts: Vec<RunContext>,
    /// The places where the unrolling stops.
    pub ends: Vec<RunEnd>,
    /// The number of places before these.
    pub places: u64,
    /// The functions that executions enter, as far as is known.
    pub entered: Vec<FuncId>,
    /// The loops that are unrolled for some iterations only.
    pub inductions: Vec<RunInduction>,
    /// What holds at the heads of these.
    pub invariants: RunInvariants,
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
            invariants: RunInvariants::default(),
        };
        proof.well_formed().map_err(WireError::new)?;
        Ok(proof)
    }
}

impl RunUnrolling {
    /// Reports a fault of the proof's references to its own parts. What was decoded has no fault.
    pub fn well_formed(&self) -> Result<(), String> {
        exprs_are_well_formed(&self.invariants.exprs, &self.invariants.roots())?;
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
