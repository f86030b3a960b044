//! Reads an LLVM module into the plain data of [`beeline_module`].
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
//!   [`InstKind::Unsupported`](beeline_module::InstKind::Unsupported), and so are computations of vectors of
//!   addresses.
//! - An ifunc is a declaration. A global that is initialised from outside has no initial value.

pub(crate) mod address;
mod c_types;
mod constants;
pub(crate) mod debug;
mod function;
mod integers;
mod link;
mod types;

pub use crate::read::ImportError;
pub use beeline_module::options::{Options, World};

use crate::raw::crash::Guard;
use crate::raw::{Attributes, Context, RawModule, Value};
use crate::read::{one_line, read};
use crate::unchecked::Unchecked;
use beeline_module::{FnId, Global, GlobalId, Module};
use constants::Constants;
use cranelift_entity::{EntityRef, PrimaryMap};
use debug::{Debug, is_optimised, language};
use function::{Shared, import_function};
use types::Types;

/// Reads a module of bitcode or textual IR; `name` is for messages and names the result if the module
/// itself does not say what it was made from.
pub fn import(bytes: &[u8], name: &str, options: &Options) -> Result<Module, ImportError> {
    let _guard = Guard::new(name);
    let context = Context::new();
    let mut module = read(&context, bytes, name)?;
    let (language, optimised) = (language(&module), is_optimised(&module));
    if options.passes.is_none() {
        module.number_functions();
    }
    link::link_models(&mut module, name, &options.link, options.world.as_ref())?;
    if let Some(passes) = &options.passes {
        let failed =
            |message: String| ImportError::Passes { passes: passes.clone(), message: one_line(&message) };
        module.run_passes(passes).map_err(failed)?;
    }
    module.use_debug_records();
    let source = module.source_name();
    let name = if source.is_empty() { name.to_string() } else { source };
    Ok(convert(&module, name, language, optimised))
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
    let unchecked = Unchecked::read(module);
    let mut shared = Shared { constants, debug, attributes: Attributes::new(), unchecked };
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
        section: raw.section(),
        debug: shared.debug.global_variable(raw),
    }
}
