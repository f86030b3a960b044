//! Operations of the syntax tree: what an edge or a statement does.

use super::{Parsed, Parser};
use crate::program::AssumeKind;
use crate::text::ast::*;
use crate::text::lexer::Tok;

impl Parser<'_> {
    /// What a statement or an edge does.
    pub(super) fn operation(&mut self) -> Parsed<OpAst> {
        if let Some(op) = self.keyword_operation()? {
            return Ok(op);
        }
        let name = self.name("a statement")?;
        if self.eat("[") {
            let addr = self.expr()?;
            self.punct("]")?;
            self.punct(":=")?;
            return Ok(OpAst::Store { region: name, addr, value: self.expr()? });
        }
        let mut names = vec![name];
        while self.eat(",") {
            names.push(self.name("the name of a variable")?);
        }
        self.punct(":=")?;
        if names.len() == 1 {
            if self.eat_word("input") {
                let input = self.string("the input's name in quotes")?.node;
                return Ok(OpAst::Input(names.swap_remove(0), input));
            }
            if self.is_word("call") {
                return self.call(names.pop());
            }
        }
        let mut values = vec![self.expr()?];
        while self.eat(",") {
            values.push(self.expr()?);
        }
        if values.len() != names.len() {
            return self.fail(format!("{} variables are assigned {} values", names.len(), values.len()));
        }
        Ok(OpAst::Assign(names, values))
    }

    /// An operation that begins with a keyword, if there is one here.
    fn keyword_operation(&mut self) -> Parsed<Option<OpAst>> {
        let Tok::Ident { name, quoted: false } = self.peek() else { return Ok(None) };
        Ok(Some(match name.as_str() {
            "skip" => {
                self.next += 1;
                OpAst::Skip
            }
            "assume" => {
                self.next += 1;
                let kind = self.assume_kind()?;
                OpAst::Assume(self.expr()?, kind)
            }
            "havoc" => {
                self.next += 1;
                match self.eat_word("region") {
                    true => OpAst::HavocRegion(self.name("the name of a region")?),
                    false => OpAst::Havoc(self.name("the name of a variable")?),
                }
            }
            "call" => self.call(None)?,
            "return" => {
                self.next += 1;
                let bare = matches!(self.peek(), Tok::Newline | Tok::End | Tok::Punct("@" | "}"));
                OpAst::Return(if bare { None } else { Some(self.expr()?) })
            }
            _ => return Ok(None),
        }))
    }

    /// `[branch]`, `[loop]`, with `negated` after them, between `assume` and the condition.
    fn assume_kind(&mut self) -> Parsed<AssumeKind> {
        let mut kind = AssumeKind::default();
        if self.eat("[") {
            kind.branch = true;
            kind.looping = self.eat_word("loop");
            if !kind.looping {
                self.word("branch")?;
            }
            kind.negated = self.eat_word("negated");
            self.punct("]")?;
        }
        Ok(kind)
    }

    /// `call f(args)` or `call (pointer)(args) among f, g`
    fn call(&mut self, ret: Option<Name>) -> Parsed<OpAst> {
        self.word("call")?;
        let pointer = if self.eat("(") {
            let pointer = self.expr()?;
            self.punct(")")?;
            Some(pointer)
        } else {
            None
        };
        let name = if pointer.is_none() { Some(self.name("the name of a function")?) } else { None };
        self.punct("(")?;
        let mut args = Vec::new();
        while !self.is_punct(")") {
            args.push(self.expr()?);
            if !self.eat(",") {
                break;
            }
        }
        self.punct(")")?;
        let callee = match (name, pointer) {
            (Some(name), _) => CalleeAst::Direct(name),
            (None, Some(pointer)) => {
                self.word("among")?;
                let mut candidates = Vec::new();
                while matches!(self.peek(), Tok::Ident { name, quoted } if *quoted || name != "goto") {
                    candidates.push(self.name("the name of a function")?);
                    if !self.eat(",") {
                        break;
                    }
                }
                CalleeAst::Indirect(Box::new(pointer), candidates)
            }
            (None, None) => return self.expected("the name of a function"),
        };
        Ok(OpAst::Call { callee, args, ret })
    }
}
