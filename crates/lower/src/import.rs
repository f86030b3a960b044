//! Reads an LLVM module into the plain data of [`crate::llvm`].
//!
//! This is the only part of the crate that talks to LLVM. Its unsafe code is in `raw`, behind handles
//! that are safe to use; the other modules read constants, functions and debug information through them.
//!
//! Bitcode of LLVM 19 and of earlier versions is read, and so is textual IR. A module is checked by
//! LLVM's verifier before anything else reads it. LLVM may still give up on damaged bitcode on its own;
//! then one sentence on standard error says so (LLVM may print reasons before it), and **the process ends
//! with exit code 2**; so it does when LLVM crashes, as it may on bitcode with flipped bits. A program that
//! must survive that reads modules in a process of its own.
//!
//! Conventions beyond what the data's own documentation says:
//! - The address of a block (`&&label`) is the integer one more than the block's number in its function:
//!   `indirectbr` goes on at the target whose number is one less than the operand. It is never null, and
//!   differences of such addresses work as C programs expect.
//! - Casts between addresses and integers of one width are left out of constants; arithmetic on constants
//!   is done as far as it needs no addresses.
//! - `invoke`, `landingpad`, `callbr` and others that C does not compile to are
//!   [`InstKind::Unsupported`](crate::llvm::InstKind::Unsupported), and so are computations of vectors of
//!   addresses.
//! - An ifunc is a declaration. A global that is initialised from outside has no initial value.

mod address;
mod c_types;
mod constants;
mod debug;
mod function;
mod link;
mod native;
mod raw;
mod types;

pub use native::{
    Declared, DeclaredVariable, ENTRY, FILL, Native, NativeType, REACHED, Site, Storage, native,
};

use crate::llvm::{FnId, Global, GlobalId, Module};
use constants::Constants;
use cranelift_entity::{EntityRef, PrimaryMap};
use debug::{Debug, is_optimised, language};
use function::{Shared, import_function};
use raw::crash::Guard;
use raw::{Attributes, Context, RawModule, Value};
use types::Types;

/// What to do with a module before it is read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Models of library functions: name and bitcode of each. What the module leaves undefined is taken
    /// from them, with all that it needs itself; what the module defines is kept. Models for
    /// another target are passed over, so that the models of several targets can be offered at once.
    pub link: Vec<(String, Vec<u8>)>,
    /// Passes of LLVM's to run, as its program `opt` takes them.
    pub passes: Option<String>,
}

/// Why a module cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// There is nothing.
    #[error("{name} is empty; give LLVM bitcode, as `clang -c -emit-llvm` writes it")]
    Empty {
        /// What was to be read.
        name: String,
    },
    /// It is no module at all.
    #[error("{name} is not LLVM IR ({message}); give bitcode, as `clang -c -emit-llvm` writes it")]
    NotIr {
        /// What was to be read.
        name: String,
        /// What LLVM says.
        message: String,
    },
    /// The end is missing.
    #[error("{name} is cut off or damaged: {message}")]
    Truncated {
        /// What was to be read.
        name: String,
        /// What LLVM says.
        message: String,
    },
    /// It comes from a later version of LLVM.
    #[error(
        "{name} was made by {producer}, but this program reads at most LLVM 19; compile it with clang 19"
    )]
    Newer {
        /// What was to be read.
        name: String,
        /// The version of LLVM that made it.
        producer: String,
    },
    /// It breaks the rules of LLVM IR.
    #[error("{name} is damaged LLVM IR: {message}")]
    Broken {
        /// What was to be read.
        name: String,
        /// What LLVM says.
        message: String,
    },
    /// The models do not fit.
    #[error("{name} cannot be linked with the models of library functions: {message}")]
    Link {
        /// What was to be read.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// The passes are wrong or do not work.
    #[error("the LLVM passes `{passes}` cannot be run: {message}")]
    Passes {
        /// The passes.
        passes: String,
        /// What LLVM says.
        message: String,
    },
}

/// Reads a module of bitcode or textual IR; `name` is for messages and names the result if the module
/// itself does not say what it was made from.
pub fn import(bytes: &[u8], name: &str, options: &Options) -> Result<Module, ImportError> {
    let _guard = Guard::new(name);
    let context = Context::new();
    let mut module = read(&context, bytes, name)?;
    let (language, optimised) = (language(&module), is_optimised(&module));
    link::link_models(&mut module, name, &options.link)?;
    if let Some(passes) = &options.passes {
        let failed =
            |message: String| ImportError::Passes { passes: passes.clone(), message: one_line(&message) };
        module.run_passes(passes).map_err(failed)?;
    }
    module.use_debug_calls();
    let source = module.source_name();
    let name = if source.is_empty() { name.to_string() } else { source };
    Ok(convert(&module, name, language, optimised))
}

/// Reads and verifies a module.
fn read<'c>(context: &'c Context, bytes: &[u8], name: &str) -> Result<RawModule<'c>, ImportError> {
    if bytes.is_empty() {
        return Err(ImportError::Empty { name: name.to_string() });
    }
    let mut module = context.parse(bytes, name).map_err(|message| explain(bytes, name, &message))?;
    let broken =
        |message: String| ImportError::Broken { name: name.to_string(), message: one_line(&message) };
    module.verify_with_debug().map_err(broken)?;
    Ok(module)
}

/// Does it start as bitcode does, bare or in its wrapper?
fn looks_like_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

/// The error for what LLVM said about bytes that it cannot read.
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

/// The version of LLVM that wrote bitcode, as clang has it in the first block: characters of six bits.
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
fn one_line(message: &str) -> String {
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

fn convert(module: &RawModule<'_>, name: String, language: String, optimised: bool) -> Module {
    let layout = module.layout();
    let functions: Vec<Value<'_>> = module.functions().into_iter().chain(module.ifuncs()).collect();
    let functions: Vec<Value<'_>> =
        functions.into_iter().filter(|function| !function.name().starts_with("llvm.dbg.")).collect();
    let globals = module.globals();
    let constants = Constants::new(
        Types::new(layout),
        functions.iter().enumerate().map(|(i, &function)| (function, FnId::new(i))).collect(),
        globals.iter().enumerate().map(|(i, &global)| (global, GlobalId::new(i))).collect(),
    );
    let debug = Debug::new(module);
    let mut shared = Shared { constants, debug, attributes: Attributes::new() };
    let globals: PrimaryMap<GlobalId, Global> =
        globals.into_iter().map(|global| import_global(global, &mut shared)).collect();
    let functions = functions.into_iter().map(|function| import_function(function, &mut shared)).collect();
    Module {
        name,
        triple: module.triple(),
        pointer_width: layout.pointer_size() * 8,
        big_endian: layout.big_endian(),
        types: shared.constants.types.found,
        globals,
        functions,
        files: shared.debug.files,
        module_asm: module.has_assembly(),
        language,
        optimised,
        float_bits: false,
    }
}

fn import_global<'m>(raw: Value<'m>, shared: &mut Shared<'m>) -> Global {
    let ty = shared.constants.types.get(raw.value_type());
    let init = raw.initializer().map(|value| shared.constants.get(value));
    let align = match raw.alignment() {
        0 => shared.constants.types.found[ty].align,
        align => align,
    };
    Global {
        name: raw.name(),
        ty,
        init,
        constant: raw.is_global_constant(),
        weak: raw.is_weak_reference(),
        exported: raw.is_exported(),
        unnamed: raw.is_unnamed_constant(),
        thread_local: raw.is_thread_local(),
        align,
        debug: shared.debug.global_variable(raw),
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
