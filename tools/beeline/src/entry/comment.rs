//! Contracts in comments above a function, in lines such as `// beeline: requires n <= 64 && fresh(p, n)`.

use super::contract::Requirement;

/// The word before the words of a contract.
pub(super) const MARK: &str = "beeline:";
/// The only word behind it.
const REQUIRES: &str = "requires";

/// The contract in the comments that end before a function, which begins at a position of a file.
pub(super) fn contract(file: &str, text: &str, begin: usize) -> Result<Vec<Requirement>, String> {
    let above = text.get(..begin).unwrap_or_default();
    let from = comments(above);
    let before = above[..from].matches('\n').count();
    let mut contract = Vec::new();
    for (number, line) in above[from..].lines().enumerate() {
        let line = line.trim().trim_start_matches(['/', '*']).trim_end_matches(['/', '*']).trim();
        let Some(said) = line.strip_prefix(MARK).map(str::trim) else { continue };
        let at = format!("{file}:{}", before + number + 1);
        match said.split_once(char::is_whitespace) {
            Some((REQUIRES, text)) => contract.push(Requirement { text: text.trim().into(), at }),
            _ => return Err(format!("{at}: {said:?} is no contract; write `{MARK} {REQUIRES} CONDITION`")),
        }
    }
    Ok(contract)
}

/// Where the comments at the end of a text begin.
fn comments(text: &str) -> usize {
    let mut from = text.len();
    loop {
        let before = text[..from].trim_end();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        if before.ends_with("*/") {
            let Some(begin) = before.rfind("/*") else { return from };
            from = begin;
        } else if before[line..].trim_start().starts_with("//") {
            from = line;
        } else {
            return from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, String)>, String> {
        let begin = text.find("int f").expect("the function is there");
        let contract = contract("a.c", text, begin)?;
        Ok(contract.into_iter().map(|said| (said.at, said.text)).collect())
    }

    #[test]
    fn all_comments_directly_above_count() {
        let text = "// beeline: requires no\nint g;\n/* beeline: requires a\n * beeline: requires b\n */\n\n\
                    // other words\n  // beeline: requires c\nint f(int c) {}\n// beeline: requires d\n";
        let expected = [("a.c:3", "a"), ("a.c:4", "b"), ("a.c:8", "c")];
        let expected: Vec<(String, String)> =
            expected.iter().map(|(at, text)| (at.to_string(), text.to_string())).collect();
        assert_eq!(read(text), Ok(expected));
        assert_eq!(read("int f(int c) {}"), Ok(Vec::new()));
    }

    #[test]
    fn a_wrong_word_is_refused_with_its_place() {
        let why = read("int g;\n// beeline: requries n > 2\nint f;").unwrap_err();
        assert_eq!(why, "a.c:2: \"requries n > 2\" is no contract; write `beeline: requires CONDITION`");
        assert!(read("// beeline: requires\nint f;").is_err());
    }
}
