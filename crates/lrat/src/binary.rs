//! Proofs as bytes: `a` and a number, literals and hints, or `d` and numbers of clauses, each list with a zero at its end.
//!
//! A number has seven bits in each byte, the lowest first, with a bit for more. Half of it is meant, negative if it is odd.

use crate::{Checker, Cnf, Id, Literal, Refused};

/// Checks that a proof shows that a formula has no model.
pub fn check(cnf: &Cnf, proof: &[u8]) -> Result<(), Refused> {
    let mut checker = Checker::new(cnf);
    let mut left = Bytes(proof);
    while let Some((&kind, rest)) = left.0.split_first() {
        left = Bytes(rest);
        match kind {
            b'a' => {
                let id = left.id()?.ok_or_else(|| Refused("a step has no number".into()))?;
                let literals = left.list(Bytes::literal)?;
                let hints = left.list(Bytes::id)?;
                checker.add(id, &literals, &hints)?;
            }
            b'd' => left.list(Bytes::id)?.into_iter().try_for_each(|id| checker.delete(id))?,
            _ => return Err(Refused(format!("there is no step of kind {kind}"))),
        }
    }
    match checker.is_refuted() {
        true => Ok(()),
        false => Err(Refused("the proof does not come to the empty clause".into())),
    }
}

/// The bytes that are left.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn number(&mut self) -> Result<i64, Refused> {
        let (mut number, mut shift) = (0_u64, 0);
        while let Some((&byte, rest)) = self.0.split_first() {
            self.0 = rest;
            if shift > 56 {
                return Err(Refused("a number is too large".into()));
            }
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                let half = (number >> 1) as i64;
                return Ok(if number & 1 == 0 { half } else { -half });
            }
        }
        Err(Refused("the proof ends within a step".into()))
    }

    /// A number of a clause, or the end of a list.
    fn id(&mut self) -> Result<Option<Id>, Refused> {
        match self.number()? {
            0 => Ok(None),
            id => Id::try_from(id).map(Some).map_err(|_| {
                Refused(format!("clause {id}: a step is justified by resolution with all clauses (RAT)"))
            }),
        }
    }

    /// A literal, or the end of a list.
    fn literal(&mut self) -> Result<Option<Literal>, Refused> {
        match self.number()? {
            0 => Ok(None),
            literal => {
                Literal::try_from(literal).map(Some).map_err(|_| Refused(format!("{literal} is no literal")))
            }
        }
    }

    fn list<T>(
        &mut self,
        mut next: impl FnMut(&mut Self) -> Result<Option<T>, Refused>,
    ) -> Result<Vec<T>, Refused> {
        let mut list = Vec::new();
        while let Some(item) = next(self)? {
            list.push(item);
        }
        Ok(list)
    }
}
