//! Parsing: tokens to the syntax tree, line by line: a fault costs its line, not the rest of the text.

mod expression;
mod operation;

use super::Located;
use super::ast::*;
use super::lexer::{Tok, Token, type_named};
use crate::cells::{NamedCells, Repeat};
use crate::program::Direction;
use crate::types::Type;
use num_traits::ToPrimitive;

/// Words that a statement or an expression may begin with; as names they need backticks.
pub(super) const KEYWORDS: [&str; 26] = [
    "skip", "assume", "if", "while", "goto", "else", "havoc", "input", "region", "call", "return", "target",
    "exit", "stop", "let", "true", "false", "inf", "nan", "in", "at", "as", "fn", "var", "global", "among",
];

type Parsed<T> = Result<T, Located>;

pub(super) fn parse(tokens: &[Token]) -> Result<FileAst, Vec<Located>> {
    let mut parser = Parser { tokens, next: 0, depth: 0, faults: Vec::new(), file: FileAst::default() };
    parser.program();
    if parser.faults.is_empty() { Ok(parser.file) } else { Err(parser.faults) }
}

struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    depth: usize,
    faults: Vec<Located>,
    file: FileAst,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a Tok {
        &self.tokens[self.next.min(self.tokens.len() - 1)].tok
    }

    fn peek_at(&self, ahead: usize) -> &'a Tok {
        &self.tokens[(self.next + ahead).min(self.tokens.len() - 1)].tok
    }

    fn pos(&self) -> usize {
        self.tokens[self.next.min(self.tokens.len() - 1)].pos
    }

    fn advance(&mut self) -> &'a Token {
        let token = &self.tokens[self.next.min(self.tokens.len() - 1)];
        self.next += 1;
        token
    }

    fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(Located { pos: self.pos(), message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.fail(format!("expected {what}, found {}", self.peek().describe()))
    }

    fn is_punct(&self, text: &str) -> bool {
        matches!(self.peek(), Tok::Punct(found) if *found == text)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is_punct(text);
        self.next += usize::from(found);
        found
    }

    fn punct(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { self.expected(&format!("`{text}`")) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Tok::Ident { name, quoted: false } if name == word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.next += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek() {
            Tok::Ident { name, quoted } if *quoted || !KEYWORDS.contains(&name.as_str()) => {
                Ok(At::leaf(name.clone(), self.advance().pos))
            }
            Tok::Ident { name, .. } => {
                self.fail(format!("`{name}` is a keyword; as a name it needs backticks"))
            }
            _ => self.expected(what),
        }
    }

    fn string(&mut self, what: &str) -> Parsed<At<String>> {
        match self.peek() {
            Tok::Str(text) => Ok(At::leaf(text.clone(), self.advance().pos)),
            _ => self.expected(what),
        }
    }

    fn integer(&mut self, what: &str) -> Parsed<u64> {
        match self.peek() {
            Tok::Int(value, None) => match value.to_u64() {
                Some(value) => {
                    self.next += 1;
                    Ok(value)
                }
                None => self.fail("this number has more than 64 bits"),
            },
            _ => self.expected(what),
        }
    }

    fn small(&mut self, what: &str) -> Parsed<u32> {
        let fault = Located { pos: self.pos(), message: "this number has more than 32 bits".into() };
        u32::try_from(self.integer(what)?).map_err(|_| fault)
    }

    fn ty(&mut self) -> Parsed<Type> {
        if let Tok::Ident { name, .. } = self.peek()
            && let Some(ty) = type_named(name)
        {
            self.next += 1;
            return Ok(ty);
        }
        self.expected("a type such as `i32`, `bool` or `f64`")
    }

    fn end_of_line(&mut self) -> Parsed<()> {
        match self.peek() {
            Tok::Newline => {
                self.next += 1;
                Ok(())
            }
            Tok::Punct("}") | Tok::End => Ok(()),
            _ => self.expected("the end of the line"),
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.peek(), Tok::Newline | Tok::End) {
            self.next += 1;
        }
    }

    /// Takes the result, or notes the fault and continues after the line.
    fn recover<T>(&mut self, result: Parsed<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(fault) => {
                self.faults.push(fault);
                self.skip_line();
                None
            }
        }
    }

    fn skip_newlines(&mut self) {
        while *self.peek() == Tok::Newline {
            self.next += 1;
        }
    }

    fn program(&mut self) {
        self.skip_newlines();
        let header = self.header();
        if self.recover(header).is_none() {
            return;
        }
        loop {
            self.skip_newlines();
            if *self.peek() == Tok::End {
                return;
            }
            let item = self.item();
            self.recover(item);
        }
    }

    fn header(&mut self) -> Parsed<()> {
        if !self.is_word("beeline") {
            return self.expected("the first line `beeline 1.0`");
        }
        self.next += 1;
        match self.peek() {
            Tok::Float(version, None) if version.starts_with("1.") => self.next += 1,
            Tok::Float(version, None) => {
                return self.fail(format!(
                    "this is version {version} of the textual form; this program reads version 1"
                ));
            }
            _ => return self.expected("the version, `1.0`"),
        }
        self.end_of_line()
    }

    fn item(&mut self) -> Parsed<()> {
        let Tok::Ident { name, quoted: false } = self.peek() else {
            return self.expected("`fn`, `global`, `region` or another item");
        };
        match name.as_str() {
            "fn" => return self.function(),
            "program" => {
                self.next += 1;
                self.file.name = Some(self.string("the program's name in quotes")?.node);
            }
            "pointer" => {
                self.next += 1;
                let width = self.small("the width of a pointer")?;
                self.file.pointer = Some((width, self.eat_word("big")));
            }
            "entry" => {
                self.next += 1;
                self.file.entry = Some(self.name("the name of a function")?);
            }
            "file" => {
                self.next += 1;
                let file = self.string("the file's name in quotes")?.node;
                self.file.files.push(file);
            }
            "global" => {
                self.next += 1;
                let var = self.variable(true)?;
                self.file.globals.push(var);
            }
            "region" => {
                self.next += 1;
                let region = self.region()?;
                self.file.regions.push(region);
            }
            "cells" => {
                self.next += 1;
                let cells = self.cells()?;
                self.file.cells.push(cells);
            }
            "assumption" => {
                self.next += 1;
                let assumption = self.assumption()?;
                self.file.assumptions.push(assumption);
            }
            _ => return self.expected("`fn`, `global`, `region` or another item"),
        }
        self.end_of_line()
    }

    /// `name: type [:= value] [as "source name" "source type" [@span]]`
    fn variable(&mut self, global: bool) -> Parsed<VarAst> {
        let name = self.name("the name of a variable")?;
        self.punct(":")?;
        let ty = self.ty()?;
        let init = if global && self.eat(":=") { Some(self.expr()?) } else { None };
        let source = if self.eat_word("as") {
            let name = self.string("the variable's name in the source, in quotes")?.node;
            let ty = self.string("its type in the source, in quotes")?.node;
            Some(SourceAst { name, ty, span: self.span()? })
        } else {
            None
        };
        Ok(VarAst { name, ty, init, source })
    }

    /// `name: address type -> cell type [in base + size, ...] [:= base: value * count, ...; ...]`
    fn region(&mut self) -> Parsed<RegionAst> {
        let name = self.name("the name of a region")?;
        self.punct(":")?;
        let addr = self.ty()?;
        self.punct("->")?;
        let cell = self.ty()?;
        let mut region = RegionAst { name, addr, cell, extents: Vec::new(), init: Vec::new() };
        if self.eat_word("in") {
            loop {
                let base = self.integer("the first address of an extent")?;
                self.punct("+")?;
                region.extents.push((base, self.integer("the size of an extent")?));
                if !self.eat(",") {
                    break;
                }
            }
        }
        if self.eat(":=") {
            loop {
                let addr = self.integer("the address of the first value")?;
                self.punct(":")?;
                let mut values = Vec::new();
                loop {
                    let value = self.unary()?;
                    let count = if self.eat("*") { self.integer("how often the value repeats")? } else { 1 };
                    values.push((value, count));
                    if !self.eat(",") {
                        break;
                    }
                }
                region.init.push((addr, values));
                if !self.eat(";") {
                    break;
                }
            }
        }
        Ok(region)
    }

    /// `"name" "type" at base [+ stride * count ...]`
    fn cells(&mut self) -> Parsed<NamedCells> {
        let pos = self.pos();
        let name = self.string("what the source calls the cells, in quotes")?.node;
        let ty = self.string("their type in the source, in quotes")?.node;
        self.word("at")?;
        let mut cells =
            NamedCells { name, ty, addr: self.integer("the first address")?, repeats: Vec::new() };
        while self.eat("+") {
            let stride = self.integer("the distance of elements")?;
            self.punct("*")?;
            cells.repeats.push(Repeat { stride, count: self.integer("the number of elements")? });
        }
        if cells.is_sound() {
            Ok(cells)
        } else {
            Err(Located {
                pos,
                message: "each `[]` of the name needs one `+ DISTANCE * NUMBER` with positive numbers".into(),
            })
        }
    }

    /// `kind direction "text" [at function:label.index] [@span]`, where kind may hold hyphens.
    fn assumption(&mut self) -> Parsed<AssumptionAst> {
        let kind = self.hyphenated()?;
        let pos = self.pos();
        let word = self.hyphenated()?;
        let Some(direction) = Direction::ALL.into_iter().find(|direction| direction.name() == word) else {
            return Err(Located {
                pos,
                message: format!("`{word}` should be `hides`, `invents` or `hides-or-invents`"),
            });
        };
        let text = self.string("what is assumed, in quotes")?.node;
        let edge = if self.eat_word("at") {
            let function = self.name("the name of a function")?;
            self.punct(":")?;
            let label = self.name("a label")?;
            self.punct("@")?;
            Some((function, label, self.integer("the index of the location's edge, from 0")?))
        } else {
            None
        };
        Ok(AssumptionAst { kind, direction, text, edge, span: self.span()? })
    }

    /// Words with hyphens between them; keywords are words here.
    fn hyphenated(&mut self) -> Parsed<String> {
        let mut whole = String::new();
        loop {
            let Tok::Ident { name, quoted: false } = self.peek() else {
                return self.expected("a word");
            };
            self.next += 1;
            whole.push_str(name);
            if !self.eat("-") {
                return Ok(whole);
            }
            whole.push('-');
        }
    }

    /// `@line:col` or `@"file":line:col`; without a file it is the function's.
    fn span(&mut self) -> Parsed<Option<SpanAst>> {
        let pos = self.pos();
        if !self.eat("@") {
            return Ok(None);
        }
        let file = if matches!(self.peek(), Tok::Str(_)) {
            let file = self.string("a file")?;
            self.punct(":")?;
            Some(file)
        } else {
            None
        };
        let line = self.small("a line")?;
        let col = if self.eat(":") { self.small("a column")? } else { 0 };
        Ok(Some(SpanAst { file, line, col, pos }))
    }

    fn function(&mut self) -> Parsed<()> {
        self.next += 1;
        let name = self.name("the name of a function")?;
        self.punct("(")?;
        let mut params = Vec::new();
        while !self.is_punct(")") {
            params.push(self.variable(false)?);
            if !self.eat(",") {
                break;
            }
        }
        self.punct(")")?;
        let ret = if self.eat("->") { Some(self.variable(false)?) } else { None };
        let addr = if self.eat_word("at") { Some(self.integer("the function's address")?) } else { None };
        let file = if self.eat_word("in") { Some(self.string("the file's name in quotes")?) } else { None };
        self.punct("{")?;
        let mut function = FunctionAst { name, params, ret, addr, file, vars: Vec::new(), body: Vec::new() };
        loop {
            self.skip_newlines();
            if self.eat("}") {
                break;
            }
            if *self.peek() == Tok::End {
                return self.expected("`}` at the end of the function");
            }
            let line = self.line(&mut function);
            self.recover(line);
        }
        self.file.functions.push(function);
        self.end_of_line()
    }

    fn line(&mut self, function: &mut FunctionAst) -> Parsed<()> {
        if self.is_word("var") {
            self.next += 1;
            loop {
                let var = self.variable(false)?;
                function.vars.push(var);
                if !self.eat(",") {
                    return self.end_of_line();
                }
            }
        }
        let pos = self.pos();
        let alternative = self.eat("|");
        let mut label = None;
        if !alternative && matches!(self.peek(), Tok::Ident { .. }) && *self.peek_at(1) == Tok::Punct(":") {
            label = Some(self.name("a label")?);
            self.next += 1;
        }
        let line = self.statement()?;
        function.body.push(Statement { label, alternative, line, pos });
        self.end_of_line()
    }

    fn statement(&mut self) -> Parsed<Line> {
        let mut lets = Vec::new();
        while self.eat_word("let") {
            self.punct("#")?;
            let number = self.integer("the number of a shared expression")?;
            self.punct("=")?;
            lets.push((number, self.expr()?));
            self.punct(";")?;
        }
        for looping in [false, true] {
            if self.eat_word(if looping { "while" } else { "if" }) {
                let cond = self.expr()?;
                self.word("goto")?;
                let then = self.name("a label")?;
                let otherwise = if self.eat_word("else") { Some(self.name("a label")?) } else { None };
                return Ok(Line::Branch { lets, cond, looping, then, otherwise, span: self.span()? });
            }
        }
        if lets.is_empty() {
            if self.eat_word("exit") {
                return Ok(Line::Exit);
            }
            if self.eat_word("stop") {
                return Ok(Line::Stop);
            }
            if self.eat_word("target") {
                let name = self.string("the target's name in quotes")?.node;
                let property = match self.peek() {
                    Tok::Str(text) => {
                        self.next += 1;
                        text.clone()
                    }
                    _ => "unreach-call".into(),
                };
                return Ok(Line::Target { name, property, span: self.span()? });
            }
        }
        let op = self.operation()?;
        let goto = if self.eat_word("goto") { Some(self.name("a label")?) } else { None };
        Ok(Line::Edge { lets, op, goto, span: self.span()? })
    }
}
