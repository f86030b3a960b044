//! Errors of learning.

/// The reason why nothing is learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// There are too few programs.
    #[error(
        "the history has only {found} programs with features and a run of every plan; learning needs {needed}"
    )]
    Programs {
        /// The number of programs.
        found: usize,
        /// The number that is needed.
        needed: usize,
    },
    /// All programs are of one family.
    #[error("all programs belong to the family {0}; learning needs two families")]
    Families(String),
    /// There is nothing to choose from.
    #[error("the history has {0} plans; a choice needs two")]
    Plans(usize),
    /// Runs cannot be compared.
    #[error("the history has runs with different limits; they cannot be compared")]
    Limits,
    /// A feature is not a number.
    #[error("the feature {feature} of {program} is not a finite number")]
    Feature {
        /// The feature.
        feature: String,
        /// The program.
        program: String,
    },
    /// A plan is invalid.
    #[error("the plan {name} cannot be followed: {error}")]
    Plan {
        /// Its name.
        name: String,
        /// The reason.
        error: beeline_options::PlanError,
    },
    /// An unexpected result of smartcore.
    #[error("the learner failed: {0}")]
    Learner(String),
}
