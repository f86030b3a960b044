//! Path programs: invariants of the loops on an infeasible path.
//!
//! The *path program* of a path consists of the path's blocks, each any number of times and in any order in
//! which they fit together. Where each refinement only unrolls the path once more, predicates that exclude
//! the whole path program put an end to that. The path program is encoded as constrained Horn clauses, with
//! one relation for each place between blocks.

use crate::control::Control;
use crate::control::block::Block;
use crate::control::place::{Place, Slot};
use crate::formula::Executor;
use crate::formula::state::SymState;
use crate::paths::Path;
use crate::refine::{Wanted, add_decoded};
use crate::state::precision::Predicates;
use beeline_ir::{Program, RegionId};
use beeline_smt::decode::Leaves;
use beeline_smt::interpolate::{Arithmetic, Clause, End, invariants};
use beeline_smt::{Constant, Formula, Memory, QueryLimits, Term, Unsupported};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The shape of a path: the start and end of each of its blocks.
pub type Shape = BTreeSet<(Place, Place)>;

/// The shape of a path.
pub fn shape(path: &Path) -> Shape {
    path.blocks.iter().map(|(block, exit)| (block.nodes[0], block.nodes[*exit])).collect()
}

/// The predicates for each end of a block but the last, such that no unwinding of the path's loops reaches
/// the target; `None` if they are not found.
pub fn by_invariants(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    predicates: &mut Predicates,
    arithmetic: Arithmetic,
    limits: &QueryLimits,
    ticks: u64,
) -> Option<Vec<Wanted>> {
    let mut path_program = PathProgram::new(program, control, path).ok()?;
    path_program.find_signatures().ok()?;
    let relations = path_program.relations().ok()?;
    let clauses = path_program.clauses(&relations).ok()?;
    let formulas = invariants(&relations, &clauses, arithmetic, limits, ticks)?;
    let mut wanted = Vec::with_capacity(formulas.len());
    for (formula, signature) in formulas.iter().zip(&path_program.signatures) {
        let leaves = path_program.leaves(signature, predicates).ok()?;
        let mut preds = Vec::new();
        add_decoded(formula, &leaves, predicates, &mut preds);
        wanted.push(Wanted { preds, contradiction: formula.is_constant(false) });
    }
    let cuts = path.blocks.iter().skip(1).map(|(block, _)| path_program.relation_of(block.nodes[0]));
    cuts.map(|relation| relation.map(|index| wanted[index].clone())).collect()
}

/// A parameter of a relation: a variable or region whose content matters at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Parameter {
    Slot(Slot),
    Region(RegionId),
}

/// The epoch at the start of every block except the first one of the program.
const SOMEWHERE: u32 = 1;

/// A transition: a block up to one of its exits.
struct Transition<'a> {
    /// The relation of its start; `None` at the start of the program.
    from: Option<usize>,
    /// The relation of its end; `None` for the target.
    to: Option<usize>,
    executor: Executor<'a>,
    end: SymState,
}

struct PathProgram<'a> {
    program: &'a Program,
    control: &'a dyn Control,
    /// The places between blocks. Each has a relation.
    places: Vec<Place>,
    /// The parameters of each relation.
    signatures: Vec<BTreeSet<Parameter>>,
    transitions: Vec<Transition<'a>>,
}

impl<'a> PathProgram<'a> {
    fn new(
        program: &'a Program,
        control: &'a dyn Control,
        path: &Path,
    ) -> Result<PathProgram<'a>, Unsupported> {
        let mut places: Vec<Place> = path.blocks.iter().skip(1).map(|(block, _)| block.nodes[0]).collect();
        places.sort_unstable();
        places.dedup();
        let signatures = vec![BTreeSet::new(); places.len()];
        let mut made = PathProgram {
            program,
            control,
            places,
            signatures,
            transitions: Vec::with_capacity(path.blocks.len()),
        };
        let mut known = BTreeSet::new();
        for (index, (block, exit)) in path.blocks.iter().enumerate() {
            // The initial values of the program hold at its start only.
            if known.insert((index == 0, block.nodes[0], block.nodes[*exit])) {
                let transition = made.transition(block, *exit, index == 0)?;
                made.transitions.push(transition);
            }
        }
        Ok(made)
    }

    fn relation_of(&self, place: Place) -> Option<usize> {
        self.places.binary_search(&place).ok()
    }

    fn transition(&self, block: &Rc<Block>, exit: usize, first: bool) -> Result<Transition<'a>, Unsupported> {
        let mut executor = Executor::new(self.program, self.control, true);
        let start = if first { executor.start() } else { executor.somewhere(SOMEWHERE) };
        let end = executor.block(block, start, exit)?.state;
        let from = if first { None } else { self.relation_of(block.nodes[0]) };
        Ok(Transition { from, to: self.relation_of(block.nodes[exit]), executor, end })
    }

    /// Computes the parameters of each relation: what a block reads, and what it passes on to its successors.
    fn find_signatures(&mut self) -> Result<(), Unsupported> {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for transition in &mut self.transitions {
                if let Some(to) = transition.to {
                    for &key in &self.signatures[to] {
                        transition.end_content(key)?;
                    }
                }
                if let Some(from) = transition.from {
                    let before = self.signatures[from].len();
                    self.signatures[from].extend(transition.reads());
                    changed |= self.signatures[from].len() > before;
                }
            }
        }
        Ok(())
    }

    /// The constants for the parameters of each relation.
    fn relations(&self) -> Result<Vec<Vec<Constant>>, Unsupported> {
        let contents = |signature: &BTreeSet<Parameter>| self.contents(signature).map(Contents::constants);
        self.signatures.iter().map(contents).collect()
    }

    /// The constants for variables and regions at the start of blocks.
    fn contents(&self, signature: &BTreeSet<Parameter>) -> Result<Contents, Unsupported> {
        let mut executor = Executor::new(self.program, self.control, true);
        let mut state = executor.somewhere(SOMEWHERE);
        let mut contents = Contents::default();
        for &key in signature {
            match key {
                Parameter::Slot(slot) => {
                    contents.terms.push((slot, executor.slot(&mut state, slot)?.term()?))
                }
                Parameter::Region(id) => contents.memories.push((id, executor.flat_region(&mut state, id)?)),
            }
        }
        Ok(contents)
    }

    fn leaves(
        &self,
        signature: &BTreeSet<Parameter>,
        predicates: &mut Predicates,
    ) -> Result<Leaves, Unsupported> {
        let contents = self.contents(signature)?;
        let mut leaves = Leaves::default();
        for (slot, term) in contents.terms {
            leaves.term(term, predicates.slot_expr(self.program, slot));
        }
        for (region, memory) in contents.memories {
            leaves.memory(memory, region, self.program.regions[region].cell);
        }
        Ok(leaves)
    }

    fn clauses(&mut self, relations: &[Vec<Constant>]) -> Result<Vec<Clause>, Unsupported> {
        let mut clauses = Vec::with_capacity(self.transitions.len());
        for transition in &mut self.transitions {
            let mut to = None;
            if let Some(relation) = transition.to {
                let contents = self.signatures[relation].iter().map(|&key| transition.end_content(key));
                to = Some(End { relation, arguments: contents.collect::<Result<_, _>>()? });
            }
            let mut parts = transition.executor.facts.clone();
            parts.push(transition.end.guard.clone());
            let from =
                transition.from.map(|relation| End { relation, arguments: relations[relation].clone() });
            clauses.push(Clause { from: from.into_iter().collect(), formula: Formula::all(parts), to });
        }
        Ok(clauses)
    }
}

impl Transition<'_> {
    /// The content of a variable or region at the end.
    fn end_content(&mut self, key: Parameter) -> Result<Constant, Unsupported> {
        Ok(match key {
            Parameter::Slot(slot) => Constant::Term(self.executor.slot(&mut self.end, slot)?.term()?),
            Parameter::Region(id) => Constant::Memory(self.executor.flat_region(&mut self.end, id)?),
        })
    }

    /// The parameters that may have been read with their content at the start.
    fn reads(&self) -> impl Iterator<Item = Parameter> + '_ {
        let unwritten = self.executor.unwritten.iter().filter(|unwritten| unwritten.activation == 0);
        let regions = self.end.regions.keys().map(Parameter::Region);
        unwritten.map(|unwritten| Parameter::Slot(unwritten.slot)).chain(regions)
    }
}

/// Constants for variables and regions.
#[derive(Default)]
struct Contents {
    terms: Vec<(Slot, Term)>,
    memories: Vec<(RegionId, Memory)>,
}

impl Contents {
    /// All constants. Variables come before regions, as in a signature.
    fn constants(self) -> Vec<Constant> {
        let terms = self.terms.into_iter().map(|(_, term)| Constant::Term(term));
        terms.chain(self.memories.into_iter().map(|(_, memory)| Constant::Memory(memory))).collect()
    }
}
