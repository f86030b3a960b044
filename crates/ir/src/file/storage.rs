//! Bytes from and to the disk or the standard streams.

use super::error::FileError;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The name of a path in messages.
pub(super) fn shown(path: &Path) -> String {
    if is_stream(path) { "the standard input".into() } else { path.display().to_string() }
}

/// Whether the path stands for a standard stream.
fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn read_error(path: &Path, error: io::Error) -> FileError {
    let file = shown(path);
    match error.kind() {
        io::ErrorKind::NotFound => FileError::Missing { file },
        io::ErrorKind::IsADirectory => FileError::Directory { file },
        _ => FileError::Read { file, error },
    }
}

fn open(path: &Path) -> Result<Box<dyn Read>, FileError> {
    if is_stream(path) {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).map_err(|error| read_error(path, error))?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(FileError::Directory { file: shown(path) });
    }
    Ok(Box::new(file))
}

/// All bytes of a file; `-` is the standard input.
pub fn read_bytes(path: impl AsRef<Path>) -> Result<Vec<u8>, FileError> {
    let path = path.as_ref();
    // The size is only a hint: a file may grow while it is read.
    let size = fs::metadata(path).map_or(0, |data| if data.is_file() { data.len() } else { 0 });
    let mut bytes = Vec::new();
    let _ = bytes.try_reserve_exact(usize::try_from(size).unwrap_or(0));
    open(path)?.read_to_end(&mut bytes).map_err(|error| read_error(path, error))?;
    Ok(bytes)
}

/// The first bytes of a file, up to a limit.
pub(super) fn read_start(path: &Path, len: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let limit = len as u64;
    open(path)?.take(limit).read_to_end(&mut bytes).map_err(|error| read_error(path, error))?;
    Ok(bytes)
}

/// The text of a file, which must not be empty or binary; `-` is the standard input.
pub fn read_text(path: impl AsRef<Path>) -> Result<String, FileError> {
    let path = path.as_ref();
    let bytes = read_bytes(path)?;
    if bytes.is_empty() {
        return Err(FileError::Empty { file: shown(path) });
    }
    String::from_utf8(bytes).map_err(|_| FileError::Binary { file: shown(path) })
}

/// Whether the path stands for a terminal.
pub(super) fn is_terminal(path: &Path) -> bool {
    is_stream(path) && io::stdout().is_terminal()
}

/// Refuses an output that is one of the input files, by whatever name.
pub fn expect_other<'p>(output: &Path, inputs: impl IntoIterator<Item = &'p Path>) -> Result<(), FileError> {
    // A path that does not exist is no input; the streams are two.
    let Ok(place) = fs::canonicalize(output) else { return Ok(()) };
    let is_same = |input: &&Path| fs::canonicalize(input).is_ok_and(|input| input == place);
    match inputs.into_iter().find(is_same).filter(|_| place.is_file()) {
        Some(_) => Err(FileError::Overwritten { file: shown(output) }),
        None => Ok(()),
    }
}

fn write_error(path: &Path, error: io::Error) -> FileError {
    let file = if is_stream(path) { "the standard output".into() } else { shown(path) };
    match error.kind() {
        io::ErrorKind::IsADirectory => FileError::Directory { file },
        _ => FileError::Write { file, error },
    }
}

/// Refuses an output that cannot be written, before there is anything to write: it creates an empty file beside the
/// output and removes it. Whether the disk has room later is unknown.
pub fn expect_writable(path: impl AsRef<Path>) -> Result<(), FileError> {
    let path = path.as_ref();
    let write_error = |error| write_error(path, error);
    if is_stream(path) {
        return Ok(());
    }
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(FileError::Directory { file: shown(path) }),
        // A pipe that is opened waits for its reader.
        Ok(data) if !data.is_file() => Ok(()),
        _ => {
            let temporary = temporary_beside(path);
            File::create(&temporary).map_err(write_error)?;
            fs::remove_file(&temporary).map_err(write_error)
        }
    }
}

/// Writes all bytes or leaves the file as it was; `-` is the standard output.
pub fn write_bytes(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileError> {
    let path = path.as_ref();
    let write_error = |error| write_error(path, error);
    if is_stream(path) {
        let mut out = io::stdout().lock();
        return out.write_all(bytes).and_then(|()| out.flush()).map_err(write_error);
    }
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => return Err(FileError::Directory { file: shown(path) }),
        // A device or a pipe is written to, not replaced.
        Ok(data) if !data.is_file() => return fs::write(path, bytes).map_err(write_error),
        _ => {}
    }
    let temporary = temporary_beside(path);
    let done = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The write has failed already; its partial result is of no use.
        let _ = fs::remove_file(&temporary);
    }
    done.map_err(write_error)
}

/// A name in the same directory, so that renaming it is one step; a short one, as a file's own may be as long as
/// names can be.
fn temporary_beside(path: &Path) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".beeline.{}.{number}.tmp", std::process::id()))
}
