//! The words of contracts: conditions in C with `&&` between them, and `fresh(p, n)` and `string(s, n)`. The command line,
//! `beeline.toml` and comments share them.

/// A text of a contract, with the place where it is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Requirement {
    /// The text.
    pub text: String,
    /// The option, or the file and the line.
    pub at: String,
}

/// A requirement on arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// A pointer points to a number of elements of its own.
    Fresh(String, String),
    /// A pointer points to a string of its own with at most a number of characters.
    Text(String, String),
    /// A condition.
    Holds(String),
}

/// A requirement with the place where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clause<'r> {
    /// The requirement.
    pub word: Word,
    /// The option, or the file and the line.
    pub at: &'r str,
}

impl Word {
    /// The parameter that it makes.
    pub(super) fn given(&self) -> Option<&str> {
        match self {
            Word::Fresh(name, _) | Word::Text(name, _) => Some(name),
            Word::Holds(_) => None,
        }
    }

    /// Whether it reads a variable.
    pub(super) fn reads(&self, name: &str) -> bool {
        let (Word::Fresh(_, text) | Word::Text(_, text) | Word::Holds(text)) = self;
        text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    }

    /// The same in words.
    pub(super) fn told(&self) -> String {
        match self {
            Word::Fresh(name, count) => format!("{name} points to {count} separate elements"),
            Word::Text(name, most) => format!("{name} is a separate string of at most {most} characters"),
            Word::Holds(condition) => format!("{condition} holds"),
        }
    }
}

/// Parses a contract. A parameter is made before a condition reads it, and once.
pub(super) fn clauses(contract: &[Requirement]) -> Result<Vec<Clause<'_>>, String> {
    let mut clauses = Vec::new();
    for Requirement { text, at } in contract {
        for part in conjuncts(text) {
            let word = word(part).map_err(|why| format!("{at}: {why}"))?;
            clauses.push(Clause { word, at });
        }
    }
    for (index, clause) in clauses.iter().enumerate() {
        let Some(name) = clause.word.given() else { continue };
        if clauses[..index].iter().any(|other| other.word.given() == Some(name)) {
            return Err(format!("{}: {name} is made twice", clause.at));
        }
    }
    Ok(ordered(clauses))
}

/// Moves what reads a parameter behind the requirement that makes it.
fn ordered(clauses: Vec<Clause<'_>>) -> Vec<Clause<'_>> {
    let (mut waiting, mut ordered) = (clauses, Vec::new());
    while !waiting.is_empty() {
        let is_ready = |clause: &Clause<'_>| {
            let mut makers = waiting.iter().filter(|other| *other != clause);
            !makers.any(|maker| maker.word.given().is_some_and(|name| clause.word.reads(name)))
        };
        // Those that read each other stay as they are written.
        let next = waiting.iter().position(is_ready).unwrap_or(0);
        ordered.push(waiting.remove(next));
    }
    ordered
}

fn word(text: &str) -> Result<Word, String> {
    let text = text.trim();
    if text.is_empty() || text.contains(['\n', ';', '{', '}', '#']) || assigns(text) {
        return Err(format!("{text:?} is not a condition"));
    }
    for (word, make) in [("fresh", Word::Fresh as fn(_, _) -> _), ("string", Word::Text)] {
        let Some(rest) = text.strip_prefix(word).map(str::trim_start) else { continue };
        let Some(inside) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { continue };
        let Some((name, number)) = inside.split_once(',').filter(|(_, number)| !number.trim().is_empty())
        else {
            return Err(format!("{word} takes a parameter and a number: {word}(p, n)"));
        };
        return Ok(make(name.trim().to_string(), number.trim().to_string()));
    }
    Ok(Word::Holds(text.to_string()))
}

/// Whether a text writes a variable.
fn assigns(text: &str) -> bool {
    let text = without_literals(text);
    let bytes = text.as_bytes();
    let compares = |at: usize| {
        let before = at.checked_sub(1).map_or(0, |before| bytes[before]);
        let shifts = at >= 2 && matches!(&text[at - 2..at], "<<" | ">>");
        bytes.get(at + 1) == Some(&b'=') || matches!(before, b'=' | b'!' | b'<' | b'>') && !shifts
    };
    let writes = |(at, &byte): (usize, &u8)| byte == b'=' && !compares(at);
    bytes.iter().enumerate().any(writes) || text.contains("++") || text.contains("--")
}

/// A text with underscores in the place of what quotes enclose.
pub(crate) fn without_literals(text: &str) -> String {
    let (mut quote, mut escaped) = (None, false);
    let replaced = |c: char| {
        let inside = quote.is_some();
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(end) if c == end => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            _ => {}
        }
        if inside { "_".repeat(c.len_utf8()) } else { c.to_string() }
    };
    text.chars().map(replaced).collect()
}

/// The parts between `&&` outside of parentheses. Where an operator joins more loosely, there is one part.
fn conjuncts(text: &str) -> Vec<&str> {
    let plain = without_literals(text);
    let (mut parts, mut depth, mut begin) = (Vec::new(), 0i32, 0);
    for (at, c) in plain.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '&' if depth == 0 && at >= begin && plain[at..].starts_with("&&") => {
                parts.push(&text[begin..at]);
                begin = at + 2;
            }
            '?' if depth == 0 => return vec![text],
            '|' if depth == 0 && plain[at..].starts_with("||") => return vec![text],
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[&str]) -> Result<Vec<Word>, String> {
        let contract: Vec<Requirement> =
            texts.iter().map(|text| Requirement { text: text.to_string(), at: "f.c:3".into() }).collect();
        Ok(clauses(&contract)?.into_iter().map(|clause| clause.word).collect())
    }

    fn holds(text: &str) -> Word {
        Word::Holds(text.into())
    }

    #[test]
    fn words_are_told_from_conditions() {
        let expected = vec![
            holds("n <= 64"),
            Word::Fresh("p".into(), "n + 1".into()),
            Word::Text("s".into(), "16".into()),
            holds("f(a && b)"),
        ];
        assert_eq!(read(&["n <= 64 && fresh(p, n + 1) && string(s, 16)", "f(a && b)"]), Ok(expected));
    }

    #[test]
    fn what_joins_more_loosely_is_not_cut() {
        for text in ["!p || n > 0 && n < 5", "n > 0 && n < 5 || !p", "n ? n < 5 && n > 2 : !p"] {
            assert_eq!(read(&[text]), Ok(vec![holds(text)]));
        }
        assert_eq!(read(&["(!p || n) && c == '|'"]), Ok(vec![holds("(!p || n)"), holds("c == '|'")]));
        assert_eq!(read(&["c != '&' && c != '\\''"]), Ok(vec![holds("c != '&'"), holds("c != '\\''")]));
    }

    #[test]
    fn what_reads_a_parameter_comes_after_what_makes_it() {
        let made = |name: &str, count: &str| Word::Fresh(name.into(), count.into());
        assert_eq!(
            read(&["p->n < 3 && fresh(q, p->n)", "fresh(p, 1) && m > 2"]),
            Ok(vec![made("p", "1"), holds("p->n < 3"), made("q", "p->n"), holds("m > 2")])
        );
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in ["", "n > 0 &&", "n = 1; m = 2", "fresh(p)", "fresh(p, )", "n = 3", "n++ > 2", "n <<= 2"]
        {
            let why = read(&[text]).expect_err(text);
            assert!(why.starts_with("f.c:3: "), "{why}");
        }
        assert_eq!(read(&["n == 3 && n <= 4 && n >= 2 && c != '='"]).map(|words| words.len()), Ok(4));
        assert_eq!(read(&["fresh(p, 1)", "string(p, 2)"]).unwrap_err(), "f.c:3: p is made twice");
    }
}
