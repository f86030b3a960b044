//! Programs of any size with known verdicts, in families of one shape each.
//!
//! A family makes a C program from a size and, if it is to have a bug, from how deep the bug lies: from 1,
//! near the start, up to the size. The text depends on nothing else. Which depths exist in a family is all
//! of them, so that `size * (size + 1) / 2` programs with a bug have at most a given size.
//!
//! In templates `$i` is a number, `$prev` the one before and `$next` the one behind.

mod calls;
mod data;
mod large;
mod loops;
mod protocols;

/// A family of programs.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What its programs do.
    pub about: &'static str,
    /// Two sizes worth measuring.
    pub sizes: [u32; 2],
    body: fn(u32, Option<u32>) -> String,
}

/// All families.
pub const FAMILIES: [Family; 9] = [
    Family {
        name: "scheduler",
        about: "an event loop runs tasks that wait for each other",
        sizes: [12, 24],
        body: loops::scheduler,
    },
    Family {
        name: "plugins",
        about: "a host runs plugins, of which one is checked",
        sizes: [24, 96],
        body: loops::plugins,
    },
    Family {
        name: "locks",
        about: "nested work takes locks and gives them back",
        sizes: [24, 96],
        body: protocols::locks,
    },
    Family {
        name: "client-server",
        about: "a client and a server exchange numbered messages that may get lost",
        sizes: [8, 16],
        body: protocols::client_server,
    },
    Family {
        name: "calls",
        about: "a deep chain of calls, each with a side way that does not matter",
        sizes: [48, 160],
        body: calls::chain,
    },
    Family { name: "nested", about: "loops in loops", sizes: [4, 8], body: loops::nested },
    Family {
        name: "arrays",
        about: "an array is filled, turned around and checked",
        sizes: [32, 128],
        body: data::arrays,
    },
    Family {
        name: "lists",
        about: "a linked list grows at either end and is counted",
        sizes: [8, 12],
        body: data::lists,
    },
    Family {
        name: "dispatch",
        about: "a machine whose states are function pointers in a table",
        sizes: [8, 24],
        body: calls::dispatch,
    },
];

/// Families of large programs of which only a small part matters, and sizes up to which that is to be seen.
pub const LARGE: [Family; 4] = [
    Family {
        name: "dispatcher",
        about: "an interpreter with a case for each number",
        sizes: [1_000, 10_000],
        body: large::dispatcher,
    },
    Family {
        name: "irrelevant",
        about: "functions that do not matter run before a small core that does",
        sizes: [300, 3_000],
        body: large::irrelevant,
    },
    Family {
        name: "driver",
        about: "a driver whose requests go through tables of functions",
        sizes: [100, 1_000],
        body: large::driver,
    },
    Family {
        name: "pipeline",
        about: "state machines in a row, each of which hands on what it counted",
        sizes: [10, 100],
        body: large::pipeline,
    },
];

impl Family {
    /// The family with a name.
    pub fn named(name: &str) -> Option<Family> {
        FAMILIES.into_iter().chain(LARGE).find(|family| family.name == name)
    }

    /// The C program of a size, with a bug at a depth or without any.
    ///
    /// # Panics
    /// If the size is 0, or the depth is not between 1 and the size.
    pub fn source(&self, size: u32, bug: Option<u32>) -> String {
        assert!(size > 0 && bug.is_none_or(|depth| (1..=size).contains(&depth)), "size {size}, bug {bug:?}");
        let what = bug.map_or("no bug".into(), |depth| format!("a bug at depth {depth}"));
        let about = self.about;
        format!("/* Size {size}, {what}: {about}. */\n{HEADER}\n{}", (self.body)(size, bug))
    }
}

const HEADER: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
";

/// A template once for each number of a range.
fn each(range: impl IntoIterator<Item = u32>, template: &str) -> String {
    range.into_iter().map(|number| with(number, template)).collect()
}

/// A template with a number.
fn with(number: u32, template: &str) -> String {
    template
        .replace("$prev", &number.wrapping_sub(1).to_string())
        .replace("$next", &(number + 1).to_string())
        .replace("$i", &number.to_string())
}
