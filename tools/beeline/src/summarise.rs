//! What is summarised where calls are: functions alone, or loops as well.

use crate::arguments::CheckArguments;
use beeline_options::Plan;
use beeline_options::step::Calls;
use clap::ValueEnum;

/// What `--calls blocks` explores on its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlocksAre {
    /// Functions
    #[default]
    Functions,
    /// Functions, and loops that are entered at their heads only, each as a function of its own
    Both,
}

impl BlocksAre {
    /// Refuses loops as blocks where no search has blocks, and with what needs the program as it is lowered.
    pub(crate) fn expect_fitting(self, arguments: &CheckArguments, plan: &Plan) -> Result<(), String> {
        if self == BlocksAre::Functions {
            return Ok(());
        }
        if arguments.residual.is_some() {
            // What was shown is told of edges that the program has not that is made of the bitcode.
            return Err(
                "--residual cuts functions as they are lowered: it does not go with --blocks-are both".into(),
            );
        }
        if plan.steps.iter().all(|step| step.calls != Calls::Blocks || step.only_with.is_some()) {
            return Err("--blocks-are both needs blocks: --calls blocks, or a plan with such a step".into());
        }
        Ok(())
    }
}
