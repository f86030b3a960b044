//! Command-line options of the lowering: the same for all tools that lower.

use crate::models;
use crate::options::{Externals, Options, Property};
use beeline_module::options as import;
use clap::{Args, ValueEnum};

/// How a module is lowered.
#[derive(Debug, Clone, Args)]
pub struct Lowering {
    /// The entry function; its arguments have any values
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    function: String,
    /// A function whose call is a violation (may be repeated) [default: reach_error,
    /// __VERIFIER_error, __assert_fail and its kin]
    #[arg(long = "target-function", value_name = "FUNCTION")]
    targets: Vec<String>,
    /// unreach-call, no-overflow, bounds, null, memory-safety, valid-deref, valid-free, valid-memtrack,
    /// memory-cleanup, no-data-race, no-deadlock, panic, all (memory safety and what clang's sanitizers check as well), or a property file of SV-COMP
    /// (may be repeated)
    #[arg(long = "property", value_name = "PROPERTY", default_value = "unreach-call")]
    properties: Vec<String>,
    /// How memory is modelled
    #[arg(long, value_enum, default_value_t = MemoryModel::Regions)]
    memory: MemoryModel,
    /// LLVM passes to run first, as for `opt -passes` [default: none]
    #[arg(long, value_name = "PASSES")]
    passes: Option<String>,
    /// Do not link models of functions of the C library
    #[arg(long)]
    no_libc: bool,
    /// Continue past constructs that cannot be modelled; bugs may be missed, and the program says so
    #[arg(long)]
    allow_unsound: bool,
    /// What functions without a body do
    #[arg(long, value_enum, default_value_t = Behaviour::Pure)]
    externals: Behaviour,
    /// Functions without a body whose results are inputs, as a name pattern (may be repeated): with `*` for
    /// the whole name, without for a word in it [always: *nondet*, any, unknown, undef, random, input, havoc, symbolic]
    #[arg(long = "input", value_name = "PATTERN")]
    inputs: Vec<String>,
    /// Allocations may fail
    #[arg(long)]
    malloc_may_fail: bool,
    /// The program starts as a command, with a few short arguments, a standard input and files of bounded size: always, or
    /// where main takes parameters
    #[arg(long, value_name = "WHEN", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    as_command: Option<Started>,
    /// A further assumption of the answer, in words (may be repeated)
    #[arg(long, value_name = "TEXT", hide = true)]
    given: Vec<String>,
}

/// Which programs start as commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Started {
    /// All
    Always,
    /// Those whose main takes parameters
    Auto,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Behaviour {
    /// Return anything and write nothing; each call is an assumption
    Pure,
    /// Write whatever they can know of, call back any function that they can know of, return anything
    Havoc,
    /// Return anything and do nothing else, not even call functions that they are given; each call is an assumption
    Inert,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MemoryModel {
    /// Variables and regions, by a points-to analysis
    Regions,
    /// One array of bytes
    Flat,
}

impl Lowering {
    /// The properties and functions that decide which calls are violations.
    pub fn looked_for(&self) -> String {
        match self.targets.as_slice() {
            [] => format!("--property {}", self.properties.join(", ")),
            targets => format!("--target-function {}", targets.join(", ")),
        }
    }

    /// The options of the import.
    pub fn import(&self) -> import::Options {
        let models = [64, 32].into_iter().filter(|_| !self.no_libc);
        let world = self.as_command.filter(|_| self.function == "main").map(|when| import::World {
            // Where threads run, they begin in a `main` of the source.
            unless: &["pthread_create", "thrd_create"],
            link: [64, 32].into_iter().filter_map(models::world).collect(),
            start: match when {
                Started::Always => models::command,
                Started::Auto => |params| models::command(params).filter(|_| params > 0),
            },
        });
        import::Options {
            link: models.flat_map(models::models).collect(),
            world,
            passes: self.passes.clone(),
        }
    }

    /// The options of the lowering; an error is a sentence.
    pub fn options(&self) -> Result<Options, String> {
        let mut options = Options {
            entry: self.function.clone(),
            flat: self.memory == MemoryModel::Flat,
            allow_unsound: self.allow_unsound,
            malloc_may_fail: self.malloc_may_fail,
            externals: match self.externals {
                Behaviour::Pure => Externals::Pure,
                Behaviour::Havoc => Externals::Havoc,
                Behaviour::Inert => Externals::Inert,
            },
            inputs: self.inputs.clone(),
            given: self.given.clone(),
            as_command: self.as_command.is_some(),
            ..Options::default()
        };
        if !self.targets.is_empty() {
            options.targets = self.targets.clone();
        }
        let asked: Vec<_> = self.properties.iter().map(|asked| property(asked)).collect::<Result<_, _>>()?;
        let is_any_error = |(property, function): &(Property, Option<String>)| {
            function.is_none() && matches!(property, Property::UnreachCall | Property::All)
        };
        let names: Vec<String> = asked.iter().filter_map(|(_, function)| function.clone()).collect();
        // A file that names a function asks for no other one, unless another file or option does.
        if self.targets.is_empty() && !names.is_empty() && !asked.iter().any(is_any_error) {
            options.targets.clear();
        }
        options.targets.extend(names);
        options.properties = asked.into_iter().map(|(property, _)| property).collect();
        Ok(options)
    }
}

/// A property by its name, or from a file.
fn property(text: &str) -> Result<(Property, Option<String>), String> {
    for property in Property::ALL {
        if property.name() == text {
            return Ok((property, None));
        }
    }
    let content = std::fs::read_to_string(text).map_err(|error| {
        format!(
            "{text} is not a property (choose one of {}), and cannot be read as a file: {error}",
            Property::ALL.map(Property::name).join(", ")
        )
    })?;
    Property::parse(&content).map_err(|found| format!("{text}: the property {found} is not supported"))
}
