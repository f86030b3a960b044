//! Facts about all values of a variable, made instances of where maps are read.
//!
//! A fact about all elements of some maps is needed for the elements that formulas read. Its instances read further
//! elements, of which other facts are needed.

use crate::ast::parts_of_all;
use crate::memory::Memory;
use crate::term::{Formula, Term};
use beeline_ir::Type;
use rustc_hash::FxHashSet;
use z3::DeclKind;
use z3::ast::{Ast, Dynamic};

/// The greatest number of instances.
const MOST: usize = 2_000;

/// The instances of some facts that were asked for.
#[derive(Debug, Default)]
pub struct Instances {
    seen: FxHashSet<Dynamic>,
    made: FxHashSet<(usize, Dynamic)>,
}

impl Instances {
    /// The values that formulas read elements at, for each fact that is about elements of the maps that are read there. It
    /// is named by its index among `facts`, each of which is about elements at addresses of a type, of some maps.
    pub fn of(&mut self, formulas: &[Formula], facts: &[(Type, Vec<Memory>)]) -> Vec<(usize, Term)> {
        let mut found = Vec::new();
        if facts.is_empty() {
            return found;
        }
        for part in parts_of_all(formulas.iter().map(Formula::dynamic).collect()) {
            if !self.seen.insert(part.clone()) || !is(&part, DeclKind::Select) {
                continue;
            }
            let (Some(map), Some(at)) = (part.nth_child(0), part.nth_child(1)) else { continue };
            let at = at.simplify();
            let maps = written_over(map);
            for (number, (ty, about)) in facts.iter().enumerate() {
                let is_about = about.iter().any(|about| maps.contains(&Dynamic::from_ast(&about.0)));
                if is_about
                    && self.made.len() < MOST
                    && let Some(term) = Term::from_dynamic(*ty, &at)
                    && self.made.insert((number, at.clone()))
                {
                    found.push((number, term));
                }
            }
        }
        found
    }
}

/// The maps that may be seen through a map's stores and choices.
fn written_over(map: Dynamic) -> FxHashSet<Dynamic> {
    let mut found = FxHashSet::default();
    let mut waiting = vec![map];
    while let Some(map) = waiting.pop() {
        if !found.insert(map.clone()) {
            continue;
        }
        if is(&map, DeclKind::Store) {
            waiting.extend(map.nth_child(0));
        } else if is(&map, DeclKind::Ite) {
            waiting.extend([1, 2].into_iter().filter_map(|child| map.nth_child(child)));
        }
    }
    found
}

fn is(term: &Dynamic, kind: DeclKind) -> bool {
    term.is_app() && term.decl().kind() == kind
}
