//! Refutes formulas with proofs that a checker accepts, so that no solver has to be believed.
//!
//! [`refute()`] makes a circuit of formulas (`encode`, `words`, `maps`), writes it as clauses (`gates`), and asks CaDiCaL for
//! a proof that these have no model (`solve`). [`beeline_lrat`] checks each step of that proof. What is believed: that the clauses
//! say no more than the formulas, and the checker.
//!
//! # Where to find what
//! - `gates`: circuits of truth values, and their clauses.
//! - `words`: circuits of operations on numbers.
//! - `floats`: circuits of IEEE floats.
//! - `maps`: regions of memory, by what is read of them.
//! - `encode`: from the terms of [`beeline_smt::parts`] to circuits.
//! - `solve`: CaDiCaL and the check of its proof.
//!
//! # What is shared with the engine
//! The terms, which [`beeline_smt`] makes of expressions; `ir-spec/certificates.md` says how these are tested. Not the way
//! from there to clauses: the engine's goes through Z3's tactics.

#![warn(unreachable_pub)]

mod encode;
mod floats;
mod gates;
mod maps;
mod solve;
mod words;

use beeline_smt::Formula;
use beeline_smt::parts::Parts;
use encode::{Encoding, NoCircuit};
use solve::Found;
pub use solve::Limits;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What was found out about formulas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refutation {
    /// They contradict each other; a proof was accepted.
    Certified,
    /// They do not contradict each other. For maps of which something holds at all addresses, they may all the same.
    Model {
        /// Whether nothing was left out.
        exact: bool,
    },
    /// It is open, for a reason that completes "not certified: ".
    Open(String),
}

/// Where the formula and the proof of each refutation are kept.
#[derive(Debug)]
pub struct Keeper {
    folder: PathBuf,
    kept: u64,
}

impl Keeper {
    /// Keeps them in a folder, which is made if it does not exist, after those that are there already.
    pub fn new(folder: &Path, kept: u64) -> std::io::Result<Keeper> {
        std::fs::create_dir_all(folder)?;
        Ok(Keeper { folder: folder.to_path_buf(), kept })
    }

    /// The file of the next refutation with an ending.
    fn file(&self, ending: &str) -> std::io::Result<std::io::BufWriter<std::fs::File>> {
        let name = format!("{:05}.{ending}", self.kept + 1);
        std::fs::File::create(self.folder.join(name)).map(std::io::BufWriter::new)
    }
}

/// Shows that formulas contradict each other.
pub fn refute(formulas: &[Formula], limits: &Limits, keeper: Option<&mut Keeper>) -> Refutation {
    match Parts::of(formulas) {
        Ok(parts) => refute_parts(&parts, limits, keeper),
        Err(unsupported) => Refutation::Open(unsupported.0),
    }
}

fn refute_parts(parts: &Parts, limits: &Limits, keeper: Option<&mut Keeper>) -> Refutation {
    let encoding = match Encoding::of(parts, limits.gates) {
        Ok(encoding) => encoding,
        Err(NoCircuit::TooLarge) => return Refutation::Open("the circuit is too large".into()),
        Err(NoCircuit::Unsupported(what)) => return Refutation::Open(what.into()),
    };
    let cnf = Rc::new(encoding.gates.cnf());
    let found = match keeper {
        None => solve::solve(&cnf, limits, None),
        Some(keeper) => match kept(&cnf, limits, keeper) {
            Ok(found) => found,
            Err(error) => return Refutation::Open(format!("the certificate cannot be written: {error}")),
        },
    };
    match found {
        Found::Refuted => Refutation::Certified,
        Found::Model => Refutation::Model { exact: !encoding.maps.partial },
        Found::Refused(why) => Refutation::Open(format!("the solver's proof is refused: {why}")),
        Found::GaveUp => Refutation::Open("the solver found no proof in time".into()),
    }
}

/// Solves with files for the formula and the proof, which are kept if it is accepted.
fn kept(cnf: &Rc<beeline_lrat::Cnf>, limits: &Limits, keeper: &mut Keeper) -> std::io::Result<Found> {
    let mut formula = keeper.file("cnf")?;
    cnf.write(&mut formula)?;
    formula.flush()?;
    let found = solve::solve(cnf, limits, Some(Box::new(keeper.file("lrat")?)));
    // The next one takes the place of what is not accepted.
    keeper.kept += u64::from(found == Found::Refuted);
    Ok(found)
}

#[cfg(test)]
mod tests;
