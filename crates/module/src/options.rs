//! What can be asked of the import of a module.

/// Options of the import.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Models of library functions: name and bitcode of each. What the module leaves undefined is taken
    /// from them, with all that it needs itself; what the module defines is kept. Models for
    /// another target are passed over, so that the models of several targets can be offered at once.
    pub link: Vec<(String, Vec<u8>)>,
    /// The world in which the program starts, if it starts in one.
    pub world: Option<World>,
    /// Passes of LLVM's to run, as its program `opt` takes them.
    pub passes: Option<String>,
}

/// Models of the environment in which a program starts. Their functions take precedence over other models.
#[derive(Debug, Clone)]
pub struct World {
    /// Name and bitcode of each.
    pub link: Vec<(String, Vec<u8>)>,
    /// A program that uses one of these has no world.
    pub unless: &'static [&'static str],
    /// The function that calls a `main` with so many parameters; none if such a program has no world.
    pub start: fn(usize) -> Option<&'static str>,
}
