//! The lines of source files.

use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Source files with their lines, read when they are needed.
#[derive(Debug, Default)]
pub struct Sources {
    folders: Vec<PathBuf>,
    known: FxHashMap<String, Vec<u8>>,
    files: FxHashMap<String, Option<Vec<String>>>,
}

impl Sources {
    /// The files at the paths of their names, or else in these folders.
    pub fn new(folders: Vec<PathBuf>) -> Sources {
        Sources { folders, ..Sources::default() }
    }

    /// The same with the content of a file that is not on disk, such as the standard input.
    pub fn with(mut self, file: &str, content: &[u8]) -> Sources {
        self.known.insert(file.into(), content.into());
        self
    }

    /// The content of a file.
    pub fn content(&self, file: &str) -> Option<Vec<u8>> {
        let known = self.known.get(file).cloned();
        known.or_else(|| std::fs::read(self.find(file)?).ok())
    }

    /// A line of a file, without the white space around it; lines count from 1.
    pub fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        self.whole_line(file, line).map(str::trim)
    }

    /// A line of a file.
    pub fn whole_line(&mut self, file: &str, line: u32) -> Option<&str> {
        if !self.files.contains_key(file) {
            let content = self.content(file);
            let lines =
                content.map(|content| String::from_utf8_lossy(&content).lines().map(String::from).collect());
            self.files.insert(file.to_string(), lines);
        }
        let lines = self.files.get(file)?.as_ref()?;
        lines.get((line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The path of a file.
    pub fn find(&self, file: &str) -> Option<PathBuf> {
        let name = Path::new(file).file_name()?;
        let inside = self.folders.iter().flat_map(|folder| [folder.join(file), folder.join(name)]);
        std::iter::once(PathBuf::from(file)).chain(inside).find(|place| place.is_file())
    }
}
