//! Reading and verifying a module, with an explanation of what is wrong with one that cannot be read.

use crate::raw::{Context, LLVM, RawModule};
use beeline_module::producer::{Producer, bitcode};

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
        "{name} was made by {producer}, but this program reads at most LLVM {LLVM}; compile it with clang {LLVM} or an older one, or build Beeline where LLVM {} is installed",
        .producer.major()
    )]
    Newer {
        /// The name of the input.
        name: String,
        /// What made it.
        producer: Producer,
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
    // A later version may say what this one would pass over.
    if let Some(producer) = Producer::of(bytes).filter(|producer| producer.major() > LLVM) {
        return Err(ImportError::Newer { name: name.to_string(), producer });
    }
    let mut module = context.parse(bytes, name).map_err(|message| explain(bytes, name, &message))?;
    let broken =
        |message: String| ImportError::Broken { name: name.to_string(), message: one_line(&message) };
    module.verify_with_debug().map_err(broken)?;
    Ok(module)
}

/// The error for LLVM's message about bytes that it cannot read.
fn explain(bytes: &[u8], name: &str, message: &str) -> ImportError {
    let message = without_name(&one_line(message), name);
    let name = name.to_string();
    if bitcode(bytes).is_none() {
        return ImportError::NotIr { name, message };
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
