//! What keeps from learning.

/// Why nothing is learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// There are too few programs.
    #[error(
        "the history has only {found} programs with features and a run of every plan; learning needs {needed}"
    )]
    Programs {
        /// How many there are.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// All programs are alike.
    #[error("all programs belong to the family {0}; learning needs two families")]
    Families(String),
    /// There is nothing to choose from.
    #[error("the history has {0} plans; a choice needs two")]
    Plans(usize),
    /// Runs cannot be compared.
    #[error("the history has runs with different limits; they cannot be compared")]
    Limits,
    /// A feature has no number.
    #[error("the feature {feature} of {program} is not a finite number")]
    Feature {
        /// The feature.
        feature: String,
        /// The program.
        program: String,
    },
    /// A plan is none.
    #[error("the plan {name} cannot be followed: {error}")]
    Plan {
        /// Its name.
        name: String,
        /// Why.
        error: beeline_options::PlanError,
    },
    /// smartcore does not do as it should.
    #[error("the learner failed: {0}")]
    Learner(String),
}
