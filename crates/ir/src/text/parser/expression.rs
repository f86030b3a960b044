//! Expressions of the syntax tree, by precedence.

use super::{Parsed, Parser};
use crate::operator::UnOp;
use crate::text::Located;
use crate::text::ast::*;
use crate::text::lexer::{Tok, type_named};
use crate::text::operators::{COMPARISONS, LEVELS, Shape};
use num_bigint::BigInt;

/// The deepest nesting of parentheses, so that no text exhausts the stack.
const MAX_DEPTH: usize = 100;
/// The greatest height of an expression's tree, for the same reason.
const MAX_HEIGHT: u32 = 500;
const TOO_DEEP: &str = "this expression is nested too deep; name parts of it with `let`";

impl Parser<'_> {
    /// An expression of the lowest precedence.
    pub(super) fn expr(&mut self) -> Parsed<At<Ast>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.depth -= 1;
            return self.fail(TOO_DEEP);
        }
        let result = self.choice();
        self.depth -= 1;
        result
    }

    fn choice(&mut self) -> Parsed<At<Ast>> {
        let cond = self.binary(0)?;
        let pos = self.pos();
        if !self.eat("?") {
            return Ok(cond);
        }
        let then = self.expr()?;
        self.punct(":")?;
        let otherwise = self.expr()?;
        node(Ast::Ite(Box::new(cond), Box::new(then), Box::new(otherwise)), pos)
    }

    /// Operators of a level and those that bind tighter; from the left.
    fn binary(&mut self, level: usize) -> Parsed<At<Ast>> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let Tok::Punct(text) = self.peek() else { return Ok(left) };
            let Some(&(_, op, shape)) = operators.iter().find(|(known, ..)| known == text) else {
                return Ok(left);
            };
            let pos = self.advance().pos;
            let right = self.binary(level + 1)?;
            let (a, b) = if shape == Shape::Swapped { (right, left) } else { (left, right) };
            left = node(Ast::Binary(op, Box::new(a), Box::new(b)), pos)?;
            if shape == Shape::Negated {
                left = node(Ast::Unary(UnOp::Not, Box::new(left)), pos)?;
            }
            if level == COMPARISONS {
                return Ok(left);
            }
        }
    }

    pub(super) fn unary(&mut self) -> Parsed<At<Ast>> {
        let pos = self.pos();
        if self.is_punct("-") {
            match self.peek_at(1) {
                Tok::Int(value, ty) => {
                    self.next += 2;
                    return node(Ast::Int(-BigInt::from(value.clone()), *ty), pos);
                }
                Tok::Float(text, ty) => {
                    self.next += 2;
                    return node(Ast::Float(format!("-{text}"), *ty), pos);
                }
                Tok::Ident { name, quoted: false } if name == "inf" => {
                    self.next += 2;
                    return node(Ast::Float("-inf".into(), None), pos);
                }
                _ => {}
            }
        }
        if let Tok::Punct(text) = self.peek()
            && let Some(op) = UnOp::ALL.into_iter().find(|op| op.text() == *text)
        {
            self.next += 1;
            self.depth += 1;
            let operand = if self.depth > MAX_DEPTH { self.fail(TOO_DEEP) } else { self.unary() };
            self.depth -= 1;
            return node(Ast::Unary(op, Box::new(operand?)), pos);
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed<At<Ast>> {
        let pos = self.pos();
        let ast = match self.peek() {
            Tok::Int(value, ty) => {
                self.next += 1;
                Ast::Int(BigInt::from(value.clone()), *ty)
            }
            Tok::Float(text, ty) => {
                self.next += 1;
                Ast::Float(text.clone(), *ty)
            }
            Tok::Punct("(") => {
                self.next += 1;
                let inner = self.expr()?;
                self.punct(")")?;
                return Ok(inner);
            }
            Tok::Punct("#") => {
                self.next += 1;
                Ast::Shared(self.integer("the number of a shared expression")?)
            }
            Tok::Ident { name, quoted: false } if name == "true" || name == "false" => {
                self.next += 1;
                Ast::Bool(name == "true")
            }
            Tok::Ident { name, quoted: false } if name == "inf" || name == "nan" => {
                self.next += 1;
                Ast::Float(name.clone(), None)
            }
            Tok::Ident { .. } => return self.named(pos),
            _ => return self.expected("an expression"),
        };
        node(ast, pos)
    }

    /// A variable, a load, or a function-like operator.
    fn named(&mut self, pos: usize) -> Parsed<At<Ast>> {
        if *self.peek_at(1) == Tok::Punct("(")
            && let Tok::Ident { name, quoted: false } = self.peek()
        {
            self.next += 2;
            let mut args = Vec::new();
            let mut ty = None;
            loop {
                if let Tok::Ident { name, quoted: false } = self.peek()
                    && type_named(name).is_some()
                    && *self.peek_at(1) == Tok::Punct(")")
                    && !args.is_empty()
                {
                    ty = Some(self.ty()?);
                    break;
                }
                args.push(self.expr()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.punct(")")?;
            return node(Ast::Apply(name.clone(), args, ty), pos);
        }
        let name = self.name("an expression")?;
        if !self.eat("[") {
            return node(Ast::Name(name.node), pos);
        }
        let addr = self.expr()?;
        let ty = if self.eat(",") { Some(self.ty()?) } else { None };
        self.punct("]")?;
        node(Ast::Load(name, Box::new(addr), ty), pos)
    }
}

/// An expression, unless its tree is too high.
fn node(ast: Ast, pos: usize) -> Parsed<At<Ast>> {
    let height = 1 + match &ast {
        Ast::Unary(_, a) | Ast::Load(_, a, _) => a.height,
        Ast::Binary(_, a, b) => a.height.max(b.height),
        Ast::Ite(a, b, c) => a.height.max(b.height).max(c.height),
        Ast::Apply(_, args, _) => args.iter().map(|arg| arg.height).max().unwrap_or(0),
        Ast::Int(..) | Ast::Float(..) | Ast::Bool(_) | Ast::Name(_) | Ast::Shared(_) => 0,
    };
    if height > MAX_HEIGHT {
        return Err(Located { pos, message: TOO_DEEP.into() });
    }
    Ok(At { node: ast, pos, height })
}
