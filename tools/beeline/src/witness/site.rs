//! Sites: the places of a witness in the source, and the edits that insert checks there.

use super::format::{InvariantType, Location, Passing, Waypoint};
use crate::copies::{Edit, Text, Unit, Units};
use crate::statement::{
    Statement, VALUE, around, before_expression, behind, blank, check, first, no_condition, of_expression,
    twice,
};
use crate::syntax::{Node, Token};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A place of a witness in a file that clang compiles.
pub(crate) struct Site<'u> {
    unit: &'u Unit,
    /// The index of the file in the syntax tree.
    file: usize,
    text: Text,
    /// The positions in the line.
    line: Range<usize>,
    /// The position that the column is.
    at: Option<usize>,
    function: Option<String>,
}

/// The site of a violation.
pub(crate) struct TargetSite {
    /// The file.
    pub path: PathBuf,
    /// The edit that makes two copies of the statement, one for executions that have passed all waypoints, if
    /// that is possible.
    pub twice: Option<Edit>,
    /// The edit that inserts a check before it.
    pub check: Edit,
    /// Its range in the text.
    range: Range<usize>,
    /// The lines of the statement.
    pub lines: Range<u32>,
}

impl TargetSite {
    /// Whether an edit is inside of the statement.
    pub(crate) fn has_inside(&self, path: &Path, edit: &Edit) -> bool {
        let is_before = edit.at == self.check.at && edit.until == self.check.until;
        self.path == path && self.range.contains(&edit.at) && !is_before
    }
}

impl<'u> Site<'u> {
    /// The sites that a location can mean, one for each file that clang compiles it in.
    pub(crate) fn all(units: &'u Units, location: &Location) -> Vec<Site<'u>> {
        let name = Path::new(&location.file_name).file_name().unwrap_or_default().to_string_lossy();
        let mut found = Vec::new();
        for unit in &units.units {
            for (file, known) in unit.tree.files.iter().enumerate() {
                let Some(text) = Text::of(known, &name) else { continue };
                let Some(line) = text.line(location.line) else { continue };
                let at = location.column.map(|column| line.start + column.saturating_sub(1));
                found.push(Site { unit, file, text, line, at, function: location.function.clone() });
            }
        }
        found
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.text.path
    }

    /// The edit that inserts the check of an invariant: the check with this number reports whether it holds.
    pub(crate) fn invariant(&self, of: InvariantType, number: usize, value: &str) -> Result<Edit, String> {
        let check = check(number, &[value]);
        match of {
            InvariantType::LocationInvariant => self.statement(&check),
            InvariantType::LoopInvariant => self.before_condition(&check),
        }
    }

    /// The edit that inserts the check of a waypoint.
    pub(crate) fn waypoint(&self, number: usize, waypoint: &Waypoint) -> Result<Edit, String> {
        match &waypoint.passing {
            Passing::Assumption(value) => self.statement(&check(number, &[value])),
            Passing::Branching(value) => self.branching(number, value),
            Passing::Enter => self.enter(&check(number, &["1"])),
            Passing::Return(constraint) => self.returning(number, constraint.as_deref()),
        }
    }

    /// The edits of the target's statement; a check among them has this number.
    pub(crate) fn target(&self, number: usize) -> Result<TargetSite, String> {
        let is_blank = |at: &usize| !self.text.bytes[*at].is_ascii_whitespace();
        let at = self.at.or_else(|| self.line.clone().find(is_blank)).unwrap_or(self.line.start);
        let statement =
            self.first().or_else(|| around(&self.unit.tree, self.file, at)).ok_or("there is no statement")?;
        self.expect_function(statement.node)?;
        let line = |at: usize| {
            let before = self.text.bytes[..at].iter().filter(|byte| **byte == b'\n').count();
            u32::try_from(before + 1).unwrap_or(u32::MAX)
        };
        let range = statement.range();
        let lines = line(range.start)..line(range.end) + 1;
        Ok(TargetSite {
            path: self.text.path.clone(),
            twice: twice(&statement, &self.text.bytes),
            check: self.before(&statement, &check(number, &["1"]))?,
            range,
            lines,
        })
    }

    fn is_there(&self, token: Token) -> bool {
        let is_meant = self.at.map_or(self.line.contains(&token.begin), |at| at == token.begin);
        token.file == self.file && is_meant
    }

    fn first(&self) -> Option<Statement<'u>> {
        first(&self.unit.tree, &|token| self.is_there(token))
    }

    fn statement(&self, check: &str) -> Result<Edit, String> {
        let statement = self.first().ok_or("no statement begins there")?;
        self.before(&statement, check)
    }

    fn before(&self, statement: &Statement<'_>, check: &str) -> Result<Edit, String> {
        self.expect_function(statement.node)?;
        let gap = statement.gap(&self.text.bytes);
        Ok(gap.map_err(|why| format!("no check can be inserted there: {why}"))?.edit(check.into()))
    }

    /// Whatever is evaluated next, the check is first.
    fn before_condition(&self, check: &str) -> Result<Edit, String> {
        let node = self.node(&["WhileStmt", "ForStmt", "DoStmt"], |node| node.begin, "loop")?;
        if node.what.kind == "DoStmt" {
            return Err(
                "the loop is a do-while, and the format does not define where its invariant holds".into()
            );
        }
        let condition = condition(node).ok_or("the form of the loop is not supported")?;
        if !condition.what.kind.is_empty() {
            return self.around_expression(condition, before_expression(check));
        }
        let at = self.no_condition(node).ok_or("the loop is part of a macro, so no check can be inserted")?;
        Ok(Edit { at, until: usize::MAX, before: no_condition(check), after: String::new() })
    }

    /// The position where the condition of a `for` would be.
    fn no_condition(&self, node: &Node) -> Option<usize> {
        let bytes = &self.text.bytes;
        let initial = node.inner.first()?;
        let at = match initial.end.filter(|_| !initial.what.kind.is_empty()) {
            Some(end) if initial.what.kind == "DeclStmt" => return Some(end.end),
            Some(end) => behind(bytes, end)?,
            None => {
                let open = blank(bytes, node.begin.filter(|begin| !begin.is_made)?.end);
                bytes.get(open).filter(|byte| **byte == b'(').map(|_| open + 1)?
            }
        };
        let at = blank(bytes, at);
        bytes.get(at).filter(|byte| **byte == b';').map(|_| at + 1)
    }

    fn branching(&self, number: usize, value: &str) -> Result<Edit, String> {
        let kinds = ["IfStmt", "WhileStmt", "ForStmt", "SwitchStmt", "DoStmt", "ConditionalOperator"];
        let node = self.node(&kinds, |node| node.begin, "branching")?;
        let kind = node.what.kind.as_str();
        let value = match (kind, value) {
            ("DoStmt" | "ConditionalOperator", _) => {
                return Err(
                    "a branching waypoint at a do-while or a conditional expression is not supported".into(),
                );
            }
            ("SwitchStmt", value) if value.parse::<i64>().is_ok() => format!("{VALUE} == {value}"),
            ("SwitchStmt", "default") => self.no_case(node)?,
            (_, "true") if kind != "SwitchStmt" => VALUE.into(),
            (_, "false") if kind != "SwitchStmt" => format!("!{VALUE}"),
            _ => return Err(format!("the value {value} of a branching waypoint is not supported there")),
        };
        let condition = condition(node).filter(|condition| !condition.what.kind.is_empty());
        let condition = condition.ok_or("the branch there has no condition")?;
        self.around_expression(condition, of_expression(&check(number, &[&value])))
    }

    /// Of the value of a `switch`: it is none of its cases.
    fn no_case(&self, switch: &Node) -> Result<String, String> {
        let mut found = Vec::new();
        cases(&switch.inner, &mut found);
        let mut is_none = String::from("1");
        for case in found {
            let (_, labels) = case.inner.split_last().ok_or("the form of a case is not supported")?;
            let labels: Option<Vec<&str>> = labels.iter().map(|label| self.source(label)).collect();
            // Labels are converted to the type that the value is promoted to.
            let like = |label: &str| format!("(__typeof__(+{VALUE}))({label})");
            is_none += &match labels.as_deref() {
                Some([label]) => format!(" && {VALUE} != {}", like(label)),
                Some([from, to]) => format!(" && ({VALUE} < {} || {VALUE} > {})", like(from), like(to)),
                _ => {
                    return Err(
                        "a case of the branch there is part of a macro, which is not supported".into()
                    );
                }
            };
        }
        Ok(is_none)
    }

    /// The text of an expression.
    fn source(&self, node: &Node) -> Option<&str> {
        let (begin, end) = node.begin.zip(node.end)?;
        let is_here = |token: &Token| token.file == self.file && !token.is_made;
        let range = is_here(&begin).then(|| is_here(&end).then_some(begin.begin..end.end))??;
        std::str::from_utf8(self.text.bytes.get(range)?).ok()
    }

    fn enter(&self, check: &str) -> Result<Edit, String> {
        let call = self.call()?;
        // These are called first; a check before all of them would report another order.
        if has_call(&call.inner) {
            return Err("calls in the arguments of a call that a waypoint enters are not supported".into());
        }
        self.around_expression(call, before_expression(check))
    }

    fn returning(&self, number: usize, constraint: Option<&str>) -> Result<Edit, String> {
        let value = constraint.map_or("1".into(), |text| text.replace("\\result", VALUE));
        if value.contains('\\') {
            return Err(format!("the constraint {} is not supported", constraint.unwrap_or_default()));
        }
        self.around_expression(self.call()?, of_expression(&check(number, &[&value])))
    }

    /// The call whose closing parenthesis is there.
    fn call(&self) -> Result<&'u Node, String> {
        self.node(&["CallExpr"], |node| node.end, "call with its closing parenthesis")
    }

    fn around_expression(&self, node: &Node, [before, after]: [String; 2]) -> Result<Edit, String> {
        let made = || "the code there is part of a macro, so no check can be inserted".to_string();
        let (begin, end) = node.begin.zip(node.end).ok_or_else(made)?;
        let until = behind(&self.text.bytes, end).ok_or_else(made)?;
        if begin.file != self.file || end.file != self.file || begin.begin >= until {
            return Err(made());
        }
        Ok(Edit { at: begin.begin, until, before, after })
    }

    /// The first node of some kinds one of whose tokens is there.
    fn node(
        &self,
        kinds: &[&str],
        token: impl Fn(&Node) -> Option<Token>,
        what: &str,
    ) -> Result<&'u Node, String> {
        let mut found = Vec::new();
        let is_it = |node: &Node| {
            kinds.contains(&node.what.kind.as_str()) && token(node).is_some_and(|token| self.is_there(token))
        };
        collect(&self.unit.tree.root, &is_it, &mut found);
        found.sort_by_key(|node| token(node).map(|token| token.begin));
        let node = found.into_iter().next().ok_or_else(|| format!("there is no {what}"))?;
        self.expect_function(node)?;
        Ok(node)
    }

    /// Refuses a node that is in another function than the witness says.
    fn expect_function(&self, node: &Node) -> Result<(), String> {
        let Some(function) = &self.function else { return Ok(()) };
        let is_around = |each: &Node| {
            let is_function = each.what.kind == "FunctionDecl" && each.what.name.as_ref() == Some(function);
            is_function && has(each, node)
        };
        let mut found = Vec::new();
        collect(&self.unit.tree.root, &is_around, &mut found);
        if found.is_empty() { Err(format!("that place is not in the function {function}")) } else { Ok(()) }
    }
}

/// The condition of what branches or loops.
fn condition(node: &Node) -> Option<&Node> {
    match node.what.kind.as_str() {
        "ForStmt" => node.inner.get(2),
        _ => node.inner.first(),
    }
}

/// The cases of a `switch`, without those of others inside.
fn cases<'t>(nodes: &'t [Node], found: &mut Vec<&'t Node>) {
    for node in nodes.iter().filter(|node| node.what.kind != "SwitchStmt") {
        found.extend((node.what.kind == "CaseStmt").then_some(node));
        cases(&node.inner, found);
    }
}

fn has_call(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| node.what.kind == "CallExpr" || has_call(&node.inner))
}

/// Whether a node is a part of another one.
fn has(whole: &Node, part: &Node) -> bool {
    std::ptr::eq(whole, part) || whole.inner.iter().any(|inner| has(inner, part))
}

fn collect<'t>(node: &'t Node, is_it: &dyn Fn(&Node) -> bool, found: &mut Vec<&'t Node>) {
    if is_it(node) {
        found.push(node);
    }
    node.inner.iter().for_each(|inner| collect(inner, is_it, found));
}
