//! The table of operators: each row has a text and bytes, and both are read as the same operator again.

use beeline_ir::samples::every_operator;
use beeline_ir::{BinOp, CastOp, Expr, Program, Type, UnOp, file, text};
use std::collections::HashSet;

#[test]
fn the_sample_has_every_operator() {
    let program = every_operator();
    let has = |wanted: &dyn Fn(&Expr) -> bool| program.exprs.iter().any(|(_, node)| wanted(node));
    for op in UnOp::ALL {
        assert!(has(&|node| matches!(node, Expr::Unary(it, _) if *it == op)), "{op:?}");
    }
    for op in BinOp::ALL {
        assert!(has(&|node| matches!(node, Expr::Binary(it, ..) if *it == op)), "{op:?}");
    }
    for op in CastOp::ALL {
        assert!(has(&|node| matches!(node, Expr::Cast(it, ..) if *it == op)), "{op:?}");
    }
}

#[test]
fn every_operator_survives_text_and_bytes() {
    let program = every_operator();
    let printed = text::print(&program);
    for text in UnOp::ALL.map(UnOp::text).iter().chain(&BinOp::ALL.map(BinOp::text)) {
        assert!(printed.contains(text), "no `{text}`");
    }
    for text in CastOp::ALL.map(CastOp::text) {
        assert!(printed.contains(&format!("{text}(")), "no `{text}`");
    }
    assert!(text::parse(&printed).expect("the text is a program") == program);
    let bytes = file::to_bytes(&program, None).expect("the program can be written");
    assert!(file::from_bytes::<Program>("a.cfa", &bytes).expect("it can be read").body == program);
}

/// Two operators on operands of one type may not be written alike.
#[test]
fn a_text_and_the_types_of_its_operands_say_which_operator_it_is() {
    let mut seen = HashSet::new();
    for ty in [Type::Bool, Type::Bv(8), Type::Float(beeline_ir::FloatKind::F64)] {
        for op in UnOp::ALL.into_iter().filter(|op| op.result(ty).is_some()) {
            assert!(seen.insert((op.text(), 1, ty)), "{op:?}");
        }
        for op in BinOp::ALL.into_iter().filter(|op| op.result(ty, ty).is_some()) {
            assert!(seen.insert((op.text(), 2, ty)), "{op:?}");
        }
    }
    let casts: HashSet<&str> = CastOp::ALL.map(CastOp::text).into_iter().collect();
    assert_eq!(casts.len(), CastOp::ALL.len());
}
