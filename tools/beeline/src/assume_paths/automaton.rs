//! The file of `--assume-paths`: an automaton over places and conditions in C, in TOML. Its format is in
//! [ir-spec/conditions.md](../../../../ir-spec/conditions.md).

use super::place::Place;
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// An automaton that follows executions.
#[derive(Debug)]
pub(super) struct Automaton {
    /// The states, by name.
    pub states: Vec<String>,
    /// The position of the first state.
    pub start: usize,
    /// The steps, in their order.
    pub steps: Vec<Step>,
}

/// A step of an automaton, at a place.
#[derive(Debug)]
pub(super) struct Step {
    /// Its file and line.
    pub at: String,
    /// The states from which it is taken; empty for all.
    pub from: Vec<usize>,
    /// The place.
    pub place: Place,
    /// The condition.
    pub condition: String,
    /// The state that it goes to; none if the execution is left out.
    pub to: Option<usize>,
}

/// The text of an automaton.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    start: String,
    #[serde(default)]
    step: Vec<Spanned<ToldStep>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldStep {
    #[serde(default)]
    from: Vec<String>,
    at: String,
    #[serde(default = "always")]
    r#if: String,
    to: Option<String>,
    #[serde(default)]
    leave: bool,
}

/// The condition of a step without one.
fn always() -> String {
    "1".into()
}

impl Automaton {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Automaton, String> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        Automaton::parse(&shown, &text)
    }

    fn parse(shown: &str, text: &str) -> Result<Automaton, String> {
        let told: Told = toml::from_str(text).map_err(|error| {
            let (line, what) = beeline_options::fault(text, &error);
            format!("{shown}:{line}: {what}")
        })?;
        let mut states = vec![told.start.clone()];
        states.extend(told.step.iter().filter_map(|step| step.get_ref().to.clone()));
        states.sort();
        states.dedup();
        let number = |name: &String| states.binary_search(name).ok();
        let mut steps = Vec::new();
        for step in &told.step {
            let at = format!("{shown}:{}", line(text, step.span().start));
            let step = step.get_ref();
            let from = step
                .from
                .iter()
                .map(|name| number(name).ok_or_else(|| format!("{at}: no step goes to the state {name}")));
            if step.leave == step.to.is_some() {
                return Err(format!("{at}: a step has either `to`, its next state, or `leave = true`"));
            }
            steps.push(Step {
                from: from.collect::<Result<_, _>>()?,
                place: Place::parse(&step.at).map_err(|why| format!("{at}: {why}"))?,
                condition: super::condition(&step.r#if).map_err(|why| format!("{at}: {why}"))?,
                to: step.to.as_ref().and_then(number),
                at,
            });
        }
        if steps.iter().all(|step| step.to.is_some()) {
            return Err(format!("{shown}: no step has `leave = true`, so all executions are checked"));
        }
        Ok(Automaton { start: number(&told.start).unwrap_or(0), states, steps })
    }
}

/// The line of a position, from 1.
fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_states_are_read() {
        let text = "start = 'b'\n[[step]]\nfrom = ['b']\nat = 'function f'\nto = 'a'\n\n\
            [[step]]\nat = 'x.c:3'\nif = 'n > 4'\nleave = true\n";
        let Automaton { states, start, steps } = Automaton::parse("p.toml", text).unwrap();
        assert_eq!((states, start), (vec!["a".to_string(), "b".into()], 1));
        let [first, second] = &steps[..] else { panic!("{steps:?}") };
        assert_eq!(
            (&first.from[..], first.to, &*first.condition, &*first.at),
            (&[1][..], Some(0), "1", "p.toml:2")
        );
        assert_eq!((&second.from[..], second.to, &*second.at), (&[][..], None, "p.toml:7"));
        assert_eq!(second.place.to_string(), "x.c:3");
    }

    #[test]
    fn what_is_no_automaton_is_refused_with_its_line() {
        for (text, said) in [
            ("[[step]]\nat = 'x.c:3'\nleave = true\n", "p.toml:1: missing field `start`"),
            (
                "start = 'a'\n[[step]]\nat = 'x.c:3'\nfrom = ['b']\nleave = true\n",
                "p.toml:2: no step goes to the state b",
            ),
            ("start = 'a'\n[[step]]\nat = 'x.c:3'\n", "p.toml:2: a step has either `to`"),
            (
                "start = 'a'\n[[step]]\nat = 'x.c:3'\nto = 'b'\nleave = true\n",
                "p.toml:2: a step has either `to`",
            ),
            ("start = 'a'\n[[step]]\nat = 'x.c'\nleave = true\n", "p.toml:2: x.c is not a place"),
            (
                "start = 'a'\n[[step]]\nat = 'x.c:3'\nif = 'n) || (m'\nleave = true\n",
                "p.toml:2: n) || (m is not a condition",
            ),
            ("start = 'a'\n[[step]]\nat = 'x.c:3'\nto = 'a'\n", "p.toml: no step has `leave = true`"),
            ("start = 'a'\nstop = 'b'\n", "p.toml:2: unknown field `stop`"),
        ] {
            let why = Automaton::parse("p.toml", text).unwrap_err();
            assert!(why.starts_with(said), "{why}");
        }
    }
}
