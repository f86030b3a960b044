//! Debug information: places and names of the source.

use super::c_types::CTypes;
use crate::raw::{Context, DebugRecord, Inst as RawInst, Meta, RawModule, Value};
use beeline_module::{DebugVar, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// Reads debug information.
pub(crate) struct Debug<'m> {
    context: &'m Context,
    /// The expression of a variable that is exactly where a debug record says.
    plain: Option<Meta<'m>>,
    /// The folders in which the compiler ran.
    folders: FxHashSet<String>,
    /// The files found so far.
    pub files: Vec<String>,
    file_numbers: FxHashMap<Meta<'m>, u32>,
    types: CTypes<'m>,
    variables: FxHashMap<Meta<'m>, DebugVar>,
}

impl<'m> Debug<'m> {
    /// Reads the debug information of a module.
    pub(crate) fn new(module: &'m RawModule<'_>) -> Debug<'m> {
        let context = module.context();
        let units = module.named_metadata("llvm.dbg.cu").into_iter();
        Debug {
            context,
            folders: units.filter_map(|unit| Some(unit.file()?.folder_and_name()?.0)).collect(),
            plain: module.empty_expression(),
            files: Vec::new(),
            file_numbers: FxHashMap::default(),
            types: CTypes::new(context),
            variables: FxHashMap::default(),
        }
    }

    /// The string of a piece of metadata.
    pub(crate) fn string(&self, meta: Meta<'m>) -> Option<String> {
        meta.string(self.context)
    }

    fn place(&mut self, file: Option<Meta<'m>>, line: u32, col: u32) -> Option<Place> {
        if line == 0 {
            return None;
        }
        let file = file?;
        let number = match self.file_numbers.get(&file) {
            Some(&number) => number,
            None => {
                let name = self.name(file)?;
                let known = self.files.iter().position(|known| *known == name);
                let number = known.unwrap_or_else(|| {
                    self.files.push(name);
                    self.files.len() - 1
                });
                let number = u32::try_from(number).ok()?;
                self.file_numbers.insert(file, number);
                number
            }
        };
        Some(Place { file: number, line, col })
    }

    /// The name of a file as the compiler was given it. Clang removes from an absolute name the prefix that it shares
    /// with the folder in which clang runs.
    fn name(&self, file: Meta<'m>) -> Option<String> {
        let (folder, name) = file.folder_and_name()?;
        if self.folders.contains(&folder) {
            return Some(name);
        }
        Some(Path::new(&folder).join(name).display().to_string())
    }

    /// The place of an instruction: that in the function whose text it is, if that was inlined. Functions without lines
    /// are clang's own, whose names say why a sanitizer traps: the place is that of their call.
    pub(crate) fn inst_place(&mut self, inst: RawInst<'m>) -> Option<Place> {
        let mut at = inst.debug_location()?;
        while let (Some((0, ..)), Some(call)) = (at.location(), at.inlined_at()) {
            at = call;
        }
        let (line, col, scope) = at.location()?;
        self.place(scope?.file(), line, col)
    }

    /// Where a function is written.
    pub(crate) fn function_place(&mut self, function: Value<'m>) -> Option<Place> {
        let subprogram = function.subprogram()?;
        self.place(subprogram.file(), subprogram.line(), 0)
    }

    /// The simple debug records at an instruction.
    ///
    /// A value that is only a part of the variable, or from which the variable would have to be computed, is left out.
    pub(crate) fn records(&self, inst: RawInst<'m>) -> Vec<DebugRecord<'m>> {
        let mut records = inst.debug_records(self.context);
        records.retain(|record| record.expression.is_some() && record.expression == self.plain);
        records
    }

    /// The name, type and place of a local or global variable.
    pub(crate) fn variable(&mut self, node: Meta<'m>) -> DebugVar {
        if let Some(known) = self.variables.get(&node) {
            return known.clone();
        }
        // Local and global variables have the scope, the name, the file and the type first.
        let name = node.operand(1, self.context).and_then(|name| self.string(name));
        let ty = node.operand(3, self.context);
        let found = DebugVar {
            name: name.unwrap_or_default(),
            ty: ty.map(|ty| self.types.name(ty)).unwrap_or_default(),
            place: self.place(node.file(), node.line(), 0),
            parts: ty.map(|ty| self.types.parts(ty)).unwrap_or_default(),
        };
        self.variables.insert(node, found.clone());
        found
    }

    /// The source's name of a global variable, with its type and place.
    pub(crate) fn global_variable(&mut self, global: Value<'m>) -> Option<DebugVar> {
        let node = global.attached_metadata().into_iter().find_map(Meta::attached_variable)?;
        // String literals have a node without a name.
        Some(self.variable(node)).filter(|variable| !variable.name.is_empty())
    }
}

/// The source language: that of the compile units, of which one in a language that is not C counts most; without debug
/// information, the one that the names of functions suggest.
pub(crate) fn language(module: &RawModule<'_>) -> String {
    let units = module.named_metadata("llvm.dbg.cu");
    // The C API does not give the language; it prints as `language: DW_LANG_C11`.
    let languages: Vec<String> = units
        .into_iter()
        .filter_map(|unit| {
            let text = unit.print(module.context());
            let name = text.split_once("language: DW_LANG_")?.1;
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            Some(name[..end].replace("C_plus_plus", "C++").replace("++_", "++"))
        })
        .collect();
    let is_c = |name: &String| name.trim_start_matches('C').chars().all(|c| c.is_ascii_digit());
    match languages.iter().find(|name| !is_c(name)).or(languages.first()) {
        Some(name) => name.clone(),
        None => guess_language(module),
    }
}

/// Whether a compile unit was optimised, according to its debug information.
pub(crate) fn is_optimised(module: &RawModule<'_>) -> bool {
    // The C API does not have it.
    let units = module.named_metadata("llvm.dbg.cu").into_iter();
    units.map(|unit| unit.print(module.context())).any(|text| text.contains("isOptimized: true"))
}

fn guess_language(module: &RawModule<'_>) -> String {
    let names: Vec<String> = module.functions().into_iter().map(Value::name).collect();
    // Rust ends its older mangled names with a hash: `17h`, 16 digits and `E`.
    let has_hash = |name: &str| name.strip_suffix('E').and_then(|name| name.rsplit_once("17h")).is_some();
    let is_rust = |name: &String| {
        name == "rust_eh_personality"
            || name.starts_with("_R")
                && name[2..].starts_with(|c: char| c.is_ascii_uppercase())
                && name.contains("Cs")
            || name.starts_with("_ZN") && has_hash(name)
    };
    let is_cpp = |name: &String| {
        name.starts_with("__gxx_personality")
            || name.starts_with("_ZN")
            || name.strip_prefix("_Z").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if names.iter().any(is_rust) {
        "Rust".to_string()
    } else if names.iter().any(is_cpp) {
        "C++".to_string()
    } else {
        String::new()
    }
}
