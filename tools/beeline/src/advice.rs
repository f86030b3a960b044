//! What to try when there is no answer.

use crate::answer::{Answer, Check};
use crate::targets::Severity;
use beeline_run::{Reason, RunVerdict};

/// What may help where an answer is unknown.
pub(crate) fn against(answer: &Answer) -> Option<&'static str> {
    let (_, run) = answer.result.as_ref()?;
    let mut given = answer.job.search.iter();
    let by_values =
        given.any(|given| given.name == "--domain" && given.value.as_deref().is_some_and(|it| it == "value"));
    let of_reason = |reason: &Reason| match reason {
        Reason::NoPredicates | Reason::NoProgress if by_values => {
            Some("--domain predicate: by values alone, nothing more can be excluded")
        }
        _ => of_reason(reason),
    };
    let Some(first) = answer.first() else {
        return match (&run.verdict, &answer.proof) {
            (RunVerdict::Unknown(reason), _) => of_reason(reason),
            (_, Some(Check::Failed(_))) => Some(REPORT),
            _ => None,
        };
    };
    match (first.severity, &first.reason) {
        (Severity::Refused, _) => Some(REPORT),
        (Severity::Possible, None) => Some("--property all, which may show undefined behaviour on the way"),
        (_, reason) => reason.as_ref().and_then(of_reason),
    }
}

const REPORT: &str = "to report this: it is a bug in Beeline";

fn of_reason(reason: &Reason) -> Option<&'static str> {
    match reason {
        Reason::Time => Some("more time (--time-limit), another --search or --metric, or --domain predicate"),
        Reason::Ticks => Some("more --ticks, or --domain predicate"),
        Reason::Memory => {
            Some("more memory (--memory-limit), or --domain predicate, which makes fewer states")
        }
        Reason::States => Some("a higher --max-states, or --domain predicate, which makes fewer states"),
        Reason::BlockTooLarge => Some("--block sbe, which makes smaller blocks"),
        Reason::NoPredicates | Reason::NoProgress => Some("--domain value, or --arithmetic bv"),
        Reason::Solver(_) => Some("more steps for a query (--query-ticks), or --domain value"),
        Reason::Undefined(..) | Reason::Broken(..) => Some(
            "to mend that place first; --property bounds or --property all may show how a run gets there",
        ),
        Reason::Bound(..) => Some("a greater bound (--unwind, --ticks), or none"),
        Reason::GivenUp(..) => Some("a higher bound (--give-up), or a run that goes on from there"),
        Reason::Tried(_) => Some("another --engine: lazy and bounded look at all inputs"),
        Reason::Part => Some("beeline join, with what was found of the other parts"),
        Reason::Guess(_) => Some("a body, or a model, for what is guessed here"),
        Reason::NotConfirmed(_) => Some(REPORT),
        Reason::Interrupted
        | Reason::Unsupported(_)
        | Reason::Proof(_)
        | Reason::Failed(_)
        | Reason::Told(_) => None,
    }
}
