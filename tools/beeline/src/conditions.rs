//! Places with conditions, such as `lock.c:12 if held > 1`: the condition is put into the program's text, so that clang
//! says what it means there.
//!
//! The user's files stay as they are: clang sees changed copies of them in their place.

use crate::job::{Job, Source};
use crate::statement::{Changed, Gap, check, first};
use crate::step::Word;
use crate::syntax::{NoTree, Token, Tree, tree};
use crate::tools;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file that tells clang of the changed copies.
pub(crate) const OVERLAY: &str = "conditions.json";

/// The stack for clang's syntax trees, of which only what is used becomes memory.
const STACK: usize = 1 << 29;

/// A place with a condition.
struct Place<'a> {
    /// What the user wrote.
    text: &'a str,
    /// Its position among the places.
    number: usize,
    file: &'a str,
    line: usize,
    condition: &'a str,
}

impl<'a> Place<'a> {
    /// A place, if it has a condition.
    fn new(number: usize, text: &'a str) -> Option<Result<Place<'a>, String>> {
        let (place, condition) = text.split_once(" if ")?;
        let wrong = || format!("{text} is no place with a condition: that is FILE:LINE if CONDITION");
        let place = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        Some(match place {
            Some((file, line)) if !condition.trim().is_empty() && !condition.contains(['\n', '\r']) => {
                Ok(Place { text, number, file, line, condition })
            }
            _ => Err(wrong()),
        })
    }

    fn refused(&self, why: &str) -> String {
        format!("{}: {why}", self.text)
    }
}

/// Has the conditions of places compiled into a program.
pub(crate) fn put_in(job: &mut Job, places: &[String]) -> Result<(), String> {
    let places = places.iter().enumerate().filter_map(|(number, text)| Place::new(number, text));
    let places = places.collect::<Result<Vec<_>, _>>()?;
    if places.is_empty() {
        return Ok(());
    }
    // Syntax trees are as deep as programs nest.
    let edited = std::thread::scope(|scope| {
        let work = || Units::new(job)?.edited(&places);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
        thread.join().map_err(|_| "cannot read the program's syntax".to_string())?
    })?;
    job.copies = edited.texts();
    Ok(())
}

/// A file that clang compiles.
struct Unit {
    file: PathBuf,
    flags: Vec<String>,
    tree: Tree,
}

/// All files that clang compiles.
struct Units {
    clang: PathBuf,
    units: Vec<Unit>,
    have_bitcode: bool,
}

/// What is put into files: by their paths without symbolic links.
#[derive(Default)]
struct Edited {
    gaps: BTreeMap<PathBuf, Vec<(Gap, String)>>,
    /// The paths by which clang knows the files.
    names: BTreeSet<(PathBuf, PathBuf)>,
}

impl Units {
    fn new(job: &Job) -> Result<Units, String> {
        let clang = tools::clang()?;
        let mut units = Vec::new();
        for source in &job.sources {
            let Source::C(word, flags) = source else { continue };
            let Word::Given(file) = word else {
                return Err(
                    "a condition needs a file that it can be put into, and the standard input is none".into(),
                );
            };
            let flags: Vec<String> = flags.iter().chain(&job.flags).cloned().collect();
            let tree = tree(&clang, &flags, file).map_err(|error| match error {
                NoTree::Refused(said) => format!("the program does not compile:\n{}", said.trim_end()),
                NoTree::Failed(why) => why,
            })?;
            units.push(Unit { file: file.clone(), flags, tree });
        }
        Ok(Units { clang, have_bitcode: units.len() < job.sources.len(), units })
    }

    /// Finds out where the conditions go, and that they change nothing else.
    fn edited(&self, places: &[Place<'_>]) -> Result<Edited, String> {
        let mut all = Edited::default();
        // Where two places are one, an execution passes the earlier one there and the later one when it comes again.
        for place in places.iter().rev() {
            let (path, gap) = self.find(place)?;
            let mut edited = Edited { gaps: BTreeMap::new(), names: self.names(&path) };
            let check = check(place.number, place.condition);
            edited.gaps.insert(path.clone(), vec![(gap.clone(), check.clone())]);
            self.expect_unchanged(place, &edited)?;
            all.gaps.entry(path).or_default().push((gap, check));
            all.names.extend(edited.names);
        }
        Ok(all)
    }

    /// The file of a place, and where its check goes.
    fn find(&self, place: &Place<'_>) -> Result<(PathBuf, Gap), String> {
        for unit in &self.units {
            let files: Vec<Option<Text>> = unit.tree.files.iter().map(|name| Text::of(name, place)).collect();
            let is_there = |token: Token| {
                files[token.file].as_ref().is_some_and(|text| text.lines.contains(&token.begin))
            };
            let Some(statement) = first(&unit.tree, &is_there) else { continue };
            let Some(text) = &files[statement.file()] else { continue };
            let gap = statement
                .gap(&text.bytes)
                .map_err(|why| place.refused(&format!("{why}, so that no condition can be put there")))?;
            return Ok((text.path.clone(), gap));
        }
        let late = "; clang compiles conditions into C, and bitcode is compiled already";
        let late = if self.have_bitcode { late } else { "" };
        Err(place.refused(&format!("no statement begins in that line of a C file{late}")))
    }

    /// The names that clang has for a file.
    fn names(&self, path: &Path) -> BTreeSet<(PathBuf, PathBuf)> {
        let names = self.units.iter().flat_map(|unit| &unit.tree.files);
        let names = names.filter(|name| Path::new(name).canonicalize().is_ok_and(|known| known == path));
        names.filter_map(|name| Some((std::path::absolute(name).ok()?, path.to_path_buf()))).collect()
    }

    /// Compares all files with how they are with the check of one place.
    fn expect_unchanged(&self, place: &Place<'_>, edited: &Edited) -> Result<(), String> {
        let folder =
            tempfile::tempdir().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
        for (name, text) in edited.texts() {
            std::fs::write(folder.path().join(name), text)
                .map_err(|error| format!("cannot write a temporary file: {error}"))?;
        }
        let overlay = ["-ivfsoverlay".to_string(), folder.path().join(OVERLAY).display().to_string()];
        let mut is_in = false;
        for unit in &self.units {
            let flags = [&unit.flags[..], &overlay[..]].concat();
            let after = tree(&self.clang, &flags, &unit.file).map_err(|error| match error {
                NoTree::Refused(said) => {
                    place.refused(&format!("clang does not take the condition: {}", complaint(&said)))
                }
                NoTree::Failed(why) => why,
            })?;
            match Changed::find(&unit.tree.root, &after.root) {
                Changed::Missing => {}
                Changed::Nothing => is_in = true,
                Changed::Program => {
                    return Err(place.refused("with the condition, the program would be another one; it has to be one expression, and no macro may stand around the statement"));
                }
                Changed::Effect => {
                    return Err(place.refused("the condition may change something: it must not assign, call, or read what is volatile"));
                }
            }
        }
        if is_in { Ok(()) } else { Err(place.refused("clang does not compile what is in that line")) }
    }
}

/// The text of a file that can be meant by a place.
struct Text {
    path: PathBuf,
    bytes: Vec<u8>,
    /// The positions in the line.
    lines: std::ops::Range<usize>,
}

impl Text {
    /// The file with a name, if it can be meant and has the line.
    fn of(name: &str, place: &Place<'_>) -> Option<Text> {
        let path = Path::new(name).canonicalize().ok()?;
        let wanted = Path::new(place.file);
        if !path.ends_with(wanted) && wanted.canonicalize().ok().as_ref() != Some(&path) {
            return None;
        }
        let bytes = std::fs::read(&path).ok()?;
        let mut begins = std::iter::once(0)
            .chain(bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
        let begin = begins.nth(place.line.checked_sub(1)?)?;
        let end = bytes[begin..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |length| begin + length);
        Some(Text { path, bytes, lines: begin..end })
    }
}

/// What clang has to say, in one line: its first error.
fn complaint(said: &str) -> &str {
    let errors = said.lines().filter_map(|line| line.split_once("error: "));
    errors.map(|(_, error)| error).next().unwrap_or("it fails")
}

impl Edited {
    /// The files that clang is given, by names in one folder.
    fn texts(&self) -> Vec<(String, Vec<u8>)> {
        let copies: BTreeMap<&PathBuf, String> =
            self.gaps.keys().enumerate().map(|(number, path)| (path, copy_name(number, path))).collect();
        let roots: Vec<_> = self
            .names
            .iter()
            .map(|(name, path)| json!({ "type": "file", "name": name, "external-contents": copies[path] }))
            .collect();
        let overlay =
            json!({ "version": 0, "overlay-relative": true, "use-external-names": false, "roots": roots });
        let texts = self
            .gaps
            .iter()
            .filter_map(|(path, gaps)| Some((copies[path].clone(), with(&std::fs::read(path).ok()?, gaps))));
        texts.chain([(OVERLAY.to_string(), format!("{overlay:#}\n").into_bytes())]).collect()
    }
}

fn copy_name(number: usize, path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("conditions.{number}.{name}")
}

/// A text with checks.
fn with(text: &[u8], gaps: &[(Gap, String)]) -> Vec<u8> {
    let mut parts: Vec<(usize, bool, String)> = Vec::new();
    for (gap, check) in gaps {
        let brace = if gap.until.is_some() { "{ " } else { " " };
        parts.push((gap.at, true, format!("{brace}{check}")));
        parts.extend(gap.until.map(|until| (until, false, " }".to_string())));
    }
    // What ends where the next begins ends first.
    parts.sort_by_key(|(at, begins, _)| (*at, *begins));
    let mut result = Vec::new();
    let mut done = 0;
    for (at, _, part) in parts {
        result.extend_from_slice(&text[done..at]);
        result.extend_from_slice(part.as_bytes());
        done = at;
    }
    result.extend_from_slice(&text[done..]);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_where_the_next_begins_ends_first() {
        let (next, alone) = (Gap { at: 9, until: None }, Gap { at: 4, until: Some(9) });
        let gaps = [(next, "B ".to_string()), (alone, "A ".to_string())];
        assert_eq!(with(b"if x a+1;b;", &gaps), b"if x{ A  a+1; } B b;".to_vec());
    }
}
