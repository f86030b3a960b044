//! Predicates that exclude an abstract path, from one single path after the other.
//!
//! A block may have many paths, and one formula for all of them may be too large to interpolate. So each
//! block may start and end in any state that the abstract states at its ends allow, and the solver finds one
//! path through each block. Together these form a path without branches, whose contradiction is small. The
//! predicates that exclude it are then asserted to agree on both sides of each end of a block, so that the
//! solver finds another path, until there is none.
//!
//! Predicates come from the path's own conditions first (Newton refinement), then from interpolants: what a condition
//! says at an earlier point holds in all iterations of a loop more often than an interpolant.

use crate::control::block::{Block, BlockEdge};
use crate::formula::Executor;
use crate::formula::state::{Executed, SymState};
use crate::paths::Path;
use crate::paths::counterexample::edges_taken;
use crate::refine::refiner::Evidence;
use crate::refine::{Effort, Wanted, by_predicates, newton};
use crate::state::abstraction::{equalities, formula, insert_values, instance};
use crate::state::precision::{Precision, PredId, Predicates};
use beeline_smt::interpolate::Arithmetic;
use beeline_smt::{Answer, Model, Query, TICKS_PER_SECOND, Unsupported};
use std::rc::Rc;
use tracing::debug;

/// The greatest number of single paths to exclude, and of ticks to spend on that.
const MOST_PATHS: usize = 64;
const MOST_TICKS: u64 = 8 * TICKS_PER_SECOND;

/// The effort for interpolants of one of these paths.
const EFFORT: Effort = Effort { ticks: TICKS_PER_SECOND / 15, slice: true };

/// Predicates of single paths.
pub(crate) struct Found {
    /// What has to be known at each end of a block but the last.
    pub wanted: Vec<Wanted>,
    /// Whether that leaves no path through the blocks.
    pub is_excluded: bool,
}

/// Predicates that exclude an abstract path, or some of the paths through its blocks; `None` if none are found.
pub(crate) fn by_single_paths(
    evidence: &Evidence<'_>,
    path: &Path,
    (predicates, precision): (&mut Predicates, &Precision),
    arithmetics: &[Arithmetic],
) -> Option<Found> {
    let mut is_excluded = false;
    let until = evidence.meter.used().saturating_add(MOST_TICKS);
    let mut excluding = Excluding::new(evidence, path, predicates).ok()?;
    let query = Query::new(evidence.limits);
    excluding.formulas(&query, predicates).ok()?;
    for round in 0..MOST_PATHS {
        let model = match query.check() {
            Answer::Sat(model) => model,
            Answer::Unsat => {
                is_excluded = true;
                break;
            }
            Answer::Unknown(reason) => {
                debug!(round, %reason, "single paths: the solver gives no answer");
                break;
            }
        };
        let Some(single) = excluding.path_of(&model) else { break };
        let Evidence { program, control, limits, .. } = *evidence;
        let found = newton::by_core(program, control, &single, predicates, limits);
        let mut new = found.is_some_and(|found| excluding.add(&found, precision));
        if !new {
            new = arithmetics.iter().any(|&arithmetic| {
                let found = by_predicates(program, control, &single, predicates, arithmetic, limits, EFFORT);
                found.is_some_and(|found| excluding.add(&found, precision))
            });
        }
        let goes_on = new && evidence.meter.used() < until;
        if !goes_on || excluding.link(&query, predicates).is_err() {
            break;
        }
    }
    let wanted = excluding.wanted;
    let count: usize = wanted.iter().map(|wanted| wanted.preds.len()).sum();
    debug!(count, is_excluded, "predicates of single paths");
    (count > 0).then_some(Found { wanted, is_excluded })
}

/// Whether several edges leave a node of a block of the path.
pub(crate) fn has_branches(path: &Path) -> bool {
    path.blocks.iter().any(|(block, _)| block.edges.windows(2).any(|pair| pair[0].src == pair[1].src))
}

/// An abstract path while it is excluded.
struct Excluding<'a, 'e> {
    evidence: &'a Evidence<'e>,
    path: &'a Path,
    executor: Executor<'a>,
    /// The blocks, each executed from a start of its own.
    executed: Vec<Executed>,
    /// The states at the starts and ends of blocks.
    starts: Vec<SymState>,
    ends: Vec<SymState>,
    /// For the start of each block, the formula of its abstract state.
    known: Vec<beeline_smt::Formula>,
    /// The predicates found for each end of a block but the last.
    wanted: Vec<Wanted>,
    /// The predicates at ends of blocks that are not linked yet.
    unlinked: Vec<(usize, PredId)>,
    /// How many facts of the executor are already asserted.
    facts: usize,
}

impl<'a, 'e> Excluding<'a, 'e> {
    /// Executes each block from the abstract state at its start.
    fn new(
        evidence: &'a Evidence<'e>,
        path: &'a Path,
        predicates: &Predicates,
    ) -> Result<Excluding<'a, 'e>, Unsupported> {
        let mut executor = Executor::new(evidence.program, evidence.control, true);
        let (mut executed, mut starts, mut ends, mut known) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (index, (block, exit)) in path.blocks.iter().enumerate() {
            if evidence.limits.is_over() {
                return Err(Unsupported("so long a path in the time that is left".into()));
            }
            let node = &evidence.arg[path.states[index]];
            let mut start = if index == 0 { executor.start() } else { executor.somewhere(index as u32) };
            if index > 0 {
                insert_values(&mut executor, &mut start, evidence.pool.get(node.values))?;
            }
            known.push(formula(&mut executor, &mut start, predicates, evidence.bdds, node.formula)?);
            let done = executor.block(block, start.clone(), *exit)?;
            starts.push(start);
            ends.push(done.state.clone());
            executed.push(done);
        }
        let nothing = Wanted { preds: Vec::new(), contradiction: false };
        let wanted = vec![nothing; path.blocks.len().saturating_sub(1)];
        let unlinked = Vec::new();
        Ok(Excluding { evidence, path, executor, executed, starts, ends, known, wanted, unlinked, facts: 0 })
    }

    /// Asserts that each block leads from its abstract state to the next one.
    fn formulas(&mut self, query: &Query<'_>, predicates: &Predicates) -> Result<(), Unsupported> {
        for index in 0..self.ends.len() {
            let node = &self.evidence.arg[self.path.states[index + 1]];
            let end = &mut self.ends[index];
            query.assert(&self.known[index]);
            query.assert(&end.guard);
            query.assert(&equalities(&mut self.executor, end, self.evidence.pool.get(node.values))?);
            query.assert(&formula(&mut self.executor, end, predicates, self.evidence.bdds, node.formula)?);
        }
        self.assert_facts(query);
        Ok(())
    }

    fn assert_facts(&mut self, query: &Query<'_>) {
        self.executor.facts[self.facts..].iter().for_each(|fact| query.assert(fact));
        self.facts = self.executor.facts.len();
    }

    /// The path without branches that a model describes.
    fn path_of(&self, model: &Model) -> Option<Path> {
        let linear = |((block, exit), done): (&(Rc<Block>, usize), &Executed)| {
            let taken = edges_taken(block, *exit, done, model)?;
            let steps = taken.iter().map(|&edge| block.edges[edge]);
            let nodes =
                std::iter::once(block.nodes[0]).chain(steps.clone().map(|edge| block.nodes[edge.dst]));
            let edges = steps.enumerate().map(|(src, edge)| BlockEdge { src, dst: src + 1, step: edge.step });
            let exit = taken.len();
            let block = Block {
                nodes: nodes.collect(),
                edges: edges.collect(),
                exits: vec![exit],
                ends_early: false,
            };
            Some((Rc::new(block), exit))
        };
        let blocks = self.path.blocks.iter().zip(&self.executed).map(linear).collect::<Option<_>>()?;
        Some(Path { blocks, shortcut: None, ..self.path.clone() })
    }

    /// Adds predicates for the end of a block to all ends that share their predicates. Returns whether one of
    /// them was new.
    fn add(&mut self, found: &[Wanted], precision: &Precision) -> bool {
        let Evidence { program, arg, .. } = *self.evidence;
        let locs: Vec<_> = self.path.states[1..].iter().map(|&state| arg[state].place.loc).collect();
        let before = self.unlinked.len();
        for (index, wanted) in found.iter().enumerate() {
            for (other, kept) in self.wanted.iter_mut().enumerate() {
                if !precision.alike(program, locs[index], locs[other]) {
                    continue;
                }
                for &pred in &wanted.preds {
                    if !kept.preds.contains(&pred) {
                        kept.preds.push(pred);
                        self.unlinked.push((other, pred));
                    }
                }
            }
        }
        self.unlinked.len() > before
    }

    /// Asserts that each new predicate has the same truth value at the end of a block and at the start of the
    /// next one.
    fn link(&mut self, query: &Query<'_>, predicates: &Predicates) -> Result<(), Unsupported> {
        for (index, pred) in std::mem::take(&mut self.unlinked) {
            let end = instance(&mut self.executor, &mut self.ends[index], predicates, pred)?;
            let start = instance(&mut self.executor, &mut self.starts[index + 1], predicates, pred)?;
            query.assert(&end.same(&start));
        }
        self.assert_facts(query);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::control::block::{BlockOperator, CutPoints};
    use crate::control::call_strings::CallStrings;
    use crate::control::place::Place;
    use crate::state::arg::{Arg, Node, NodeIds};
    use crate::state::bdd::{Bdd, Bdds};
    use crate::state::precision::Scope;
    use crate::values::{Values, ValuesId, ValuesPool};
    use beeline_ir::Op;
    use beeline_smt::{Meter, QueryLimits};

    /// Two blocks with two paths each, of which no two fit together.
    const PROGRAM: &str = "beeline 1.0
fn main() {
  var hit: i32
  var x: i32
  first: hit := input \"hit\"
  if hit == 0 goto a else b
  a: x := 1 goto middle
  b: x := 2
  middle: skip
  if hit == 0 goto c else d
  c: if x == 1 goto done else bad
  d: if x == 1 goto bad else done
  bad: target \"bad\"
  done: exit
}
";

    /// A state of which nothing is known.
    fn state(place: Place, values: ValuesId) -> Node {
        Node {
            place,
            partition: place,
            values,
            formula: Bdd::TRUE,
            parent: None,
            children: NodeIds::new(),
            covered_by: None,
            top: None,
            covers: NodeIds::new(),
            expanded: false,
            alive: true,
            version: 0,
            passed: 0,
        }
    }

    #[test]
    fn predicates_of_single_paths_exclude_all_paths_through_the_blocks() {
        let program = beeline_ir::text::parse(PROGRAM).unwrap_or_else(|faults| panic!("{faults:?}"));
        let mut control = CallStrings::new(&program);
        let start = control.start(&program);
        let target = program.targets[0].loc;
        let skip = program.edges.values().find(|edge| matches!(edge.op, Op::Skip)).expect("there is one");
        let mut cut_points = CutPoints::new(&program, BlockOperator::LoopHeads, [target]);
        cut_points.cut_at([skip.src]);
        let (mut arg, mut pool, bdds) = (Arg::default(), ValuesPool::default(), Bdds::default());
        let values = pool.intern(Values::default());
        let path = Path::through(&program, &mut control, &cut_points, &[skip.src, target]);
        let ends = path.blocks.iter().map(|(block, exit)| block.nodes[*exit]);
        let states = std::iter::once(start).chain(ends).map(|place| arg.add(state(place, values)));
        let path = Path { states: states.collect(), ..path.clone() };
        let meter = Rc::new(Meter::default());
        let limits = QueryLimits::of(10 * TICKS_PER_SECOND, Rc::clone(&meter));
        let evidence = Evidence {
            program: &program,
            control: &control,
            arg: &arg,
            pool: &pool,
            bdds: &bdds,
            limits: &limits,
            meter: &meter,
            patience: None,
        };
        let mut predicates = Predicates::default();
        let precision = Precision::new(Scope::Location);
        let known = (&mut predicates, &precision);
        assert!(has_branches(&path));
        let found = by_single_paths(&evidence, &path, known, &[Arithmetic::BitVectors]);
        let found = found.expect("there are predicates");
        assert!(found.is_excluded);
        assert!(found.wanted[0].preds.len() >= 2, "{:?}", found.wanted);
    }
}
