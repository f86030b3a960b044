//! Syntactic queries on Z3 terms: their parts, numerals, and the parameters of operators; and their
//! transformation.
#![allow(unsafe_code)] // Parameters of extractions and bodies of lambdas are missing from the safe bindings.

use beeline_ir::Bits;
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, BV, Dynamic};
use z3::{AstKind, DeclKind, SortKind};

/// The parts of a term including itself, each once. Parts under quantifiers are left out.
pub(crate) fn parts(term: &Dynamic) -> impl Iterator<Item = Dynamic> + use<> {
    parts_of_all(vec![term.clone()])
}

/// The same for several terms.
pub(crate) fn parts_of_all(mut stack: Vec<Dynamic>) -> impl Iterator<Item = Dynamic> + use<> {
    let mut seen = FxHashSet::default();
    std::iter::from_fn(move || {
        while let Some(term) = stack.pop() {
            if seen.insert(term.clone()) {
                if term.is_app() {
                    stack.extend(term.children());
                }
                return Some(term);
            }
        }
        None
    })
}

/// Whether it is an uninterpreted constant.
pub(crate) fn is_symbol(term: &Dynamic) -> bool {
    term.is_const() && term.decl().kind() == DeclKind::Uninterpreted
}

/// A bit-vector value as a term.
pub(crate) fn numeral(bits: &Bits) -> BV {
    match bits.to_u64() {
        Some(value) => BV::from_u64(value, bits.width()),
        None => BV::from_str(bits.width(), &bits.to_biguint().to_string())
            .expect("a decimal numeral is a bit-vector"),
    }
}

/// The bits of a numeral.
pub(crate) fn numeral_bits(term: &BV) -> Option<Bits> {
    let width = term.get_size();
    if let Some(value) = term.as_u64() {
        return Some(Bits::new(width, value));
    }
    let text = Ast::simplify(term).to_string();
    let (digits, radix) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => return None,
    };
    Some(Bits::from_big(width, num_bigint::BigUint::parse_bytes(digits.as_bytes(), radix)?))
}

/// The number that an operator on numbers yields, as a numeral; other terms stay as they are.
///
/// The operators are those of the interpreter: Z3's simplification would have to be believed by who checks a proof.
pub(crate) fn evaluated(term: &BV) -> BV {
    let numbers: Option<Vec<Bits>> = Ast::children(term)
        .iter()
        .map(|operand| operand.as_bv().filter(|bits| bits.kind() == AstKind::Numeral))
        .map(|operand| numeral_bits(&operand?))
        .collect();
    let result = numbers.filter(|_| term.kind() == AstKind::App).and_then(|numbers| apply_to(term, &numbers));
    result.map_or_else(|| term.clone(), |bits| numeral(&bits))
}

fn apply_to(term: &BV, numbers: &[Bits]) -> Option<Bits> {
    Some(match (term.decl().kind(), numbers) {
        (DeclKind::Bnot, [a]) => a.not(),
        (DeclKind::Bneg, [a]) => a.neg(),
        (DeclKind::Badd, [a, b]) => a.add(b),
        (DeclKind::Bsub, [a, b]) => a.sub(b),
        (DeclKind::Bmul, [a, b]) => a.mul(b),
        (DeclKind::Budiv, [a, b]) => a.udiv(b),
        (DeclKind::Burem, [a, b]) => a.urem(b),
        (DeclKind::Bsdiv, [a, b]) => a.sdiv(b),
        (DeclKind::Bsrem, [a, b]) => a.srem(b),
        (DeclKind::Band, [a, b]) => a.and(b),
        (DeclKind::Bor, [a, b]) => a.or(b),
        (DeclKind::Bxor, [a, b]) => a.xor(b),
        (DeclKind::Bshl, [a, b]) => a.shl(b),
        (DeclKind::Blshr, [a, b]) => a.lshr(b),
        (DeclKind::Bashr, [a, b]) => a.ashr(b),
        (DeclKind::Concat, [high, low]) => high.concat(low),
        (DeclKind::ZeroExt, [a]) => a.zext(term.get_size()),
        (DeclKind::SignExt, [a]) => a.sext(term.get_size()),
        (DeclKind::Extract, [a]) => {
            let (high, low) = parameters(&Dynamic::from_ast(term))?;
            a.extract(high, low)
        }
        _ => return None,
    })
}

/// The first two parameters of an operator; zero for missing ones.
pub(crate) fn parameters(term: &Dynamic) -> Option<(u32, u32)> {
    let context = term.get_ctx().get_z3_context();
    // SAFETY: the term is an application in this context, and only existing parameters are read.
    let (first, second) = unsafe {
        let app = z3_sys::Z3_to_app(context, term.get_z3_ast())?;
        let decl = z3_sys::Z3_get_app_decl(context, app)?;
        let count = z3_sys::Z3_get_decl_num_parameters(context, decl);
        let parameter =
            |index| if index < count { z3_sys::Z3_get_decl_int_parameter(context, decl, index) } else { 0 };
        (parameter(0), parameter(1))
    };
    Some((first.try_into().ok()?, second.try_into().ok()?))
}

/// The value at an address of a map that is defined by a term for each address.
pub(crate) fn instance(map: &Dynamic, at: &Dynamic) -> Option<Dynamic> {
    let context = map.get_ctx().get_z3_context();
    // SAFETY: a quantifier's body is a term of its context, as is the address; what comes back is counted at once.
    unsafe {
        let whole = map.get_z3_ast();
        if !z3_sys::Z3_is_lambda(context, whole) || z3_sys::Z3_get_quantifier_num_bound(context, whole) != 1 {
            return None;
        }
        let body = z3_sys::Z3_get_quantifier_body(context, whole)?;
        let cell = z3_sys::Z3_substitute_vars(context, body, 1, [at.get_z3_ast()].as_ptr())?;
        Some(Dynamic::wrap(map.get_ctx(), cell))
    }
}

/// The results for parts of formulas; `None` for parts that are not only of truth values and bit-vectors.
pub(crate) type Parts<T> = FxHashMap<Dynamic, Option<T>>;

/// Transforms a term bottom-up: `make` gets each part with the results of its operands.
pub(crate) fn transform<T: Clone>(
    term: &Dynamic,
    done: &mut Parts<T>,
    make: &mut dyn FnMut(&Dynamic, &[T]) -> Option<T>,
) -> Option<T> {
    let mut stack = vec![term.clone()];
    while let Some(part) = stack.last().cloned() {
        if done.contains_key(&part) {
            stack.pop();
            continue;
        }
        let is_plain = matches!(part.kind(), AstKind::App | AstKind::Numeral)
            && matches!(part.sort_kind(), SortKind::Bool | SortKind::Bv);
        // Any other part is not entered.
        let parts = if is_plain { part.children() } else { Vec::new() };
        let open = stack.len();
        stack.extend(parts.iter().filter(|operand| !done.contains_key(operand)).cloned());
        if stack.len() > open {
            continue;
        }
        stack.pop();
        let operands: Option<Vec<T>> = parts.iter().map(|operand| done[operand].clone()).collect();
        let made = operands.filter(|_| is_plain).and_then(|operands| make(&part, &operands));
        done.insert(part, made);
    }
    done[term].clone()
}
