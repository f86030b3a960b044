//! What summaries cover: functions, or loops as well.

use crate::arguments::CheckArguments;
use beeline_options::Plan;
use beeline_options::step::Calls;
use clap::ValueEnum;

/// What `--calls summaries` summarises.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Summarise {
    /// Functions
    #[default]
    Functions,
    /// Functions, and loops with a single entry, each as a function of its own
    Both,
}

impl Summarise {
    /// Refuses loops without a search by summaries, and with what needs the program as it was lowered.
    pub(crate) fn expect_fitting(self, arguments: &CheckArguments, plan: &Plan) -> Result<(), String> {
        if self == Summarise::Functions {
            return Ok(());
        }
        if arguments.residual.is_some() {
            // The result is about edges that the program made from the bitcode does not have.
            return Err(
                "--residual cannot be combined with --summarise both: it cuts functions as they are lowered"
                    .into(),
            );
        }
        if plan.steps.iter().all(|step| step.calls != Calls::Summaries || step.only_with.is_some()) {
            return Err("--summarise both needs --calls summaries, or a plan with such a step".into());
        }
        Ok(())
    }
}
