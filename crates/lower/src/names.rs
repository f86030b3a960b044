//! Source names of the parts of objects, from debug information: of the variables that stand for one, and of cells of
//! memory.

use crate::analyse::memory::Layout;
use crate::analyse::promote::{Cell, Object};
use beeline_ir::{NamedCells, Program, Repeat};
use beeline_module::{Const, DebugVar, Module, Part};
use std::collections::BTreeSet;

/// The most names of cells in a program: large tables would fill files with names.
const MAX_CELLS: usize = 10_000;
/// Characters of a text that are shown.
const SHOWN: usize = 40;

/// The name of the variable that stands for a cell.
pub(crate) struct CellName {
    /// The name of its object.
    pub object: String,
    /// The part of the object that it is, or empty.
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

/// The strings whose addresses a program mentions, each named as C writes it: `"yes\n"`.
pub(crate) fn texts(module: &Module, layout: &Layout, program: &Program) -> Vec<NamedCells> {
    let mentioned: BTreeSet<u64> =
        program.exprs.consts().filter_map(|(_, value)| value.as_bits()?.to_u64()).collect();
    let texts = layout.fixed().into_iter().filter(|(_, base)| mentioned.contains(base));
    let texts = texts.filter_map(|(object, base)| {
        let Object::Global(id) = object else { return None };
        let global = &module.globals[id];
        let is_text = global.constant && global.unnamed && global.debug.is_none();
        let (Some(Const::Bytes(bytes)), true) = (&global.init, is_text) else { return None };
        let name = literal(bytes.strip_suffix(&[0])?)?;
        Some(NamedCells { name, ty: "char".into(), addr: base, repeats: Vec::new() })
    });
    texts.take(MAX_CELLS.saturating_sub(program.cells.len())).collect()
}

/// A string as C writes it, shortened if it is long; nothing if a byte is zero, or if it looks like the name of an
/// array.
fn literal(bytes: &[u8]) -> Option<String> {
    let mut text = String::from("\"");
    for &byte in bytes.iter().take(SHOWN) {
        match byte {
            0 => return None,
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'"' | b'\\' => text.extend(['\\', byte as char]),
            b' '..=b'~' => text.push(byte as char),
            // Three digits, since a digit may follow.
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push_str(if bytes.len() > SHOWN { "\"..." } else { "\"" });
    (!text.contains("[]")).then_some(text)
}

/// The debug information of an object.
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

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn texts_are_literals_of_c() {
        assert_eq!(literal(b"a\"\n\\").as_deref(), Some(r#""a\"\n\\""#));
        assert_eq!(literal(b"\x01\xff2").as_deref(), Some(r#""\001\3772""#));
        assert_eq!(literal(&[b'x'; 50]).map(|text| text.len()), Some(45));
        assert_eq!((literal(b"a\0b"), literal(b"a[]")), (None, None));
    }
}
