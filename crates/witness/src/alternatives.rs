//! Simplification of disjunctions: alternatives, each a conjunction in C.

use std::collections::{BTreeMap, BTreeSet};

/// The least number of consecutive numbers that become a range.
const ROW: usize = 3;

/// An alternative without the number of one of its equations: the left side, the number's suffix, and the
/// other conjuncts.
type Frame = (String, String, BTreeSet<String>);

/// Removes alternatives that imply another one, and joins those with consecutive numbers to a range.
pub(crate) fn brief(alternatives: BTreeSet<String>) -> Vec<String> {
    let each = |text: &str| conjuncts(text).into_iter().map(String::from).collect::<BTreeSet<String>>();
    let left: BTreeSet<BTreeSet<String>> =
        alternatives.iter().flat_map(|text| disjuncts(text)).map(each).collect();
    let mut left: Vec<BTreeSet<String>> = left.into_iter().collect();
    let all = left.clone();
    let follows = |which: &BTreeSet<String>| all.iter().any(|other| other != which && other.is_subset(which));
    left.retain(|which| !follows(which));
    let mut ranges = Vec::new();
    while let Some(((name, suffix, others), first, last)) = longest_row(&left) {
        left.retain(|which| {
            let frames = frames(which);
            !frames.iter().any(|(frame, number)| {
                (&frame.0, &frame.1, &frame.2) == (&name, &suffix, &others) && (first..=last).contains(number)
            })
        });
        let range = format!("{name} >= {first}{suffix} && {name} <= {last}{suffix}");
        ranges.push(others.into_iter().fold(range, |text, other| text + " && " + &other));
    }
    ranges.extend(left.into_iter().map(|which| which.into_iter().collect::<Vec<_>>().join(" && ")));
    ranges
}

/// The largest set of alternatives that differ only in a number, with all numbers between two.
fn longest_row(alternatives: &[BTreeSet<String>]) -> Option<(Frame, i128, i128)> {
    let mut numbers: BTreeMap<Frame, BTreeSet<i128>> = BTreeMap::new();
    for (frame, number) in alternatives.iter().flat_map(frames) {
        numbers.entry(frame).or_default().insert(number);
    }
    let mut longest: Option<(Frame, i128, i128)> = None;
    for (frame, numbers) in numbers {
        let mut row: Option<(i128, i128)> = None;
        for number in numbers {
            row = match row {
                Some((first, last)) if last.checked_add(1) == Some(number) => Some((first, number)),
                _ => Some((number, number)),
            };
            let Some((first, last)) = row else { continue };
            let is_longer = longest.as_ref().is_none_or(|(_, a, b)| last - first > b - a);
            if last - first + 1 >= ROW as i128 && is_longer {
                longest = Some((frame.clone(), first, last));
            }
        }
    }
    longest
}

/// The frames of an alternative: for each of its equations with a number, the remainder and the number.
fn frames(alternative: &BTreeSet<String>) -> Vec<(Frame, i128)> {
    let equation = |text: &String| {
        let (name, number) = text.split_once(" == ")?;
        let digits = number.trim_end_matches(['U', 'L']);
        let suffix = &number[digits.len()..];
        let others = alternative.iter().filter(|other| *other != text).cloned().collect();
        // Negative numbers are large ones where the left side is unsigned.
        let number = digits.parse::<i128>().ok().filter(|number| *number >= 0)?;
        Some(((name.to_string(), suffix.to_string(), others), number))
    };
    alternative.iter().filter_map(equation).collect()
}

/// The conjuncts of a conjunction, which may be in parentheses.
fn conjuncts(text: &str) -> Vec<&str> {
    parts(text, "||").map_or_else(|| nested(text, "&&"), |_| vec![text])
}

/// The disjuncts of a disjunction, which may be in parentheses.
fn disjuncts(text: &str) -> Vec<&str> {
    nested(text, "||")
}

fn nested<'t>(text: &'t str, op: &str) -> Vec<&'t str> {
    let inner = within_parentheses(text).unwrap_or(text);
    let is_other = op == "&&" && parts(inner, "||").is_some();
    match parts(inner, op).filter(|_| !is_other) {
        Some(parts) => parts.into_iter().flat_map(|part| nested(part, op)).collect(),
        None => vec![text],
    }
}

/// The operands of an operator that occurs outside of parentheses, if it does.
fn parts<'t>(text: &'t str, op: &str) -> Option<Vec<&'t str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0u32);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && text[at..].starts_with(op) && text[..at].ends_with(' ') => {
                parts.push(&text[start..at - 1]);
                start = at + op.len() + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..)?);
    (parts.len() > 1).then_some(parts)
}

/// The content of parentheses around the whole text, if there are any.
pub(crate) fn within_parentheses(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0i32;
    let closes = inner.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    (!closes).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief_of(alternatives: &[&str]) -> Vec<String> {
        brief(alternatives.iter().map(|text| text.to_string()).collect())
    }

    #[test]
    fn what_follows_from_another_one_is_left_out() {
        assert_eq!(brief_of(&["a == b", "n == 0U && a == b"]), ["a == b"]);
        assert_eq!(brief_of(&["a == b && c", "c && d"]), ["a == b && c", "c && d"]);
        assert_eq!(brief_of(&["(a || b && c)", "b"]), ["a", "b"]);
        assert_eq!(brief_of(&["a || b && c", "b && c"]), ["a", "b && c"]);
        assert_eq!(brief_of(&["(a && (b && (c || d)))", "(c || d) && b"]), ["(c || d) && b"]);
        assert_eq!(brief_of(&["(a) + (b) == 1", "f(x, (y))"]), ["(a) + (b) == 1", "f(x, (y))"]);
    }

    #[test]
    fn numbers_in_a_row_are_a_range() {
        let numbers = ["i == 0", "i == 1", "i == 10", "i == 2", "i == 3"];
        assert_eq!(brief_of(&numbers), ["i >= 0 && i <= 3", "i == 10"]);
        assert_eq!(brief_of(&["i == 0", "i == 1"]), ["i == 0", "i == 1"]);
        let two = ["i == 5U && j == 7", "i == 6U && j == 7", "i == 7U && j == 7", "i == 8U && j == 8"];
        assert_eq!(brief_of(&two), ["i >= 5U && i <= 7U && j == 7", "i == 8U && j == 8"]);
        assert_eq!(brief_of(&["i == -1", "i == 0", "i == 1"]), ["i == -1", "i == 0", "i == 1"]);
        assert_eq!(brief_of(&["i == 1", "i == 2", "j == 3"]), ["i == 1", "i == 2", "j == 3"]);
        assert_eq!(brief_of(&["i == 1", "i == 2U", "i == 3"]), ["i == 1", "i == 2U", "i == 3"]);
    }
}
