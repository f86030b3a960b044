//! Values and the places that hold them, with their names in the source.

use crate::c_text::{CType, value};
use crate::execution::Place;
use beeline_ir::{NamedCells, Program, Value, VarId};
use std::collections::BTreeSet;
use std::fmt;

/// A place that holds a value, with its name in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<'p> {
    /// Its name: `count`, `queue.items[3]`.
    pub name: String,
    /// Its type in the source, or empty.
    pub ty: &'p str,
    /// Its value.
    pub value: Value,
    /// The value as C text.
    pub shown: String,
}

impl<'p> Named<'p> {
    fn new(program: &Program, name: String, ty: &'p str, value: Value) -> Named<'p> {
        let shown = shown(program, ty, &value);
        Named { name, ty, value, shown }
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.shown)
    }
}

/// The name of a function in the source: headers rename some functions of the C library.
pub fn written(function: &str) -> &str {
    ["__isoc99_", "__isoc23_"].iter().find_map(|prefix| function.strip_prefix(prefix)).unwrap_or(function)
}

/// A place that holds a value, if it has a name in the source.
pub fn named<'p>(program: &'p Program, place: Place, given: &Value) -> Option<Named<'p>> {
    match place {
        Place::Global(var) | Place::Local(var, _) => {
            let source = program.vars[var].source.as_ref()?;
            Some(Named::new(program, source.name.clone(), &source.ty, given.clone()))
        }
        Place::Cell(_, addr) => {
            let (name, ty) = program.cell_at(addr).filter(|(name, _)| !is_text(name))?;
            let value = of_width(given, CType::named(ty, program.pointer_width), program)?;
            Some(Named::new(program, name, ty, value))
        }
    }
}

/// The region in which the lowering keeps the sizes of objects; it is not memory of the program.
const ROOMS: &str = "rooms";

/// The same, also without a name in the source: memory is named by its heap object, or by its address.
pub fn called<'p>(program: &'p Program, place: Place, given: &Value) -> Option<Named<'p>> {
    match (named(program, place, given), place) {
        (Some(named), _) => Some(named),
        (None, Place::Cell(region, _)) if program.regions[region].name == ROOMS => None,
        (None, Place::Cell(_, addr)) => {
            let name = match on_heap(program, addr) {
                Some((object, 0)) => format!("*{object}"),
                Some((object, offset)) => format!("*({object} + {offset})"),
                None => format!("*{addr:#x}"),
            };
            Some(Named::new(program, name, "", given.clone()))
        }
        (None, _) => None,
    }
}

/// The name of the heap object of an address, `heap#1`, and the offset in it. Objects of several allocation sites are
/// counted for each of them: `heap2#1`.
fn on_heap(program: &Program, addr: u64) -> Option<(String, u64)> {
    // The lowering reserves a part of this size of the address space, or a multiple of it, for each object.
    const PART: u64 = 1 << 36;
    let heap = || program.regions.values().filter(|region| region.name.starts_with("mem.heap"));
    let extents = || heap().flat_map(|region| &region.extents);
    let base = extents().find(|part| addr.wrapping_sub(part.base) < part.size)?.base;
    let distance = addr - base;
    let sites: BTreeSet<u64> = extents().map(|part| part.base).collect();
    let number = distance / PART + 1;
    let object = match sites.len() {
        1 => format!("heap#{number}"),
        _ => format!("heap{}#{number}", sites.range(..=base).count()),
    };
    (program.pointer_width == 64).then_some((object, distance % PART))
}

/// The value of a cell of a type after a store, whose value may be wider; `None` if the cell gets only a
/// part.
fn of_width(given: &Value, ty: CType, program: &Program) -> Option<Value> {
    let width = match ty {
        CType::Int(Some(width), _) => width,
        CType::Char(_) | CType::Bool => 8,
        CType::Pointer => program.pointer_width,
        CType::Int(None, _) | CType::Unknown => return Some(given.clone()),
    };
    match given {
        Value::Bv(bits) if bits.width() < width => None,
        Value::Bv(bits) if bits.width() > width && !program.big_endian => {
            Some(Value::Bv(bits.extract(width - 1, 0)))
        }
        _ => Some(given.clone()),
    }
}

/// The value of a variable.
pub fn of_variable(program: &Program, var: VarId, given: &Value) -> String {
    shown(program, program.vars[var].source.as_ref().map_or("", |source| &source.ty), given)
}

/// The value of an input, in the type of its variable, or else of the function that returns it.
pub fn of_input(program: &Program, var: VarId, function: &str, given: &Value) -> String {
    shown(program, input_type(program, var, function), given)
}

/// The type of an input from the source, or else from the name of its function; empty if neither has one.
pub fn input_type<'p>(program: &'p Program, var: VarId, function: &str) -> &'p str {
    let source = program.vars[var].source.as_ref().map_or("", |source| &source.ty);
    if source.is_empty() { returned(function) } else { source }
}

/// The result type of a function, by the last part of its name: `nondet_ushort`, `any_u16`.
fn returned(function: &str) -> &'static str {
    let name = function.strip_suffix("_t").unwrap_or(function);
    match name.rsplit('_').next().unwrap_or(name) {
        "bool" | "Bool" => "_Bool",
        "char" => "char",
        "schar" => "signed char",
        "uchar" | "u8" | "uint8" => "unsigned char",
        "ushort" | "u16" | "uint16" => "unsigned short",
        "uint" | "unsigned" | "u32" | "uint32" => "unsigned int",
        "ulong" => "unsigned long",
        "ulonglong" | "u64" | "uint64" => "unsigned long long",
        "size" | "uintptr" => "size_t",
        _ => "",
    }
}

/// A value of a type: the address of a named object by its name, a pointer to a string by the string.
pub fn shown(program: &Program, ty: &str, given: &Value) -> String {
    let kind = CType::named(ty, program.pointer_width);
    let addr = match given {
        Value::Bv(bits) if bits.width() == program.pointer_width => bits.to_u64().filter(|addr| *addr > 0),
        _ => None,
    };
    let target = addr.filter(|_| kind == CType::Pointer).and_then(|addr| pointee(program, ty, addr));
    target
        .map(|name| if is_text(&name) { name } else { format!("&{name}") })
        .or_else(|| pointer_to_heap(program, kind, given))
        .or_else(|| pointer_to_function(program, kind, addr?))
        .unwrap_or_else(|| value(given, kind))
}

/// Whether the name of cells is a string that C writes in quotes.
fn is_text(name: &str) -> bool {
    name.starts_with('"')
}

/// A pointer to a function. A value of unknown type may also be a number: the address is shown, too.
fn pointer_to_function(program: &Program, kind: CType, addr: u64) -> Option<String> {
    let found = program.functions.keys().find(|&func| program.functions[func].addr == Some(addr))?;
    let name = program.source_function(found);
    match kind {
        CType::Pointer => Some(name.to_string()),
        CType::Unknown => Some(format!("{name} ({addr:#x})")),
        CType::Int(..) | CType::Char(_) | CType::Bool => None,
    }
}

/// A pointer to a heap object, or a value of unknown type that looks like one.
fn pointer_to_heap(program: &Program, kind: CType, given: &Value) -> Option<String> {
    let Value::Bv(bits) = given else { return None };
    let is_likely = kind == CType::Pointer || kind == CType::Unknown && bits.width() == program.pointer_width;
    match on_heap(program, bits.to_u64().filter(|_| is_likely)?)? {
        (object, 0) => Some(object),
        (object, offset) => Some(format!("{object} + {offset}")),
    }
}

/// The name of the object at an address, for a pointer of a type: a scalar of the pointee's type, or else the
/// largest part that begins there.
fn pointee(program: &Program, pointer: &str, addr: u64) -> Option<String> {
    let (name, ty) = program.cell_at(addr)?;
    let target = pointer.trim_end_matches("const").trim().strip_suffix('*')?.trim();
    if without_qualifiers(target) == without_qualifiers(ty) {
        return Some(name);
    }
    let ends = name.char_indices().filter(|(_, c)| matches!(c, '.' | '[')).map(|(at, _)| at);
    let mut prefixes = ends.map(|end| &name[..end]).filter(|prefix| !prefix.is_empty());
    Some(prefixes.find(|prefix| start(program, prefix) == Some(addr)).unwrap_or(&name).to_string())
}

fn without_qualifiers(ty: &str) -> String {
    ty.split(' ').filter(|word| !["const", "volatile", "restrict", "_Atomic"].contains(word)).collect()
}

/// The start of a part: `queue.items[2]`.
fn start(program: &Program, part: &str) -> Option<u64> {
    let mut pieces = part.split('[');
    let mut plain = pieces.next()?.to_string();
    let mut indices = Vec::new();
    for piece in pieces {
        let (index, rest) = piece.split_once(']')?;
        indices.push(index.parse::<u64>().ok()?);
        plain += &format!("[]{rest}");
    }
    let within = |cells: &&NamedCells| {
        let rest = cells.name.strip_prefix(&plain);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let first = |cells: &NamedCells| {
        let strides = cells.repeats.iter().zip(&indices);
        strides
            .fold(cells.addr, |addr, (repeat, index)| addr.wrapping_add(repeat.stride.wrapping_mul(*index)))
    };
    program.cells.iter().filter(within).map(first).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_the_heap_are_counted() {
        let text = "beeline 1.1\n\
            region mem.heap.0: i64 -> i64 in 0x1000000000000000+1152921504606846976\n\
            region rooms: i64 -> i64\n\
            fn main() {\n exit\n}\n";
        let program = beeline_ir::text::parse(text).expect("it is a program");
        let at = |ty: &str, addr: u64| shown(&program, ty, &Value::bv(64, addr));
        assert_eq!(at("struct node *", 0x1000_0000_0000_0000), "heap#1");
        assert_eq!(at("", 0x1000_0010_0000_0008), "heap#2 + 8");
        assert_eq!(at("long", 0x1000_0000_0000_0000), (1u64 << 60).to_string());
        assert_eq!(at("char *", 0x3000_0000_0000_0000), "0x3000000000000000");
        let regions: Vec<_> = program.regions.keys().collect();
        let cell = |region: usize, addr| {
            called(&program, Place::Cell(regions[region], addr), &Value::bv(64, 7))
                .map(|named| named.to_string())
        };
        assert_eq!(cell(0, 0x1000_0010_0000_0000).as_deref(), Some("*heap#2 = 7"));
        assert_eq!(cell(0, 0x1000_0010_0000_0008).as_deref(), Some("*(heap#2 + 8) = 7"));
        assert_eq!(cell(1, 0x810_0000), None);
    }

    #[test]
    fn objects_of_different_allocation_sites_have_different_names() {
        let text = "beeline 1.1\n\
            region mem.heap.0: i64 -> i64 in 0x1000000000000000+0x8000000000\n\
            region mem.heap.1: i64 -> i64 in 0x1000008000000000+0x8000000000\n\
            fn main() {\n exit\n}\n";
        let program = beeline_ir::text::parse(text).expect("it is a program");
        let at = |addr: u64| shown(&program, "char *", &Value::bv(64, addr));
        assert_eq!(at(0x1000_0000_0000_0000), "heap1#1");
        assert_eq!(at(0x1000_0080_0000_0000), "heap2#1");
        assert_eq!(at(0x1000_0090_0000_0008), "heap2#2 + 8");
    }

    #[test]
    fn functions_and_texts_are_shown_by_what_they_are() {
        let text = "beeline 1.1\n\
            cells \"\\\"a\\\"\" \"char\" at 0x1000\n\
            region mem: i64 -> i8 in 0x1000+2\n\
            fn main() {\n exit\n}\n\
            fn handle() at 0x400040 {\n exit\n}\n";
        let program = beeline_ir::text::parse(text).expect("it is a program");
        let at = |ty: &str, addr: u64| shown(&program, ty, &Value::bv(64, addr));
        assert_eq!(at("int (*)(int)", 0x40_0040), "handle");
        assert_eq!(at("handler_t", 0x40_0040), "handle (0x400040)");
        assert_eq!(at("unsigned long", 0x40_0040), "4194368");
        assert_eq!(at("const char *", 0x1000), "\"a\"");
        assert_eq!(at("void *", 0x1000), "\"a\"");
        assert_eq!(at("char *", 0x1001), "0x1001");
        let region = program.regions.keys().next().expect("there is one");
        assert_eq!(named(&program, Place::Cell(region, 0x1000), &Value::bv(8, 97)), None);
        let input = |function: &str| shown(&program, returned(function), &Value::bv(16, 0xfdf8));
        assert_eq!((input("nondet_ushort"), input("any_uint16_t")), ("65016".into(), "65016".into()));
        assert_eq!(input("nondet_short"), "-520");
    }

    #[test]
    fn pointers_are_named_by_what_they_point_to() {
        let text = "beeline 1.1\n\
            cells \"q.n\" \"unsigned int\" at 0x1000\n\
            cells \"q.items[].key\" \"int\" at 0x1004 + 8 * 4\n\
            cells \"q.items[].tag\" \"char\" at 0x1008 + 8 * 4\n\
            fn main() {\n exit\n}\n";
        let program = beeline_ir::text::parse(text).expect("it is a program");
        let at = |ty: &str, addr: u64| shown(&program, ty, &Value::bv(64, addr));
        assert_eq!(at("struct queue *", 0x1000), "&q");
        assert_eq!(at("unsigned int *", 0x1000), "&q.n");
        assert_eq!(at("const char *", 0x1018), "&q.items[2].tag");
        assert_eq!(at("struct item *", 0x1014), "&q.items[2]");
        assert_eq!(at("void *", 0x1004), "&q.items");
        assert_eq!(at("struct item *", 0x1025), "0x1025");
        assert_eq!(at("int", 0x1000), "4096");
    }
}
