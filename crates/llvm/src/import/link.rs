//! Links models of library functions into a module.

use super::World;
use crate::raw::RawModule;
use crate::read::{ImportError, one_line, read};
use llvm_sys::LLVMLinkage;
use rustc_hash::FxHashSet;

/// Takes from the models what the module leaves undefined, and all that this needs. Models for another
/// target are passed over.
///
/// The models are put together first, so that they may use each other in any order; a definition of a world replaces
/// theirs. There, every definition gets the linkage `linkonce`: LLVM's linker then takes it only where something refers
/// to it. What was taken becomes internal. If the module defines something itself, the models still have their own
/// definition: the library does not call the program's functions. From a world, the function in which it starts is
/// taken.
pub(super) fn link_models<'c>(
    module: &mut RawModule<'c>,
    name: &str,
    models: &[(String, Vec<u8>)],
    world: Option<&World>,
) -> Result<(), ImportError> {
    let failed = |message: &str| ImportError::Link { name: name.to_string(), message: one_line(message) };
    let uses =
        |names: &[&str]| module.functions().iter().any(|function| names.contains(&function.name().as_str()));
    let world = world.filter(|world| !uses(world.unless));
    let started = world.and_then(|world| Some((world, (world.start)(params_of_main(module)?)?)));
    let of_world = started.iter().flat_map(|(world, _)| &world.link).map(|model| (model, true));
    let models = models.iter().map(|model| (model, false)).chain(of_world);
    let Some(mut library) = put_together(module, models, failed)? else { return Ok(()) };
    let own = defined(module);
    let variables = declared_variables(module);
    library.relink(|symbol| {
        let take_if_needed = !symbol.is_declaration() && is_visible(symbol.linkage());
        // A variable of the program is unrelated to a function of the library with its name.
        let is_other = symbol.is_function() && variables.contains(&symbol.name());
        let is_own = own.contains(&symbol.name()) || is_other;
        let linkage = match () {
            () if is_own => LLVMLinkage::LLVMInternalLinkage,
            () if started.is_some_and(|(_, start)| start == symbol.name()) => {
                LLVMLinkage::LLVMExternalLinkage
            }
            () => LLVMLinkage::LLVMLinkOnceAnyLinkage,
        };
        take_if_needed.then_some(linkage)
    });
    let offered = defined(&library);
    module.link(library).map_err(|message| failed(&message))?;
    let mut any = false;
    module.relink(|symbol| {
        let name = symbol.name();
        let taken = !symbol.is_declaration() && offered.contains(&name) && !own.contains(&name);
        any |= taken;
        taken.then_some(LLVMLinkage::LLVMInternalLinkage)
    });
    // Both were verified when they were read, which takes long for a large module.
    if any { module.verify().map_err(|message| failed(&message)) } else { Ok(()) }
}

/// The models that fit a module as one library; whether each is of a world is with it.
fn put_together<'c, 'm>(
    module: &RawModule<'c>,
    models: impl Iterator<Item = (&'m (String, Vec<u8>), bool)>,
    failed: impl Fn(&str) -> ImportError,
) -> Result<Option<RawModule<'c>>, ImportError> {
    let mut library: Option<RawModule<'c>> = None;
    for ((model_name, bytes), is_of_world) in models {
        let model = read(module.context(), bytes, model_name)?;
        let fits = |other: &RawModule<'c>| compatible(other, &model);
        if !fits(module) || !library.as_ref().is_none_or(fits) {
            continue;
        }
        match &mut library {
            None => library = Some(model),
            Some(library) => {
                // A definition of the world takes precedence.
                let later = if is_of_world { defined(&model) } else { FxHashSet::default() };
                library.relink(|symbol| {
                    let is_older = !symbol.is_declaration()
                        && is_visible(symbol.linkage())
                        && later.contains(&symbol.name());
                    is_older.then_some(LLVMLinkage::LLVMLinkOnceAnyLinkage)
                });
                library.link(model).map_err(|message| failed(&message))?;
            }
        }
    }
    Ok(library)
}

/// The number of parameters of `main`, if the module defines it.
fn params_of_main(module: &RawModule<'_>) -> Option<usize> {
    let functions = module.functions().into_iter();
    let mut mains = functions.filter(|function| function.name() == "main" && !function.is_declaration());
    let main = mains.next()?;
    main.value_type().signature().map(|(_, params, _)| params.len())
}

/// Whether both modules lay out data in the same way, as far as they say.
fn compatible(a: &RawModule<'_>, b: &RawModule<'_>) -> bool {
    let (a, b) = (a.layout_text(), b.layout_text());
    a.is_empty() || b.is_empty() || a == b
}

fn is_visible(linkage: LLVMLinkage) -> bool {
    !matches!(
        linkage,
        LLVMLinkage::LLVMInternalLinkage
            | LLVMLinkage::LLVMPrivateLinkage
            | LLVMLinkage::LLVMAppendingLinkage
    )
}

/// The names of the variables that a module declares but does not define.
fn declared_variables(module: &RawModule<'_>) -> FxHashSet<String> {
    let symbols = module.symbols().into_iter();
    symbols
        .filter(|symbol| symbol.is_declaration() && !symbol.is_function())
        .map(|symbol| symbol.name())
        .collect()
}

/// The names of a module's definitions that are visible to others.
fn defined(module: &RawModule<'_>) -> FxHashSet<String> {
    let symbols = module.symbols().into_iter();
    symbols
        .filter(|symbol| !symbol.is_declaration() && is_visible(symbol.linkage()))
        .map(|symbol| symbol.name())
        .collect()
}
