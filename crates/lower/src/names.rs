//! What the source calls the parts of objects, from debug information: variables that stand for one, cells of memory.

use crate::analyse::memory::Layout;
use crate::analyse::promote::{Cell, Object};
use beeline_ir::{NamedCells, Repeat};
use beeline_llvm::module::{DebugVar, Module, Part};

/// Names of cells that a program holds at most: large tables would make files of names.
const MAX_CELLS: usize = 10_000;

/// How the variable that stands for a cell is named.
pub(crate) struct CellName {
    /// The name of its object.
    pub object: String,
    /// What of the object it is, or empty.
    pub part: String,
    /// Its type as C writes it, or empty.
    pub ty: String,
}

/// The name of a cell's variable.
pub(crate) fn cell_name(debug: Option<&DebugVar>, plain: &str, cell: &Cell, cells: usize) -> CellName {
    let object = match debug {
        Some(debug) => debug.name.clone(),
        None if plain.is_empty() => "local".into(),
        None => plain.to_string(),
    };
    let known = debug.and_then(|debug| {
        let part = |part: &Part| Some((named(part, "", 0).name_at(cell.offset)?, part.ty.clone()));
        debug.parts.iter().find_map(part)
    });
    let whole = cells == 1 && cell.offset == 0;
    let (part, ty) = match known {
        Some(known) => known,
        None if whole => (String::new(), debug.map(|debug| debug.ty.clone()).unwrap_or_default()),
        None => (format!(".{}", cell.offset), String::new()),
    };
    CellName { object, part, ty }
}

/// The cells of a part of an object that begins at an address.
fn named(part: &Part, object: &str, base: u64) -> NamedCells {
    let repeats = part.repeats.iter().map(|&(stride, count)| Repeat { stride, count }).collect();
    let name = format!("{object}{}", part.name);
    NamedCells { name, ty: part.ty.clone(), addr: base.wrapping_add(part.offset), repeats }
}

/// The cells of all objects with an address that debug information names.
pub(crate) fn named_cells(module: &Module, layout: &Layout) -> Vec<NamedCells> {
    let mut all = Vec::new();
    for (object, base) in layout.fixed() {
        let Some(debug) = debug_of(module, object) else { continue };
        if debug.parts.is_empty() {
            let (name, ty) = (debug.name.clone(), debug.ty.clone());
            all.push(NamedCells { name, ty, addr: base, repeats: Vec::new() });
        }
        all.extend(debug.parts.iter().map(|part| named(part, &debug.name, base)));
        if all.len() > MAX_CELLS {
            all.truncate(MAX_CELLS);
            break;
        }
    }
    // A name may hold what looks like an index.
    all.retain(|cells| cells.name.matches("[]").count() == cells.repeats.len());
    all
}

/// What debug information says about an object.
fn debug_of(module: &Module, object: Object) -> Option<&DebugVar> {
    match object {
        Object::Global(id) => module.globals[id].debug.as_ref(),
        Object::Alloca(id, inst) => {
            let mut named = module.functions[id].allocas.iter();
            named.find(|(alloca, _)| *alloca == inst).map(|(_, debug)| debug)
        }
        Object::Heap(..) => None,
    }
}
