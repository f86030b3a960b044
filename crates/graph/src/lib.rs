//! Graph analyses of programs: loops, call graph, effects of functions, distances to targets, features;
//! and the algorithms for any graph below them.
//!
//! # Where to find what
//! - [`Graph`]: incoming edges, call sites, strongly connected components of the call graph.
//! - [`Distances`]: how far locations are from the targets, in four [`Metric`]s and with three
//!   [`Estimate`]s for calls with an unknown callee. A search asks [`Distances::dist`].
//! - [`Dist`]: a number of steps, or infinite.
//! - [`Loops`]: loops of a function with their nesting; every cycle has a head. [`loop_heads`] and [`recursion_heads`]
//!   break all cycles of a program, [`reverse_post_order`] numbers its locations, [`Postdominators`] finds where paths
//!   join.
//! - [`loops_as_functions`]: an equivalent program with a function for each loop (loop outlining).
//! - [`Liveness`]: where variables of a function may be read before they are written.
//! - [`Nesting`]: loops as nested components, by which an unwinding counts iterations.
//! - [`DepthFirst`], [`components`]: for any graph.
//! - [`EffectMap`]: which globals and regions functions read and write; [`Dependencies`]: which
//!   variables others depend on.
//! - [`Features`]: 25 numbers of a program, by which a plan is chosen.
//! - [`Annotation`]: the content of a `.dist` file; that of a `.feat` file is [`Features`].
//!
//! # Example
//! ```
//! use beeline_graph::{Dist, Distances, Estimate, Graph, Metric, Targets};
//! let program = beeline_ir::text::parse("
//!     beeline 1.0
//!     fn main(x: i32) {
//!       L0: if x == 1 goto L1 else L2
//!       L1: target \"x is 1\"
//!       L2: exit
//!     }").unwrap();
//! let graph = Graph::new(&program);
//! let distances = Distances::new(&graph, Metric::Statements, Estimate::Efca, Targets::all(&program));
//! let entry = program.functions[program.entry].entry();
//! assert_eq!(distances.dist(0, entry, Dist::INFINITE), Dist::new(1));
//! ```

#![warn(unreachable_pub)]

mod calls;
mod dependency;
mod depth_first;
mod dist;
mod distances;
mod effects;
pub mod features;
mod files;
mod liveness;
mod loops;
mod loops_as_functions;
mod metric;
mod nesting;
mod postdominators;
mod queue;

pub use calls::{Graph, recursion_heads};
pub use dependency::Dependencies;
pub use depth_first::{DepthFirst, components};
pub use dist::Dist;
pub use distances::{Distances, Estimate, ResolveError, Targets};
pub use effects::{EffectMap, Effects};
pub use features::Features;
pub use files::Annotation;
pub use liveness::Liveness;
pub use loops::{Loop, LoopId, Loops, loop_heads, reverse_post_order};
pub use loops_as_functions::loops_as_functions;
pub use metric::Metric;
pub use nesting::Nesting;
pub use postdominators::Postdominators;
