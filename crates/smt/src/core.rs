//! Unsatisfiable cores of very many formulas, of which few matter.
//!
//! Some formulas define constants, the others are conditions. The *cone* of a condition consists of the
//! formulas that define its constants, and so on. Conditions with small cones are queried first, so that a
//! contradiction that needs few formulas is found with few.

use crate::ast::{is_symbol, parts};
use crate::limits::QueryLimits;
use crate::solver::contradicting;
use crate::substitute::Constant;
use crate::term::Formula;
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::Dynamic;

/// A formula with its role.
#[derive(Debug, Clone)]
pub struct Part {
    /// The formula.
    pub formula: Formula,
    /// Its role.
    pub role: Role,
}

/// The role of a formula.
#[derive(Debug, Clone)]
pub enum Role {
    /// It has to hold.
    Condition,
    /// It defines a constant, and matters only where that is mentioned.
    Definition(Constant),
    /// It is about all constants that it mentions, and matters only where one of them is mentioned.
    Fact,
}

/// Contradictory formulas.
#[derive(Debug)]
pub struct Core {
    /// The formulas, by the groups in which they were given.
    pub groups: Vec<Vec<Formula>>,
    names: FxHashSet<Dynamic>,
}

impl Core {
    /// Whether they mention a constant.
    pub fn mentions(&self, constant: &Constant) -> bool {
        self.names.contains(&constant.dynamic())
    }
}

/// The size of cones at first, and the factor by which it grows.
const FIRST: usize = 16;
const MORE: usize = 8;

/// Contradictory formulas from some groups; `None` if only all of them together are contradictory, or if no
/// contradiction is found in time.
pub fn small_core(groups: &[Vec<Part>], limits: &QueryLimits) -> Option<Core> {
    let cones = Cones::of(groups);
    let mut most = FIRST;
    let mut asked = 0;
    while !limits.is_over() {
        let (kept, conditions) = cones.up_to(most);
        if kept.iter().all(|kept| *kept) {
            break;
        }
        if conditions > std::mem::replace(&mut asked, conditions) {
            let mut kept = kept.into_iter();
            let mut kept_of = |group: &Vec<Part>| {
                let marked = group.iter().zip(&mut kept);
                marked.filter(|(_, kept)| *kept).map(|(part, _)| part.formula.clone()).collect()
            };
            let chosen: Vec<Vec<Formula>> = groups.iter().map(&mut kept_of).collect();
            if let Some(groups) = contradicting(&chosen, limits) {
                let names = groups.iter().flatten().flat_map(names_of).collect();
                return Some(Core { groups, names });
            }
        }
        if conditions == cones.conditions {
            break;
        }
        most = most.saturating_mul(MORE);
    }
    None
}

/// The constants of a formula.
fn names_of(formula: &Formula) -> impl Iterator<Item = Dynamic> + use<> {
    parts(&formula.dynamic()).filter(is_symbol)
}

/// The dependences of formulas, which are numbered consecutively.
struct Cones {
    /// For each formula, the constants that it mentions.
    names: Vec<Vec<usize>>,
    /// For each constant, the formulas that define it.
    defining: Vec<Vec<usize>>,
    is_condition: Vec<bool>,
    /// The number of conditions.
    conditions: usize,
}

impl Cones {
    fn of(groups: &[Vec<Part>]) -> Cones {
        let mut numbers: FxHashMap<Dynamic, usize> = FxHashMap::default();
        let mut cones =
            Cones { names: Vec::new(), defining: Vec::new(), is_condition: Vec::new(), conditions: 0 };
        for (index, part) in groups.iter().flatten().enumerate() {
            let defined = match &part.role {
                Role::Definition(constant) => Some(constant.dynamic()),
                Role::Condition | Role::Fact => None,
            };
            let mut names = Vec::new();
            for name in names_of(&part.formula) {
                let defines = match part.role {
                    Role::Condition => false,
                    Role::Definition(_) => defined.as_ref() == Some(&name),
                    Role::Fact => true,
                };
                let next = numbers.len();
                let number = *numbers.entry(name).or_insert(next);
                if number == next {
                    cones.defining.push(Vec::new());
                }
                if defines {
                    cones.defining[number].push(index);
                }
                names.push(number);
            }
            let is_condition = matches!(part.role, Role::Condition);
            cones.names.push(names);
            cones.is_condition.push(is_condition);
            cones.conditions += usize::from(is_condition);
        }
        cones
    }

    /// The conditions whose cones have at most so many formulas, with these cones, as a mask over all
    /// formulas; and the number of these conditions.
    fn up_to(&self, most: usize) -> (Vec<bool>, usize) {
        let mut kept = vec![false; self.names.len()];
        let mut conditions = 0;
        for index in (0..self.names.len()).filter(|&index| self.is_condition[index]) {
            if let Some(cone) = self.cone(index, most) {
                cone.into_iter().for_each(|index| kept[index] = true);
                conditions += 1;
            }
        }
        (kept, conditions)
    }

    /// A condition with its cone, if that has at most so many formulas.
    fn cone(&self, condition: usize, most: usize) -> Option<FxHashSet<usize>> {
        let mut cone = FxHashSet::from_iter([condition]);
        let mut waiting = vec![condition];
        while let Some(index) = waiting.pop() {
            for &name in &self.names[index] {
                waiting.extend(self.defining[name].iter().filter(|&&defining| cone.insert(defining)));
                if cone.len() > most {
                    return None;
                }
            }
        }
        Some(cone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::TICKS_PER_SECOND;
    use crate::term::Term;
    use beeline_ir::{Bits, Type, Value};

    fn number(value: u64) -> Term {
        Term::value(&Value::Bv(Bits::new(8, value))).expect("it has a term")
    }

    fn named(name: &str) -> Term {
        Term::named(name, Type::Bv(8)).expect("it has a term")
    }

    fn condition(formula: Formula) -> Part {
        Part { formula, role: Role::Condition }
    }

    fn definition(of: &Term, value: &Term) -> Part {
        Part { formula: of.same(value), role: Role::Definition(Constant::Term(of.clone())) }
    }

    /// A chain of definitions with a condition for each link, and a contradiction that needs only one
    /// definition.
    fn groups() -> Vec<Vec<Part>> {
        let link = |index: usize| named(&format!("link{index}"));
        let mut groups = vec![vec![definition(&named("held"), &number(2))]];
        for index in 1..100 {
            let within = condition(link(index).same(&number(7)).or(&link(index).same(&number(9))));
            groups.push(vec![definition(&link(index), &link(index - 1)), within]);
        }
        groups.push(vec![condition(named("held").same(&number(3)))]);
        groups
    }

    #[test]
    fn a_contradiction_with_a_small_cone_is_found_alone() {
        let limits = QueryLimits::new(TICKS_PER_SECOND, None);
        let core = small_core(&groups(), &limits).expect("there is one");
        let sizes: Vec<usize> = core.groups.iter().map(Vec::len).collect();
        assert_eq!((sizes[0], sizes[100], sizes.iter().sum::<usize>()), (1, 1, 2));
        assert!(core.mentions(&Constant::Term(named("held"))));
        assert!(!core.mentions(&Constant::Term(named("link1"))));
    }

    #[test]
    fn a_cone_has_the_definitions_and_facts_of_its_constants() {
        let groups = [
            vec![definition(&named("a"), &named("b")), definition(&named("c"), &named("a"))],
            vec![Part { formula: named("b").same(&number(1)), role: Role::Fact }],
            vec![condition(named("a").same(&number(2))), condition(named("d").same(&number(5)))],
        ];
        let cones = Cones::of(&groups);
        // What is defined by `a` does not matter for the condition.
        assert_eq!(cones.cone(3, 9), Some(FxHashSet::from_iter([0, 2, 3])));
        assert_eq!(cones.cone(3, 2), None);
        assert_eq!(cones.up_to(2), (vec![false, false, false, false, true], 1));
        assert_eq!(cones.conditions, 2);
    }

    #[test]
    fn nothing_is_said_where_conditions_do_not_contradict_each_other() {
        let limits = QueryLimits::new(TICKS_PER_SECOND, None);
        let mut without = groups();
        without.pop();
        assert!(small_core(&without, &limits).is_none());
    }
}
