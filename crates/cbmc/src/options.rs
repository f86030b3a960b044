//! Options of CBMC and goto-cc, and their meaning here.

use crate::kit::KitError;
use std::collections::BTreeSet;

/// A check of CBMC, by the name of its option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Indices of arrays.
    Bounds,
    /// Dereferences of pointers.
    Pointer,
    /// Divisions by zero.
    Division,
    /// Overflows of signed integers.
    SignedOverflow,
    /// Overflows of unsigned integers.
    UnsignedOverflow,
    /// Conversions that change the value.
    Conversion,
    /// Shifts by too large or negative distances.
    Shift,
    /// Overflows of floats.
    FloatOverflow,
    /// Results of floats that are not a number.
    Nan,
    /// Pointer arithmetic that leaves the object.
    PointerOverflow,
    /// Pointers as arguments of predicates of CBMC.
    PointerPrimitive,
    /// Values that an enumeration does not have.
    EnumRange,
    /// Memory leaks.
    MemoryLeak,
}

/// All checks, by the text between `--` and `-check` in their options.
const CHECKS: [(&str, Check); 13] = [
    ("bounds", Check::Bounds),
    ("pointer", Check::Pointer),
    ("div-by-zero", Check::Division),
    ("signed-overflow", Check::SignedOverflow),
    ("unsigned-overflow", Check::UnsignedOverflow),
    ("conversion", Check::Conversion),
    ("undefined-shift", Check::Shift),
    ("float-overflow", Check::FloatOverflow),
    ("nan", Check::Nan),
    ("pointer-overflow", Check::PointerOverflow),
    ("pointer-primitive", Check::PointerPrimitive),
    ("enum-range", Check::EnumRange),
    ("memory-leak", Check::MemoryLeak),
];

/// The default checks of CBMC from version 6 on.
const STANDARD: [Check; 6] = [
    Check::Bounds,
    Check::Pointer,
    Check::Division,
    Check::SignedOverflow,
    Check::Shift,
    Check::PointerPrimitive,
];

/// Options for the search of CBMC, which have no meaning here.
const SEARCH: [&str; 21] = [
    "--flush",
    "--slice-formula",
    "--unwinding-assertions",
    "--no-unwinding-assertions",
    "--trace",
    "--stop-on-fail",
    "--refine",
    "--arrays-uf-always",
    "--beautify",
    "--z3",
    "--smt2",
    "--malloc-fail-null",
    // The byte order of the machines that Beeline runs programs on.
    "--little-endian",
    "--no-self-loops-to-assumptions",
    "--no-array-field-sensitivity",
    "--bitwuzla",
    "--cvc5",
    "--boolector",
    "--cprover-smt2",
    // The program was compiled already, and knows its machine.
    "--32",
    "--64",
];

/// Such options that take a value.
const SEARCH_BY_VALUE: [&str; 8] = [
    "--unwind",
    "--unwindset",
    "--object-bits",
    "--depth",
    "--sat-solver",
    "--external-sat-solver",
    "--external-smt2-solver",
    "--verbosity",
];

/// The checks and assumptions that a proof asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The checks.
    pub checks: BTreeSet<Check>,
    /// Whether allocations may fail.
    pub malloc_may_fail: bool,
}

impl Check {
    /// Its name in CBMC.
    pub fn name(self) -> &'static str {
        CHECKS.iter().find(|(_, check)| *check == self).map_or("", |(name, _)| name)
    }
}

/// Reads options of CBMC: `flags` are those of the check, `others` those of all runs.
pub fn read_checks(flags: &[String], others: &[String]) -> Result<Options, KitError> {
    // Flags that name the usual checks are for a version without default checks.
    let names_usual = flags.iter().any(|flag| flag == "--bounds-check" || flag == "--pointer-check");
    let mut options = Options {
        checks: if names_usual { BTreeSet::new() } else { STANDARD.into() },
        malloc_may_fail: !names_usual,
    };
    for (words, variable) in [(flags, "CHECKFLAGS"), (others, "CBMCFLAGS")] {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if SEARCH_BY_VALUE.contains(&word.as_str()) {
                words.next();
            } else if !options.take(word) && !SEARCH.contains(&word.as_str()) {
                return Err(KitError::Option(word.clone(), variable));
            }
        }
    }
    Ok(options)
}

impl Options {
    /// Applies an option, if it is about checks.
    fn take(&mut self, word: &str) -> bool {
        match word {
            "--malloc-may-fail" => self.malloc_may_fail = true,
            "--no-malloc-may-fail" => self.malloc_may_fail = false,
            "--no-standard-checks" => {
                self.checks.clear();
                self.malloc_may_fail = false;
            }
            _ => {
                let Some(name) = word.strip_prefix("--").and_then(|name| name.strip_suffix("-check")) else {
                    return false;
                };
                let (name, wanted) = match name.strip_prefix("no-") {
                    Some(name) => (name, false),
                    None => (name, true),
                };
                let Some((_, check)) = CHECKS.iter().find(|(known, _)| *known == name) else { return false };
                match wanted {
                    true => self.checks.insert(*check),
                    false => self.checks.remove(check),
                };
            }
        }
        true
    }
}

/// Flags for clang, from those for goto-cc, without warnings.
pub fn read_compile(flags: &[String]) -> Result<Vec<String>, KitError> {
    let (mut taken, mut words) = (Vec::new(), flags.iter());
    while let Some(flag) = words.next() {
        let is_plain = ["-D", "-U", "-I", "-std=", "-ansi", "-m32", "-m64", "-f", "-O"]
            .iter()
            .any(|known| flag.starts_with(known));
        match flag.as_str() {
            "-include" | "-isystem" | "-iquote" => {
                taken.push(flag.clone());
                taken.extend(words.next().cloned());
            }
            // The compiler whose headers goto-cc uses: clang has its own.
            "--native-compiler" => drop(words.next()),
            // Some Makefiles give goto-cc what is for the search of CBMC.
            _ if SEARCH_BY_VALUE.contains(&flag.as_str()) => drop(words.next()),
            _ if flag.starts_with("-W") || flag.starts_with("-g") || flag == "-pedantic" => {}
            _ if is_plain => taken.push(flag.clone()),
            _ => return Err(KitError::Option(flag.clone(), "COMPILE_FLAGS")),
        }
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn checks_are_those_of_the_version_that_the_flags_are_written_for() {
        let new =
            read_checks(&words("--unsigned-overflow-check --no-pointer-check"), &words("--unwind 3 --flush"))
                .unwrap();
        assert!(
            new.malloc_may_fail
                && new.checks.contains(&Check::Bounds)
                && !new.checks.contains(&Check::Pointer)
        );
        let old = read_checks(&words("--bounds-check --malloc-may-fail"), &[]).unwrap();
        assert_eq!(old.checks, BTreeSet::from([Check::Bounds]));
        assert!(old.malloc_may_fail);
    }

    #[test]
    fn unknown_options_are_named() {
        let error = read_checks(&[], &words("--unwind 3 --paths lifo")).unwrap_err();
        assert_eq!(error.to_string(), "the option --paths in CBMCFLAGS is not supported");
        let error = read_compile(&words("-Wall -ansi --object-bits 8 --native-linker")).unwrap_err();
        assert_eq!(error.to_string(), "the option --native-linker in COMPILE_FLAGS is not supported");
    }
}
