//! Removes from a module what was shown: branch edges that need not be explored end there, and the code after them is
//! removed. Copies of blocks separate paths where an edge need not be explored on some of them only.
//!
//! An execution that takes such an edge reaches a call from which no execution returns. So the executions of the module
//! are those of the original one, as far as they take no edge that was cut.

pub use crate::raw::copy::{Group, Way};
use crate::raw::{Context, Ending, RawModule, Value};
use crate::read::{ImportError, read};
pub use beeline_module::Side;
use llvm_sys::{LLVMOpcode, LLVMValueKind};
use std::collections::BTreeMap;
use std::ffi::CStr;
use thiserror::Error;

/// The branch edges and functions that are to be cut.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Branch edges of conditional branches and switches.
    pub sides: Vec<Side>,
    /// Functions as a whole, by their positions in the module.
    pub functions: Vec<u32>,
    /// For functions, by their positions, the groups of copies that their blocks get; none are cut as a whole. Branch
    /// edges that are cut here as well are listed in all groups.
    pub copies: BTreeMap<u32, Vec<Group>>,
}

/// The end of an execution where something was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// `__VERIFIER_assume(0)`.
    Assume,
    /// What the compiler considers unreachable.
    Unreachable,
    /// `abort()`.
    Abort,
}

/// A module without what was cut.
#[derive(Debug, Clone)]
pub struct Cut {
    /// The bitcode.
    pub bitcode: Vec<u8>,
    /// The number of instructions before and after.
    pub instructions: (usize, usize),
    /// The number of blocks that are copies.
    pub copies: usize,
}

/// Why a module cannot be cut.
#[derive(Debug, Error)]
pub enum CutError {
    /// The module cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// There is no such branch.
    #[error("no branch edge {} at the end of block {} of function {}", .0.way, .0.block, .0.function)]
    NoSide(Side),
    /// There is no such function.
    #[error("no function {0} with a body")]
    NoFunction(u32),
    /// The name of the function that ends executions is taken by something else.
    #[error("{0} is not a function of this module")]
    Taken(String),
    /// Changing the module broke it, which is a bug in Beeline.
    #[error("this program broke the module by cutting it, which is a bug: {0}")]
    Broken(String),
}

const ASSUME: &CStr = c"__VERIFIER_assume";
const ABORT: &CStr = c"abort";

/// Cuts a module. A function that ends executions itself stays as it is.
pub fn cut(bytes: &[u8], name: &str, cuts: &Cuts, end: End) -> Result<Cut, CutError> {
    let context = Context::new();
    let mut module = read(&context, bytes, name)?;
    let before = module.instructions();
    let (ending, called) = match end {
        End::Assume => (Ending::Assume(ASSUME), Some(ASSUME)),
        End::Unreachable => (Ending::Unreachable, None),
        End::Abort => (Ending::Call(ABORT), Some(ABORT)),
    };
    let called = called.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    check(&module, cuts, &called)?;
    let mut copies = 0;
    for (function, mut sides) in by_function(cuts) {
        if module.functions()[function as usize].name() == called {
            continue;
        }
        let groups = cuts.copies.get(&function).map_or(&[][..], Vec::as_slice);
        let made = module.copy_blocks(function as usize, groups, ending);
        if let Some(sides) = sides.as_mut().filter(|_| made > 0) {
            // The entry block has none: the edges out of it are those of the first group.
            sides.retain(|&(block, _)| block > 0);
        }
        module.cut_function(function as usize, sides.as_deref(), ending);
        copies += made;
    }
    // What has no references any more is removed as well. Passes need a module that is not broken.
    module.verify().map_err(CutError::Broken)?;
    module.run_passes("globaldce").map_err(CutError::Broken)?;
    module.verify().map_err(CutError::Broken)?;
    Ok(Cut { bitcode: module.bitcode(), instructions: (before, module.instructions()), copies })
}

/// The branch edges that are to be cut in each function, as blocks and successors; none where the whole function is
/// cut.
fn by_function(cuts: &Cuts) -> BTreeMap<u32, Option<Vec<(u32, u32)>>> {
    let mut found: BTreeMap<u32, Option<Vec<(u32, u32)>>> =
        cuts.copies.keys().map(|&function| (function, Some(Vec::new()))).collect();
    for side in &cuts.sides {
        if let Some(sides) = found.entry(side.function).or_insert_with(|| Some(Vec::new())) {
            sides.push((side.block, side.way));
        }
    }
    found.extend(cuts.functions.iter().map(|&function| (function, None)));
    found
}

/// Checks that all that is to be cut exists, and that the function that ends executions can be called.
fn check(module: &RawModule<'_>, cuts: &Cuts, called: &str) -> Result<(), CutError> {
    let is_function = |symbol: &Value<'_>| symbol.kind() == LLVMValueKind::LLVMFunctionValueKind;
    if module.symbols().iter().any(|symbol| symbol.name() == called && !is_function(symbol)) {
        return Err(CutError::Taken(called.into()));
    }
    let functions = module.functions();
    let defined = |number: u32| functions.get(number as usize).filter(|function| !function.is_declaration());
    if let Some(&number) = cuts.functions.iter().find(|&&number| defined(number).is_none()) {
        return Err(CutError::NoFunction(number));
    }
    let is_there = |side: &Side| {
        let blocks = defined(side.function).map_or(Vec::new(), |function| function.blocks());
        let branch = blocks.get(side.block as usize).and_then(|block| block.insts().last().copied());
        branch.is_some_and(|branch| {
            let ways = branch.successors().len();
            let branches = matches!(branch.opcode(), LLVMOpcode::LLVMBr | LLVMOpcode::LLVMSwitch);
            branches && ways > 1 && (side.way as usize) < ways
        })
    };
    let of_group = |(&function, groups): (&u32, &Vec<Group>)| {
        let side = move |&(block, way): &(u32, u32)| Side { function, block, way };
        groups.iter().flat_map(|group| group.keys()).map(side).collect::<Vec<Side>>()
    };
    let mut sides = cuts.sides.iter().copied().chain(cuts.copies.iter().flat_map(of_group));
    sides.find(|side| !is_there(side)).map_or(Ok(()), |side| Err(CutError::NoSide(side)))
}
