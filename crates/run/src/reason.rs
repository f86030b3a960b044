//! Reasons for the verdict unknown.

/// What a part of a program exceeded when a monitor skipped it; its text is for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Excess {
    /// States at a location.
    #[error("states at a location")]
    LocationStates,
    /// States at a location with the same open calls.
    #[error("states at a location with the same call stack")]
    PlaceStates,
    /// Iterations of a loop, or of a recursion, on a path.
    #[error("iterations of a loop on a path")]
    LoopTurns,
    /// Steps on a path.
    #[error("steps on a path")]
    PathSteps,
    /// Conditions on a path.
    #[error("conditions on a path")]
    PathConditions,
    /// Ticks for predicates that exclude a path.
    #[error("ticks to exclude a path")]
    RefinementTicks,
    /// Ticks to decide whether a path is feasible.
    #[error("ticks to decide a path")]
    PathTicks,
    /// Ticks to compute the successors of a state.
    #[error("ticks for the successors of a state")]
    PostTicks,
    /// Known values and predicates of a state.
    #[error("facts in a state")]
    StateSize,
    /// Terms of the formula of a path.
    #[error("terms in the formula of a path")]
    FormulaSize,
    /// Ticks to compute all states on a path.
    #[error("ticks for the states on a path")]
    WayTicks,
}
beeline_ir::wire_enum!(Excess {
    0 => LocationStates,
    1 => PlaceStates,
    2 => LoopTurns,
    3 => PathSteps,
    4 => PathConditions,
    5 => RefinementTicks,
    6 => PathTicks,
    7 => PostTicks,
    8 => StateSize,
    9 => FormulaSize,
    10 => WayTicks,
});

/// The reason why there is no answer; its text is for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The time is over.
    #[error("the time limit was reached")]
    Time,
    /// The ticks are used up.
    #[error("the limit on ticks was reached")]
    Ticks,
    /// The memory is used up.
    #[error("the memory limit was reached")]
    Memory,
    /// Too many states.
    #[error("the limit on states was reached")]
    States,
    /// The run was interrupted.
    #[error("the run was interrupted")]
    Interrupted,
    /// A block contains too many abstract states.
    #[error("a block between two abstraction points has too many states")]
    BlockTooLarge,
    /// A path to a target is infeasible, and no predicates were found that exclude it.
    #[error("refinement found no predicates for a spurious path")]
    NoPredicates,
    /// The predicates found for a path do not exclude it.
    #[error("refinement made no progress")]
    NoProgress,
    /// The solver did not decide whether a path is feasible.
    #[error("the solver did not decide a path to a target: {0}")]
    Solver(String),
    /// A path uses an operation without an encoding.
    #[error("{0}")]
    Unsupported(String),
    /// A path to a target is feasible only with certain guesses.
    #[error("the counterexample rests on a guess: {0}")]
    Guess(String),
    /// The interpreter does not confirm a path that the solver calls feasible.
    #[error("the interpreter does not confirm the counterexample: {0}")]
    NotConfirmed(String),
    /// No path leads to a target, but at this place, for this cause, an execution ends where a machine might
    /// go on.
    #[error("nothing is known after {0}: {1}")]
    Undefined(String, String),
    /// No path leads to a target, but at this place an execution violates this rule of C, on which the proof
    /// relies.
    #[error("undefined behaviour at {0}: {violation}", violation = violated(.1))]
    Broken(String, String),
    /// No path leads to a target as far as this loop or recursion was unrolled, and it goes on.
    #[error("no bug within {0} unwindings of {1}")]
    Bound(u32, String),
    /// A part was skipped because it exceeded a limit.
    #[error("the search skipped parts with more than {1} {0}")]
    GivenUp(Excess, u64),
    /// Executions were run with chosen inputs, and none reached a target.
    #[error("no target reached in {0} executions with random inputs")]
    Tried(u64),
    /// The answer holds for a part of the executions, and other runs are to show the same of the other parts.
    #[error("the result covers one part; `beeline join` combines the parts")]
    Part,
    /// A check of the proof does not confirm that the program is safe.
    #[error("the proof is not valid: {0}")]
    Proof(String),
    /// The verifier failed.
    #[error("{0}")]
    Failed(String),
    /// The text of a reason in an old file, which had only text.
    #[error("{0}")]
    Told(String),
}
beeline_ir::wire_enum!(Reason {
    0 => Time,
    1 => Memory,
    2 => States,
    3 => Interrupted,
    4 => BlockTooLarge,
    5 => NoPredicates,
    6 => NoProgress,
    7 => Solver(why),
    8 => Unsupported(what),
    9 => Guess(guess),
    10 => NotConfirmed(why),
    11 => Undefined(place, cause),
    12 => Broken(place, rule),
    13 => Proof(why),
    14 => Failed(why),
    15 => Told(text),
    16 => Ticks,
    17 => Bound(turns, place),
    18 => GivenUp(excess, most),
    19 => Part,
    20 => Tried(executions),
});

/// The violation of a rule, in words: rules read `no read outside of a live object`.
pub fn violated(rule: &str) -> String {
    match rule.strip_prefix("no ") {
        Some(violation) => violation.into(),
        None => format!("violation of the rule: {rule}"),
    }
}

impl Reason {
    /// Its name, for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::Time => "time",
            Reason::Ticks => "ticks",
            Reason::Memory => "memory",
            Reason::States => "states",
            Reason::Interrupted => "interrupted",
            Reason::BlockTooLarge => "block-too-large",
            Reason::NoPredicates => "no-predicates",
            Reason::NoProgress => "no-progress",
            Reason::Solver(_) => "solver",
            Reason::Unsupported(_) => "unsupported",
            Reason::Guess(_) => "guess",
            Reason::NotConfirmed(_) => "not-confirmed",
            Reason::Undefined(..) => "undefined",
            Reason::Broken(..) => "broken",
            Reason::Bound(..) => "bound",
            Reason::GivenUp(..) => "given-up",
            Reason::Tried(_) => "tried",
            Reason::Part => "part",
            Reason::Proof(_) => "proof",
            Reason::Failed(_) => "failed",
            Reason::Told(_) => "told",
        }
    }
}
