//! Split paths: an infeasible path as a sequence of formulas, for refinement.

use crate::control::Control;
use crate::control::block::Block;
use crate::control::place::Slot;
use crate::formula::Executor;
use crate::formula::state::{Sym, SymMemory, SymState};
use crate::paths::Path;
use crate::state::precision::Predicates;
use crate::values::{Key, Tracked, Values, reads};
use beeline_ir::{Op, Program, RegionId, Value};
use beeline_smt::core::{Core, Part, Role, small_core};
use beeline_smt::decode::Leaves;
use beeline_smt::{Constant, Formula, Memory, QueryLimits, Term, Unsupported};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A path as a sequence of formulas that share constants only at the interfaces between them.
pub struct SplitPath {
    /// The formulas, each as the parts of a conjunction.
    pub parts: Vec<Vec<Formula>>,
    /// The interfaces between the formulas.
    pub interfaces: Vec<Interface>,
    /// The interface at the end of each block but the last. Blocks that do not matter share one.
    pub interface_at: Vec<usize>,
}

/// What stands for variables that hold the same input or initial value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copies {
    /// The same constant: formulas are smaller.
    Shared,
    /// A constant for each: formulas tell which of the variables a condition is about.
    Apart,
}

/// Beyond this number of interfaces times constants, only the contradictory part of a path is kept.
const LONG: usize = 20_000;
/// Beyond this number, a path is not split if no contradictory part is found.
const TOO_LONG: usize = 4_000_000;

/// The constants that stand for variables and regions at the end of a block.
#[derive(Default, Clone)]
pub struct Interface {
    terms: BTreeMap<Slot, Term>,
    memories: BTreeMap<RegionId, Memory>,
    /// The constants that were introduced at the interface.
    pub definitions: Vec<Definition>,
}

/// A part of the formula before an interface that defines a constant.
#[derive(Clone)]
pub struct Definition {
    /// The defining part.
    pub part: Formula,
    /// The constant.
    pub constant: Constant,
    /// Its value.
    pub value: Constant,
}

impl Interface {
    /// The constants of the interface.
    pub fn constants(&self) -> Vec<Constant> {
        let terms = self.terms.values().cloned().map(Constant::Term);
        terms.chain(self.memories.values().cloned().map(Constant::Memory)).collect()
    }

    /// The definitions whose parts are among those of a core.
    pub fn in_core<'a>(&'a self, core: &'a [Formula]) -> impl Iterator<Item = &'a Definition> {
        self.definitions.iter().filter(|definition| core.contains(&definition.part))
    }

    /// Updates the interface to the end of the next block, where some variables and regions have changed.
    /// Returns whether it differs.
    fn change(
        &mut self,
        terms: impl IntoIterator<Item = (Slot, Option<Term>)>,
        memories: impl IntoIterator<Item = (RegionId, Option<Memory>)>,
    ) -> bool {
        let mut differs = false;
        for (slot, term) in terms {
            let before = match &term {
                Some(term) => self.terms.insert(slot, term.clone()),
                None => self.terms.remove(&slot),
            };
            differs |= before != term;
        }
        for (region, memory) in memories {
            let before = match &memory {
                Some(memory) => self.memories.insert(region, memory.clone()),
                None => self.memories.remove(&region),
            };
            differs |= before != memory;
        }
        differs
    }

    /// The constants, with what they stand for.
    pub fn leaves(&self, program: &Program, predicates: &mut Predicates) -> Leaves {
        let mut leaves = Leaves::default();
        for (&slot, term) in self.terms.iter().rev() {
            leaves.term(term.clone(), predicates.slot_expr(program, slot));
        }
        for (&region, memory) in &self.memories {
            leaves.memory(memory.clone(), region, program.regions[region].cell);
        }
        leaves
    }
}

impl SplitPath {
    /// The formulas of a path; only the contradictory ones of a long path.
    pub fn new(
        program: &Program,
        control: &dyn Control,
        path: &Path,
        copies: Copies,
        limits: &QueryLimits,
    ) -> Result<SplitPath, Unsupported> {
        let used = used(program, path);
        let mut splitting = Splitting::new(program, control, &used, copies, !path.known.is_empty())?;
        let mut pieces = Vec::with_capacity(path.blocks.len());
        for (index, (block, exit)) in path.blocks.iter().enumerate() {
            let values = path.known.get(index).map(|values| &**values);
            pieces.push(splitting.piece(block, *exit, values)?);
        }
        let facts = splitting.executor.facts.iter().flat_map(Formula::conjuncts).collect();
        let pieces = Pieces { pieces, facts };
        let size = path.blocks.len().saturating_mul(used.len());
        let core = if size > LONG { small_core(&pieces.groups(), limits) } else { None };
        match core {
            Some(core) => Ok(pieces.within(&core)),
            None if size > TOO_LONG => Err(Unsupported("so many constants on a path".into())),
            None => Ok(pieces.whole()),
        }
    }
}

/// All variables and regions that the steps of a path read.
fn used(program: &Program, path: &Path) -> Vec<Tracked> {
    let mut used = FxHashSet::default();
    for edge in path.blocks.iter().flat_map(|(block, _)| &block.edges) {
        let op = &program.edges[edge.step.edge()].op;
        op.expressions().into_iter().for_each(|expr| reads(program, expr, &mut used));
        if let Op::Store { region, .. } = op {
            used.insert(Tracked::Region(*region));
        }
    }
    let mut list: Vec<Tracked> = used.into_iter().collect();
    list.sort_unstable();
    list
}

/// The contribution of a block.
struct Piece {
    conditions: Vec<Formula>,
    /// Variables and regions whose content differs after the block.
    terms: Vec<(Slot, Option<Term>)>,
    memories: Vec<(RegionId, Option<Memory>)>,
    definitions: Vec<Definition>,
}

/// A path while it is split.
struct Splitting<'a> {
    program: &'a Program,
    executor: Executor<'a>,
    state: SymState,
    /// The state at the last interface.
    known: SymState,
    copies: Copies,
    /// The values that the abstract state there knows. No formula speaks of these variables and cells there.
    values: BTreeMap<Key, Value>,
}

impl<'a> Splitting<'a> {
    fn new(
        program: &'a Program,
        control: &'a dyn Control,
        used: &[Tracked],
        copies: Copies,
        fold: bool,
    ) -> Result<Splitting<'a>, Unsupported> {
        let mut executor = Executor::new(program, control, fold);
        let (known, mut state) = (executor.start(), executor.start());
        // What is used later needs a constant at every earlier interface.
        for &what in used {
            match what {
                Tracked::Var(var) if program.vars[var].owner.is_none() => {
                    drop(executor.slot(&mut state, Slot { var, level: 0 })?);
                }
                Tracked::Var(_) => {}
                Tracked::Region(region) => drop(executor.flat_region(&mut state, region)?),
            }
        }
        Ok(Splitting { program, executor, state, known, copies, values: BTreeMap::new() })
    }

    /// Executes a block, and introduces a constant for each variable and region whose new content is neither a
    /// symbol nor a known value; for each changed variable without a known value if copies are apart.
    fn piece(&mut self, block: &Block, exit: usize, values: Option<&Values>) -> Result<Piece, Unsupported> {
        self.state = self.executor.block(block, self.state.clone(), exit)?.state;
        let conditions = std::mem::replace(&mut self.state.guard, Formula::constant(true)).conjuncts();
        let mut piece =
            Piece { conditions, terms: Vec::new(), memories: Vec::new(), definitions: Vec::new() };
        let mut slots = self.state.vars.differing(&self.known.vars);
        slots.retain(|slot| self.state.vars.get(slot) != self.known.vars.get(slot));
        let mut regions = self.state.regions.differing(&self.known.regions);
        regions.retain(|region| self.state.regions.get(region) != self.known.regions.get(region));
        let before = std::mem::replace(&mut self.values, known_values(values));
        // What was known at the last interface is a symbol again where it is no longer known.
        let forgotten = before.keys().filter(|key| !self.values.contains_key(key));
        for key in forgotten.chain(self.values.keys()) {
            match *key {
                Key::Var(slot) => slots.push(slot),
                Key::Cell(region, _) => regions.push(region),
                Key::Pristine(_) => {}
            }
        }
        slots.sort_unstable();
        slots.dedup();
        regions.sort_unstable();
        regions.dedup();
        for slot in slots {
            self.name_slot(slot, &mut piece)?;
        }
        for region in regions {
            self.name_region(region, &mut piece)?;
        }
        self.insert_known()?;
        self.state.settle();
        self.known = self.state.clone();
        Ok(piece)
    }

    /// Puts the known values into the state.
    fn insert_known(&mut self) -> Result<(), Unsupported> {
        for (key, value) in &self.values {
            match *key {
                Key::Var(slot) => {
                    self.state.vars.insert(slot, Sym::Value(value.clone()));
                }
                Key::Cell(region, addr) => {
                    self.executor.set_cell(&mut self.state, region, addr, Some(value.clone()))?;
                }
                Key::Pristine(_) => {}
            }
        }
        Ok(())
    }

    fn name_slot(&mut self, slot: Slot, piece: &mut Piece) -> Result<(), Unsupported> {
        if self.values.contains_key(&Key::Var(slot)) {
            piece.terms.push((slot, None));
            return Ok(());
        }
        let Some(sym) = self.state.vars.get(&slot) else {
            piece.terms.push((slot, None));
            return Ok(());
        };
        let mut term = sym.term()?;
        if !term.is_symbol() || self.copies == Copies::Apart {
            let var = &self.program.vars[slot.var];
            let fresh = Term::fresh(&format!("{}!cut", var.name), var.ty)?;
            piece.definitions.push(Definition {
                part: fresh.same(&term),
                constant: Constant::Term(fresh.clone()),
                value: Constant::Term(term),
            });
            term = fresh;
            self.state.vars.insert(slot, Sym::Term(term.clone()));
        }
        piece.terms.push((slot, Some(term)));
        Ok(())
    }

    fn name_region(&mut self, id: RegionId, piece: &mut Piece) -> Result<(), Unsupported> {
        let mut base = self.executor.flat_region(&mut self.state, id)?;
        if !base.is_symbol() {
            let region = &self.program.regions[id];
            let fresh = Memory::fresh(&format!("{}!cut", region.name), region)?;
            piece.definitions.push(Definition {
                part: fresh.same(&base),
                constant: Constant::Memory(fresh.clone()),
                value: Constant::Memory(base),
            });
            base = fresh;
        }
        piece.memories.push((id, Some(base.clone())));
        self.state.regions.insert(id, SymMemory { base, initial: false, cells: Rc::default() });
        Ok(())
    }
}

/// The values of variables and cells that a state knows.
fn known_values(values: Option<&Values>) -> BTreeMap<Key, Value> {
    let entries = values.into_iter().flat_map(Values::entries);
    entries.filter_map(|(key, value)| Some((key, value?.clone()))).collect()
}

/// A path in pieces, one for each block.
struct Pieces {
    pieces: Vec<Piece>,
    /// Facts about the initial content of memory.
    facts: Vec<Formula>,
}

impl Pieces {
    /// The parts of each piece. The last block has no interface at its end.
    fn groups(&self) -> Vec<Vec<Part>> {
        let mut groups: Vec<Vec<Part>> = Vec::with_capacity(self.pieces.len());
        for (index, piece) in self.pieces.iter().enumerate() {
            let condition = |formula: &Formula| Part { formula: formula.clone(), role: Role::Condition };
            let mut group: Vec<Part> = piece.conditions.iter().map(condition).collect();
            let is_last = index + 1 == self.pieces.len();
            group.extend(piece.definitions.iter().filter(|_| !is_last).map(|definition| Part {
                formula: definition.part.clone(),
                role: Role::Definition(definition.constant.clone()),
            }));
            groups.push(group);
        }
        let facts = self.facts.iter().map(|fact| Part { formula: fact.clone(), role: Role::Fact });
        groups[0].extend(facts);
        groups
    }

    /// The split of the whole path.
    fn whole(self) -> SplitPath {
        let groups = self.groups();
        let formulas = |group: Vec<Part>| group.into_iter().map(|part| part.formula).collect();
        let parts = groups.into_iter().map(formulas).collect();
        let mut interfaces: Vec<Interface> = Vec::new();
        let last = self.pieces.len() - 1;
        for piece in self.pieces.into_iter().take(last) {
            let mut interface = interfaces.last().cloned().unwrap_or_default();
            interface.change(piece.terms, piece.memories);
            interface.definitions = piece.definitions;
            interfaces.push(interface);
        }
        SplitPath { parts, interfaces, interface_at: (0..last).collect() }
    }

    /// The split of its contradictory part.
    fn within(self, core: &Core) -> SplitPath {
        let mut split = SplitPath { parts: Vec::new(), interfaces: Vec::new(), interface_at: Vec::new() };
        let mut interface = Interface::default();
        let last = self.pieces.len() - 1;
        for (piece, parts) in self.pieces.into_iter().zip(&core.groups).take(last) {
            let of_term = |term: &Term| core.mentions(&Constant::Term(term.clone()));
            let of_memory = |memory: &Memory| core.mentions(&Constant::Memory(memory.clone()));
            let terms = piece.terms.into_iter().map(|(slot, term)| (slot, term.filter(of_term)));
            let memories = piece.memories.into_iter().map(|(id, memory)| (id, memory.filter(of_memory)));
            let differs = interface.change(terms, memories);
            interface.definitions = piece.definitions;
            interface.definitions.retain(|definition| parts.contains(&definition.part));
            if differs || !parts.is_empty() || split.interfaces.is_empty() {
                split.parts.push(parts.clone());
                split.interfaces.push(interface.clone());
            }
            split.interface_at.push(split.interfaces.len() - 1);
        }
        split.parts.push(core.groups[last].clone());
        split
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::block::BlockEdge;
    use crate::control::call_strings::CallStrings;
    use crate::control::place::{Place, Step};
    use beeline_smt::TICKS_PER_SECOND;
    use std::rc::Rc;
    use std::sync::Arc;

    /// A sequence of assignments of which only the first one matters for the condition at its end.
    fn program(size: u32) -> Program {
        let globals: Vec<String> = (0..size).map(|index| format!("global g{index}: i8\n")).collect();
        let steps: Vec<String> =
            (1..size).map(|index| format!("  s{index}: g{index} := g{} + 1\n", index - 1)).collect();
        let text = format!(
            "beeline 1.0\nglobal held: i8\n{}fn main() {{\n  first: held := 2\n{}  last: assume held == 3\n  end: exit\n}}\n",
            globals.concat(),
            steps.concat()
        );
        beeline_ir::text::parse(&text).unwrap_or_else(|faults| panic!("{faults:?}"))
    }

    /// The only path of such a program, with a block for each step.
    fn path(program: &Program) -> Path {
        let stack = CallStrings::new(program).start(program).stack;
        let block = |edge| {
            let at = |loc| Place { loc, stack };
            let nodes = vec![at(program.edges[edge].src), at(program.edges[edge].dst)];
            let edges = vec![BlockEdge { src: 0, dst: 1, step: Step::Edge(edge) }];
            (Rc::new(Block { nodes, edges, exits: vec![1], ends_early: false }), 1)
        };
        let edges = program.functions[program.entry].locations().flat_map(|loc| program.out_edges(loc));
        Path { blocks: edges.map(block).collect(), ..Path::default() }
    }

    #[test]
    fn only_the_contradiction_of_a_long_path_is_split() {
        let (short, long) = (program(20), program(400));
        for (program, pieces) in [(&short, 21), (&long, 2)] {
            let (control, path) = (CallStrings::new(program), path(program));
            let limits = QueryLimits::new(TICKS_PER_SECOND, None);
            let split =
                SplitPath::new(program, &control, &path, Copies::Shared, &limits).expect("it can be split");
            assert_eq!((split.parts.len(), split.interfaces.len()), (pieces, pieces - 1));
            assert_eq!(split.interface_at.len(), path.blocks.len() - 1);
            let behind_the_first = &split.interfaces[0];
            assert_eq!(behind_the_first.definitions.len(), 1);
            assert!(split.interfaces.iter().all(|interface| {
                interface.terms.keys().any(|slot| program.vars[slot.var].name == "held")
            }));
        }
    }

    #[test]
    fn no_formula_speaks_of_what_is_known_between_blocks() {
        let program = program(4);
        let control = CallStrings::new(&program);
        let held = program.vars.keys().find(|&var| program.vars[var].name == "held").expect("there is one");
        let slot = Slot { var: held, level: 0 };
        let known = |value| {
            let mut values = Values::default();
            values.set(Key::Var(slot), Some(Value::bv(8, value)));
            Arc::new(values)
        };
        let path =
            Path { known: vec![known(2), Arc::default(), known(2), known(2), known(2)], ..path(&program) };
        let limits = QueryLimits::new(TICKS_PER_SECOND, None);
        let split =
            SplitPath::new(&program, &control, &path, Copies::Shared, &limits).expect("it can be split");
        let speaks: Vec<bool> =
            split.interfaces.iter().map(|interface| interface.terms.contains_key(&slot)).collect();
        assert_eq!(speaks, [false, true, false, false]);
        // Where it is forgotten, it still has the value from before.
        assert!(split.interfaces[1].definitions.iter().any(|definition| {
            matches!(&definition.constant, Constant::Term(term) if split.interfaces[1].terms[&slot] == *term)
        }));
        assert!(split.parts[4].iter().any(|formula| formula.is_constant(false)));
    }

    #[test]
    fn copies_have_constants_of_their_own_where_these_are_apart() {
        let text = "beeline 1.0
global a: i8
global b: i8
fn main() {
  first: a := input \"a\"
  b := a
  last: assume a <u b
  end: exit
}
";
        let program = beeline_ir::text::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
        let (control, path) = (CallStrings::new(&program), path(&program));
        let limits = QueryLimits::new(TICKS_PER_SECOND, None);
        let constants = |copies| {
            let split = SplitPath::new(&program, &control, &path, copies, &limits).expect("it can be split");
            split.interfaces[1].terms.values().cloned().collect::<FxHashSet<Term>>().len()
        };
        assert_eq!((constants(Copies::Shared), constants(Copies::Apart)), (1, 2));
    }
}
