//! Plans: files in TOML that list searches, one after the other.

use crate::skip::Excess;
use crate::step::{Budget, Calls, Domain, Engine, Feature, Handed, Step};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;
use std::path::Path;

/// A list of searches, each of which runs if the one before it has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The searches; there is at least one.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

/// An error in a plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It cannot be read.
    #[error("cannot read {file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// It does not have the form of a plan.
    #[error("{file}:{line}: {what}")]
    Wrong {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The error, and what is allowed.
        what: String,
    },
    /// A step has an option that its engine does not use.
    #[error("{place} has {what}")]
    Unused {
        /// The command line, or the file with the number of the step.
        place: String,
        /// The option, and the reason why it is not used.
        what: &'static str,
    },
    /// It has no step.
    #[error("{file} has no step; a plan is a list of [[step]] tables")]
    Empty {
        /// The file.
        file: String,
    },
}

/// The ticks of lazy abstraction before unrolling: most programs that it decides need less.
const FIRST: u64 = 2_000_000;
/// The ticks of executions with random inputs: they find an error soon or hardly ever.
const EXECUTIONS: u64 = 1_500_000;
/// The ticks of unrolling before lazy abstraction continues.
const UNROLLING: u64 = 30_000_000;

/// The ticks of summaries for recursive programs before unrolling: what they can decide, they decide soon.
const FIRST_SUMMARIES: u64 = 3_000_000;
/// The ticks of summaries after unrolling, before abstraction continues.
const SUMMARIES: u64 = 15_000_000;

/// The ticks of lazy abstraction before unrolling continues with more ticks. Of 445 programs of other
/// verifiers' tests, none that lazy abstraction decides needed as much.
const ABSTRACTION: u64 = 30_000_000;
/// The ticks of unrolling then.
const MORE_UNROLLING: u64 = 240_000_000;

impl Plan {
    /// The plan without options. Explicit values decide most programs at once. Executions find errors that
    /// many inputs lead to. Popped calls prove programs with unbounded recursion that matters little after
    /// the calls. Summaries with few ticks prove simple recursive programs. Unrolling decides small or
    /// bounded programs. Summaries with more ticks try the other recursive programs. Abstraction, unrolling
    /// and abstraction again try what is still open. Each continues where the ones before it have shown nothing.
    pub fn built_in() -> Plan {
        let step = |engine, ticks| Step {
            engine,
            budget: Budget { ticks: NonZeroU64::new(ticks), time: None },
            hand: vec![Handed::Precision, Handed::Condition],
            ..Step::default()
        };
        let recurring =
            |calls, ticks| Step { calls, only_with: Some(Feature::Recursion), ..step(Engine::Lazy, ticks) };
        let popped = recurring(Calls::Top, FIRST);
        let [first_summaries, summaries] =
            [FIRST_SUMMARIES, SUMMARIES].map(|ticks| recurring(Calls::Summaries, ticks));
        let unrolling = step(Engine::Bounded, UNROLLING);
        let executions = step(Engine::Concrete, EXECUTIONS);
        let (abstraction, more) = (step(Engine::Lazy, ABSTRACTION), step(Engine::Bounded, MORE_UNROLLING));
        let steps = vec![
            step(Engine::Lazy, FIRST),
            executions,
            popped,
            first_summaries,
            unrolling,
            summaries,
            abstraction,
            more,
            Step::default(),
        ];
        Plan { steps }
    }

    /// The plan in a file.
    pub fn read(path: &Path) -> Result<Plan, PlanError> {
        let file = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Plan::parse(&file, &text),
            Err(error) => Err(PlanError::Unreadable { file, error }),
        }
    }

    /// The plan in the text of a file.
    pub fn parse(file: &str, text: &str) -> Result<Plan, PlanError> {
        let file = file.to_string();
        let plan: Plan = toml::from_str(text).map_err(|error| {
            let (line, what) = fault(text, &error);
            PlanError::Wrong { file: file.clone(), line, what }
        })?;
        if plan.steps.is_empty() {
            return Err(PlanError::Empty { file });
        }
        plan.checked(|number| format!("{file}: step {number}"))
    }

    /// The plan, if its engines use all options; `place` names a step.
    pub(crate) fn checked(self, place: impl Fn(usize) -> String) -> Result<Plan, PlanError> {
        let unused = self.steps.iter().zip(1..).find_map(|(step, number)| Some((unused(step)?, number)));
        match unused {
            Some((what, number)) => Err(PlanError::Unused { place: place(number), what }),
            None => Ok(self),
        }
    }

    /// The text of a file with the plan.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("a plan is made of texts and numbers")
    }
}

/// An option of a step that its engine does not use.
fn unused(step: &Step) -> Option<&'static str> {
    let skips = |excess| step.skip.iter().any(|skip| skip.of == excess);
    match (step.engine, step.calls) {
        (Engine::Lazy, _) if !step.unwind.is_empty() => {
            Some("unwind, which the engine lazy does not use; the engine bounded does")
        }
        (Engine::Concrete, _) if !step.unwind.is_empty() => {
            Some("unwind, which the engine concrete does not use")
        }
        (Engine::Concrete, _) if !step.skip.is_empty() => {
            Some("skip, which the engine concrete does not use")
        }
        (Engine::Bounded, _) if !step.skip.is_empty() => {
            Some("skip, which the engine bounded does not use; unwind limits it")
        }
        (Engine::Lazy, Calls::Summaries) if !step.skip.is_empty() => {
            Some("skip, which calls = \"summaries\" does not use: it leaves no residual condition")
        }
        (Engine::Lazy, Calls::Top) if !step.skip.is_empty() => {
            Some("skip, which calls = \"top\" does not use: it leaves no residual condition")
        }
        (Engine::Bounded, Calls::Top) => {
            Some("calls = \"top\", which the engine bounded does not use: it unrolls calls")
        }
        (Engine::Bounded, Calls::Summaries) => {
            Some("calls = \"summaries\", which the engine bounded does not use: it unrolls calls")
        }
        _ if step.domain == Domain::Value && skips(Excess::RefinementTicks) => {
            Some("refinement-ticks, which domain = \"value\" does not use: it has no predicates")
        }
        _ => None,
    }
}

/// The place of an error in a text of TOML, and the error in one line.
pub fn fault(text: &str, error: &toml::de::Error) -> (usize, String) {
    let start = error.span().map_or(0, |span| span.start);
    let line = text.bytes().take(start).filter(|&byte| byte == b'\n').count() + 1;
    (line, error.message().trim().replace('\n', ", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::{Arithmetic, Search};
    use std::time::Duration;

    fn refused(text: &str, said: &str) {
        assert_eq!(Plan::parse("p.toml", text).unwrap_err().to_string(), said);
    }

    #[test]
    fn what_a_plan_leaves_out_is_as_on_an_empty_command_line() {
        let plan = Plan::parse("p.toml", "[[step]]\n").unwrap();
        assert_eq!(plan.steps, [Step::default()]);
        let text = "[[step]]\ndomain = \"value\"\nbudget = { time = \"2m\" }\n\n[[step]]\nsearch = \"dfs\"\n\
                    arithmetic = \"int\"\nvalue-threshold = 7\n";
        let plan = Plan::parse("p.toml", text).unwrap();
        let [first, second] = &plan.steps[..] else { panic!("{plan:?}") };
        assert_eq!((first.domain, first.search), (Domain::Value, Search::Directed));
        assert_eq!(first.budget.time.map(|time| time.0), Some(Duration::from_secs(120)));
        assert_eq!((second.search, second.arithmetic), (Search::Dfs, Arithmetic::Int));
        assert_eq!((second.value_threshold, second.domain), (7, Domain::Both));
    }

    #[test]
    fn names_of_the_last_version_are_understood() {
        let old =
            Plan::parse("p.toml", "[[step]]\ncalls = \"blocks\"\n[[step]]\ngive-up = [\"loop-turns=3\"]\n");
        let new = Plan::parse(
            "p.toml",
            "[[step]]\ncalls = \"summaries\"\n[[step]]\nskip = [\"loop-iterations=3\"]\n",
        );
        assert_eq!(old.unwrap(), new.unwrap());
    }

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let text = "[[step]]\nbudget.time = \"0.5s\"\nbudget.ticks = 5000\nhand = [\"precision\"]\nskip = [\"loop-iterations=3\", \"path-steps=9\"]\nties = \"random\"\nseed = 9\n[[step]]\nblock = \"sbe\"\n";
        let plan = Plan::parse("p.toml", text).unwrap();
        assert_eq!(Plan::parse("p.toml", &plan.text()).unwrap(), plan);
    }

    #[test]
    fn what_there_is_not_is_an_error_with_its_line_and_what_there_is() {
        refused(
            "[[step]]\n\n[[step]]\nmetric = \"miles\"\n",
            "p.toml:4: unknown value `miles`; choose one of st, bb, lh, lf",
        );
        refused(
            "[[step]]\nengine = \"jet\"\n",
            "p.toml:2: unknown value `jet`; choose one of lazy, bounded, concrete",
        );
        refused(
            "[[step]]\nspeed = 3\n",
            "p.toml:2: unknown field `speed`, expected one of `engine`, `calls`, `search`, `metric`, `estimate`, `ties`, `seed`, \
             `domain`, `block`, `abstraction`, `scope`, `refiner`, `arithmetic`, `value-threshold`, \
             `targets-per-round`, `rank`, `select`, `unwind`, `give-up`, `skip`, `budget`, `hand`, `only-with`",
        );
        refused("steps = 3\n", "p.toml:1: unknown field `steps`, expected `step`");
        refused(
            "[[step]]\nengine = \"bounded\"\ncalls = \"summaries\"\n",
            "p.toml: step 1 has calls = \"summaries\", which the engine bounded does not use: it unrolls calls",
        );
        refused(
            "[[step]]\n[[step]]\nunwind = [\"8\"]\n",
            "p.toml: step 2 has unwind, which the engine lazy does not use; the engine bounded does",
        );
        refused(
            "[[step]]\nengine = \"bounded\"\nskip = [\"loop-iterations=3\"]\n",
            "p.toml: step 1 has skip, which the engine bounded does not use; unwind limits it",
        );
        refused(
            "[[step]]\ncalls = \"summaries\"\nskip = [\"loop-iterations=3\"]\n",
            "p.toml: step 1 has skip, which calls = \"summaries\" does not use: it leaves no residual condition",
        );
        refused(
            "[[step]]\ndomain = \"value\"\nskip = [\"refinement-ticks=3\"]\n",
            "p.toml: step 1 has refinement-ticks, which domain = \"value\" does not use: it has no predicates",
        );
        refused(
            "[[step]]\nskip = [\"loop-iterations=0\"]\n",
            "p.toml:2: write a positive number after `loop-iterations=`",
        );
        refused("[[step]]\nbudget.days = 3\n", "p.toml:2: unknown field `days`, expected `ticks` or `time`");
        refused("[[step]]\nbudget.time = \"soon\"\n", "p.toml:2: write a positive time, such as 30s or 5m");
        refused(
            "[[step]]\nhand = [\"salt\"]\n",
            "p.toml:2: unknown variant `salt`, expected `precision` or `condition`",
        );
        refused("step = []\n", "p.toml has no step; a plan is a list of [[step]] tables");
        let error = Plan::parse("p.toml", "[[step]]\nseed = -1\n").unwrap_err().to_string();
        assert!(error.starts_with("p.toml:2: "), "{error}");
        let error = Plan::parse("p.toml", "[[step]\n").unwrap_err().to_string();
        assert!(error.starts_with("p.toml:1: ") && !error.contains('\n'), "{error}");
    }
}
