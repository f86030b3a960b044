//! The syntax tree of a C file, as clang prints it: nodes, and their places in the text.

use serde::Deserialize;
use std::path::Path;
use std::process::Command;

/// A node of a syntax tree.
#[derive(Debug)]
pub(crate) struct Node {
    /// Its kind and properties.
    pub what: What,
    /// Its type, as the source has it; empty where it has none.
    pub ty: String,
    /// The same without names for types; empty where that is no other one.
    desugared: String,
    /// Whether it is of a volatile type.
    pub is_volatile: bool,
    /// The name of what is declared.
    pub name_at: Option<Token>,
    /// The first token; none where clang made the node up.
    pub begin: Option<Token>,
    /// The last token.
    pub end: Option<Token>,
    /// Its parts, in clang's order.
    pub inner: Vec<Node>,
}

impl Node {
    /// The pointee of its type, if that is a pointer or the array that a parameter is written as.
    pub(crate) fn pointee(&self) -> Option<String> {
        [&self.ty, &self.desugared].into_iter().find_map(|ty| {
            let ty = ty.trim_end_matches("const").trim_end().trim_end_matches("restrict").trim_end();
            ty.strip_suffix('*').map(|pointee| pointee.trim().to_string()).or_else(|| inner_pointee(ty))
        })
    }

    /// Whether it is of an arithmetic type.
    pub(crate) fn is_scalar(&self) -> bool {
        let ty = if self.desugared.is_empty() { &self.ty } else { &self.desugared };
        let words = ["struct", "union", "[", "(", "*", "_Complex", "vector"];
        !words.iter().any(|word| ty.contains(word))
    }
}

/// The pointee of a type that is a pointer to an array, or to a pointer to a function.
fn inner_pointee(ty: &str) -> Option<String> {
    let (before, after) = ty.split_once("(*")?;
    if after.starts_with('*') {
        return Some(format!("{before}({after}"));
    }
    let (_, bounds) = after.split_once(")[")?;
    Some(format!("{before}[{bounds}"))
}

/// The properties of a node besides its place.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct What {
    /// Clang's word for it, such as `IfStmt`; empty for a part that is not there.
    #[serde(default)]
    pub kind: String,
    /// The name of what is declared.
    pub name: Option<String>,
    /// The operator.
    pub opcode: Option<String>,
    /// Whether an `if` has an `else`.
    #[serde(default)]
    pub has_else: bool,
    /// The declaration that a name refers to.
    pub referenced_decl: Option<Named>,
    is_postfix: Option<bool>,
    cast_kind: Option<String>,
    value: Option<serde_json::Value>,
}

impl What {
    /// Whether it is the number 1.
    pub(crate) fn is_one(&self) -> bool {
        self.kind == "IntegerLiteral" && self.value.as_ref().and_then(|value| value.as_str()) == Some("1")
    }
}

/// Something with a name.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Named {
    /// The name.
    pub name: Option<String>,
}

/// A token in a file. Of what a macro makes, the name of the macro where it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    /// The index of the file.
    pub file: usize,
    /// Where it begins, in bytes.
    pub begin: usize,
    /// Where it ends.
    pub end: usize,
    /// Whether a macro makes it.
    pub is_made: bool,
}

/// The syntax tree of a file with all that it includes.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The files by their indices, as clang names them.
    pub files: Vec<String>,
    /// All declarations.
    pub root: Node,
}

/// The reason why there is no tree.
#[derive(Debug)]
pub(crate) enum NoTree {
    /// It is no C: what clang says of it.
    Refused(String),
    /// Clang cannot be run, or be understood.
    Failed(String),
}

/// Asks clang for the tree of a file. Trees may be deep: the stack has to be large.
pub(crate) fn tree(clang: &Path, flags: &[String], file: &Path) -> Result<Tree, NoTree> {
    let output = Command::new(clang)
        .args(["-fsyntax-only", "-w", "-Xclang", "-ast-dump=json"])
        .args(flags)
        .arg(file)
        .output()
        .map_err(|error| NoTree::Failed(format!("cannot run {}: {error}", clang.display())))?;
    if !output.status.success() {
        return Err(NoTree::Refused(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let mut json = serde_json::Deserializer::from_slice(&output.stdout);
    json.disable_recursion_limit();
    let told = Told::deserialize(&mut json)
        .map_err(|error| NoTree::Failed(format!("cannot read clang's syntax tree: {error}")))?;
    let mut files = Files::default();
    let root = files.node(told);
    Ok(Tree { files: files.names, root })
}

/// A node as clang prints it.
#[derive(Deserialize)]
struct Told {
    loc: Option<ToldPlace>,
    range: Option<ToldRange>,
    r#type: Option<ToldType>,
    #[serde(flatten)]
    what: What,
    #[serde(default)]
    inner: Vec<Told>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToldType {
    #[serde(default)]
    qual_type: String,
    #[serde(default)]
    desugared_qual_type: String,
}

#[derive(Deserialize)]
struct ToldRange {
    begin: ToldPlace,
    end: ToldPlace,
}

/// A place; of what a macro makes, where that is written in the macro, and where the macro is used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToldPlace {
    #[serde(flatten)]
    here: Spot,
    spelling_loc: Option<Spot>,
    expansion_loc: Option<Spot>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spot {
    offset: Option<usize>,
    file: Option<String>,
    #[serde(default)]
    tok_len: usize,
}

/// The files that were named. Clang names a file only where it is another one than at the place before.
#[derive(Default)]
struct Files {
    names: Vec<String>,
    current: usize,
}

impl Files {
    fn node(&mut self, told: Told) -> Node {
        let name_at = told.loc.as_ref().and_then(|loc| self.token(loc));
        let begin = told.range.as_ref().and_then(|range| self.token(&range.begin));
        let end = told.range.as_ref().and_then(|range| self.token(&range.end));
        let (ty, desugared) =
            told.r#type.map(|told| (told.qual_type, told.desugared_qual_type)).unwrap_or_default();
        let is_volatile = [&ty, &desugared].iter().any(|name| name.contains("volatile"));
        let inner = told.inner.into_iter().map(|inner| self.node(inner)).collect();
        Node { what: told.what, ty, desugared, is_volatile, name_at, begin, end, inner }
    }

    fn token(&mut self, told: &ToldPlace) -> Option<Token> {
        match (&told.spelling_loc, &told.expansion_loc) {
            (Some(spelling), Some(expansion)) => {
                self.spot(spelling, true);
                self.spot(expansion, true)
            }
            _ => self.spot(&told.here, false),
        }
    }

    fn spot(&mut self, spot: &Spot, is_made: bool) -> Option<Token> {
        let begin = spot.offset?;
        if let Some(name) = &spot.file {
            let known = self.names.iter().position(|known| known == name);
            self.current = known.unwrap_or_else(|| {
                self.names.push(name.clone());
                self.names.len() - 1
            });
        }
        Some(Token { file: self.current, begin, end: begin + spot.tok_len, is_made })
    }
}
