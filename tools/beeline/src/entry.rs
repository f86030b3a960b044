//! The contract of the entry function that `--function` names. A C function that makes the arguments and
//! calls it is added after the end of the file, for clang only (see [`crate::copies`]).
//!
//! A pointer is null or points to one object of its type, with arbitrary content, that nothing else points
//! to; a `char *` points to a terminated string. A contract says more: that of the command line or of `beeline.toml`, or
//! that of the comment above the function.

mod comment;
pub(crate) mod contract;

use crate::copies::{Copies, Edit, Units, with_stack};
use crate::job::{Job, Source};
use crate::property::Property;
use crate::step::Word as File;
use crate::syntax::Node;
use contract::{Clause, Requirement, Word, clauses};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The function that makes the arguments. The lowering knows it by this name.
pub(crate) const ENTRY: &str = "__beeline_entry";
/// What encloses the place of a requirement in that function.
const WRITTEN_AT: &str = "/* at ";
const COMMENT_ENDS: &str = " */";
/// The greatest length of a string without a requirement.
const LONGEST_TEXT: u64 = 15;
/// The depth to which members that are pointers point to objects.
const DEPTH: u32 = 2;

/// Makes the program start at a function that makes the arguments and keeps the result, if some of these need it; that is in
/// the files which are returned.
pub(crate) fn make_arguments(job: &mut Job) -> Result<Copies, String> {
    if job.function == "main" {
        return match (job.contract.first(), job.any_variables) {
            (None, None) => Ok(Copies::default()),
            (Some(Requirement { at, .. }), _) => Err(format!(
                "{at}: a contract needs --function with a function other than main, whose arguments it describes"
            )),
            (None, Some(_)) => Err("--globals any needs --function: main starts with initial values".into()),
        };
    }
    let checks_memory = job.properties.iter().any(|property| {
        matches!(property, Property::All)
            || matches!(property, Property::Memory(name) if *name != "memory-cleanup")
    });
    if job.contract.is_empty() && !checks_memory && !has_comments(job) {
        return Ok(Copies::default());
    }
    let Some(made) = with_stack(|| copies(&Units::new(job)?, &job.function, &job.contract))? else {
        return Ok(Copies::default());
    };
    job.given.extend(made.told);
    job.contract = made.contract;
    job.entered = Some(std::mem::replace(&mut job.function, ENTRY.into()));
    Ok(made.copies)
}

/// Whether a C file may have a contract in a comment.
fn has_comments(job: &Job) -> bool {
    job.sources.iter().any(|source| match source {
        Source::C(File::Given(path), _) => std::fs::read(path)
            .is_ok_and(|text| text.windows(comment::MARK.len()).any(|part| part == comment::MARK.as_bytes())),
        _ => false,
    })
}

/// The program with the function that makes the arguments.
struct Made {
    copies: Copies,
    /// The assumptions about the arguments, as text.
    told: Vec<String>,
    contract: Vec<Requirement>,
}

/// The file with the function that makes the arguments, and what is said of these.
fn copies(units: &Units, function: &str, given: &[Requirement]) -> Result<Option<Made>, String> {
    for unit in &units.units {
        let Some(declared) = defined(&unit.tree.root, function) else { continue };
        let contract = match given {
            [] => above(&unit.tree.files, declared)?,
            given => given.to_vec(),
        };
        let params: Vec<&Node> =
            declared.inner.iter().filter(|node| node.what.kind == "ParmVarDecl").collect();
        let has_pointers = params.iter().any(|param| is_pointer(param)) || may_lead_on(result(declared));
        if contract.is_empty() && !has_pointers {
            return Ok(None);
        }
        let mut maker = Maker { root: &unit.tree.root, text: String::new(), told: Vec::new(), objects: 0 };
        let clauses = clauses(&contract)?;
        maker.arguments(function, declared, &params, &clauses)?;
        let path = unit.file.canonicalize().map_err(|error| format!("{}: {error}", unit.file.display()))?;
        let end = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?.len();
        let text = maker.text.clone();
        let edit = Edit { at: end, until: usize::MAX, before: maker.text, after: String::new() };
        let copies = units.copies(&path, edit);
        units.expect_compiles(&copies).map_err(|(place, why)| {
            let at = blamed(&text, &place).unwrap_or_else(|| format!("--function {function}"));
            format!("{at}: clang rejects what is required: {why}")
        })?;
        return Ok(Some(Made { copies, told: maker.told, contract }));
    }
    match given.first() {
        None => Ok(None),
        Some(Requirement { at, .. }) => Err(format!("{at}: no C file of the program defines {function}")),
    }
}

/// Where the requirement is written that clang rejects at a place of the function that makes the arguments.
fn blamed(text: &str, place: &str) -> Option<String> {
    let number: usize = place.rsplit(':').nth(1)?.parse().ok()?;
    // The text begins with an empty line, and three that name its lines and silence warnings of what nobody wrote.
    let lines = text.lines().skip(4).take(number).filter_map(|line| line.trim().strip_prefix(WRITTEN_AT));
    Some(lines.last()?.trim_end_matches(COMMENT_ENDS).to_string())
}

/// The contract in the comments above a function.
fn above(files: &[String], declared: &Node) -> Result<Vec<Requirement>, String> {
    let Some((begin, file)) = declared.begin.and_then(|begin| Some((begin, files.get(begin.file)?))) else {
        return Ok(Vec::new());
    };
    let Ok(text) = std::fs::read(file) else { return Ok(Vec::new()) };
    comment::contract(file, &String::from_utf8_lossy(&text), begin.begin)
}

/// The definition of a function.
pub(crate) fn defined<'t>(root: &'t Node, name: &str) -> Option<&'t Node> {
    root.inner.iter().find(|node| {
        node.what.kind == "FunctionDecl"
            && node.what.name.as_deref() == Some(name)
            && node.inner.iter().any(|part| part.what.kind == "CompoundStmt")
    })
}

fn is_pointer(node: &Node) -> bool {
    node.pointee().is_some()
}

/// The type of a function's result.
fn result(function: &Node) -> &str {
    function.ty.split('(').next().unwrap_or("void").trim()
}

/// Whether the caller may reach objects through a result of this type: it is no number.
fn may_lead_on(result: &str) -> bool {
    let numbers = "void _Bool bool char short int long signed unsigned float double const volatile __int128";
    !result.split_whitespace().all(|word| numbers.split(' ').any(|number| number == word))
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
        clauses: &[Clause<'_>],
    ) -> Result<(), String> {
        let mut names = Vec::new();
        for (index, param) in params.iter().enumerate() {
            names.push(param.what.name.clone().unwrap_or_else(|| format!("argument{index}")));
        }
        for clause in clauses {
            if let Some(name) = clause.word.given().filter(|name| !names.contains(&name.to_string())) {
                return Err(format!("{}: {function} has no parameter {name}", clause.at));
            }
        }
        let mut body = String::new();
        let mut before = String::new();
        let handed = self.params(&mut before, &mut body, (&names, params), clauses);
        for clause in clauses {
            self.clause(&mut before, &mut body, clause);
            self.told.push(clause.word.told());
        }
        let list = names.join(", ");
        let result = result(declared);
        let call = match result {
            "void" => format!("  {function}({list});\n"),
            _ => {
                let _ = writeln!(before, "__typeof__({result}) __beeline_result;");
                format!("  __beeline_result = {function}({list});\n")
            }
        };
        let kept: String =
            (0..self.objects).map(|number| format!("void *__beeline_object{number};\n")).collect();
        let handed = if handed.is_empty() { "void".into() } else { handed.join(", ") };
        let _ = write!(
            self.text,
            "\n#line 1 \"what {function} is given\"\n#pragma clang diagnostic ignored \"-Weverything\"\n#line 1\nvoid *malloc(__SIZE_TYPE__);\nextern void __VERIFIER_assume(int);\n{before}{kept}int {ENTRY}({handed}) {{\n{body}{call}  return 0;\n}}\n"
        );
        Ok(())
    }

    /// Makes the parameters, but for those that nobody can make, which are parameters of the new function as well.
    fn params(
        &mut self,
        before: &mut String,
        body: &mut String,
        (names, params): (&[String], &[&Node]),
        clauses: &[Clause<'_>],
    ) -> Vec<String> {
        let mut handed = Vec::new();
        for (name, param) in names.iter().zip(params.iter()) {
            let ty = &param.ty;
            if param.pointee().is_none() && ty.contains("(*)(") {
                // A function, which nobody can make: any one is handed on.
                handed.push(format!("__typeof__({ty}) {name}"));
                continue;
            }
            let _ = writeln!(body, "  __typeof__({ty}) {name};");
            match param.pointee() {
                Some(_) if clauses.iter().any(|clause| clause.word.given() == Some(name)) => {}
                Some(pointee) => self.pointer(before, body, (name, name), &pointee, DEPTH),
                None if param.is_scalar() => {
                    let _ = writeln!(before, "extern __typeof__({ty}) any_{name}(void);");
                    let _ = writeln!(body, "  {name} = any_{name}();");
                }
                None => {
                    let object = self.object(&format!("sizeof({name})"));
                    let _ = writeln!(body, "  {name} = *(__typeof__({ty}) *){object};");
                }
            }
        }
        handed
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
        let is_code = pointee.contains('(') && !pointee.contains("(*");
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
            "    __SIZE_TYPE__ length_{label} = any_length_{label}();\n    __VERIFIER_assume(length_{label} <= ({most}) && length_{label} < __PTRDIFF_MAX__);\n    {name} = {object};\n    __VERIFIER_assume({name} != 0);\n    ((char *){name})[length_{label}] = 0;"
        );
    }

    fn clause(&mut self, before: &mut String, body: &mut String, clause: &Clause<'_>) {
        let _ =
            writeln!(body, "  {WRITTEN_AT}{}{COMMENT_ENDS}", clause.at.replace("*/", "").replace('\n', " "));
        match &clause.word {
            Word::Fresh(name, count) => {
                // No object is larger than this.
                let _ = writeln!(
                    body,
                    "  __VERIFIER_assume(({count}) >= 0 && ({count}) <= __PTRDIFF_MAX__ / sizeof(*{name}));"
                );
                let object = self.object(&format!("({count}) * sizeof(*{name})"));
                let _ = writeln!(body, "  {name} = {object};");
                let _ = writeln!(body, "  __VERIFIER_assume(({count}) == 0 || {name} != 0);");
            }
            Word::Text(name, most) => {
                let _ = writeln!(body, "  {{");
                self.string(before, body, name, name, most);
                let _ = writeln!(body, "  }}");
            }
            Word::Holds(condition) => {
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
