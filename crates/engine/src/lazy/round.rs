//! Rounds of checks and refinements: exploration goes on after a round of one path, or of many at once.
//!
//! Multi-path refinement after Lukasczyk's provident framework. Exploration goes on past states at targets
//! until enough of them are gathered. Their paths are ranked. What each path teaches is added to the
//! knowledge without changing the graph. Then the graph is cut at the pivots of the selected paths. A round
//! of one path is ordinary refinement.

use super::Search;
use crate::options::{Rank, Select};
use crate::outcome::verdict::Reason;
use crate::paths::Path;
use crate::paths::counterexample::{self, Effort, Feasibility};
use crate::refine::refiner::{Pivot, Refiner};
use crate::search::policy;
use crate::state::arg::NodeId;
use beeline_run::Excess;
use beeline_smt::QueryLimits;
use std::cmp::Reverse;
use std::time::Instant;
use tracing::info;

impl Search<'_, '_> {
    /// Whether enough targets are gathered for a round.
    pub(super) fn has_gathered_enough(&self) -> bool {
        self.gathered.len() >= self.options.targets_per_round
    }

    /// Checks the paths to the gathered states, and refines by the infeasible ones.
    pub(super) fn round(&mut self) {
        let impatient = self.patience_ends.is_some_and(|end| self.meter.used() >= end);
        if impatient && self.return_to_values() {
            return;
        }
        let paths = self.ranked();
        self.space.statistics.paths_checked += paths.len() as u64;
        if self.options.domain.values() && self.refine_values(&paths) {
            return;
        }
        // As long as values alone have excluded all paths, the solver was not needed. Many programs never
        // need it.
        let first = !std::mem::replace(&mut self.space.manner.checks_targets, true);
        if first && !self.space.blocks_end_early && paths.iter().any(|path| !path.blocks.is_empty()) {
            // The solver may show that their predecessors do not lead there.
            for end in paths.iter().map(Path::end) {
                if self.space.arg[end].alive {
                    self.space.remove_subtree(end);
                }
            }
            return;
        }
        let mut infeasible = Vec::new();
        for path in paths {
            // An earlier path of the round may have reached the same target.
            if !self.answers.open().contains(&self.space.arg[path.end()].place.loc) {
                continue;
            }
            match self.check(&path) {
                _ if self.answers.are_complete() => return,
                Feasibility::Feasible(_) | Feasibility::Guessed(..) => {}
                _ if first && self.space.blocks_end_early => return self.enlarge_blocks(),
                // The first state covers no other state, so only this path matters.
                Feasibility::Infeasible if path.blocks.len() == 1 => self.space.arg.drop_leaf(path.end()),
                Feasibility::Infeasible => infeasible.push(path),
                Feasibility::Popped(index) => self.keep_stack(&path, index),
                Feasibility::Undecided(reason) => {
                    if self.skips_or_returns(path.end(), reason) {
                        return;
                    }
                }
            }
        }
        self.space.aim(self.answers.open());
        self.refine(infeasible);
    }

    /// Keeps the topmost call of a state from being popped, because a path might lead through it.
    fn keep_stack(&mut self, path: &Path, popped: usize) {
        let (state, behind) = (path.states[popped], path.states[popped + 1]);
        let stack = self.space.arg[state].place.stack;
        let frame = self.space.control.frame(stack);
        info!(depth = frame.depth, "a call is no longer popped");
        if let Some((_, call)) = frame.caller {
            self.known.precision.keep_stack(call, stack);
        }
        // Another path may have cut this one.
        if self.space.arg[behind].alive {
            self.space.remove_subtree(behind);
        }
    }

    /// Checks the feasibility of a path, and records the answer for its target.
    fn check(&mut self, path: &Path) -> Feasibility {
        let start = Instant::now();
        let control = &*self.space.control;
        let bounded = self.limits_of(Excess::PathTicks);
        let most_terms = self.most(Excess::FormulaSize);
        let limits = bounded.as_ref().map_or(&self.limits, |(limits, _)| limits);
        let mut feasibility =
            counterexample::check(self.space.program, control, path, Effort { limits, most_terms });
        self.space.statistics.path_time += start.elapsed();
        if let Some((limits, reason)) = bounded {
            self.space.statistics.add_queries(&limits);
            if limits.is_over() && matches!(feasibility, Feasibility::Undecided(_)) {
                feasibility = Feasibility::Undecided(reason);
            }
        }
        match &feasibility {
            Feasibility::Feasible(counterexample) => {
                let target = self.space.program.label(counterexample.target);
                info!(%target, "a target is reached");
                self.space.monitor.find(counterexample);
                self.answers.reached(counterexample.clone());
            }
            Feasibility::Guessed(reason, counterexample) => {
                info!(%reason, "a counterexample depends on a guess");
                self.answers.guessed(reason.clone(), counterexample.clone());
            }
            Feasibility::Popped(_) | Feasibility::Infeasible | Feasibility::Undecided(_) => {}
        }
        feasibility
    }

    /// The paths to gathered states at open targets, ordered by rank.
    fn ranked(&mut self) -> Vec<Path> {
        let mut paths = Vec::new();
        for id in std::mem::take(&mut self.gathered) {
            let node = &self.space.arg[id];
            if node.alive && self.answers.open().contains(&node.place.loc) {
                let path = self.space.path_to(id);
                paths.push(self.space.within_values(path, &self.known));
            }
        }
        match self.options.rank {
            Rank::None => {}
            Rank::Shallow => paths.sort_by_key(|path| path.blocks.len()),
            Rank::Deep => paths.sort_by_key(|path| Reverse(path.blocks.len())),
        }
        paths
    }

    /// How many of the paths are selected.
    fn selected(&self, paths: usize) -> usize {
        match self.options.select {
            Select::First(number) => number.min(paths),
            Select::All => paths,
        }
    }

    /// Tracks more values so that the selected paths are excluded, or the next ones if values do not exclude
    /// these.
    fn refine_values(&mut self, paths: &[Path]) -> bool {
        let start = Instant::now();
        let number = self.selected(paths.len()).max(1);
        let Search { space, meter, limits, known, values, .. } = self;
        let refined = paths.chunks(number).take(policy::VALUE_TRIES).any(|paths| {
            let refined = values.refine(paths, &space.evidence(limits, meter, None), known);
            refined.into_iter().any(|pivot| pivot.is_some())
        });
        self.space.statistics.value_time += start.elapsed();
        if refined {
            self.space.statistics.value_refinements += 1;
            self.begin_anew();
        }
        refined
    }

    /// Refines by the selected infeasible paths. The others wait for the next round.
    fn refine(&mut self, mut paths: Vec<Path>) {
        let later = paths.split_off(self.selected(paths.len()));
        if paths.is_empty() {
            return;
        }
        self.gathered.extend(later.iter().map(Path::end));
        if !self.options.domain.predicates() {
            for path in paths {
                self.unresolved.push((path.end(), Reason::NoProgress));
            }
            return;
        }
        let start = Instant::now();
        let bounded = self.limits_of(Excess::RefinementTicks);
        let Search { space, meter, limits, known, predicates, .. } = self;
        let limits = bounded.as_ref().map_or(&*limits, |(limits, _)| limits);
        let banned = !known.precision.banned.is_empty();
        let evidence = space.evidence(limits, meter, banned.then_some(self.trust.patience));
        let pivots = predicates.refine(&paths, &evidence, known);
        self.space.statistics.predicate_time += start.elapsed();
        if let Some((limits, _)) = &bounded {
            self.space.statistics.add_queries(limits);
        }
        let refined = pivots.iter().any(|pivot| pivot.is_some());
        self.space.statistics.predicate_refinements += u64::from(refined);
        for (path, pivot) in paths.iter().zip(pivots) {
            info!(
                blocks = path.blocks.len(),
                ?pivot,
                predicates = self.known.predicates.len(),
                ticks = self.meter.used(),
                "a path is infeasible: predicates"
            );
            match pivot {
                Some(Pivot::Start) => return self.begin_anew(),
                // Another path may have cut this one.
                Some(Pivot::State(index)) if self.space.arg[path.states[index]].alive => {
                    self.space.remove_subtree(path.states[index]);
                }
                Some(Pivot::State(_)) => {}
                None => {
                    let reason = self.why_not_excluded(bounded.as_ref());
                    if self.skips_or_returns(path.end(), reason) {
                        return;
                    }
                }
            }
        }
    }

    /// Why no predicates exclude a path, where a monitor may have limited the refinement.
    fn why_not_excluded(&self, bounded: Option<&(QueryLimits, Reason)>) -> Reason {
        match bounded {
            Some((limits, reason)) if limits.is_over() => reason.clone(),
            _ if self.predicates.found_some => Reason::NoProgress,
            _ => Reason::NoPredicates,
        }
    }

    /// Handles a path that was not decided: returns to values that are no longer tracked, if there are some;
    /// otherwise leaves the state without an answer. Returns whether the search restarted.
    fn skips_or_returns(&mut self, id: NodeId, reason: Reason) -> bool {
        let returned = self.return_to_values();
        if !returned {
            self.unresolved.push((id, reason));
        }
        returned
    }
}
