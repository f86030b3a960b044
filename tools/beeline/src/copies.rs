//! Changed copies of a program's C files: clang sees them in place of the user's files, which stay as they are.

use crate::job::{Job, Source};
use crate::statement::Changed;
use crate::step::Word;
use crate::syntax::{NoTree, Tree, tree};
use crate::tools;
use beeline_cli::temporary::Folder;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file that redirects clang to the changed copies.
pub(crate) const OVERLAY: &str = "copies.json";

/// The options before that file's name. By itself, the option would be one for the preprocessor, which `.i`
/// files do not see.
pub(crate) const WITH_OVERLAY: [&str; 3] = ["-Xclang", "-ivfsoverlay", "-Xclang"];

/// The prefix of the names of changed copies.
pub(crate) const COPY: &str = "copy.";

/// The stack for clang's syntax trees, of which only what is used becomes memory.
const STACK: usize = 1 << 29;

/// An edit: text that is inserted around a part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// The start of the part.
    pub at: usize,
    /// The end of the part; `usize::MAX` if nothing is inserted there.
    pub until: usize,
    /// The text before the part.
    pub before: String,
    /// The text after the part.
    pub after: String,
}

/// A file that clang compiles.
pub(crate) struct Unit {
    /// The path.
    pub file: PathBuf,
    flags: Vec<String>,
    /// Its syntax tree without a change.
    pub tree: Tree,
}

/// All files that clang compiles.
pub(crate) struct Units {
    clang: PathBuf,
    /// The files.
    pub units: Vec<Unit>,
    /// Whether a part of the program is bitcode already.
    pub have_bitcode: bool,
}

/// The edits of files, by their paths without symbolic links.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    edits: BTreeMap<PathBuf, Vec<Edit>>,
    /// The paths by which clang knows the files.
    names: BTreeSet<(PathBuf, PathBuf)>,
}

/// Runs a function on syntax trees, which are as deep as programs nest, with a large stack.
pub(crate) fn with_stack<T: Send>(work: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
        thread.join().map_err(|_| "cannot read the syntax of the program".to_string())?
    })
}

impl Units {
    /// Reads the C files of a job.
    pub(crate) fn new(job: &Job) -> Result<Units, String> {
        let clang = tools::clang()?;
        let mut units = Vec::new();
        for source in &job.sources {
            let Source::C(word, flags) = source else { continue };
            let Word::Given(file) = word else {
                return Err("a condition needs a C file, not standard input".into());
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

    /// A change of one file.
    pub(crate) fn copies(&self, path: &Path, edit: Edit) -> Copies {
        let edits = BTreeMap::from([(path.to_path_buf(), vec![edit])]);
        Copies { edits, names: self.names(path) }
    }

    /// The names that clang has for a file.
    fn names(&self, path: &Path) -> BTreeSet<(PathBuf, PathBuf)> {
        let names = self.units.iter().flat_map(|unit| &unit.tree.files);
        let names = names.filter(|name| Path::new(name).canonicalize().is_ok_and(|known| known == path));
        names.filter_map(|name| Some((std::path::absolute(name).ok()?, path.to_path_buf()))).collect()
    }

    /// Checks that all files compile with the edits. Otherwise says why not, after the place where clang stops.
    pub(crate) fn expect_compiles(&self, copies: &Copies) -> Result<(), (String, String)> {
        self.trees_with(copies).map(|_| ()).map_err(|error| match error {
            NoTree::Refused(said) => {
                let place =
                    said.lines().find_map(|line| line.split_once(": error: ")).map_or("", |found| found.0);
                (place.into(), complaint(&said).into())
            }
            NoTree::Failed(why) => (String::new(), why),
        })
    }

    /// The syntax trees of all files with the edits.
    fn trees_with(&self, copies: &Copies) -> Result<Vec<Tree>, NoTree> {
        let folder = Folder::new().map_err(NoTree::Failed)?;
        for (name, text) in copies.texts() {
            std::fs::write(folder.path().join(name), text)
                .map_err(|error| NoTree::Failed(format!("cannot write a temporary file: {error}")))?;
        }
        let overlay = folder.path().join(OVERLAY).display().to_string();
        let overlay: Vec<String> = WITH_OVERLAY.into_iter().map(String::from).chain([overlay]).collect();
        let units = self.units.iter();
        units.map(|unit| tree(&self.clang, &[&unit.flags[..], &overlay[..]].concat(), &unit.file)).collect()
    }

    /// Compares all files with and without checks: the checks must be the only difference.
    pub(crate) fn expect_unchanged(&self, copies: &Copies) -> Result<(), String> {
        let mut is_in = false;
        let trees = self.trees_with(copies).map_err(|error| match error {
            NoTree::Refused(said) => format!("clang rejects the condition: {}", complaint(&said)),
            NoTree::Failed(why) => why,
        })?;
        for (unit, after) in self.units.iter().zip(trees) {
            match Changed::find(&unit.tree.root, &after.root) {
                Changed::Missing => {}
                Changed::Nothing => is_in = true,
                Changed::Program => {
                    return Err("the condition would change the program; write one expression, at a statement that is not in a macro".into());
                }
                Changed::Effect => {
                    return Err("the condition may have side effects: it must not assign, call, or read volatile memory".into());
                }
            }
        }
        if is_in { Ok(()) } else { Err("clang does not compile the code in that line".into()) }
    }
}

/// The first error of clang, in one line.
fn complaint(said: &str) -> &str {
    let errors = said.lines().filter_map(|line| line.split_once("error: "));
    errors.map(|(_, error)| error).next().unwrap_or("it fails")
}

/// The text of a file of the program.
pub(crate) struct Text {
    /// The path.
    pub path: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Text {
    /// The file that clang knows by a name, if the user's name can refer to it.
    pub(crate) fn of(name: &str, called: &str) -> Option<Text> {
        let path = Path::new(name).canonicalize().ok()?;
        let wanted = Path::new(called);
        if !path.ends_with(wanted) && wanted.canonicalize().ok().as_ref() != Some(&path) {
            return None;
        }
        Some(Text { bytes: std::fs::read(&path).ok()?, path })
    }

    /// The positions in a line, by its number from 1.
    pub(crate) fn line(&self, number: usize) -> Option<std::ops::Range<usize>> {
        let ends = self.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let begin = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).nth(number.checked_sub(1)?)?;
        let length = self.bytes[begin..].iter().position(|byte| *byte == b'\n');
        Some(begin..length.map_or(self.bytes.len(), |length| begin + length))
    }
}

impl Copies {
    /// Puts more in.
    pub(crate) fn extend(&mut self, more: Copies) {
        for (path, edits) in more.edits {
            self.edits.entry(path).or_default().extend(edits);
        }
        self.names.extend(more.names);
    }

    /// The files that clang is given, by names in one folder.
    pub(crate) fn texts(&self) -> Vec<(String, Vec<u8>)> {
        if self.edits.is_empty() {
            return Vec::new();
        }
        let copies: BTreeMap<&PathBuf, String> =
            self.edits.keys().enumerate().map(|(number, path)| (path, copy_name(number, path))).collect();
        let roots: Vec<_> = self
            .names
            .iter()
            .map(|(name, path)| json!({ "type": "file", "name": name, "external-contents": copies[path] }))
            .collect();
        let overlay =
            json!({ "version": 0, "overlay-relative": true, "use-external-names": false, "roots": roots });
        let texts = self.edits.iter().filter_map(|(path, edits)| {
            Some((copies[path].clone(), edited(&std::fs::read(path).ok()?, edits)))
        });
        texts.chain([(OVERLAY.to_string(), format!("{overlay:#}\n").into_bytes())]).collect()
    }
}

fn copy_name(number: usize, path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{COPY}{number}.{name}")
}

/// A text with edits. Of those of the same part, the first is outside.
fn edited(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let begins = edits.iter().enumerate().map(|(index, edit)| {
        let inside = (Reverse(edit.until), index);
        ((edit.at, true, inside), &edit.before)
    });
    let ends = edits.iter().enumerate().filter(|(_, edit)| !edit.after.is_empty()).map(|(index, edit)| {
        // The edit that begins last ends first.
        let inside = (Reverse(edit.at), edits.len() - index);
        ((edit.until, false, inside), &edit.after)
    });
    let mut parts: Vec<_> = begins.chain(ends).collect();
    // An edit that ends where the next one begins ends first.
    parts.sort_by_key(|(place, _)| *place);
    let mut result = Vec::new();
    let mut done = 0;
    for ((at, ..), part) in parts {
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

    fn edit(at: usize, until: usize, name: &str) -> Edit {
        let after = if until == usize::MAX { String::new() } else { format!("/{name}") };
        Edit { at, until, before: format!("{name}:"), after }
    }

    #[test]
    fn edits_nest() {
        let shown = |edits: &[Edit]| String::from_utf8(edited(b"if x a+1;b;", edits)).expect("it is text");
        assert_eq!(shown(&[edit(9, usize::MAX, "B"), edit(4, 9, "A")]), "if xA: a+1;/AB:b;");
        assert_eq!(shown(&[edit(5, 6, "in"), edit(5, 8, "out")]), "if x out:in:a/in+1/out;b;");
        assert_eq!(shown(&[edit(5, 8, "one"), edit(5, 8, "two")]), "if x one:two:a+1/two/one;b;");
        assert_eq!(shown(&[edit(5, 8, "out"), edit(7, 8, "in")]), "if x out:a+in:1/in/out;b;");
        assert_eq!(shown(&[edit(9, 10, "in"), edit(9, usize::MAX, "B")]), "if x a+1;B:in:b/in;");
    }
}
