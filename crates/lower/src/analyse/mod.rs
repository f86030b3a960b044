//! Analyses of a module before its functions are translated.
//!
//! - `reach`: what the entry reaches, and what is recursive; `cfg`: blocks in order, and loops
//! - `promote`: objects whose address is used only to read and write them become variables, cell by cell
//! - `scope`: the part of the module that all of the following is about
//! - `points_to` (nodes, offsets, merging), `flow` (what each instruction does to them): which pointers may point into
//!   the same memory; `callees`: which functions they may lead to, more finely
//! - `activation`: which value and address each new lifetime of a variable gets, by `content` (what may be read before
//!   it is set)
//! - `memory`: an address for each object, a region for each group of accesses that overlap; `bounds`: what an access
//!   must stay inside of; `alias`: memory that is read as another type; `bools`: `_Bool`s that may hold other numbers
//! - `coincide`: pointers to different objects that may be equal, by `ends` (at the end of an object another one may
//!   begin), `order` (what may run after what) and `same_object` (what is computed from one pointer)
//! - `shape`: types as scalar leaves, constants as bytes; `convention`: where arguments are
//! - `uses`: where results are used; `unset`: where variables may be read before they are written

pub(crate) mod activation;
pub(crate) mod alias;
pub(crate) mod bools;
pub(crate) mod bounds;
pub(crate) mod callees;
pub(crate) mod cfg;
pub(crate) mod coincide;
pub(crate) mod convention;
pub(crate) mod ends;
pub(crate) mod flow;
pub(crate) mod memory;
pub(crate) mod order;
pub(crate) mod points_to;
pub(crate) mod promote;
pub(crate) mod reach;
pub(crate) mod same_object;
pub(crate) mod scope;
pub(crate) mod shape;
pub(crate) mod unset;
pub(crate) mod uses;
