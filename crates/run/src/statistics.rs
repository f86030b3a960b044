//! Statistics of a run: the table of all figures, and those of one run.
//!
//! A file names its figures and their units, so that a new figure does not change the layout.

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A number.
    Count,
    /// A time.
    Microseconds,
    /// A size.
    Bytes,
}
beeline_ir::wire_enum!(Unit { 0 => Count, 1 => Microseconds, 2 => Bytes });

impl Unit {
    /// Its name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Count => "count",
            Unit::Microseconds => "microseconds",
            Unit::Bytes => "bytes",
        }
    }
}

/// Declares the figures: name, unit and a line of help for each.
macro_rules! statistics {
    ($($variant:ident $name:literal $unit:ident $help:literal;)+) => {
        /// A figure of a run.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Statistic {
            $(#[doc = $help] $variant,)+
        }

        impl Statistic {
            /// All of them.
            pub const ALL: &[Statistic] = &[$(Statistic::$variant),+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Statistic::$variant => $name,)+ }
            }

            /// Its unit.
            pub fn unit(self) -> Unit {
                match self { $(Statistic::$variant => Unit::$unit,)+ }
            }

            /// Its description.
            pub fn help(self) -> &'static str {
                match self { $(Statistic::$variant => $help,)+ }
            }
        }
    };
}

statistics! {
    States "states" Count "Abstract states made";
    CoverageChecks "coverage checks" Count "Checks whether one state includes another";
    Restarts "restarts" Count "Restarts with an empty graph";
    PrunedStates "pruned states" Count "States not expanded because no target can be reached from them";
    Resolutions "resolutions" Count "Functions that calls through pointers turned out to call";
    Recomputations "recomputations" Count "Functions whose distances changed because of these";
    Moved "moved states" Count "Waiting states whose distance grew because of these";
    PathsChecked "paths checked" Count "Paths to targets that were checked";
    ValueRefinements "value refinements" Count "Refinements by values";
    PredicateRefinements "predicate refinements" Count "Refinements by predicates";
    Predicates "predicates" Count "Predicates found";
    Tracked "tracked" Count "Variables and regions tracked at the end";
    Contexts "contexts" Count "Contexts of functions";
    CallsReused "calls reused" Count "Calls that reused a context";
    ContextsForValues "contexts for values" Count "Contexts for values that no context of the function had";
    ContextsForPredicates "contexts for predicates" Count "Contexts for predicates that no context with these values had";
    ContextsAnew "contexts opened anew" Count "Contexts made again after a refinement removed them";
    LateExits "late exits" Count "Exits of contexts that led to new states after earlier calls (recursion repeats until there are none)";
    Pops "pops" Count "Calls popped because their function was explored from another stack";
    KeptStacks "kept stacks" Count "Stacks without pops after a refinement";
    Abstractions "abstractions" Count "Abstractions computed with the solver";
    SolverCalls "solver calls" Count "Queries to the solver";
    SolverUnknowns "solver calls without answer" Count "Queries to the solver without an answer";
    Ticks "ticks" Count "Steps of the solver and of the search, as budgets count them";
    SolverTime "solver time" Microseconds "Time in the solver";
    ValueTime "value refinement time" Microseconds "Time for refinement by values";
    PredicateTime "predicate refinement time" Microseconds "Time for refinement by predicates";
    AbstractionTime "abstraction time" Microseconds "Time for predicate abstraction";
    PathTime "path time" Microseconds "Time for deciding paths";
    DistanceTime "distance time" Microseconds "Time for measuring distances anew during the search";
    Time "time" Microseconds "Time of the search by the clock";
    CpuTime "cpu time" Microseconds "Time of the processor for the whole process";
    PeakMemory "peak memory" Bytes "The most memory that the process had in use";
}

impl Statistic {
    /// The figure with a name.
    pub fn named(name: &str) -> Option<Statistic> {
        Statistic::ALL.iter().copied().find(|statistic| statistic.name() == name)
    }
}

/// A figure of one run, as a file names it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Figure {
    /// Its name; that of a newer Beeline may not be in the table.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// Its value.
    pub value: u64,
}
beeline_ir::wire_struct!(Figure { name, unit, value });

impl Figure {
    /// The value of a figure of the table.
    pub fn of(statistic: Statistic, value: u64) -> Figure {
        Figure { name: statistic.name().into(), unit: statistic.unit(), value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_a_name_of_its_own_and_a_line_of_help() {
        for &statistic in Statistic::ALL {
            assert_eq!(Statistic::named(statistic.name()), Some(statistic));
            assert!(!statistic.help().is_empty() && !statistic.help().contains('\n'));
        }
    }
}
