//! Temporary folders, which are removed soon after their process ends, however it ends.
//!
//! A process that is killed cannot remove its folder. So each folder has a file that its process keeps
//! locked. The system unlocks it when the process ends, and the process that makes the next folder removes
//! those whose file is not locked.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use tempfile::TempDir;

/// The prefix of the names of all folders.
const PREFIX: &str = "beeline-";
/// The file that is locked while a folder is in use.
const LOCK: &str = ".in-use";

/// A folder for temporary files, which is removed with its content.
#[derive(Debug)]
pub struct Folder {
    folder: TempDir,
    _lock: File,
}

impl Folder {
    /// Makes a new folder in the system's folder for temporary files, and removes those that killed processes
    /// of this user left there.
    pub fn new() -> Result<Folder, String> {
        let place = std::env::temp_dir();
        Folder::within(&place)
            .map_err(|error| format!("cannot create a folder in {}: {error}", place.display()))
    }

    /// The path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn within(place: &Path) -> io::Result<Folder> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
        // No other process may see the file before it is locked.
        let new = folder.path().join(".new");
        let lock = File::create(&new)?;
        lock.lock()?;
        fs::rename(&new, folder.path().join(LOCK))?;
        sweep(place, fs::metadata(folder.path())?.uid())?;
        Ok(Folder { folder, _lock: lock })
    }
}

/// Removes the folders of a user that are not in use any more.
fn sweep(place: &Path, user: u32) -> io::Result<()> {
    for entry in fs::read_dir(place)?.flatten() {
        let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // Other users may put anything there.
        let is_its = || entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user);
        if !is_named || !is_its() {
            continue;
        }
        // A folder without the file is another program's, or was made just now.
        let Ok(lock) = File::open(entry.path().join(LOCK)) else { continue };
        if lock.try_lock().is_ok() {
            // The next process tries again to remove what cannot be removed now.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_removed_when_their_process_is_gone() {
        let place = tempfile::tempdir().unwrap();
        let used = Folder::within(place.path()).unwrap();
        // A process that is killed unlocks its file and removes nothing.
        let Folder { folder, _lock: lock } = Folder::within(place.path()).unwrap();
        let left = folder.keep();
        drop(lock);
        fs::write(left.join("file"), "content").unwrap();
        let foreign = place.path().join("beeline-of-somebody");
        fs::create_dir(&foreign).unwrap();
        let other = place.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join(LOCK), "").unwrap();
        let new = Folder::within(place.path()).unwrap();
        assert!(!left.exists());
        assert!([used.path(), new.path(), &foreign, &other].iter().all(|folder| folder.is_dir()));
        let path = used.path().to_path_buf();
        drop(used);
        assert!(!path.exists());
    }
}
