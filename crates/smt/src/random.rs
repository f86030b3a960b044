//! Random terms and formulas, for tests.

use crate::words::mask;
use fastrand::Rng;
use z3::ast::{BV, Bool};

/// A random term of a width, over three constants of that width.
pub(crate) fn term(random: &mut Rng, width: u32, depth: u32) -> BV {
    if depth == 0 {
        return match random.u8(0..4) {
            0 => BV::from_u64(random.u64(..) & mask(width), width),
            constant => BV::new_const(format!("x{constant}"), width),
        };
    }
    let a = term(random, width, depth - 1);
    let less = random.u32(0..depth);
    let b = term(random, width, less);
    match random.u8(0..19) {
        0 => a.bvadd(&b),
        1 => a.bvsub(&b),
        2 => a.bvmul(&b),
        3 => a.bvudiv(&b),
        4 => a.bvurem(&b),
        5 => a.bvsdiv(&b),
        6 => a.bvsrem(&b),
        7 => a.bvand(&b),
        8 => a.bvor(&b),
        9 => a.bvxor(&b),
        10 => a.bvshl(&b),
        11 => a.bvlshr(&b),
        12 => a.bvashr(&b),
        13 => a.bvnot(),
        14 => a.bvneg(),
        15 => a.concat(&b).extract(width + width / 2 - 1, width / 2),
        16 => a.zero_ext(3).extract(width + 2, 3),
        17 => a.sign_ext(3).extract(width + 2, 3),
        _ => condition(random, width, depth - 1).ite(&a, &b),
    }
}

/// A random formula over terms of a width.
pub(crate) fn condition(random: &mut Rng, width: u32, depth: u32) -> Bool {
    if depth > 0 && random.bool() {
        let (a, b) = (condition(random, width, depth - 1), condition(random, width, depth - 1));
        return match random.u8(0..6) {
            0 => Bool::and(&[a, b, Bool::new_const("p")]),
            1 => Bool::or(&[a, b, Bool::new_const("q")]),
            2 => a.xor(&b),
            3 => a.iff(&b),
            4 => a.not(),
            _ => Bool::new_const("p").ite(&a, &b),
        };
    }
    let (a, b) = (term(random, width, depth), term(random, width, depth));
    match random.u8(0..6) {
        0 => a.eq(&b),
        1 => a.eq(&b).not(),
        2 => a.bvult(&b),
        3 => a.bvule(&b),
        4 => a.bvslt(&b),
        _ => a.bvsle(&b),
    }
}
