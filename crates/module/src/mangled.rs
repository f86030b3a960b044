//! Symbols of Rust and C++: how the source names them, and which of them end a program by a panic.

use crate::{CallInst, Const, FnId, Function, InstKind, Module, Operand};
use std::borrow::Cow;

/// The source's name of a symbol, with parameters for C++; nothing for a symbol that is not mangled.
pub fn demangled(symbol: &str) -> Option<String> {
    if let Ok(name) = rustc_demangle::try_demangle(symbol) {
        return Some(format!("{name:#}"));
    }
    let name = cpp_demangle::Symbol::new(symbol).ok().filter(|_| symbol.starts_with("_Z"))?;
    // Names of operators for literals would end strings of JSON.
    name.demangle().ok().filter(|name| !name.contains('"'))
}

/// A text in which symbols that are mangled have the names of the source.
pub fn demangle_all(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_Z").into_iter().chain(rest.find("_R")).min() {
        let begins = !rest[..at].ends_with(is_part);
        let end = rest[at..].find(|c| !is_part(c)).map_or(rest.len(), |end| at + end);
        shown.push_str(&rest[..at]);
        let symbol = &rest[at..end];
        match begins.then(|| demangled(symbol)).flatten() {
            // A call has parameters of its own.
            Some(name) if rest[end..].starts_with('(') => shown.push_str(without_parameters(&name)),
            Some(name) => shown.push_str(&name),
            None => shown.push_str(symbol),
        }
        rest = &rest[end..];
    }
    shown + rest
}

/// A name of C++ without the parameters at its end.
fn without_parameters(name: &str) -> &str {
    let mut depth = 0;
    let opens = name.char_indices().rev().find(|&(_, c)| {
        depth += match c {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        depth == 0
    });
    opens.filter(|_| name.ends_with(')')).map_or(name, |(at, _)| &name[..at])
}

/// The name of a function of C, or of one of C++ that is in no namespace or class, without parameters.
pub fn plain(symbol: &str) -> Option<Cow<'_, str>> {
    if !symbol.starts_with("_Z") && !symbol.starts_with("_R") {
        return Some(symbol.into());
    }
    let Some(name) = demangled(symbol) else { return Some(symbol.into()) };
    let name = without_parameters(&name);
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_plain.then(|| name.to_string().into())
}

/// The functions without a body that end the program by a panic: the libraries of Rust and C++ have those for failed checks,
/// and `std::terminate`. An exception that is thrown ends it as well, as code that catches one is refused.
pub fn panics(module: &Module) -> impl Iterator<Item = &Function> {
    let called = module.functions.values().flat_map(|function| function.insts.values());
    let never_return: Vec<FnId> = called.filter_map(|inst| called_without_return(&inst.kind)).collect();
    let declared = module.functions.iter().filter(|(_, function)| function.is_declaration());
    let panic = declared.filter(move |(id, function)| {
        let returns = !function.noreturn && !never_return.contains(id);
        THROWS.contains(&function.name.as_str()) || !returns && is_of_library(&function.name)
    });
    panic.map(|(_, function)| function)
}

/// The functions that throw, and the one that is called where nobody catches. Their declarations may not say that they never
/// return.
const THROWS: [&str; 3] = ["__cxa_throw", "__cxa_rethrow", "_ZSt9terminatev"];

/// The function that a call names, if the call never returns.
fn called_without_return(kind: &InstKind) -> Option<FnId> {
    match kind {
        InstKind::Call(CallInst { callee: Operand::Const(_, Const::Func(id)), noreturn: true, .. }) => {
            Some(*id)
        }
        _ => None,
    }
}

/// Whether a function is of the libraries of Rust or C++, and does not end the program because that is what it is for.
fn is_of_library(symbol: &str) -> bool {
    const LIBRARIES: [&str; 3] = ["core::", "alloc::", "std::"];
    const EXITS: &str = "std::process::";
    demangled(symbol).is_some_and(|name| {
        LIBRARIES.iter().any(|library| name.starts_with(library)) && !name.starts_with(EXITS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: &str = "_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check";

    #[test]
    fn symbols_have_the_names_of_the_source() {
        assert_eq!(demangled(BOUNDS).as_deref(), Some("core::panicking::panic_bounds_check"));
        assert_eq!(demangled("_ZN3app4list4push17h0123456789abcdefE").as_deref(), Some("app::list::push"));
        assert_eq!(demangled("_Z3addii").as_deref(), Some("add(int, int)"));
        for plain in ["main", "_Zebra", "_R", "Z3addii"] {
            assert_eq!(demangled(plain), None, "{plain}");
        }
        assert_eq!(demangle_all("_Z3addii() or _Z1gPFivE()"), "add() or g()");
        assert_eq!(demangle_all("in _Z3addii:4, x_Z3addii, _Zebra"), "in add(int, int):4, x_Z3addii, _Zebra");
    }

    #[test]
    fn functions_in_namespaces_are_not_named_plainly() {
        assert_eq!(plain("_Z11reach_errorv").unwrap(), "reach_error");
        assert_eq!(plain("reach_error").unwrap(), "reach_error");
        assert_eq!(plain("_ZN3app3anyEv"), None);
    }

    #[test]
    fn failed_checks_panic_and_exits_do_not() {
        assert!(is_of_library(BOUNDS));
        assert!(is_of_library("_ZSt20__throw_length_errorPKc"));
        assert!(!is_of_library("_ZN3std7process4exit17h0123456789abcdefE"));
        assert!(!is_of_library("exit"));
        assert!(!is_of_library("_ZN3app4exitEv"));
    }
}
