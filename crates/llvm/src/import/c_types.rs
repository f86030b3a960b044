//! The C types of debug information, as C writes them, and the names of their parts.

use crate::raw::{BASE_TYPE, Context, Meta, MetaOperand};
use beeline_module::Part;
use rustc_hash::FxHashMap;

/// DWARF's tags.
mod tag {
    pub(super) const ARRAY: u16 = 0x01;
    pub(super) const ENUMERATION: u16 = 0x04;
    pub(super) const MEMBER: u16 = 0x0d;
    pub(super) const POINTER: u16 = 0x0f;
    pub(super) const STRUCTURE: u16 = 0x13;
    pub(super) const SUBROUTINE: u16 = 0x15;
    pub(super) const TYPEDEF: u16 = 0x16;
    pub(super) const UNION: u16 = 0x17;
    pub(super) const BASE: u16 = 0x24;
    pub(super) const CONST: u16 = 0x26;
    pub(super) const VOLATILE: u16 = 0x35;
    pub(super) const RESTRICT: u16 = 0x37;
    pub(super) const ATOMIC: u16 = 0x47;
}

/// The operand of a type that lists members or dimensions.
const ELEMENTS: usize = BASE_TYPE + 1;

/// Types nested deeper than this are left without a name.
const MAX_DEPTH: u32 = 32;
/// The most parts of a variable that are named.
const MAX_PARTS: usize = 256;

/// A declarator: the text before the name, and the text after it.
type Declarator = (String, String);

/// Names C types.
pub(super) struct CTypes<'m> {
    context: &'m Context,
    names: FxHashMap<Meta<'m>, Option<Declarator>>,
}

impl<'m> CTypes<'m> {
    /// The names of C types of a context.
    pub(super) fn new(context: &'m Context) -> CTypes<'m> {
        CTypes { context, names: FxHashMap::default() }
    }

    /// The type as C writes it, or empty.
    pub(super) fn name(&mut self, ty: Meta<'m>) -> String {
        self.declarator(Some(ty), 0).map(|(before, after)| before + &after).unwrap_or_default()
    }

    fn declarator(&mut self, ty: Option<Meta<'m>>, depth: u32) -> Option<Declarator> {
        let Some(ty) = ty else { return Some(("void".to_string(), String::new())) };
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(known) = self.names.get(&ty) {
            return known.clone();
        }
        let made = self.make_declarator(ty, depth);
        // At another depth, a type that is nested too deep may have a name.
        if made.is_some() {
            self.names.insert(ty, made.clone());
        }
        made
    }

    fn make_declarator(&mut self, ty: Meta<'m>, depth: u32) -> Option<Declarator> {
        let (name, _, _) = ty.type_facts()?;
        let simple = |text: String| Some((text, String::new()));
        let tagged = |keyword: &str| {
            simple(if name.is_empty() { format!("{keyword} {{...}}") } else { format!("{keyword} {name}") })
        };
        match ty.tag() {
            tag::BASE | tag::TYPEDEF => simple(name),
            tag::STRUCTURE => tagged("struct"),
            tag::UNION => tagged("union"),
            tag::ENUMERATION => tagged("enum"),
            tag::POINTER => {
                let target = self.base(ty);
                let (before, after) = self.declarator(target, depth + 1)?;
                if after.is_empty() {
                    let space = if before.ends_with('*') { "" } else { " " };
                    Some((format!("{before}{space}*"), after))
                } else {
                    Some((format!("{before} (*"), format!("){after}")))
                }
            }
            tag::ARRAY => {
                let element = self.base(ty);
                let (before, after) = self.declarator(element, depth + 1)?;
                let sizes = self.dimensions(ty).into_iter();
                let sizes: String = sizes.map(|n| n.map_or("[]".to_string(), |n| format!("[{n}]"))).collect();
                Some((before, sizes + &after))
            }
            tag::SUBROUTINE => self.signature(ty, depth),
            tag::CONST => self.qualified(ty, "const", depth),
            tag::VOLATILE => self.qualified(ty, "volatile", depth),
            tag::RESTRICT => self.qualified(ty, "restrict", depth),
            tag::ATOMIC => self.qualified(ty, "_Atomic", depth),
            _ => None,
        }
    }

    fn qualified(&mut self, ty: Meta<'m>, word: &str, depth: u32) -> Option<Declarator> {
        let base = self.base(ty);
        let (before, after) = self.declarator(base, depth + 1)?;
        Some(if before.ends_with('*') {
            (format!("{before}{word}"), after)
        } else {
            (format!("{word} {before}"), after)
        })
    }

    fn signature(&mut self, ty: Meta<'m>, depth: u32) -> Option<Declarator> {
        let types = self.base(ty).map(|list| list.operands(self.context)).unwrap_or_default();
        let mut types = types.into_iter().map(|operand| match operand {
            Some(MetaOperand::Meta(meta)) => Some(meta),
            _ => None,
        });
        let (before, after) = self.declarator(types.next().flatten(), depth + 1)?;
        let mut params = Vec::new();
        for param in types {
            params.push(match param {
                Some(param) => {
                    let (before, after) = self.declarator(Some(param), depth + 1)?;
                    before + &after
                }
                // A parameter without a type stands for the arguments that may follow.
                None => "...".to_string(),
            });
        }
        let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
        Some((before, format!("({params}){after}")))
    }

    fn base(&self, ty: Meta<'m>) -> Option<Meta<'m>> {
        ty.operand(BASE_TYPE, self.context)
    }

    /// The lengths of an array's dimensions; none where a length is not constant.
    fn dimensions(&self, ty: Meta<'m>) -> Vec<Option<u64>> {
        let ranges = ty.operand(ELEMENTS, self.context).map(|list| list.operands(self.context));
        let length = |range: Option<MetaOperand<'m>>| match range {
            Some(MetaOperand::Meta(range)) => match range.operands(self.context).first().copied().flatten() {
                // The count is -1 if it is unknown.
                Some(MetaOperand::Value(count)) => count.small_int().filter(|&n| n <= i64::MAX as u64),
                _ => None,
            },
            _ => None,
        };
        ranges.unwrap_or_default().into_iter().map(length).collect()
    }

    /// The type without typedefs and qualifiers.
    fn stripped(&self, ty: Meta<'m>) -> Option<Meta<'m>> {
        let mut ty = ty;
        for _ in 0..MAX_DEPTH {
            match ty.tag() {
                tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => {
                    ty = self.base(ty)?;
                }
                _ => return Some(ty),
            }
        }
        None
    }

    /// The scalars in a structure, a union or an array, with their names.
    ///
    /// Bit-fields that start in one byte are named together, as in `.a|b`.
    pub(super) fn parts(&mut self, ty: Meta<'m>) -> Vec<Part> {
        let mut parts = Vec::new();
        let whole = Part { name: String::new(), ty: String::new(), offset: 0, repeats: Vec::new() };
        self.collect(ty, whole, 0, &mut parts);
        parts
    }

    /// Adds the scalars of a part that is of a type.
    fn collect(&mut self, ty: Meta<'m>, part: Part, depth: u32, parts: &mut Vec<Part>) {
        if parts.len() >= MAX_PARTS || depth > MAX_DEPTH {
            return;
        }
        let Some(plain) = self.stripped(ty) else { return };
        match plain.tag() {
            tag::STRUCTURE | tag::UNION => self.collect_members(plain, &part, depth, parts),
            tag::ARRAY => self.collect_elements(plain, part, depth, parts),
            _ if part.name.is_empty() => {}
            _ => parts.push(Part { ty: self.name(ty), ..part }),
        }
    }

    fn collect_members(&mut self, ty: Meta<'m>, part: &Part, depth: u32, parts: &mut Vec<Part>) {
        let members = ty.operand(ELEMENTS, self.context).map(|list| list.operands(self.context));
        let mut last_bit_field = None;
        for member in members.unwrap_or_default() {
            let Some(MetaOperand::Meta(member)) = member else { continue };
            let (Some((name, _, bits)), Some(ty)) = (member.type_facts(), self.base(member)) else {
                continue;
            };
            if member.tag() != tag::MEMBER {
                continue;
            }
            let Some(offset) = part.offset.checked_add(bits / 8) else { return };
            if member.is_bit_field() {
                if last_bit_field == Some(offset) {
                    if let Some(first) = parts.last_mut() {
                        first.name += &format!("|{name}");
                        first.ty.clear();
                    }
                    continue;
                }
                last_bit_field = Some(offset);
            }
            // The members of a nameless member are those of the structure around it.
            let name = if name.is_empty() { part.name.clone() } else { format!("{}.{name}", part.name) };
            self.collect(ty, Part { name, offset, ..part.clone() }, depth + 1, parts);
        }
    }

    fn collect_elements(&mut self, ty: Meta<'m>, mut part: Part, depth: u32, parts: &mut Vec<Part>) {
        let Some(element) = self.base(ty) else { return };
        let bits = self.stripped(element).and_then(|ty| ty.type_facts()).map_or(0, |facts| facts.1);
        let lengths: Option<Vec<u64>> = self.dimensions(ty).into_iter().collect();
        let Some(lengths) = lengths.filter(|_| bits >= 8) else { return };
        let mut stride = Some(bits / 8);
        let mut repeats = Vec::new();
        for &length in lengths.iter().rev() {
            let Some(bytes) = stride.filter(|_| length > 0) else { return };
            repeats.push((bytes, length));
            stride = bytes.checked_mul(length);
        }
        part.name += &"[]".repeat(repeats.len());
        part.repeats.extend(repeats.into_iter().rev());
        self.collect(element, part, depth + 1, parts);
    }
}
