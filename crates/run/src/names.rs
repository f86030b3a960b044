//! The names of a program's parts in files about it: those of the program if it is given, numbers otherwise.

use crate::predicates::region_of_invariant;
use crate::proof::RunKey;
use crate::summaries::{ANY_VALUE, AT_ENTRY};
use beeline_ir::text::print_op;
use beeline_ir::{EdgeId, FuncId, LocId, Program, RegionId, Value, VarId};

/// The names of a program's parts. Files may refer to parts that the program does not have.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// The program, if it is given.
    pub program: Option<&'a Program>,
}

impl Names<'_> {
    /// A location: its function and its label.
    pub fn location(&self, loc: LocId) -> String {
        match self.program.filter(|program| (loc.as_u32() as usize) < program.num_locs()) {
            Some(program) => {
                format!("{}:{}", program.functions[program.function_of(loc)].name, program.label(loc))
            }
            None => format!("location {}", loc.as_u32()),
        }
    }

    /// A function.
    pub fn function(&self, func: FuncId) -> String {
        match self.program.and_then(|program| program.functions.get(func)) {
            Some(function) => function.name.clone(),
            None => format!("function {}", func.as_u32()),
        }
    }

    /// The parameters of a function, if they are known.
    pub fn parameters(&self, func: FuncId) -> Vec<String> {
        let function = self.program.and_then(|program| program.functions.get(func));
        let params = function.into_iter().flat_map(|function| &function.params);
        params.map(|&param| self.variable(param, 0)).collect()
    }

    /// An edge: its place and its operation.
    pub fn edge(&self, edge: EdgeId) -> String {
        match self.program.filter(|program| program.edges.is_valid(edge)) {
            Some(program) => format!("{}: {}", program.show_place(edge), print_op(program, edge)),
            None => format!("edge {}", edge.as_u32()),
        }
    }

    /// A variable of an activation; the outermost activation of its function is 0. A ghost is the value at
    /// the entry.
    pub fn variable(&self, var: VarId, level: u32) -> String {
        let name = match self.program.and_then(|program| program.vars.get(var)) {
            Some(data) => match &data.source {
                Some(source) => source.name.clone(),
                None if self.is_result(var) => "result".into(),
                None => data.name.clone(),
            },
            None => format!("v{}", var.as_u32()),
        };
        match level {
            0 => name,
            AT_ENTRY => format!("old({name})"),
            ANY_VALUE => "any".into(),
            level => format!("{name}@{level}"),
        }
    }

    /// Whether a variable is known to be global.
    pub(crate) fn is_global(&self, var: VarId) -> bool {
        let data = self.program.and_then(|program| program.vars.get(var));
        data.is_some_and(|data| data.owner.is_none())
    }

    /// Whether a variable is the result of its function.
    pub(crate) fn is_result(&self, var: VarId) -> bool {
        let owner = self.program.and_then(|program| Some((program, program.vars.get(var)?.owner?)));
        owner.is_some_and(|(program, owner)| program.functions[owner].ret == Some(var))
    }

    /// A region.
    pub fn region(&self, region: RegionId) -> String {
        let known = self.program.and_then(|program| {
            let (region, at_entry) = region_of_invariant(program, region);
            Some((&program.regions.get(region)?.name, at_entry))
        });
        match known {
            Some((name, false)) => name.clone(),
            Some((name, true)) => format!("old({name})"),
            None => format!("region {}", region.as_u32()),
        }
    }

    /// Known values, as `name = value`.
    pub fn known(&self, values: &[(RunKey, Option<Value>)]) -> Vec<String> {
        let shown = |known: &Option<Value>| known.as_ref().map_or("any".into(), value);
        let entries = values.iter().map(|(key, known)| match *key {
            RunKey::Var(var, level) => format!("{} = {}", self.variable(var, level), shown(known)),
            RunKey::Pristine(region) => format!("{} as it was", self.region(region)),
            RunKey::Cell(region, addr) => format!("{}[{addr:#x}] = {}", self.region(region), shown(known)),
        });
        entries.collect()
    }
}

/// A value.
pub fn value(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Bv(bits) => bits.to_bigint().to_string(),
        Value::Float(kind, bits) => format!("{} {:#x}", kind.name(), bits.to_biguint()),
    }
}
