//! The check of a graph, one state at a time.

use crate::block::{Block, Ends, NoBlock};
use crate::contexts::{Contexts, borders};
use crate::describe::Descriptions;
use crate::execute::{Account, Depth, Executor, Popping, Tracked, Undone, Unlisted};
use crate::frame::Frames;
use crate::judge::Judge;
use crate::outcome::{Fault, Outcome};
use crate::place::{Place, Stacks};
use crate::reach::Reach;
use crate::state::State;
use crate::truth::Truth;
use beeline_ir::{LocId, Program};
use beeline_run::parts::Remaining;
use beeline_run::{RunAfter, RunCuts, RunKey, RunProof, RunSummaries};
use beeline_smt::{Answer, Formula, Query, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The greatest number of places of the block of a state.
pub(crate) const MOST_PLACES: usize = 100_000;

/// A graph, and the claim about it.
pub(crate) struct Claim<'a> {
    /// The graph.
    pub graph: &'a RunProof,
    /// Its open states.
    pub open: FxHashSet<u32>,
    /// The residual conditions that it relies on, the first one first.
    pub rests: Vec<Remaining<'a>>,
    /// What it says of these residual conditions.
    pub after: Option<&'a RunAfter>,
    /// Whether it is a residual condition. The labels of a residual condition depend on whole stacks, so no
    /// call is popped in it.
    pub is_rest: bool,
}

impl<'a> Claim<'a> {
    /// The claim of a graph on its own: a proof.
    pub(crate) fn of(graph: &'a RunProof) -> Claim<'a> {
        Claim { graph, open: FxHashSet::default(), rests: Vec::new(), after: None, is_rest: false }
    }
}

/// The reason why the check of a state ends early.
pub(crate) enum Stop {
    Fault(Box<Fault>),
    Unchecked(String),
}

impl From<Unsupported> for Stop {
    fn from(error: Unsupported) -> Stop {
        Stop::Unchecked(error.to_string())
    }
}

impl From<Undone> for Stop {
    fn from(error: Undone) -> Stop {
        Stop::Unchecked(error.to_string())
    }
}

fn undecided() -> Stop {
    Stop::Unchecked("the known values do not decide".into())
}

/// A checker of the states of a proof.
pub(crate) struct Checker<'a> {
    /// The program.
    pub program: &'a Program,
    /// Who decides what is left to decide.
    pub judge: &'a Judge,
    /// The descriptions of the states.
    pub descriptions: Descriptions<'a>,
    /// The call stacks of places.
    pub stacks: Stacks,
    /// The places of the states.
    pub places: Vec<Place>,
    /// The reachability of targets.
    pub reach: Reach,
    /// The contexts, if functions are described on their own.
    pub contexts: Option<Contexts<'a>>,
    targets: FxHashSet<LocId>,
    /// What calls may write, computed on the first use.
    frames: OnceCell<Frames>,
    /// The open states: nothing is claimed of them.
    open: FxHashSet<u32>,
    /// Whether the states of the graph are about whole stacks.
    pub of_whole_stacks: bool,
    /// Cut points; `None` if every location is one.
    cuts: Option<FxHashSet<LocId>>,
    tracked: Tracked,
    blocks: FxHashMap<(Place, Vec<Place>), Rc<Block>>,
    /// The account of the result, if it is checked as well.
    account: Option<&'a Account>,
}

impl<'a> Checker<'a> {
    /// A checker of a graph whose form is right, or what is wrong with it.
    pub(crate) fn of_graph(
        program: &'a Program,
        claim: &Claim<'a>,
        targets: &BTreeSet<LocId>,
        judge: &'a Judge,
    ) -> Result<Checker<'a>, String> {
        claim.graph.well_formed()?;
        let mut stacks = Stacks::after_rests(program, &claim.rests)?;
        let places = stacks.places(program, claim.graph, claim.after)?;
        let checker = Checker::new(program, claim.graph, (stacks, places), targets, judge)?;
        let of_whole_stacks = claim.is_rest || !claim.rests.is_empty();
        Ok(Checker { open: claim.open.clone(), of_whole_stacks, ..checker })
    }

    /// A checker of summaries whose form is right, or what is wrong with them.
    pub(crate) fn of_summaries(
        program: &'a Program,
        proof: &'a RunSummaries,
        targets: &BTreeSet<LocId>,
        judge: &'a Judge,
    ) -> Result<Checker<'a>, String> {
        proof.well_formed()?;
        let (stacks, met) = Stacks::of_contexts(program, proof)?;
        let places = stacks.plain_places(program, &proof.graph, &met)?;
        let checker = Checker::new(program, &proof.graph, (stacks, places), targets, judge)?;
        let cuts = checker.cuts.map(|cuts| cuts.into_iter().chain(borders(program)).collect());
        Ok(Checker { cuts, contexts: Some(Contexts::new(program, proof)?), ..checker })
    }

    /// The same checker, which also checks an account.
    pub(crate) fn accounting(self, account: Option<&'a Account>) -> Checker<'a> {
        Checker { account, ..self }
    }

    fn new(
        program: &'a Program,
        proof: &'a RunProof,
        (mut stacks, places): (Stacks, Vec<Place>),
        targets: &BTreeSet<LocId>,
        judge: &'a Judge,
    ) -> Result<Checker<'a>, String> {
        let descriptions = Descriptions::new(program, proof)?;
        for (index, state) in proof.states.iter().enumerate() {
            if let Some(what) = descriptions.misplaced(program, &stacks, places[index], state) {
                return Err(format!("state {index}: {what}, which does not exist there"));
            }
        }
        if places[0] != stacks.start(program) || proof.states[0].covered_by.is_some() {
            return Err("the first state is not at the start of the program".into());
        }
        let keys = || proof.states.iter().flat_map(|state| &state.values).map(|(key, _)| *key);
        let tracked = Tracked {
            vars: keys()
                .filter_map(|key| if let RunKey::Var(var, _) = key { Some(var) } else { None })
                .collect(),
            regions: keys()
                .filter_map(|key| if let RunKey::Cell(region, _) = key { Some(region) } else { None })
                .collect(),
        };
        Ok(Checker {
            program,
            judge,
            descriptions,
            stacks,
            places,
            reach: Reach::new(program, targets),
            targets: targets.iter().copied().collect(),
            frames: OnceCell::new(),
            open: FxHashSet::default(),
            of_whole_stacks: false,
            cuts: match &proof.cuts {
                RunCuts::Everywhere => None,
                RunCuts::At(locs) => Some(locs.iter().copied().collect()),
            },
            tracked,
            contexts: None,
            blocks: FxHashMap::default(),
            account: None,
        })
    }

    /// The outcome of a checker, if the form of its proof is right.
    pub(crate) fn outcome(checker: Result<Checker<'_>, String>) -> Outcome {
        match checker {
            Ok(mut checker) => checker.run(),
            Err(reason) => Outcome::Invalid(Box::new(Fault::of_form(reason))),
        }
    }

    /// Checks all states.
    fn run(&mut self) -> Outcome {
        let mut unchecked = None;
        match self.ensures() {
            Ok(()) => {}
            Err(Stop::Fault(fault)) => return Outcome::Invalid(fault),
            Err(Stop::Unchecked(reason)) => unchecked = Some(reason),
        }
        for index in 0..self.places.len() {
            if self.judge.limits.is_over() {
                return Outcome::Unchecked("the time limit was reached".into());
            }
            match self.state(index) {
                Ok(()) => {}
                Err(Stop::Fault(fault)) => return Outcome::Invalid(fault),
                Err(Stop::Unchecked(reason)) => drop(unchecked.get_or_insert(reason)),
            }
        }
        unchecked.map_or(Outcome::Valid, Outcome::Unchecked)
    }

    /// Checks a state: first with known values only, which is quick and usually suffices.
    fn state(&mut self, index: usize) -> Result<(), Stop> {
        self.state_by(index, Depth::Values).or_else(|_| self.state_by(index, Depth::Formulas))
    }

    fn state_by(&mut self, index: usize, depth: Depth) -> Result<(), Stop> {
        let proof = self.descriptions.proof;
        let state = &proof.states[index];
        let is_near = self.reach.target(self.program, &self.stacks, self.places[index]);
        if !is_near || self.open.contains(&(index as u32)) {
            // No target can be reached from here, whatever holds; or nothing is claimed.
            return Ok(());
        }
        if self.targets.contains(&self.places[index].loc) {
            return self.at_target(index, depth);
        }
        match state.covered_by {
            Some(covering) => self.covering(index, covering as usize, depth),
            None => {
                self.successors(index, depth)?;
                self.calls(index, depth)
            }
        }
    }

    /// What calls may write.
    pub(crate) fn frames(&self) -> &Frames {
        self.frames.get_or_init(|| Frames::new(self.program))
    }

    /// What keeps states apart.
    pub(crate) fn tracked(&self) -> &Tracked {
        &self.tracked
    }

    /// Whether a location is one of the targets.
    pub(crate) fn is_target(&self, loc: LocId) -> bool {
        self.targets.contains(&loc)
    }

    /// Whether a state is only about the start of the program, or about the entry of a function in a context.
    pub(crate) fn is_entry(&self, index: usize) -> bool {
        index == 0 || self.contexts.as_ref().is_some_and(|contexts| contexts.is_entry(index))
    }

    /// An executor for the block of a state.
    pub(crate) fn executor(&self, index: usize, depth: Depth) -> Executor<'_> {
        let (stacks, tracked) = (&self.stacks, &self.tracked);
        let executor = Executor::new(self.program, stacks, tracked, index == 0, depth, &self.judge.limits);
        executor
            .accounting(self.account)
            .popping(Popping { frames: self.frames(), postconditions: &self.descriptions })
    }

    /// The start of a block in a state of the proof: a symbolic state, and what has to hold besides.
    pub(crate) fn begin(
        &self,
        executor: &mut Executor<'_>,
        index: usize,
    ) -> Result<(State, Truth), Unsupported> {
        if index == 0 {
            return Ok((State::default(), Truth::Known(true)));
        }
        let callee = self.stacks.top(self.places[index].stack).callee;
        let entered = self.is_entry(index).then_some(callee);
        self.descriptions.assume(executor, &self.descriptions.proof.states[index], entered)
    }

    /// A state at a target must be empty; the start of the program never is.
    fn at_target(&self, index: usize, depth: Depth) -> Result<(), Stop> {
        let mut executor = self.executor(index, depth);
        let (state, assumed) = self.begin(&mut executor, index)?;
        let question = Question {
            index,
            start: &state,
            assumed: &assumed,
            claims: &[],
            block: None,
            reason: "it is at a target and some execution is in it",
        };
        self.ask(&mut executor, question, state.clone())
    }

    /// A covered state must be included in one that is not covered itself.
    fn covering(&mut self, index: usize, covering: usize, depth: Depth) -> Result<(), Stop> {
        let proof = self.descriptions.proof;
        let wrong = |reason: &str| {
            let reason = format!("state {index} is covered by state {covering}, {reason}");
            Err(Stop::Fault(Box::new(Fault::of_state(self.program, index, self.places[index], reason))))
        };
        if self.is_entry(covering) {
            return wrong("which only describes a start");
        }
        if proof.states[covering].covered_by.is_some() {
            return wrong("which is covered itself");
        }
        if self.places[covering] != self.places[index] {
            return self.popped(index, covering, depth);
        }
        let mut executor = self.executor(index, depth);
        let (state, assumed) = self.begin(&mut executor, index)?;
        let question = Question {
            index,
            start: &state,
            assumed: &assumed,
            claims: &[covering as u32],
            block: None,
            reason: "the state that covers it does not include it",
        };
        self.ask(&mut executor, question, state.clone())
    }

    /// The steps out of an uncovered state must lead to its children.
    fn successors(&mut self, index: usize, depth: Depth) -> Result<(), Stop> {
        let by_place = self.children(index)?;
        let block = self.block(index, &by_place)?;
        let mut executor = self.executor(index, depth);
        if index == 0 {
            let question = Question {
                index,
                start: &State::default(),
                assumed: &Truth::Known(true),
                claims: &[0],
                block: None,
                reason: "the first state does not include the start of the program",
            };
            self.ask(&mut executor, question, State::default())?;
        }
        let (start, assumed) = self.begin(&mut executor, index)?;
        if assumed.is(false) {
            return Ok(());
        }
        let (mut open, mut stopped) = (Vec::new(), None);
        executor.block(&block, start.clone(), |executor, node, state| {
            let at = block.nodes[node];
            let target = self.targets.contains(&at.loc);
            let claims = by_place.get(&at).map_or(&[][..], Vec::as_slice);
            let reason = match (target, claims.is_empty()) {
                (true, _) => "an execution reaches a target",
                (_, true) => "an execution reaches a place without a successor state",
                _ => "its successors do not include all executions",
            };
            let question = Question {
                index,
                start: &start,
                assumed: &assumed,
                claims,
                block: Some((&block, node)),
                reason,
            };
            match self.doubt(executor, question, state) {
                Ok(doubt) => open.extend(doubt),
                Err(stop) => stopped = Some(stop),
            }
            stopped.is_none()
        })?;
        stopped.map_or(Ok(()), Err)?;
        open.extend(self.unlisted(&executor, index, &start, &assumed)?);
        self.settle(&executor, &open)
    }

    /// The children of a state that count, by their places.
    fn children(&self, index: usize) -> Result<FxHashMap<Place, Vec<u32>>, Stop> {
        let mut by_place: FxHashMap<Place, Vec<u32>> = FxHashMap::default();
        for &child in &self.descriptions.proof.states[index].children {
            if self.is_entry(child as usize) {
                let reason = format!("state {child} is a successor, but only describes a start");
                return Err(Stop::Fault(Box::new(Fault::of_state(
                    self.program,
                    index,
                    self.places[index],
                    reason,
                ))));
            }
            // A step to a target is allowed only if the target was left open.
            let at = self.places[child as usize];
            if !self.targets.contains(&at.loc) || self.open.contains(&child) {
                by_place.entry(at).or_default().push(child);
            }
        }
        Ok(by_place)
    }

    /// What the solver has to rule out because the account does not list it.
    pub(crate) fn unlisted<'q>(
        &self,
        executor: &Executor<'_>,
        index: usize,
        start: &'q State,
        assumed: &'q Truth,
    ) -> Result<Vec<Doubt<'q>>, Stop> {
        let mut doubts = Vec::new();
        for Unlisted { what, guard } in &executor.unlisted {
            let question = Question { index, start, assumed, claims: &[], block: None, reason: what };
            match assumed.and(guard) {
                Truth::Known(false) => {}
                wrong if executor.depth == Depth::Formulas => {
                    let wrong = self.judge.fold(&wrong.formula().ok_or_else(undecided)?);
                    doubts.extend((!wrong.is_constant(false)).then(|| Doubt {
                        question,
                        state: start.clone(),
                        wrong,
                    }));
                }
                _ => return Err(undecided()),
            }
        }
        Ok(doubts)
    }

    fn block(&mut self, index: usize, by_place: &FxHashMap<Place, Vec<u32>>) -> Result<Rc<Block>, Stop> {
        let place = self.places[index];
        let ends = Ends {
            cuts: self.cuts.as_ref(),
            targets: &self.targets,
            reach: &self.reach,
            most_places: MOST_PLACES,
        };
        let mut extra: Vec<Place> =
            by_place.keys().filter(|place| !ends.are_at(place.loc)).copied().collect();
        extra.sort_unstable();
        let key = (place, extra);
        if let Some(block) = self.blocks.get(&key) {
            return Ok(Rc::clone(block));
        }
        let block = match Block::build(self.program, &mut self.stacks, &ends, place, &key.1) {
            Ok(block) => Rc::new(block),
            Err(NoBlock::TooLarge) => {
                return Err(Stop::Unchecked(format!("the block of state {index} is too large")));
            }
            Err(NoBlock::Endless(loc)) => {
                let reason = format!(
                    "a loop through {} has no cut point, so its block has no end",
                    self.program.label(loc)
                );
                return Err(Stop::Fault(Box::new(Fault::of_state(self.program, index, place, reason))));
            }
        };
        self.blocks.insert(key, Rc::clone(&block));
        Ok(block)
    }

    /// Checks that one of the claimed states includes the symbolic state at the end of the block.
    pub(crate) fn ask(
        &self,
        executor: &mut Executor<'_>,
        question: Question<'_>,
        state: State,
    ) -> Result<(), Stop> {
        let doubt = self.doubt(executor, question, state)?;
        self.settle(executor, doubt.as_slice())
    }

    /// What the solver has to rule out for a question, if that is not clear without it.
    fn doubt<'q>(
        &self,
        executor: &mut Executor<'_>,
        question: Question<'q>,
        mut state: State,
    ) -> Result<Option<Doubt<'q>>, Stop> {
        if state.guard.is(false) {
            return Ok(None);
        }
        let proof = self.descriptions.proof;
        let mut parts = vec![question.assumed.clone(), state.guard.clone()];
        for &claim in question.claims {
            let included = self.descriptions.claim(executor, &mut state, &proof.states[claim as usize])?;
            if included.is(true) || included.is_same(question.assumed) {
                return Ok(None);
            }
            parts.push(included.not());
        }
        let wrong = match Truth::all(parts) {
            Truth::Known(false) => return Ok(None),
            wrong if executor.depth == Depth::Formulas => wrong.formula(),
            _ => None,
        };
        let wrong = wrong.ok_or_else(undecided)?;
        let wrong = self.judge.fold(&wrong);
        Ok((!wrong.is_constant(false)).then_some(Doubt { question, state, wrong }))
    }

    /// Asks the solver whether any of the doubts is justified: about all at once, and one by one if that is
    /// too hard.
    pub(crate) fn settle(&self, executor: &Executor<'_>, doubts: &[Doubt<'_>]) -> Result<(), Stop> {
        let Some(first) = doubts.first() else { return Ok(()) };
        let mut formulas = executor.facts.clone();
        formulas.push(Formula::any(doubts.iter().map(|doubt| doubt.wrong.clone())));
        let ask = || {
            let query = Query::new(&self.judge.limits);
            formulas.iter().for_each(|formula| query.assert(formula));
            query.check()
        };
        match self.judge.decide(&formulas, ask) {
            Answer::Unsat => Ok(()),
            Answer::Sat(model) => {
                let right = doubts.iter().find(|doubt| model.truth(&doubt.wrong) == Some(true));
                let fault = self.fault(executor, right.unwrap_or(first), &model);
                Err(Stop::Fault(Box::new(fault)))
            }
            Answer::Unknown(_) if doubts.len() > 1 => {
                let mut settled = Ok(());
                for doubt in doubts.chunks(1) {
                    match self.settle(executor, doubt) {
                        // The others are checked all the same: one of them may be a fault.
                        Err(Stop::Unchecked(reason)) => settled = Err(Stop::Unchecked(reason)),
                        Err(fault) => return Err(fault),
                        Ok(()) => {}
                    }
                }
                settled
            }
            Answer::Unknown(reason) => {
                let state = first.question.index;
                Err(Stop::Unchecked(format!("the solver did not decide state {state}: {reason}")))
            }
        }
    }
}

/// A question whether the proof includes a symbolic state.
pub(crate) struct Question<'q> {
    /// The state of the proof.
    pub index: usize,
    /// The symbolic state at the start of its block.
    pub start: &'q State,
    /// The formula of the state there.
    pub assumed: &'q Truth,
    /// The states one of which must include the end.
    pub claims: &'q [u32],
    /// The block and its end.
    pub block: Option<(&'q Block, usize)>,
    /// The fault if none of the claimed states includes it.
    pub reason: &'q str,
}

/// A question that needs the solver, and the condition under which its answer is no.
pub(crate) struct Doubt<'q> {
    /// The question.
    pub question: Question<'q>,
    /// The symbolic state that has to be included.
    pub state: State,
    wrong: Formula,
}
