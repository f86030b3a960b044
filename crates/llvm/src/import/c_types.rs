//! The C types of debug information, as C writes them, and the names of their parts.

use crate::raw::{Context, Meta, MetaOperand};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

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

/// The operand that is the type a type is made of: pointee, element, aliased type, signature.
const BASE_TYPE: usize = 3;
/// The operand that lists members or dimensions.
const ELEMENTS: usize = 4;

/// Types nested deeper than this are left without a name.
const MAX_DEPTH: u32 = 32;
/// Parts of a variable that are named at most.
const MAX_PARTS: usize = 256;

/// A declarator: what comes before the name, and what comes after.
type Declarator = (String, String);

/// Names C types.
pub(super) struct CTypes<'m> {
    context: &'m Context,
    names: FxHashMap<Meta<'m>, Option<Declarator>>,
}

/// The parts found so far, by offset in bytes.
type Parts = BTreeMap<u64, String>;

impl<'m> CTypes<'m> {
    /// Of a context.
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

    /// The names of the scalars in a structure, a union or an array, by offset in bytes.
    ///
    /// Of several parts that start at one byte the first counts, as of the members of a union; but
    /// bit-fields that start in one byte are named together, as in `.a|b`.
    pub(super) fn parts(&self, ty: Meta<'m>) -> Vec<(u64, String)> {
        let mut parts = Parts::new();
        self.collect(ty, 0, String::new(), 0, &mut parts);
        parts.into_iter().collect()
    }

    fn collect(&self, ty: Meta<'m>, offset: u64, name: String, depth: u32, parts: &mut Parts) {
        if parts.len() >= MAX_PARTS || depth > MAX_DEPTH {
            return;
        }
        let Some(ty) = self.stripped(ty) else { return };
        match ty.tag() {
            tag::STRUCTURE | tag::UNION => self.collect_members(ty, offset, &name, depth, parts),
            tag::ARRAY => {
                let Some(element) = self.base(ty) else { return };
                self.collect_elements(element, &self.dimensions(ty), offset, &name, depth, parts);
            }
            _ if name.is_empty() => {}
            _ => {
                parts.entry(offset).or_insert(name);
            }
        }
    }

    fn collect_members(&self, ty: Meta<'m>, offset: u64, prefix: &str, depth: u32, parts: &mut Parts) {
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
            let Some(at) = offset.checked_add(bits / 8) else { return };
            if member.is_bit_field() {
                if last_bit_field == Some(at) {
                    if let Some(first) = parts.get_mut(&at) {
                        *first += &format!("|{name}");
                    }
                    continue;
                }
                last_bit_field = Some(at);
            }
            // The members of a nameless member are those of the structure around it.
            let name = if name.is_empty() { prefix.to_string() } else { format!("{prefix}.{name}") };
            self.collect(ty, at, name, depth + 1, parts);
        }
    }

    fn collect_elements(
        &self,
        element: Meta<'m>,
        dimensions: &[Option<u64>],
        offset: u64,
        prefix: &str,
        depth: u32,
        parts: &mut Parts,
    ) {
        let Some((&length, inner)) = dimensions.split_first() else {
            self.collect(element, offset, prefix.to_string(), depth + 1, parts);
            return;
        };
        let bits = self.stripped(element).and_then(|ty| ty.type_facts()).map_or(0, |facts| facts.1);
        let inner_length = inner.iter().try_fold(1u64, |all, n| all.checked_mul((*n)?));
        let stride = inner_length.and_then(|n| n.checked_mul(bits / 8));
        let (Some(stride), Some(length)) = (stride.filter(|&n| n > 0), length) else { return };
        for index in 0..length.min(MAX_PARTS as u64) {
            let Some(at) = index.checked_mul(stride).and_then(|n| n.checked_add(offset)) else { return };
            self.collect_elements(element, inner, at, &format!("{prefix}[{index}]"), depth, parts);
        }
    }
}
