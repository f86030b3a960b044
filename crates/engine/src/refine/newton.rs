//! Newton refinement: predicates from the conditions of an infeasible path, without interpolants.
//!
//! The solver returns an unsatisfiable core of the path's conditions. For each point of the path, the
//! conditions after it, with the assignments in between substituted, say what has to be false there (weakest
//! preconditions). The conditions before it, as far as they are about current values, say what is known there
//! (strongest postconditions). Inputs in between are not eliminated: conditions that mention them are left
//! out, so the predicates need not exclude the path.
//!
//! Variables that hold the same input have constants of their own: a condition is about the variable that it
//! names, and that two of them are equal is a predicate.

use crate::control::Control;
use crate::paths::Path;
use crate::paths::split_path::{Copies, Interface, SplitPath};
use crate::refine::{MAX_CONDITIONS, Wanted, add_decoded};
use crate::state::precision::Predicates;
use beeline_ir::Program;
use beeline_smt::decode::Leaves;
use beeline_smt::solver::contradicting;
use beeline_smt::{Constant, Formula, QueryLimits, Substitution};
use rustc_hash::FxHashSet;

/// The predicates for each end of a block but the last; `None` if the solver does not show in time that the
/// path is infeasible.
pub fn by_core(
    program: &Program,
    control: &dyn Control,
    path: &Path,
    predicates: &mut Predicates,
    limits: &QueryLimits,
) -> Option<Vec<Wanted>> {
    let SplitPath { parts, interfaces, interface_at } =
        SplitPath::new(program, control, path, Copies::Apart, limits).ok()?;
    let core = contradicting(&parts, limits)?;
    let leaves: Vec<Leaves> =
        interfaces.iter().map(|interface| interface.leaves(program, predicates)).collect();
    let last_needed = core.iter().rposition(|parts| !parts.is_empty()).unwrap_or(0);
    let mut found: Vec<Wanted> = (0..interfaces.len())
        .map(|index| Wanted { preds: Vec::new(), contradiction: last_needed <= index })
        .collect();
    let mut add = |index: usize, formulas: &[Formula]| {
        let preds: &mut Vec<_> = &mut found[index].preds;
        for formula in formulas {
            if preds.len() < MAX_CONDITIONS {
                add_decoded(formula, &leaves[index], predicates, preds);
            }
        }
    };
    preconditions(&core, &interfaces, &mut add);
    postconditions(&core, &interfaces, &mut add);
    for wanted in &mut found {
        wanted.preds.sort_unstable();
        wanted.preds.dedup();
    }
    Some(interface_at.iter().map(|&interface| found[interface].clone()).collect())
}

/// Adds the conditions after each interface in terms of the interface's constants.
fn preconditions(core: &[Vec<Formula>], interfaces: &[Interface], add: &mut impl FnMut(usize, &[Formula])) {
    let mut after: Vec<Formula> = Vec::new();
    // Values tell where pointers lead, so that what was stored there is read. Postconditions say that the constants have
    // these values.
    let mut known = Substitution::default();
    let definitions = interfaces.iter().zip(core).flat_map(|(interface, parts)| interface.in_core(parts));
    for definition in definitions.filter(|definition| definition.value.is_value()) {
        known.add(&definition.constant, &definition.value);
    }
    for index in (0..interfaces.len()).rev() {
        after.extend_from_slice(&core[index + 1]);
        if let Some(next) = interfaces.get(index + 1) {
            let mut values = Substitution::default();
            for definition in &next.definitions {
                values.add(&definition.constant, &definition.value);
            }
            after = replaced(&after, &values);
        }
        after = replaced(&after, &known);
        add(index, &after);
    }
}

/// Adds the conditions before each interface. A constant that was overwritten since is replaced by its value.
fn postconditions(core: &[Vec<Formula>], interfaces: &[Interface], add: &mut impl FnMut(usize, &[Formula])) {
    let mut before: Vec<Formula> = Vec::new();
    let mut definitions = Vec::new();
    for (index, interface) in interfaces.iter().enumerate() {
        before.extend_from_slice(&core[index]);
        definitions.extend(interface.in_core(&core[index]));
        let current: FxHashSet<Constant> = interface.constants().into_iter().collect();
        let mut values = Substitution::default();
        let mut copied = FxHashSet::default();
        for known in &definitions {
            if !current.contains(&known.constant) {
                values.add(&known.constant, &known.value);
            } else if known.value.is_symbol()
                && !current.contains(&known.value)
                && copied.insert(&known.value)
            {
                // Something that holds an input stands for it, and is equal to all else that holds it.
                values.add(&known.value, &known.constant);
            }
        }
        // The value of a constant may mention constants of earlier interfaces.
        let now = (0..=index).fold(before.clone(), |now, _| replaced(&now, &values));
        add(index, &now);
    }
}

/// The formulas after substitution, without trivial ones and duplicates.
fn replaced(formulas: &[Formula], values: &Substitution) -> Vec<Formula> {
    let mut kept = Vec::new();
    for formula in formulas {
        let formula = values.apply(formula);
        if !formula.is_constant(true) && !kept.contains(&formula) {
            kept.push(formula);
        }
    }
    kept
}
