//! The files of a crate use each other in one direction: no circle of files.
//!
//! A file uses another one if it names something of that, by `use` or by a path with `crate`, `super` or `self`; what is
//! re-exported counts for the file that it comes from. A submodule is a part of its parent, so it may use what that has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Crates that still have circles.
const EXEMPT: [&str; 3] = ["crates/cbmc", "tools/beeline", "tools/beeline-replay"];

/// A module by its path in the crate; the root is empty.
type Module = Vec<String>;

/// A path that a file has: its segments.
type Named = Vec<String>;

/// What a file of a crate names.
#[derive(Default)]
struct File {
    uses: Vec<Named>,
    /// What it re-exports, by the name that others use for it.
    exports: BTreeMap<String, Named>,
}

struct Crate {
    files: BTreeMap<Module, File>,
}

impl Crate {
    fn read(src: &Path) -> Crate {
        let mut files = BTreeMap::new();
        for path in sources(src) {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut module: Module =
                path.strip_prefix(src).unwrap().with_extension("").iter().map(name).collect();
            if ["lib", "main", "mod"].map(String::from).contains(&module[module.len() - 1]) {
                module.pop();
            }
            if module.last().is_none_or(|last| last != "tests") {
                files.insert(module, File::read(&code(&text)));
            }
        }
        Crate { files }
    }

    /// The files that each file uses.
    fn graph(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let used = |(module, file): (&'_ Module, &'_ File)| {
            let named = file.uses.iter().filter_map(|path| self.target(module, path, 0));
            named.filter(|target| target.is_empty() || !module.starts_with(target)).collect::<BTreeSet<_>>()
        };
        self.files.iter().map(|(module, file)| (module, used((module, file)))).collect()
    }

    /// The file that has what a path in a file names, if that is one of the crate.
    fn target(&self, module: &[String], path: &[String], exports: usize) -> Option<Module> {
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (module.to_vec(), &path[1..]),
            "super" => (module[..module.len().checked_sub(1)?].to_vec(), &path[1..]),
            first => {
                let is_child = self.files.contains_key(&joined(module, first));
                (module.to_vec(), is_child.then_some(path)?)
            }
        };
        while let [next, after @ ..] = rest {
            if next == "super" {
                at.pop()?;
            } else if self.files.contains_key(&joined(&at, next)) {
                at.push(next.clone());
            } else {
                break;
            }
            rest = after;
        }
        match rest.first().and_then(|name| self.files.get(&at)?.exports.get(name)) {
            Some(export) if exports < 9 => self.target(&at, export, exports + 1),
            _ => self.files.contains_key(&at).then_some(at),
        }
    }
}

impl File {
    fn read(code: &str) -> File {
        let mut file = File::default();
        let mut rest = code;
        while let Some((before, after)) = rest.split_once("use ") {
            let Some((tree, end)) = after.split_once(';') else { break };
            let is_use = before.is_empty() || before.ends_with(['\n', ' ', ')']);
            if !is_use {
                rest = after;
                continue;
            }
            file.inline(before);
            let line = before.rsplit('\n').next().unwrap_or("");
            for path in expanded(tree) {
                match line.trim_start().starts_with("pub") {
                    true => drop(file.exports.insert(path[path.len() - 1].clone(), path)),
                    false => file.uses.push(path),
                }
            }
            rest = end;
        }
        file.inline(rest);
        file
    }

    /// Notes the paths that code has besides its imports.
    fn inline(&mut self, code: &str) {
        let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        let paths = words.filter(|word| word.contains("::"));
        self.uses.extend(paths.map(|path| path.split("::").map(String::from).collect()));
    }
}

fn name(part: &std::ffi::OsStr) -> String {
    part.to_string_lossy().into_owned()
}

fn joined(module: &[String], name: &str) -> Module {
    module.iter().cloned().chain([name.to_string()]).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    // A package may have the sources of another one.
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| is_rust(path))
        .collect()
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rs")
}

/// A source without comments and unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.fold(String::new(), |code, line| code + line + "\n")
}

/// The paths of a tree of imports.
fn expanded(tree: &str) -> Vec<Named> {
    let tree: String = tree.chars().filter(|c| *c != '\n').collect();
    let Some((before, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or("");
        return vec![path.split("::").map(|part| part.trim().to_string()).collect()];
    };
    let prefix: Named =
        before.split("::").map(str::trim).filter(|part| !part.is_empty()).map(String::from).collect();
    let inner = &inner[..inner.rfind('}').unwrap_or(inner.len())];
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let paths = parts.into_iter().filter(|part| !part.trim().is_empty()).flat_map(expanded);
    paths.map(|path| prefix.iter().cloned().chain(path).collect()).collect()
}

/// The files that use each other in a circle.
fn circles(graph: &BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<String> {
    let in_circle = graph.keys().filter(|module| reached(graph, module).contains(**module));
    in_circle.map(|module| module.join("::")).collect()
}

/// The files that a file uses, and those that these use.
fn reached<'g>(graph: &'g BTreeMap<&Module, BTreeSet<Module>>, start: &'g Module) -> BTreeSet<&'g Module> {
    let (mut met, mut work) = (BTreeSet::new(), vec![start]);
    while let Some(module) = work.pop() {
        work.extend(graph[module].iter().filter(|next| met.insert(*next)));
    }
    met
}

#[test]
fn files_use_each_other_in_one_direction() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut circular, mut exempt) = (BTreeMap::new(), BTreeSet::new());
    for folder in ["crates", "tools"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{folder}/{}", path.file_name().unwrap().display());
            let found = circles(&Crate::read(&path.join("src")).graph());
            if EXEMPT.contains(&name.as_str()) {
                exempt.extend((!found.is_empty()).then_some(name));
            } else if !found.is_empty() {
                circular.insert(name, found);
            }
        }
    }
    assert!(circular.is_empty(), "these files use each other in circles: {circular:#?}");
    assert_eq!(
        exempt,
        EXEMPT.map(String::from).into(),
        "a crate has no circle any more: take it off the list"
    );
}

#[test]
fn circles_are_seen() {
    let file = |code: &str| File::read(code);
    let module = |name: &str| vec![name.to_string()];
    let files = [
        (vec![], file("pub use a::{One, Two};\nmod a; mod b; mod c;\n")),
        (module("a"), file("use crate::c::{self, Three};\npub struct One; pub struct Two;\n")),
        (module("b"), file("fn f() -> crate::One { crate::c::g() }\n")),
        (module("c"), file("use super::{Two,\n    b::f};\n")),
    ];
    let graph = Crate { files: files.into() };
    let found: Vec<String> = circles(&graph.graph()).into_iter().collect();
    assert_eq!(found, ["a", "b", "c"]);
}
