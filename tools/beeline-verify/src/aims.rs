//! The targets that a command line selects.

use beeline_ir::{LocId, Program, Target};
use std::collections::BTreeSet;
use std::path::Path;

/// The number of targets that an error names if none is found.
const NAMED: usize = 3;

/// The targets that are asked for, or all without a selection.
pub(crate) fn resolved(program: &Program, asked: &[String]) -> Result<BTreeSet<LocId>, String> {
    let mut found = BTreeSet::new();
    for which in asked {
        let before = found.len();
        let meant = program.targets.iter().filter(|target| is_meant(program, target, which));
        found.extend(meant.map(|target| target.loc));
        if found.len() == before {
            return Err(format!("{which} is no target: {}", nearest(program, which)));
        }
    }
    if asked.is_empty() {
        found.extend(program.targets.iter().map(|target| target.loc));
    }
    Ok(found)
}

/// The names by which a target can be selected.
fn names(program: &Program, target: &Target) -> Vec<String> {
    let function = program.source_function(program.function_of(target.loc));
    let called = target.name.split(' ').next().unwrap_or_default();
    line(program, target)
        .into_iter()
        .chain([function, &target.property, called, &target.name].map(str::to_string))
        .collect()
}

/// The file and the line of a target.
fn line(program: &Program, target: &Target) -> Option<String> {
    let span = target.span?;
    Some(format!("{}:{}", program.files[span.file], span.line))
}

fn is_meant(program: &Program, target: &Target, which: &str) -> bool {
    // A file may be named without its folder, and the column may be left out.
    let ending = format!("/{which}");
    let mut places = line(program, target).into_iter().chain(target.span.map(|span| program.show_span(span)));
    let is_at = places.any(|place| place == which || place.ends_with(&ending));
    is_at || names(program, target).iter().any(|name| matches(which.as_bytes(), name.as_bytes()))
}

/// Whether a pattern, with `*` for anything and `?` for a character, matches a whole name.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    // The position of the last star, and the end of the text that it stands for.
    let (mut star, mut at, mut of_pattern) = (None, 0, 0);
    while at < name.len() {
        match pattern.get(of_pattern) {
            Some(b'*') => {
                star = Some((of_pattern, at));
                of_pattern += 1;
            }
            Some(&c) if c == b'?' || c == name[at] => {
                of_pattern += 1;
                at += 1;
            }
            _ => {
                let Some((before, end)) = star else { return false };
                star = Some((before, end + 1));
                (of_pattern, at) = (before + 1, end + 1);
            }
        }
    }
    pattern[of_pattern..].iter().all(|&c| c == b'*')
}

/// The targets with the names that are most similar to a selection.
fn nearest(program: &Program, which: &str) -> String {
    let shown = |target: &Target| {
        let place = line(program, target).unwrap_or_else(|| program.label(target.loc));
        let (folder, file) = (Path::new(&place).parent(), Path::new(&place).file_name());
        let place =
            file.filter(|_| folder.is_some()).map_or(place.clone(), |file| file.display().to_string());
        format!("{place} in {}", program.source_function(program.function_of(target.loc)))
    };
    let distance = |target: &Target| {
        let names = names(program, target);
        names.iter().map(|name| edits(which, name.rsplit('/').next().unwrap_or(name))).min()
    };
    let mut targets: Vec<(Option<usize>, String)> =
        program.targets.iter().map(|target| (distance(target), shown(target))).collect();
    targets.sort();
    targets.dedup_by(|a, b| a.1 == b.1);
    let named: Vec<String> = targets.into_iter().map(|(_, name)| name).take(NAMED).collect();
    match named[..] {
        [] => "the program has none".into(),
        _ => format!("the nearest are {}", named.join(", ")),
    }
}

/// The edit distance of two words: insertions, deletions and changes of characters.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, c) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for at in 0..to.len() {
            let changed = diagonal + usize::from(to[at] != c);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(diagonal + 1).min(row[at] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        let is_match = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        for (pattern, name) in [("*", ""), ("a*c", "abbc"), ("a?c", "abc"), ("*_*", "a_b"), ("main", "main")]
        {
            assert!(is_match(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("", "a"), ("a*c", "abcd"), ("a?c", "ac"), ("main", "domain"), ("a", "")] {
            assert!(!is_match(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn edits_are_counted() {
        assert_eq!(
            [edits("abc", "abc"), edits("abc", "axc"), edits("", "ab"), edits("kitten", "sitting")],
            [0, 1, 2, 3]
        );
    }
}
