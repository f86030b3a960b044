//! Conditions that a person writes: which executions a check follows, by `--only` and by the automaton of `--assume-paths`.
//!
//! They become checks in the text of the program, for clang only (see [`crate::copies`]): at each place, a function decides
//! whether the execution goes on. So they are a part of the program that is searched, of the one whose proof is checked, and of
//! the one that runs natively. What they leave out is an assumption of the answer.

mod automaton;
mod place;

use crate::answer::Answer;
use crate::arguments::CheckArguments;
use crate::copies::{COPY, Copies, Edit, Units, with_stack};
use crate::entry::contract::without_literals;
use crate::job::Job;
use crate::report::violation;
use crate::statement::{self, Gap};
use automaton::{Automaton, Step};
use beeline_ir::{Program, Span};
use place::Place;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The greatest number of conditions at one place: each is a bit of an `int`.
const MOST: usize = 30;

/// A rule about executions that come to a place: each of `--only` is one, and each step of an automaton.
struct Rule {
    /// The step. That of `--only` leaves the execution out where the condition does not hold.
    step: Step,
    /// Whether it is a step of the automaton, of which an execution takes the first one at a place.
    is_of_automaton: bool,
    /// The condition as it was written.
    written: String,
}

impl Rule {
    /// The rule of `--only`.
    fn only(text: &str) -> Result<Rule, String> {
        let at = format!("--only '{text}'");
        let refused = |why: String| format!("{at}: {why}");
        let (place, written) = text.split_once(" if ").ok_or_else(|| {
            refused("write `function NAME if CONDITION` or `FILE:LINE if CONDITION`".into())
        })?;
        let written = condition(written).map_err(refused)?;
        let place = Place::parse(place).map_err(refused)?;
        let step = Step { at, from: Vec::new(), place, condition: format!("!({written})"), to: None };
        Ok(Rule { step, is_of_automaton: false, written })
    }

    /// The assumption of an answer, if it leaves executions out.
    fn told(&self, states: &[String]) -> Option<String> {
        let Step { at, from, place, to: None, .. } = &self.step else { return None };
        let named: Vec<&str> = from.iter().map(|&state| states[state].as_str()).collect();
        let state =
            if named.is_empty() { String::new() } else { format!(", in state {}", named.join(" or ")) };
        let written = &self.written;
        Some(match self.is_of_automaton {
            false => format!("only executions are checked for which {written} holds {}", shown(place)),
            true => {
                format!("executions are left out for which {written} holds {}{state} ({at})", shown(place))
            }
        })
    }
}

fn shown(place: &Place) -> String {
    match place {
        Place::Function(_) => place.to_string(),
        Place::Line(..) => format!("at {place}"),
    }
}

/// A condition of C, as far as that can be seen without its place.
fn condition(text: &str) -> Result<String, String> {
    let text = text.trim();
    let mut depth = 0;
    let plain = without_literals(text);
    let closes_early = plain.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    if text.is_empty() || closes_early || depth != 0 || text.contains(['\n', '\r']) {
        return Err(format!("{text} is not a condition"));
    }
    Ok(text.into())
}

/// A place in a file, with the rules there.
struct Site<'r> {
    path: PathBuf,
    gap: Gap,
    rules: Vec<&'r Rule>,
}

/// Adds what the command line says of executions to a job, and returns the changed files.
pub(crate) fn put_in(job: &mut Job, arguments: &CheckArguments) -> Result<Copies, String> {
    let mut rules = arguments.only.iter().map(|text| Rule::only(text)).collect::<Result<Vec<_>, _>>()?;
    let automaton = arguments.assume_paths.as_deref().map(Automaton::read).transpose()?;
    let (states, start) = match automaton {
        Some(Automaton { states, start, steps }) => {
            let of_automaton =
                |step: Step| Rule { written: step.condition.clone(), step, is_of_automaton: true };
            rules.extend(steps.into_iter().map(of_automaton));
            (states, start)
        }
        None => (Vec::new(), 0),
    };
    if rules.is_empty() {
        return Ok(Copies::default());
    }
    if job.properties.iter().any(|property| property.name() == "no-data-race") {
        return Err("--only and --assume-paths read variables at other times than the program: they do not go with no-data-race".into());
    }
    job.given.extend(rules.iter().filter_map(|rule| rule.told(&states)));
    job.paths = rules.iter().map(|rule| format!("{:?}", rule.step)).collect();
    with_stack(|| copies(&Units::new(job)?, &rules, start))
}

/// The files with the checks, and with the function that they call.
fn copies(units: &Units, rules: &[Rule], start: usize) -> Result<Copies, String> {
    let mut sites: Vec<Site<'_>> = Vec::new();
    for rule in rules {
        let refused = |why: String| format!("{}: {why}", rule.step.at);
        for (path, gap) in rule.step.place.find(units).map_err(refused)? {
            // Each condition alone, so that what clang says is about this one.
            let alone = units.copies(&path, gap.clone().edit(statement::check(0, &[&rule.step.condition])));
            units.expect_unchanged(&alone).map_err(refused)?;
            match sites.iter_mut().find(|site| (&site.path, &site.gap) == (&path, &gap)) {
                Some(site) => site.rules.push(rule),
                None => sites.push(Site { path, gap, rules: vec![rule] }),
            }
        }
    }
    let mut all = Copies::default();
    for (number, site) in sites.iter().enumerate() {
        if let Some(rule) = site.rules.get(MOST) {
            return Err(format!("{}: there are more than {MOST} conditions at one place", rule.step.at));
        }
        let conditions: Vec<&str> = site.rules.iter().map(|rule| &*rule.step.condition).collect();
        let edit = site.gap.clone().edit(statement::check(number, &conditions));
        all.extend(units.copies(&site.path, edit));
    }
    let Some(unit) = units.units.first() else { return Ok(all) };
    let failed = |error: std::io::Error| format!("{}: {error}", unit.file.display());
    let path = unit.file.canonicalize().map_err(failed)?;
    let end = std::fs::read(&path).map_err(failed)?.len();
    let before = definition(&sites, start);
    all.extend(units.copies(&path, Edit { at: end, until: usize::MAX, before, after: String::new() }));
    Ok(all)
}

/// The function that checks call with the number of their place, and a bit for each condition that holds there.
fn definition(sites: &[Site<'_>], start: usize) -> String {
    let mut text = format!(
        "\n#line 1 \"which executions are checked\"\nvoid beeline_leave(int) __asm__(\"__VERIFIER_assume\");\n\
         static int beeline_state = {start};\n\
         static void __VERIFIER_atomic_beeline(int place, int holds) {{\n  switch (place) {{\n"
    );
    for (number, site) in sites.iter().enumerate() {
        let _ = writeln!(text, "  case {number}:");
        let mut goes_on = "";
        for (bit, Rule { step, is_of_automaton, .. }) in site.rules.iter().enumerate() {
            let holds = format!("holds & {}", 1u32 << bit);
            let states: Vec<String> =
                step.from.iter().map(|state| format!("beeline_state == {state}")).collect();
            let fits = if states.is_empty() { "1".into() } else { states.join(" || ") };
            let does = match step.to {
                Some(to) => format!("beeline_state = {to}"),
                None => "beeline_leave(0)".into(),
            };
            let before = if *is_of_automaton { std::mem::replace(&mut goes_on, "else ") } else { "" };
            let _ = writeln!(text, "    {before}if (({holds}) && ({fits})) {does};");
        }
        text.push_str("    break;\n");
    }
    text.push_str(
        "  }\n}\nvoid beeline_condition(int place, int holds) __asm__(\"beeline.condition\");\n\
         void beeline_condition(int place, int holds) { __VERIFIER_atomic_beeline(place, holds); }\n",
    );
    text
}

/// Refuses conditions that have no value in an execution: an error in a condition is none of the program.
pub(crate) fn expect_defined(answer: &Answer) -> Result<(), String> {
    let (Some((program, run)), false) = (&answer.result, answer.job.paths.is_empty()) else { return Ok(()) };
    let targets = run.paths.iter().filter_map(|path| program.targets.iter().find(|it| it.loc == path.target));
    for target in targets {
        if let Some(span) = target.span.filter(|span| is_in_check(answer, program, *span)) {
            return Err(format!(
                "{}:{}: a condition of --only or --assume-paths is undefined in an execution, as {} in it; \
                 write it so that it is defined whenever the place is reached, as `p && p->n < 4`",
                program.files[span.file],
                span.line,
                violation(target, None)
            ));
        }
    }
    Ok(())
}

/// Whether a place is in a check.
fn is_in_check(answer: &Answer, program: &Program, span: Span) -> bool {
    let file = Path::new(&program.files[span.file]).file_name().unwrap_or_default().to_string_lossy();
    let copies = answer.job.copies.iter();
    let mut copies = copies.filter(|(name, _)| name.starts_with(COPY) && name.ends_with(&*file));
    copies.any(|(_, text)| {
        let text = String::from_utf8_lossy(text);
        let line = span.line.checked_sub(1).and_then(|before| text.lines().nth(before as usize));
        line.is_some_and(|line| statement::is_in_check(line, span.col as usize))
    })
}
