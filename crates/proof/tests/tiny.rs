//! Proofs of tiny programs, for which it is known which changes are faults: the faults are found, and no
//! other change is refused.
//!
//! `mutants.rs` has larger programs, and finds faults by random executions.

mod support {
    pub(crate) mod exhaustive;
}

use beeline_engine::{BlockOperator, Distances, Domain, Metric, Monitor, PredicateSource, verify};
use beeline_ir::text::parse;
use beeline_ir::{Program, Value};
use beeline_proof::{Options, Outcome, check_graph as check};
use beeline_run::{RunFormula, RunKey, RunNode, RunProof};
use std::collections::BTreeMap;
use support::exhaustive::{Exhaustive, values_of};

/// Safe programs of few bits. Their loops have several paths back to the head, so that states get covered.
const PROGRAMS: [(&str, &str); 4] = [
    ("two counters", include_str!("../../../tests/file/proof/tiny-two-counters.cfa")),
    ("a lock", include_str!("../../../tests/file/proof/tiny-lock.cfa")),
    ("three modes", include_str!("../../../tests/file/proof/tiny-three-modes.cfa")),
    ("one loop after the other", include_str!("../../../tests/file/proof/tiny-one-loop-after-the-other.cfa")),
];

fn proof_of(program: &Program, domain: Domain, blocks: BlockOperator) -> Option<RunProof> {
    let options = beeline_engine::Options {
        domain,
        blocks,
        // Invariants make proofs so short that few changes are possible. Interpolants also differ from run to
        // run.
        refiner: PredicateSource::Interpolants,
        ticks: Some(15_000_000),
        query_ticks: 3_000_000,
        ..beeline_engine::Options::default()
    };
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    let (verdict, statistics) = verify(program, &options, &mut distances, &Monitor::default());
    beeline_engine::outcome::run::record(program, &verdict, &statistics).graph().cloned()
}

/// A changed proof with the kind of its change.
type Mutant = (&'static str, RunProof);

/// A proof and its parts, for changes.
struct Original<'a> {
    program: &'a Program,
    exhaustive: &'a Exhaustive<'a>,
    proof: &'a RunProof,
}

impl Original<'_> {
    fn with(&self, change: impl FnOnce(&mut RunProof)) -> RunProof {
        let mut proof = self.proof.clone();
        change(&mut proof);
        proof
    }

    /// The states that matter, without the first one.
    fn states(&self) -> impl Iterator<Item = usize> {
        let states = self.proof.states.iter().enumerate().skip(1);
        states.filter(|(_, state)| self.exhaustive.matters(state.loc)).map(|(index, _)| index)
    }

    /// The covered states with those that cover them.
    fn covered(&self) -> impl Iterator<Item = (usize, usize)> {
        self.states().filter_map(|index| Some((index, self.proof.states[index].covered_by? as usize)))
    }

    fn are_together(&self, a: usize, b: usize) -> bool {
        self.proof.states[a].loc == self.proof.states[b].loc
    }

    fn is_covered(&self, index: usize) -> bool {
        self.proof.states[index].covered_by.is_some()
    }

    /// The proof with a state covered by another one.
    fn cover(&self, index: usize, covering: usize) -> RunProof {
        self.with(|proof| {
            proof.states[index].covered_by = Some(covering as u32);
            proof.states[index].children.clear();
        })
    }

    fn coverings(&self) -> Vec<Mutant> {
        let mut mutants = Vec::new();
        for (index, covering) in self.covered() {
            for other in self.states().filter(|&other| other != covering && other != index) {
                let kind = match (self.are_together(index, other), self.is_covered(other)) {
                    (true, false) => "by another at the place",
                    (true, true) => "by a covered one",
                    (false, _) => "by one elsewhere",
                };
                mutants.push((kind, self.cover(index, other)));
            }
            mutants.push(("by itself", self.cover(index, index)));
            mutants.push(("by the first", self.cover(index, 0)));
            let mut circle = self.cover(covering, index);
            mutants.push(("in a circle", circle.clone()));
            circle.states[covering].children = self.proof.states[covering].children.clone();
            mutants.push(("in a circle, with children", circle));
            let left = self.with(|proof| proof.states[index].covered_by = None);
            mutants.push(("neither covered nor expanded", left));
            let expanded = self.with(|proof| {
                proof.states[index].covered_by = None;
                proof.states[index].children = proof.states[covering].children.clone();
            });
            mutants.push(("expanded like the one that covers it", expanded));
        }
        for index in self.states().filter(|&index| !self.is_covered(index)) {
            let others = self.states().filter(|&other| other != index && self.are_together(index, other));
            mutants.extend(others.map(|other| ("expanded one covered", self.cover(index, other))));
        }
        mutants
    }

    fn values(&self) -> Vec<Mutant> {
        let mut mutants = Vec::new();
        for index in self.states() {
            let values = &self.proof.states[index].values;
            for (at, (_, known)) in values.iter().enumerate() {
                let dropped = self.with(|proof| drop(proof.states[index].values.remove(at)));
                mutants.push(("value dropped", dropped));
                let ty = known.as_ref().expect("it is a variable").ty();
                for value in values_of(ty).filter(|value| Some(value) != known.as_ref()) {
                    let changed = self.with(|proof| proof.states[index].values[at].1 = Some(value));
                    mutants.push(("value changed", changed));
                }
            }
            for (id, var) in self.program.vars.iter() {
                let key = RunKey::Var(id, 0);
                let Err(at) = values.binary_search_by_key(&key, |(key, _)| *key) else { continue };
                let added = |value: Value| {
                    let proof = self.with(|proof| proof.states[index].values.insert(at, (key, Some(value))));
                    ("value added", proof)
                };
                mutants.extend(values_of(var.ty).map(added));
            }
            for other in self.states().filter(|&other| other > index) {
                let swapped = self.with(|proof| {
                    let values = proof.states[index].values.clone();
                    proof.states[index].values = proof.states[other].values.clone();
                    proof.states[other].values = values;
                });
                mutants.push(("values swapped", swapped));
            }
        }
        mutants
    }

    fn predicates(&self) -> Vec<Mutant> {
        let mut mutants = Vec::new();
        for index in self.states() {
            let formula = self.proof.states[index].formula;
            let becomes = |formula: RunFormula| self.with(|proof| proof.states[index].formula = formula);
            mutants.push(("no conjunct left", becomes(RunFormula::TRUE)));
            mutants.push(("made empty", becomes(RunFormula::FALSE)));
            for other in self.states().filter(|&other| self.proof.states[other].formula != formula) {
                let others = self.proof.states[other].formula;
                mutants.push(("formula of another", becomes(others)));
                let wider = self.with(|proof| {
                    let wider = rebuilt(proof, formula, &mut |_, node| node, others);
                    proof.states[index].formula = wider;
                });
                mutants.push(("made wider by another", wider));
                let swapped = self.with(|proof| {
                    proof.states[index].formula = others;
                    proof.states[other].formula = formula;
                });
                mutants.push(("formulas swapped", swapped));
            }
            for changed in nodes_of(self.proof, formula) {
                let mut with = |kind: &'static str, change: fn(RunNode) -> RunNode| {
                    let mut change =
                        |index: u32, node: RunNode| if index == changed { change(node) } else { node };
                    let mutant = self.with(|proof| {
                        let formula = rebuilt(proof, formula, &mut change, RunFormula::FALSE);
                        proof.states[index].formula = formula;
                    });
                    mutants.push((kind, mutant));
                };
                with("literal dropped", |node| {
                    let rest = if node.no == RunFormula::FALSE { node.yes } else { node.no };
                    RunNode { no: rest, yes: rest, ..node }
                });
                with("literal negated", |node| RunNode { no: node.yes, yes: node.no, ..node });
            }
        }
        mutants
    }

    fn structure(&self) -> Vec<Mutant> {
        let mut mutants = Vec::new();
        for index in 0..self.proof.states.len() {
            for child in 0..self.proof.states[index].children.len() {
                let removed = self.with(|proof| _ = proof.states[index].children.remove(child));
                mutants.push(("edge removed", removed));
                for other in self.states() {
                    let led = self.with(|proof| proof.states[index].children[child] = other as u32);
                    mutants.push(("edge led elsewhere", led));
                }
            }
        }
        for index in self.states() {
            mutants.push(("state removed", self.with(|proof| remove(proof, index as u32))));
            for other in self.states().filter(|&other| other > index) {
                let swapped = self.with(|proof| proof.states.swap(index, other));
                mutants.push(("states swapped", swapped));
            }
        }
        mutants
    }
}

/// The nodes of a formula.
fn nodes_of(proof: &RunProof, formula: RunFormula) -> Vec<u32> {
    let mut nodes = Vec::new();
    let mut work: Vec<u32> = formula.node().into_iter().collect();
    while let Some(node) = work.pop() {
        if !nodes.contains(&node) {
            nodes.push(node);
            let node = proof.nodes[node as usize];
            work.extend([node.no, node.yes].into_iter().filter_map(RunFormula::node));
        }
    }
    nodes
}

/// A copy of a formula with changed nodes, and with another formula where it was false.
fn rebuilt(
    proof: &mut RunProof,
    formula: RunFormula,
    change: &mut dyn FnMut(u32, RunNode) -> RunNode,
    otherwise: RunFormula,
) -> RunFormula {
    let Some(index) = formula.node() else {
        return if formula == RunFormula::FALSE { otherwise } else { formula };
    };
    let node = change(index, proof.nodes[index as usize]);
    let no = rebuilt(proof, node.no, change, otherwise);
    let yes = rebuilt(proof, node.yes, change, otherwise);
    proof.nodes.push(RunNode { no, yes, ..node });
    RunFormula::of_node(proof.nodes.len() as u32 - 1)
}

/// Removes a state with all edges to it.
fn remove(proof: &mut RunProof, index: u32) {
    proof.states.remove(index as usize);
    for state in &mut proof.states {
        state.children.retain(|&child| child != index);
        state.covered_by = state.covered_by.filter(|&covering| covering != index);
        let later = state.children.iter_mut().chain(&mut state.covered_by);
        later.for_each(|other| *other -= u32::from(*other > index));
    }
}

/// What holds after the branches on inputs has to be learned from their conditions.
const BRANCHES: (&str, &str) = ("branches", include_str!("../../../tests/file/proof/tiny-branches.cfa"));

/// The greatest number of changes of a kind that are tried on one proof.
const TRIED: usize = 4;

/// A kind of change, with the least number of faults and of harmless changes.
type Expected = (&'static str, u32, u32);

/// Checks proofs and their changes, and that there are enough of each kind.
fn every_fault_is_caught(
    programs: &[(&str, &str)],
    tried: usize,
    changes: impl Fn(&Original<'_>) -> Vec<Mutant>,
    expected: &[Expected],
) {
    let options = Options { query_ticks: 15_000_000, ..Options::default() };
    let mut tally = BTreeMap::<&str, [u32; 2]>::new();
    for (name, text) in programs {
        let program = parse(text).expect("the text is a program");
        let exhaustive = Exhaustive::new(&program);
        for (domain, blocks) in [
            (Domain::Values, BlockOperator::LoopHeads),
            (Domain::Values, BlockOperator::Single),
            (Domain::Predicates, BlockOperator::LoopHeads),
            (Domain::Predicates, BlockOperator::Single),
        ] {
            let what = format!("{name}, {domain:?}, {blocks:?}");
            let Some(proof) = proof_of(&program, domain, blocks) else { continue };
            assert_eq!(check(&program, &proof, &options).outcome, Outcome::Valid, "{what}");
            assert!(exhaustive.valid(&proof), "{what}");
            let original = Original { program: &program, exhaustive: &exhaustive, proof: &proof };
            let mut by_kind = BTreeMap::<&str, Vec<RunProof>>::new();
            for (kind, mutant) in changes(&original).into_iter().filter(|(_, mutant)| *mutant != proof) {
                by_kind.entry(kind).or_default().push(mutant);
            }
            for (kind, mutants) in by_kind {
                for mutant in mutants.iter().step_by(mutants.len().div_ceil(tried)) {
                    let harmless = exhaustive.valid(mutant);
                    match check(&program, mutant, &options).outcome {
                        Outcome::Valid => assert!(harmless, "{what}: {kind} is not caught: {mutant:#?}"),
                        Outcome::Invalid(fault) => {
                            assert!(!harmless, "{what}: {kind} is harmless: {fault:?}");
                        }
                        Outcome::Unchecked(why) => panic!("{what}: {kind} is not decided: {why}"),
                    }
                    tally.entry(kind).or_default()[usize::from(harmless)] += 1;
                }
            }
        }
    }
    eprintln!("faults caught, and harmless changes: {tally:#?}");
    for &(kind, faults, harmless) in expected {
        let [caught, passed] = tally.remove(kind).unwrap_or_default();
        assert!(caught >= faults && passed >= harmless, "{kind}: {caught} faults and {passed} harmless");
    }
    assert!(tally.is_empty(), "nothing is expected of {tally:?}");
}

#[test]
fn faults_of_coverings() {
    every_fault_is_caught(
        &PROGRAMS,
        TRIED,
        |original| original.coverings(),
        &[
            ("by another at the place", 15, 1),
            ("by a covered one", 10, 0),
            ("by one elsewhere", 25, 0),
            ("by itself", 15, 0),
            ("by the first", 15, 0),
            ("in a circle", 15, 0),
            ("in a circle, with children", 15, 0),
            ("neither covered nor expanded", 15, 0),
            ("expanded like the one that covers it", 0, 15),
            ("expanded one covered", 30, 1),
        ],
    );
}

#[test]
fn faults_of_values() {
    every_fault_is_caught(
        &PROGRAMS,
        TRIED,
        |original| original.values(),
        &[
            ("value dropped", 15, 0),
            ("value changed", 20, 0),
            ("value added", 40, 5),
            ("values swapped", 20, 0),
        ],
    );
}

#[test]
fn faults_of_predicates() {
    every_fault_is_caught(
        &PROGRAMS,
        // Proofs differ from run to run. With twice as many changes there are enough of each kind in all of
        // them.
        2 * TRIED,
        |original| original.predicates(),
        &[
            ("no conjunct left", 18, 0),
            ("made empty", 30, 0),
            ("formula of another", 15, 2),
            ("made wider by another", 12, 5),
            ("formulas swapped", 18, 0),
            ("literal dropped", 8, 10),
            ("literal negated", 20, 0),
        ],
    );
}

#[test]
fn faults_of_structure() {
    every_fault_is_caught(
        &PROGRAMS,
        TRIED,
        |original| original.structure(),
        &[
            ("edge removed", 30, 1),
            ("edge led elsewhere", 30, 5),
            ("state removed", 30, 0),
            ("states swapped", 30, 0),
        ],
    );
}

#[test]
fn faults_of_conditions_of_branches() {
    every_fault_is_caught(
        &[BRANCHES],
        usize::MAX,
        |original| original.values(),
        &[
            ("value added", 150, 20),
            ("value changed", 25, 20),
            ("value dropped", 15, 10),
            ("values swapped", 150, 10),
        ],
    );
}
