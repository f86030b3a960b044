//! Proofs as text: a line for each step.
//!
//! `7 1 -2 0 3 5 0` adds clause 7 with two literals, which follows from clauses 3 and 5; `7 d 3 5 0` deletes clauses 3
//! and 5. Lines that begin with `c` are comments.

use crate::number::number;
use crate::{Checker, Cnf, Id, Literal, Refused};
use std::io::{self, Write};

/// Checks that a proof shows that a formula has no model.
pub fn check(cnf: &Cnf, proof: &str) -> Result<(), Refused> {
    let mut checker = Checker::new(cnf);
    for line in proof.lines() {
        step(&mut checker, line)?;
    }
    match checker.is_refuted() {
        true => Ok(()),
        false => Err(Refused("the proof does not come to the empty clause".into())),
    }
}

fn step(checker: &mut Checker, line: &str) -> Result<(), Refused> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [] | ["c", ..] => Ok(()),
        [_, "d", ref deleted @ .., "0"] => deleted.iter().try_for_each(|id| checker.delete(number(id)?)),
        [id, ref rest @ .., "0"] => {
            let Some(end) = rest.iter().position(|word| *word == "0") else {
                return Err(Refused(format!("step {id} has no hints")));
            };
            let literals: Vec<Literal> =
                rest[..end].iter().map(|word| number(word)).collect::<Result<_, _>>()?;
            let hints = rest[end + 1..].iter().map(|word| match word.starts_with('-') {
                true => Err(Refused(format!("step {id} is justified by resolution with all clauses (RAT)"))),
                false => number(word),
            });
            let hints: Vec<Id> = hints.collect::<Result<_, _>>()?;
            checker.add(number(id)?, &literals, &hints)
        }
        _ => Err(Refused(format!("a step does not end: {}", line.chars().take(60).collect::<String>()))),
    }
}

/// Writes a step that adds a clause.
pub fn write_added(out: &mut impl Write, id: Id, clause: &[Literal], hints: &[Id]) -> io::Result<()> {
    write!(out, "{id} ")?;
    clause.iter().try_for_each(|literal| write!(out, "{literal} "))?;
    write!(out, "0 ")?;
    hints.iter().try_for_each(|hint| write!(out, "{hint} "))?;
    writeln!(out, "0")
}

/// Writes a step that deletes a clause. `last` is the clause that was added last.
pub fn write_deleted(out: &mut impl Write, last: Id, id: Id) -> io::Result<()> {
    writeln!(out, "{last} d {id} 0")
}
