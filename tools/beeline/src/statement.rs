//! Statements that begin on a line, and checks of conditions before them.
//!
//! A check is a call of [`TELL`] with the condition's value. Among other statements it stands before the one that is
//! meant; a statement that stands alone, such as what belongs to an `if` without braces, becomes a compound statement
//! with the check. Whether that changes anything else is seen in the syntax tree: see [`Changed::find`].

use crate::copies::Edit;
use crate::syntax::{Node, Token, Tree};
use std::ops::Range;

/// The function that a check calls: the C name, and that in the bitcode.
const TELL: [&str; 2] = ["beeline_condition", "beeline.condition"];

/// The place of a check in a file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The position of the check.
    pub at: usize,
    /// The end of a statement that gets braces.
    pub until: Option<usize>,
}

impl Gap {
    /// The edit that inserts a check there.
    pub(crate) fn edit(self, check: String) -> Edit {
        match self.until {
            None => {
                Edit { at: self.at, until: usize::MAX, before: format!(" {check}"), after: String::new() }
            }
            Some(until) => Edit { at: self.at, until, before: format!("{{ {check}"), after: " }".into() },
        }
    }
}

/// A statement that begins on a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Statement<'t> {
    /// The statement.
    pub node: &'t Node,
    first: Token,
    last: Token,
    role: Role,
}

/// The role of a statement in the code around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// One of several in a compound statement.
    OneOfMany,
    /// Alone, as what belongs to an `if`, a loop or a label.
    Alone,
    /// Alone, and a declaration, which braces would hide.
    Declares,
    /// The body of a function.
    Body,
}

/// Finds the first statement that begins where `is_there` says so of a token. What has a label begins with that.
pub(crate) fn first<'t>(tree: &'t Tree, is_there: &dyn Fn(Token) -> bool) -> Option<Statement<'t>> {
    let mut found = Vec::new();
    collect(&tree.root, None, false, is_there, &mut found);
    // Of several that begin at one position, the outermost comes first.
    found.into_iter().min_by_key(|(begin, _)| *begin).map(|(_, statement)| statement)
}

/// Finds the innermost statement around a position of a file.
pub(crate) fn around(tree: &Tree, file: usize, at: usize) -> Option<Statement<'_>> {
    let mut found = Vec::new();
    collect(&tree.root, None, false, &|_| true, &mut found);
    let statements = found.into_iter().map(|(_, statement)| statement);
    statements.filter(|it| it.holds(file, at)).min_by_key(|it| it.last.end - it.first.begin)
}

/// Collects the statements that begin where they should, with where that is.
fn collect<'t>(
    node: &'t Node,
    role: Option<Role>,
    is_labelled: bool,
    is_there: &dyn Fn(Token) -> bool,
    found: &mut Vec<(usize, Statement<'t>)>,
) {
    let is_label = ["LabelStmt", "CaseStmt", "DefaultStmt"].contains(&node.what.kind.as_str());
    let begins = node.begin.filter(|begin| role.is_some() && is_there(*begin));
    let begins = begins.or(node.name_at.filter(|name| node.what.kind == "FunctionDecl" && is_there(*name)));
    let is_meant = is_labelled || begins.is_some();
    if let (true, Some(role), Some(first), Some(last), false) =
        (is_meant, role, node.begin, node.end, is_label)
    {
        found.push((begins.unwrap_or(first).begin, Statement { node, first, last, role }));
    }
    let count = node.inner.len();
    for (index, inner) in node.inner.iter().enumerate() {
        let from_end = count - index;
        let role = match node.what.kind.as_str() {
            "CompoundStmt" => Some(Role::OneOfMany),
            "IfStmt" if from_end <= 1 + usize::from(node.what.has_else) => Some(Role::Alone),
            "ForStmt" | "WhileStmt" | "SwitchStmt" | "LabelStmt" | "CaseStmt" | "DefaultStmt"
                if from_end == 1 =>
            {
                Some(if inner.what.kind == "DeclStmt" { Role::Declares } else { Role::Alone })
            }
            "DoStmt" if index == 0 => Some(Role::Alone),
            "FunctionDecl" if inner.what.kind == "CompoundStmt" => Some(Role::Body),
            _ => None,
        };
        let is_labelled = role.is_some() && is_meant && (is_label || role == Some(Role::Body));
        collect(inner, role, is_labelled, is_there, found);
    }
}

impl<'t> Statement<'t> {
    /// The file that it begins in.
    pub(crate) fn file(&self) -> usize {
        self.first.file
    }

    /// The range of its text, up to the last token.
    pub(crate) fn range(&self) -> Range<usize> {
        self.first.begin..self.last.end
    }

    /// Whether it contains a position.
    fn holds(&self, file: usize, at: usize) -> bool {
        let is_here = self.first.file == file && self.last.file == file && self.role != Role::Body;
        is_here && self.range().contains(&at)
    }

    /// The condition of an `if`, if no macro makes it and it has no effect.
    pub(crate) fn condition(&self) -> Option<&'t Node> {
        let what = &self.node.what;
        if what.kind != "IfStmt" || self.node.inner.len() != 2 + usize::from(what.has_else) {
            return None;
        }
        let condition = &self.node.inner[0];
        let is_here = |token: Token| token.file == self.first.file && !token.is_made;
        (is_here(condition.begin?) && is_here(condition.end?) && !changes(condition)).then_some(condition)
    }

    /// The place of a check, or the reason why there is none.
    pub(crate) fn gap(&self, text: &[u8]) -> Result<Gap, &'static str> {
        let made = "the statement is part of a macro";
        match self.role {
            Role::OneOfMany => Ok(Gap { at: self.first.begin, until: None }),
            Role::Body if self.first.is_made => Err(made),
            Role::Body => Ok(Gap { at: self.first.end, until: None }),
            Role::Declares => Err("a declaration follows a label there"),
            Role::Alone if self.first.file != self.last.file => Err("the statement ends in another file"),
            Role::Alone => Ok(Gap { at: self.first.begin, until: Some(end(text, self.last).ok_or(made)?) }),
        }
    }
}

/// The end of a statement whose last token is known: after its semicolon.
fn end(text: &[u8], last: Token) -> Option<usize> {
    let end = behind(text, last)?;
    let next = blank(text, end);
    match text.get(next) {
        Some(b';') => Some(next + 1),
        _ if last.is_made || text.get(end - 1) == Some(&b'}') || text.get(end - 1) == Some(&b';') => {
            Some(end)
        }
        _ => None,
    }
}

/// The position after a last token: if a macro makes it, after the macro's arguments.
pub(crate) fn behind(text: &[u8], last: Token) -> Option<usize> {
    let next = blank(text, last.end);
    match last.is_made && text.get(next) == Some(&b'(') {
        true => parentheses(text, next),
        false => Some(last.end),
    }
}

/// The position of what comes after white space and comments.
pub(crate) fn blank(text: &[u8], mut at: usize) -> usize {
    let find = |from: usize, end: &[u8]| {
        text[from..]
            .windows(end.len())
            .position(|window| window == end)
            .map_or(text.len(), |found| from + found)
    };
    loop {
        at = match &text[at.min(text.len())..] {
            [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, ..] => at + 1,
            [b'\\', b'\n', ..] => at + 2,
            [b'/', b'/', ..] => find(at, b"\n"),
            [b'/', b'*', ..] => (find(at + 2, b"*/") + 2).min(text.len()),
            _ => return at,
        }
    }
}

/// The position after parentheses that open at a position.
fn parentheses(text: &[u8], open: usize) -> Option<usize> {
    let (mut depth, mut at) = (0, open);
    loop {
        at = blank(text, at);
        match text.get(at)? {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            quote @ (b'"' | b'\'') => {
                at += 1;
                while text.get(at)? != quote {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The text of a check of the conditions of a place with a number: each is a bit of what it tells.
pub(crate) fn check(number: usize, conditions: &[&str]) -> String {
    let [name, symbol] = TELL;
    // No shift, which sanitizers would look at.
    let bit = |(index, condition): (usize, &&str)| match index {
        0 => format!("!!({condition})"),
        _ => format!("(({condition}) ? {} : 0)", 1u32 << index),
    };
    let holds: Vec<String> = conditions.iter().enumerate().map(bit).collect();
    format!("{{ void {name}(int, int) __asm__(\"{symbol}\"); {name}({number}, {}); }} ", holds.join(" | "))
}

/// Whether a check is at a column of a line.
pub(crate) fn is_in_check(line: &str, column: usize) -> bool {
    let begins = line.match_indices("{ void beeline_condition(").map(|(at, _)| at);
    let ends = |at: usize| line[at..].find("; } ").map_or(line.len(), |length| at + length);
    begins.map(|at| at..ends(at)).any(|range| range.contains(&column.saturating_sub(1)))
}

/// The name of an expression in a check of its value.
pub(crate) const VALUE: &str = "beeline_value";

/// The text before and after an expression that is evaluated after a check.
pub(crate) fn before_expression(check: &str) -> [String; 2] {
    [format!("({{ {check}"), "; })".into()]
}

/// The text before and after an expression whose value, [`VALUE`], is checked.
pub(crate) fn of_expression(check: &str) -> [String; 2] {
    [format!("({{ __auto_type {VALUE} = ({{ "), format!("; }}); {check}{VALUE}; }})")]
}

/// The condition of a `for` that has none, with a check.
pub(crate) fn no_condition(check: &str) -> String {
    format!(" ({{ {check}1; }})")
}

/// The function that says whether a statement is executed in the first of two copies.
const CHOOSE: [&str; 2] = ["beeline_passed", "beeline.passed"];

/// The text before and after a statement that makes two copies of it, from which the program chooses; `None`
/// if two copies would have another meaning. The first copy is in one line, right after [`TWIN`].
pub(crate) fn twice(statement: &Statement<'_>, text: &[u8]) -> Option<Edit> {
    let at = statement.first.begin;
    let until = end(text, statement.last)?;
    if statement.role == Role::Body || statement.node.what.kind == "DeclStmt" {
        return None;
    }
    let copy = in_one_line(&text[at..until])?;
    // A variable that keeps its value would be two.
    if copy.contains("static") {
        return None;
    }
    let [name, symbol] = CHOOSE;
    let before = format!("{{ int {name}(void) __asm__(\"{symbol}\"); {TWIN}{copy}{TWIN_END}");
    Some(Edit { at, until, before, after: " } }".into() })
}

/// The text right before the first of two copies.
pub(crate) const TWIN: &str = "if (beeline_passed()) { ";
/// The text right after it.
pub(crate) const TWIN_END: &str = "} /* beeline_passed */ else { ";

/// A text without line breaks, and without the comments that end there.
fn in_one_line(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let mut line = String::new();
    for part in text.lines() {
        // A string that contains what looks like a comment is not recognised here: the syntax tree will
        // differ.
        line.push_str(part.split("//").next().unwrap_or_default());
        line.push(' ');
    }
    Some(line)
}

/// The effect of checks on a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changed {
    /// Nothing: they are there, and all else is as it was.
    Nothing,
    /// They are not there.
    Missing,
    /// The program is another one.
    Program,
    /// A condition may change what the program does.
    Effect,
}

impl Changed {
    /// Compares a program without checks to the one with them.
    pub(crate) fn find(before: &Node, after: &Node) -> Changed {
        if !is_same(before, after) {
            return Changed::Program;
        }
        let mut checks = Vec::new();
        find_checks(after, &mut checks);
        if checks.is_empty() && !has_twins(after) {
            Changed::Missing
        } else if checks.into_iter().any(has_effect) {
            Changed::Effect
        } else {
            Changed::Nothing
        }
    }
}

fn has_twins(node: &Node) -> bool {
    twins(node).is_some() || node.inner.iter().any(has_twins)
}

fn find_checks<'n>(node: &'n Node, found: &mut Vec<&'n Node>) {
    if is_check(node) {
        found.push(node);
    } else {
        node.inner.iter().for_each(|inner| find_checks(inner, found));
    }
}

/// Whether a node is all that [`check`] makes of one condition.
fn is_check(node: &Node) -> bool {
    let [declares, calls] = &node.inner[..] else { return false };
    let is_declared =
        declares.inner.first().is_some_and(|declared| declared.what.name.as_deref() == Some(TELL[0]));
    node.what.kind == "CompoundStmt"
        && declares.what.kind == "DeclStmt"
        && is_declared
        && declares.inner.len() == 1
        && calls.what.kind == "CallExpr"
        && calls.inner.first().is_some_and(|called| names(called, TELL[0]))
}

/// Whether an expression is a name, perhaps with an implicit conversion.
fn names(node: &Node, name: &str) -> bool {
    let named = node.what.referenced_decl.as_ref().and_then(|named| named.name.as_deref());
    match &node.inner[..] {
        [] => named == Some(name),
        [only] => node.what.kind == "ImplicitCastExpr" && names(only, name),
        _ => false,
    }
}

/// Whether a node is the same as one with checks, apart from these and the braces that they need.
fn is_same(before: &Node, after: &Node) -> bool {
    let inner: Vec<&Node> = after.inner.iter().filter(|inner| !is_check(inner)).collect();
    let is_checked = inner.len() < after.inner.len();
    let is_kept = before.what == after.what
        && before.inner.len() == inner.len()
        && before.inner.iter().zip(&inner).all(|(before, after)| is_same(before, after));
    let is_wrapped = || match inner[..] {
        [only] => {
            is_checked
                && after.what.kind == "CompoundStmt"
                && is_check(&after.inner[0])
                && is_same(before, only)
        }
        _ => false,
    };
    is_kept
        || is_wrapped()
        || unwrapped(after).is_some_and(|inner| is_same(before, inner))
        || {
            let nothing = before.what.kind.is_empty() && before.inner.is_empty();
            nothing && unwrapped(after).is_some_and(|inner| inner.what.is_one())
        }
        || twins(after).is_some_and(|twins| twins.iter().all(|twin| is_same(before, twin)))
}

/// The two statements in what [`twice`] makes of one.
fn twins(node: &Node) -> Option<[&Node; 2]> {
    let [declares, chooses] = &node.inner[..] else { return None };
    let [declared] = &declares.inner[..] else { return None };
    let [condition, first, second] = &chooses.inner[..] else { return None };
    let is_choice = node.what.kind == "CompoundStmt"
        && declares.what.kind == "DeclStmt"
        && declared.what.name.as_deref() == Some(CHOOSE[0])
        && chooses.what.kind == "IfStmt"
        && condition.what.kind == "CallExpr"
        && condition.inner.first().is_some_and(|called| names(called, CHOOSE[0]));
    let only = |compound: &'_ Node| compound.what.kind == "CompoundStmt" && compound.inner.len() == 1;
    (is_choice && only(first) && only(second)).then(|| [&first.inner[0], &second.inner[0]])
}

/// The expression in what [`before_expression`] or [`of_expression`] makes of one.
fn unwrapped(node: &Node) -> Option<&Node> {
    let parts = compound_of(node)?;
    let others: Vec<&Node> = parts.iter().filter(|part| !is_check(part)).collect();
    match others[..] {
        _ if others.len() == parts.len() => None,
        [only] => Some(only),
        [declares, value] => {
            let [declared] = &declares.inner[..] else { return None };
            let is_value = declared.what.name.as_deref() == Some(VALUE) && names(value, VALUE);
            let [initial] = &declared.inner[..] else { return None };
            let [expression] = compound_of(initial)? else { return None };
            (is_value && declares.what.kind == "DeclStmt").then_some(expression)
        }
        _ => None,
    }
}

/// The parts of a compound statement that is an expression.
fn compound_of(node: &Node) -> Option<&[Node]> {
    let [compound] = &node.inner[..] else { return None };
    (node.what.kind == "StmtExpr" && compound.what.kind == "CompoundStmt").then_some(&compound.inner)
}

/// Whether the evaluation of the condition in a check may change anything.
fn has_effect(check: &Node) -> bool {
    let call = &check.inner[1];
    call.inner.iter().skip(1).any(changes)
}

fn changes(node: &Node) -> bool {
    let is_change = match node.what.kind.as_str() {
        "CallExpr" | "CompoundAssignOperator" | "StmtExpr" | "AtomicExpr" | "VAArgExpr" => true,
        "BinaryOperator" => node.what.opcode.as_deref() == Some("="),
        "UnaryOperator" => matches!(node.what.opcode.as_deref(), Some("++" | "--")),
        _ => node.is_volatile,
    };
    is_change || node.inner.iter().any(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_behind_their_semicolon() {
        let ends = |text: &str, last: &str, is_made: bool| {
            let begin = text.find(last).expect("it is there");
            let last = Token { file: 0, begin, end: begin + last.len(), is_made };
            end(text.as_bytes(), last).map(|end| text[..end].to_string())
        };
        assert_eq!(ends("x /* ; */ ; y;", "x", false), Some("x /* ; */ ;".into()));
        assert_eq!(ends("{ x; } y;", "}", false), Some("{ x; }".into()));
        assert_eq!(ends("M(\")\", ')', (1)) ; y", "M", true), Some("M(\")\", ')', (1)) ;".into()));
        assert_eq!(ends("M else y;", "M", true), Some("M".into()));
        // A directive is between the statement and its semicolon.
        assert_eq!(ends("x\n#if A\n;\n#endif", "x", false), None);
        assert_eq!(ends("M(1", "M", true), None);
    }
}
