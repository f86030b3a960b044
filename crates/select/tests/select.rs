//! Selectors: their files, and what they choose.

use beeline_ir::file;
use beeline_select::{Card, ChoiceError, Model, Named, Node, Selector, Tree};
use proptest::prelude::*;

fn selector(model: Model) -> Selector {
    let plan = |name: &str| Named { name: name.into(), plan: "[[step]]\n".into() };
    let card = Card { programs: 9, regrets: vec![("tree".into(), 1.5)], ..Card::default() };
    Selector { features: vec!["A".into(), "B".into()], plans: vec![plan("x"), plan("y")], model, card }
}

fn split() -> Tree {
    let split = Node::Split { feature: 1, at: 2.0, less: 1, more: 2 };
    Tree { nodes: vec![split, Node::Leaf(0.0), Node::Leaf(1.0)] }
}

fn leaf(value: f64) -> Tree {
    Tree { nodes: vec![Node::Leaf(value)] }
}

#[test]
fn each_model_chooses() {
    let chosen = |model, b| selector(model).choose(&["A", "B"], &[0.0, b]).unwrap();
    assert_eq!(chosen(Model::Always(1), 0.0).plan, 1);
    assert_eq!(chosen(Model::Tree(split()), 2.0).plan, 0);
    assert_eq!(chosen(Model::Tree(split()), 2.5).path, ["B = 2.5 > 2"]);
    let votes = || Model::Votes(vec![leaf(0.0), split(), split()]);
    assert_eq!(chosen(votes(), 3.0).plan, 1);
    assert_eq!(chosen(votes(), 1.0).path, ["3 of 3 trees: x"]);
    let costs = chosen(Model::Costs(vec![leaf(0.5), split()]), 1.0);
    assert_eq!((costs.plan, &costs.path[..]), (1, &["y: 0.000".to_string(), "x: 0.500".into()][..]));
}

#[test]
fn other_features_and_what_is_no_number_are_refused() {
    let selector = selector(Model::Tree(split()));
    assert_eq!(selector.choose(&["A", "C"], &[0.0, 1.0]), Err(ChoiceError::Features));
    assert_eq!(selector.choose(&["A"], &[0.0]), Err(ChoiceError::Features));
    assert_eq!(selector.choose(&["A", "B"], &[0.0, f64::NAN]), Err(ChoiceError::NotFinite("B".into())));
}

#[test]
fn a_selector_survives_its_file_and_reads_well() {
    let selector = selector(Model::Tree(split()));
    let bytes = file::to_bytes(&selector, None).unwrap();
    assert_eq!(file::from_bytes::<Selector>("s.sel", &bytes).unwrap().body, selector);
    assert_eq!(selector.text(), "B <= 2: x\nB > 2: y\n");
}

#[test]
fn trees_that_come_to_no_answer_are_damage() {
    let turning = Tree { nodes: vec![Node::Split { feature: 0, at: 0.0, less: 0, more: 0 }] };
    let blind = Tree { nodes: vec![Node::Split { feature: 7, at: 0.0, less: 1, more: 1 }, Node::Leaf(0.0)] };
    for model in [
        Model::Tree(turning),
        Model::Tree(blind),
        Model::Tree(leaf(2.0)),
        Model::Tree(Tree { nodes: vec![] }),
        Model::Always(2),
        Model::Votes(vec![]),
        Model::Costs(vec![leaf(1.0)]),
    ] {
        assert!(file::to_bytes(&selector(model.clone()), None).is_err(), "{model:?}");
    }
}

proptest! {
    /// Damage is refused or harmless: whatever is read chooses something.
    #[test]
    fn damaged_selectors_are_refused_or_choose(at in 0usize..300, byte: u8) {
        let mut out = file::Encoder::default();
        file::Body::encode_body(&selector(Model::Votes(vec![split(), leaf(1.0)])), &mut out).unwrap();
        let mut bytes = out.into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        let mut input = file::Decoder::new(&bytes);
        let version = <Selector as file::Body>::VERSION;
        if let Ok(read) = <Selector as file::Body>::decode_body(&mut input, version) {
            let values = vec![1.0; read.features.len()];
            prop_assert!(read.choose(&read.features, &values).unwrap().plan < read.plans.len());
        }
    }
}
