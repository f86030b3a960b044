//! What keeps from learning.

/// Why nothing is learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// There are too few programs.
    #[error(
        "the history has too few programs with features and a run of every plan: {found}, and fewer than {needed} teach nothing"
    )]
    Programs {
        /// How many there are.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// All programs are alike.
    #[error("all programs are of the family {0}: nothing could be said about other ones")]
    Families(String),
    /// There is nothing to choose from.
    #[error("the history has too few plans: {0}, and a choice needs two")]
    Plans(usize),
    /// Runs cannot be compared.
    #[error("the history has runs with different limits, which cannot be compared")]
    Limits,
    /// A feature has no number.
    #[error("the feature {feature} of {program} is no finite number")]
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
