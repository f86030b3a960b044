//! The words of `--requires`: conditions in C with `&&` between them, and `fresh(p, n)` and `string(s, n)`.

/// A requirement on arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Clause {
    /// A pointer points to a number of elements of its own.
    Fresh(String, String),
    /// A pointer points to a string of its own with at most a number of characters.
    Text(String, String),
    /// A condition.
    Holds(String),
}

impl Clause {
    /// The parameter that it makes.
    pub(super) fn given(&self) -> Option<&str> {
        match self {
            Clause::Fresh(name, _) | Clause::Text(name, _) => Some(name),
            Clause::Holds(_) => None,
        }
    }

    /// The same in words.
    pub(super) fn told(&self) -> String {
        match self {
            Clause::Fresh(name, count) => format!("{name} points to {count} separate elements"),
            Clause::Text(name, most) => {
                format!("{name} is a separate string of at most {most} characters")
            }
            Clause::Holds(condition) => format!("{condition} holds"),
        }
    }
}

/// Parses requirements.
pub(super) fn clauses(requires: &[String]) -> Result<Vec<Clause>, String> {
    requires.iter().flat_map(|text| conjuncts(text)).map(clause).collect()
}

fn clause(text: &str) -> Result<Clause, String> {
    let text = text.trim();
    if text.is_empty() || text.contains(['\n', ';', '{', '}', '#']) {
        return Err(format!("--requires: {text:?} is not a condition"));
    }
    for (word, make) in [("fresh", Clause::Fresh as fn(_, _) -> _), ("string", Clause::Text)] {
        let Some(rest) = text.strip_prefix(word).map(str::trim_start) else { continue };
        let Some(inside) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { continue };
        let Some((name, number)) = inside.split_once(',') else {
            return Err(format!("--requires: {word} takes a parameter and a number: {word}(p, n)"));
        };
        return Ok(make(name.trim().to_string(), number.trim().to_string()));
    }
    Ok(Clause::Holds(text.to_string()))
}

/// The parts between `&&` outside of parentheses.
fn conjuncts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut begin) = (Vec::new(), 0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '&' if depth == 0 && at >= begin && text[at..].starts_with("&&") => {
                parts.push(&text[begin..at]);
                begin = at + 2;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_conditions() {
        let read = clauses(&["n <= 64 && fresh(p, n + 1) && string(s, 16)".into(), "f(a && b)".into()]);
        let expected = vec![
            Clause::Holds("n <= 64".into()),
            Clause::Fresh("p".into(), "n + 1".into()),
            Clause::Text("s".into(), "16".into()),
            Clause::Holds("f(a && b)".into()),
        ];
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in ["", "n > 0 &&", "n = 1; m = 2", "fresh(p)"] {
            assert!(clauses(&[text.into()]).is_err(), "{text}");
        }
    }
}
