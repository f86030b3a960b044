//! The contract of the entry function that `--function` names. A C function that makes the arguments and
//! calls it is added after the end of the file, for clang only (see [`crate::copies`]).
//!
//! A pointer is null or points to one object of its type, with arbitrary content, that nothing else points
//! to; a `char *` points to a terminated string. `--requires` says more.

mod contract;

use crate::copies::{Copies, Edit, Units, with_stack};
use crate::job::Job;
use crate::property::Property;
use crate::syntax::Node;
use contract::{Clause, clauses};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The function that makes the arguments. The lowering knows it by this name.
pub(crate) const ENTRY: &str = "__beeline_entry";
/// The greatest length of a string without a requirement.
const LONGEST_TEXT: u64 = 15;
/// The depth to which members that are pointers point to objects.
const DEPTH: u32 = 2;

/// Makes the program start at a function that makes the arguments, if some arguments need it.
pub(crate) fn make_arguments(job: &mut Job) -> Result<(), String> {
    if job.function == "main" {
        return match (job.requires.is_empty(), job.any_variables) {
            (true, None) => Ok(()),
            (false, _) => {
                Err("--requires needs --function: it describes the arguments of that function".into())
            }
            (true, Some(_)) => Err("--globals any needs --function: main starts with initial values".into()),
        };
    }
    let checks_memory = job.properties.iter().any(|property| {
        matches!(property, Property::All)
            || matches!(property, Property::Memory(name) if *name != "memory-cleanup")
    });
    if job.requires.is_empty() && !checks_memory {
        return Ok(());
    }
    let function = job.function.clone();
    let requires = job.requires.clone();
    let Some((copies, told)) = with_stack(|| copies(&Units::new(job)?, &function, &requires))? else {
        return Ok(());
    };
    job.copies = copies.texts();
    job.given = told;
    job.function = ENTRY.into();
    Ok(())
}

/// The file with the function that makes the arguments, and what is said of these.
fn copies(
    units: &Units,
    function: &str,
    requires: &[String],
) -> Result<Option<(Copies, Vec<String>)>, String> {
    for unit in &units.units {
        let Some(declared) = defined(&unit.tree.root, function) else { continue };
        let params: Vec<&Node> =
            declared.inner.iter().filter(|node| node.what.kind == "ParmVarDecl").collect();
        if requires.is_empty() && !params.iter().any(|param| is_pointer(param)) {
            return Ok(None);
        }
        let mut maker = Maker { root: &unit.tree.root, text: String::new(), told: Vec::new(), objects: 0 };
        maker.arguments(function, declared, &params, &clauses(requires)?)?;
        let path = unit.file.canonicalize().map_err(|error| format!("{}: {error}", unit.file.display()))?;
        let end = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?.len();
        let edit = Edit { at: end, until: usize::MAX, before: maker.text, after: String::new() };
        let copies = units.copies(&path, edit);
        units.expect_compiles(&copies).map_err(|why| format!("--function {function}: {why}"))?;
        return Ok(Some((copies, maker.told)));
    }
    match requires.is_empty() {
        true => Ok(None),
        false => Err(format!("--requires: no C file of the program defines {function}")),
    }
}

/// The definition of a function.
fn defined<'t>(root: &'t Node, name: &str) -> Option<&'t Node> {
    root.inner.iter().find(|node| {
        node.what.kind == "FunctionDecl"
            && node.what.name.as_deref() == Some(name)
            && node.inner.iter().any(|part| part.what.kind == "CompoundStmt")
    })
}

fn is_pointer(node: &Node) -> bool {
    node.pointee().is_some()
}

/// A writer of the function that makes the arguments.
struct Maker<'t> {
    root: &'t Node,
    text: String,
    /// The assumptions about the arguments, as text.
    told: Vec<String>,
    /// The number of objects with a variable of their own.
    objects: usize,
}

impl Maker<'_> {
    fn arguments(
        &mut self,
        function: &str,
        declared: &Node,
        params: &[&Node],
        clauses: &[Clause],
    ) -> Result<(), String> {
        let mut names = Vec::new();
        for (index, param) in params.iter().enumerate() {
            names.push(param.what.name.clone().unwrap_or_else(|| format!("argument{index}")));
        }
        for clause in clauses {
            if let Some(name) = clause.given().filter(|name| !names.contains(&name.to_string())) {
                return Err(format!("--requires: {function} has no parameter {name}"));
            }
        }
        let mut body = String::new();
        let mut before = String::new();
        for (name, param) in names.iter().zip(params) {
            let ty = &param.ty;
            let _ = writeln!(body, "  __typeof__({ty}) {name};");
            match param.pointee() {
                Some(_) if clauses.iter().any(|clause| clause.given() == Some(name)) => {}
                Some(pointee) => self.pointer(&mut before, &mut body, (name, name), &pointee, DEPTH),
                None if param.is_scalar() => {
                    let _ = writeln!(before, "extern __typeof__({ty}) any_{name}(void);");
                    let _ = writeln!(body, "  {name} = any_{name}();");
                }
                None => {
                    let _ = writeln!(body, "  {name} = *({ty} *)malloc(sizeof({ty}));");
                }
            }
        }
        for clause in clauses {
            self.clause(&mut before, &mut body, clause);
            self.told.push(clause.told());
        }
        let list = names.join(", ");
        let result = declared.ty.split('(').next().unwrap_or("void").trim();
        let call = match result {
            "void" => format!("  {function}({list});\n"),
            _ => {
                let _ = writeln!(before, "__typeof__({result}) __beeline_result;");
                format!("  __beeline_result = {function}({list});\n")
            }
        };
        let kept: String =
            (0..self.objects).map(|number| format!("void *__beeline_object{number};\n")).collect();
        let _ = write!(
            self.text,
            "\n#line 1 \"what {function} is given\"\nvoid *malloc(__SIZE_TYPE__);\nextern void __VERIFIER_assume(int);\n{before}{kept}int {ENTRY}(void) {{\n{body}{call}  return 0;\n}}\n"
        );
        Ok(())
    }

    /// A new object that the function can reach through a pointer, as an expression.
    fn object(&mut self, size: &str) -> String {
        self.objects += 1;
        format!("(__beeline_object{} = malloc({size}))", self.objects - 1)
    }

    /// A pointer that is null or points to an object of its own.
    fn pointer(
        &mut self,
        before: &mut String,
        body: &mut String,
        (name, told): (&str, &str),
        pointee: &str,
        depth: u32,
    ) {
        let bare = pointee.trim_start_matches("const ").trim();
        let is_code = pointee.contains('(');
        if is_code || self.is_incomplete(bare) {
            return;
        }
        let label: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let _ = writeln!(before, "extern _Bool any_null_{label}(void);");
        let _ = writeln!(body, "  if (any_null_{label}()) {{\n    {name} = 0;\n  }} else {{");
        if bare == "char" {
            self.told
                .push(format!("{told} is null or a separate string of at most {LONGEST_TEXT} characters"));
            self.string(before, body, name, &label, &LONGEST_TEXT.to_string());
        } else {
            let size = if bare == "void" { "1".into() } else { format!("sizeof(*{name})") };
            let object = self.object(&size);
            self.told.push(format!("{told} is null or points to one separate object of its type"));
            let _ = writeln!(body, "    {name} = {object};");
            if depth > 0 {
                for (member, pointee) in self.pointers_in(bare) {
                    let place = format!("(({bare} *){name})->{member}");
                    let told = format!("{told}->{member}");
                    self.pointer(before, body, (&place, &told), &pointee, depth - 1);
                }
            }
        }
        let _ = writeln!(body, "  }}");
    }

    fn string(&mut self, before: &mut String, body: &mut String, name: &str, label: &str, most: &str) {
        let object = self.object(&format!("length_{label} + 1"));
        let _ = writeln!(before, "extern __SIZE_TYPE__ any_length_{label}(void);");
        let _ = writeln!(
            body,
            "    __SIZE_TYPE__ length_{label} = any_length_{label}();\n    __VERIFIER_assume(length_{label} <= ({most}));\n    {name} = {object};\n    ((char *){name})[length_{label}] = 0;"
        );
    }

    fn clause(&mut self, before: &mut String, body: &mut String, clause: &Clause) {
        match clause {
            Clause::Fresh(name, count) => {
                let object = self.object(&format!("({count}) * sizeof(*{name})"));
                let _ = writeln!(body, "  {name} = {object};");
            }
            Clause::Text(name, most) => {
                let _ = writeln!(body, "  {{");
                self.string(before, body, name, name, most);
                let _ = writeln!(body, "  }}");
            }
            Clause::Holds(condition) => {
                let _ = writeln!(body, "  __VERIFIER_assume(({condition}) != 0);");
            }
        }
    }

    /// The members of a structure that are pointers, with what they lead to.
    fn pointers_in(&self, ty: &str) -> Vec<(String, String)> {
        let members: BTreeMap<usize, (String, String)> = self
            .record(ty)
            .map(|record| {
                let fields = record.inner.iter().filter(|node| node.what.kind == "FieldDecl");
                let pointers = fields
                    .enumerate()
                    .filter_map(|(index, field)| Some((index, (field.what.name.clone()?, field.pointee()?))));
                pointers.collect()
            })
            .unwrap_or_default();
        members.into_values().collect()
    }

    /// The definition of a structure, by its name or that of a type that stands for it.
    fn record(&self, ty: &str) -> Option<&Node> {
        let named = |kind: &str, name: &str| {
            self.root
                .inner
                .iter()
                .rfind(|node| node.what.kind == kind && node.what.name.as_deref() == Some(name))
        };
        match ty.strip_prefix("struct ") {
            Some(name) => named("RecordDecl", name).filter(|node| !node.inner.is_empty()),
            None => {
                let alias = &named("TypedefDecl", ty)?.ty;
                if alias == ty { None } else { self.record(alias) }
            }
        }
    }

    /// Whether a structure is declared but not defined here.
    fn is_incomplete(&self, ty: &str) -> bool {
        let is_structure = |ty: &str| ty.starts_with("struct ") || ty.starts_with("union ");
        let alias = || {
            self.root
                .inner
                .iter()
                .find(|node| node.what.kind == "TypedefDecl" && node.what.name.as_deref() == Some(ty))
        };
        match is_structure(ty) {
            true => ty.starts_with("struct ") && self.record(ty).is_none(),
            false => alias()
                .is_some_and(|alias| alias.ty.starts_with("struct ") && self.record(&alias.ty).is_none()),
        }
    }
}
