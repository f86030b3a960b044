//! Reading and verifying a module, with an explanation of what is wrong with one that cannot be read.

use crate::raw::{Context, RawModule};

/// Why a module cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The input is empty.
    #[error("{name} is empty; give LLVM bitcode, as `clang -c -emit-llvm` writes it")]
    Empty {
        /// The name of the input.
        name: String,
    },
    /// The input is no module.
    #[error("{name} is not LLVM IR ({message}); give bitcode, as `clang -c -emit-llvm` writes it")]
    NotIr {
        /// The name of the input.
        name: String,
        /// The message of LLVM.
        message: String,
    },
    /// The end of the module is missing.
    #[error("{name} is cut off or damaged: {message}")]
    Truncated {
        /// The name of the input.
        name: String,
        /// The message of LLVM.
        message: String,
    },
    /// The module comes from a later version of LLVM.
    #[error(
        "{name} was made by {producer}, but this program reads at most LLVM 19; compile it with clang 19"
    )]
    Newer {
        /// The name of the input.
        name: String,
        /// The version of LLVM that made it.
        producer: String,
    },
    /// The module breaks the rules of LLVM IR.
    #[error("{name} is damaged LLVM IR: {message}")]
    Broken {
        /// The name of the input.
        name: String,
        /// The message of LLVM.
        message: String,
    },
    /// The models do not fit.
    #[error("{name} cannot be linked with the models of library functions: {message}")]
    Link {
        /// The name of the input.
        name: String,
        /// A description of the problem.
        message: String,
    },
    /// The passes are wrong or do not work.
    #[error("the LLVM passes `{passes}` cannot be run: {message}")]
    Passes {
        /// The passes.
        passes: String,
        /// The message of LLVM.
        message: String,
    },
}

/// Reads and verifies a module.
pub(crate) fn read<'c>(context: &'c Context, bytes: &[u8], name: &str) -> Result<RawModule<'c>, ImportError> {
    if bytes.is_empty() {
        return Err(ImportError::Empty { name: name.to_string() });
    }
    let mut module = context.parse(bytes, name).map_err(|message| explain(bytes, name, &message))?;
    let broken =
        |message: String| ImportError::Broken { name: name.to_string(), message: one_line(&message) };
    module.verify_with_debug().map_err(broken)?;
    Ok(module)
}

/// Whether it starts as bitcode does, bare or in its wrapper.
fn looks_like_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

/// The error for LLVM's message about bytes that it cannot read.
fn explain(bytes: &[u8], name: &str, message: &str) -> ImportError {
    let message = without_name(&one_line(message), name);
    let name = name.to_string();
    if !looks_like_bitcode(bytes) {
        return ImportError::NotIr { name, message };
    }
    let producer = producer(bytes).unwrap_or_default();
    let version = producer.trim_start_matches(|c: char| !c.is_ascii_digit());
    let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_some_and(|major| major > 19) {
        return ImportError::Newer { name, producer };
    }
    const CUT_OFF: [&str; 8] = [
        // The start is right: this is about the size, which must be a multiple of four.
        "invalid bitcode signature",
        "file too small",
        "unexpected end",
        "truncated",
        "past the end",
        "skip to bit",
        "ends too soon",
        "expected a single module",
    ];
    let lower = message.to_lowercase();
    if CUT_OFF.iter().any(|sign| lower.contains(sign)) {
        ImportError::Truncated { name, message }
    } else {
        ImportError::Broken { name, message }
    }
}

/// The version of LLVM that wrote bitcode, which clang puts into the first block: characters of six bits.
fn producer(bytes: &[u8]) -> Option<String> {
    const IDENTIFICATION_BITS: usize = 1024;
    let bit = |at: usize| bytes.get(at / 8).map(|byte| byte >> (at % 8) & 1);
    let character = |at: usize| {
        let code = (0..6).try_fold(0, |code, place| Some(code | bit(at + place)? << place))?;
        Some(match code {
            0..=25 => b'a' + code,
            26..=51 => b'A' + code - 26,
            52..=61 => b'0' + code - 52,
            62 => b'.',
            _ => b'_',
        })
    };
    let reads = |at: usize, text: &[u8]| {
        text.iter().enumerate().all(|(index, &wanted)| character(at + 6 * index) == Some(wanted))
    };
    let start = (0..IDENTIFICATION_BITS).find(|&at| reads(at, b"LLVM"))?;
    let version = (start + 24..).step_by(6).map_while(character);
    let version = version.take_while(|&c| c.is_ascii_digit() || c == b'.').map(char::from);
    Some(format!("LLVM {}", version.collect::<String>()))
}

/// The first line of a message, without its full stop.
pub(crate) fn one_line(message: &str) -> String {
    let line = message.lines().find(|line| !line.trim().is_empty()).unwrap_or("LLVM does not say why");
    line.trim().trim_start_matches("error: ").trim_end_matches('.').to_string()
}

/// A message without the name that it starts with: `x.ll:3:7: error: that` becomes `line 3: that`.
fn without_name(message: &str, name: &str) -> String {
    match message.strip_prefix(name).and_then(|rest| rest.split_once(" error: ")) {
        Some((place, what)) => match place.trim_matches(':').split_once(':') {
            Some((line, _)) => format!("line {line}: {what}"),
            None => what.to_string(),
        },
        None => message.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_give_the_line_of_text() {
        assert_eq!(without_name("a:b.ll:3:7: error: that", "a:b.ll"), "line 3: that");
        assert_eq!(without_name("a.bc: error: that", "a.bc"), "that");
        assert_eq!(without_name("that", "a.bc"), "that");
    }
}
