//! Advice without an answer, from the facts of the run: the limit that ended it, the loop that continues, the
//! function without a body. docs/options.md has the details.

use crate::answer::{Answer, Check};
use crate::targets::Severity;
use beeline_graph::Loops;
use beeline_ir::{LocId, Op, Program, Span};
use beeline_run::share::Share;
use beeline_run::{Reason, Run, RunVerdict};
use std::collections::BTreeSet;

/// The unwinding in the advised command.
const ITERATIONS: u32 = 8;

const REPORT: &str = "please report this: it is a bug in Beeline";

/// Advice for an unknown answer.
pub(crate) fn against(answer: &Answer) -> Option<String> {
    let (program, run) = answer.result.as_ref()?;
    let of_reason = |reason: &Reason| Advice { answer, program, run }.of_reason(reason);
    let Some(first) = answer.first() else {
        return match (&run.verdict, &answer.proof) {
            (RunVerdict::Unknown(reason), _) => of_reason(reason),
            (_, Some(Check::Failed(_))) => Some(REPORT.into()),
            _ => None,
        };
    };
    match (first.severity, &first.reason) {
        (Severity::Refused, _) => Some(REPORT.into()),
        (Severity::Possible, None) => {
            let replay = first.path.and_then(|path| answer.replays.get(path));
            let went_elsewhere = replay.is_some_and(|replay| matches!(replay.check, Check::Failed(_)));
            went_elsewhere.then(|| "--property all, which may find undefined behaviour on the path".into())
        }
        (_, reason) => reason.as_ref().and_then(of_reason),
    }
}

/// The basis of advice.
struct Advice<'a> {
    answer: &'a Answer,
    program: &'a Program,
    run: &'a Run,
}

impl Advice<'_> {
    fn of_reason(&self, reason: &Reason) -> Option<String> {
        let plain = match reason {
            Reason::Time => return Some(self.of_limit("more time (--time-limit)")),
            Reason::Ticks => return Some(self.of_limit("more --ticks")),
            Reason::Memory => return Some(self.of_limit("more memory (--memory-limit)")),
            Reason::States => return Some(self.of_limit("a higher --max-states")),
            Reason::Interrupted => return Some(self.of_limit("let the run continue")),
            Reason::Bound(turns, place) => {
                let further = turns.saturating_mul(2).max(ITERATIONS);
                return Some(format!(
                    "--unwind {further}, or a smaller size of the program, so that {place} ends sooner"
                ));
            }
            Reason::NoPredicates | Reason::NoProgress if self.given("--domain", Some("value")) => {
                "--domain predicate: values alone exclude no more paths"
            }
            Reason::BlockTooLarge => "--block sbe, which makes smaller blocks",
            Reason::NoPredicates | Reason::NoProgress => "--domain value, or --arithmetic bv",
            Reason::Solver(_) => "more steps for each query (--query-ticks), or --domain value",
            Reason::Undefined(..) | Reason::Broken(..) => {
                "fix that place first; --property bounds or --property all may find a path to it"
            }
            Reason::GivenUp(..) => "a higher limit (--skip), or another run with --condition",
            Reason::Tried(_) => "another --engine: lazy and bounded cover all inputs",
            Reason::Part => "beeline join, with the results of the other parts",
            Reason::Guess(_) => {
                "declare the guessed function an input (--input NAME) if its results come from outside, or give it a body or a model"
            }
            Reason::NotConfirmed(_) => REPORT,
            Reason::Unsupported(_) | Reason::Proof(_) | Reason::Failed(_) | Reason::Told(_) => return None,
        };
        Some(plain.into())
    }

    /// Advice after a limit ended the search: a higher limit, and options that suit the program.
    fn of_limit(&self, more: &str) -> String {
        let mut parts = vec![more.to_string()];
        let free = !self.given("--engine", None) && !self.given("--plan", None);
        match self.open_loop() {
            Some(span) if free => {
                let place = self.program.show_span(span);
                parts.push(format!(
                    "--engine bounded --unwind {ITERATIONS}, which covers {ITERATIONS} iterations of each loop (the one at {place} is open)"
                ));
                parts.push("a smaller size, if the program has one".into());
            }
            Some(span) => {
                parts.push(format!("a smaller size for the loop at {}", self.program.show_span(span)))
            }
            None => {}
        }
        if let Some(function) = self.recursive().filter(|_| free && !self.given("--calls", None)) {
            parts.push(format!("--calls top or --calls summaries, because {function} calls itself"));
        }
        if self.answer.job.function == "main" && self.functions() > 1 {
            parts.push("--function NAME for one part of the program".into());
        }
        match parts.len() {
            1 => parts.remove(0),
            _ => parts.join("; or "),
        }
    }

    fn given(&self, name: &str, value: Option<&str>) -> bool {
        let mut given = self.answer.job.search.iter();
        given.any(|it| {
            it.name == name && value.is_none_or(|value| it.value.as_ref().is_some_and(|it| it == value))
        })
    }

    /// A loop of the source in which the search was open when it ended.
    fn open_loop(&self) -> Option<Span> {
        let rest = self.run.rests.last()?;
        let open = Share::of(self.program, rest).open;
        open.into_iter().find_map(|part| self.loop_around(part.loc))
    }

    fn loop_around(&self, loc: LocId) -> Option<Span> {
        let loops = Loops::new(self.program, self.program.function_of(loc));
        let head = loops.get(loops.innermost(loc)?).head;
        self.program.out_edges(head).find_map(|edge| self.program.edges[edge].span)
    }

    /// A function of the source that calls itself.
    fn recursive(&self) -> Option<&str> {
        let mut edges = self.program.edges.values();
        edges.find_map(|edge| {
            let Op::Call(call) = &edge.op else { return None };
            let caller = self.program.function_of(edge.src);
            let calls_itself = edge.span.is_some() && call.callee.functions().contains(&caller);
            calls_itself.then(|| self.program.source_function(caller))
        })
    }

    /// The number of functions of the source.
    fn functions(&self) -> usize {
        let edges = self.program.edges.values().filter(|edge| edge.span.is_some());
        let functions: BTreeSet<&str> =
            edges.map(|edge| self.program.source_function(self.program.function_of(edge.src))).collect();
        functions.len()
    }
}
