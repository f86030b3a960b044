//! Features on random programs against an independent slow computation; files of damaged bytes.

use beeline_graph::{
    Annotation, Dependencies, Distances, EffectMap, Estimate, Features, Graph, Metric, Targets,
};
use beeline_ir::{Expr, ExprId, Op, Program, VarId, file, random};
use std::collections::BTreeSet;

/// Variables and regions (as text) in an expression; with `only_addresses`, those in addresses.
fn names(program: &Program, expr: ExprId, in_address: bool, only_addresses: bool) -> BTreeSet<String> {
    let node = program.exprs[expr];
    let mut found = BTreeSet::new();
    match node {
        Expr::Var(var) if in_address || !only_addresses => {
            found.insert(format!("{var}"));
        }
        Expr::Load { region, .. } if !only_addresses => {
            found.insert(format!("{region}"));
        }
        _ => {}
    }
    let below = in_address || matches!(node, Expr::Load { .. });
    found.extend(node.operands().flat_map(|operand| names(program, operand, below, only_addresses)));
    found
}

fn all(program: &Program, expr: ExprId) -> BTreeSet<String> {
    names(program, expr, false, false)
}

fn is_var(name: &str) -> bool {
    name.starts_with(VarId::from_u32(0).to_string().trim_end_matches('0'))
}

/// Whether a name is that of a variable which counts: with debug information, one that the source names.
fn counts(program: &Program, name: &str) -> bool {
    let has_names = program.vars.values().any(|var| var.source.is_some());
    let mut vars = program.vars.iter();
    vars.any(|(id, var)| id.to_string() == name && (!has_names || var.source.is_some()))
}

/// VARS by repetition until nothing is added.
fn slow_vars(program: &Program) -> usize {
    let mut relevant = BTreeSet::new();
    for edge in program.edges.values() {
        for expr in edge.op.expressions() {
            relevant.extend(names(program, expr, false, true));
        }
        match &edge.op {
            Op::Assume(cond, kind) if kind.branch => relevant.extend(all(program, *cond)),
            Op::Store { addr, .. } => {
                relevant.extend(all(program, *addr).into_iter().filter(|name| is_var(name)));
            }
            _ => {}
        }
    }
    loop {
        let before = relevant.len();
        for edge in program.edges.values() {
            for (to, from) in flows(program, &edge.op) {
                if relevant.contains(&to) {
                    relevant.extend(from);
                }
            }
        }
        if relevant.len() == before {
            return relevant.iter().filter(|name| counts(program, name)).count();
        }
    }
}

fn flows(program: &Program, op: &Op) -> Vec<(String, BTreeSet<String>)> {
    match op {
        Op::Assign(list) => list.iter().map(|&(var, value)| (var.to_string(), all(program, value))).collect(),
        Op::Store { region, addr, value } => {
            let mut from = all(program, *addr);
            from.extend(all(program, *value));
            vec![(region.to_string(), from)]
        }
        Op::Call(call) => {
            let mut flows = Vec::new();
            for callee in call.callee.functions().iter().map(|&func| &program.functions[func]) {
                for (param, &arg) in callee.params.iter().zip(&call.args) {
                    flows.push((param.to_string(), all(program, arg)));
                }
                if let (Some(to), Some(from)) = (call.ret, callee.ret) {
                    flows.push((to.to_string(), BTreeSet::from([from.to_string()])));
                }
            }
            flows
        }
        _ => Vec::new(),
    }
}

#[test]
fn features_equal_a_slow_computation() {
    let mut with_memory = 0;
    for seed in 0..400 {
        let program = random::program(seed);
        let features = Features::new(&Graph::new(&program));
        let get = |name| features.get(name).expect("the feature exists");
        let count = program.functions.len() as f64;
        let calls = program.edges.values().filter(|edge| edge.op.as_call().is_some()).count();
        assert_eq!(get("LOCS"), program.num_locs() as f64);
        assert_eq!(get("EDGES"), (program.edges.len() + calls) as f64);
        assert_eq!(get("FUNCS"), count);
        assert!((get("AVCALLS") - calls as f64 / count).abs() < 1e-9);
        assert!((get("AVLOFN") - program.num_locs() as f64 / count).abs() < 1e-9);
        let locs = || program.functions.values().map(|function| function.locs.len() as f64);
        let squares = locs().map(|locs| locs * locs).sum::<f64>() / count;
        assert!((get("SDLOFN") - (squares - get("AVLOFN").powi(2)).max(0.0).sqrt()).abs() < 1e-6);
        assert_eq!(get("SMCC"), program.edges.len() as f64 - program.num_locs() as f64 + 2.0 * count);
        assert_eq!(get("VARS") as usize, slow_vars(&program), "seed {seed}: VARS");
        let conditions = |loops: bool| {
            let assumes = program.edges.values().filter_map(move |edge| match edge.op {
                Op::Assume(cond, kind) if kind.branch && (kind.looping || !loops) => Some(cond),
                _ => None,
            });
            let names: BTreeSet<String> =
                assumes.flat_map(|cond| all(&program, cond)).filter(|name| counts(&program, name)).collect();
            names.len() as f64
        };
        assert_eq!(get("VARSASM"), conditions(false), "seed {seed}: VARSASM");
        assert_eq!(get("VARSLOOP"), conditions(true), "seed {seed}: VARSLOOP");
        with_memory += usize::from(!program.regions.is_empty());
    }
    assert!(with_memory > 50);
}

#[test]
fn effects_equal_a_slow_computation() {
    for seed in 0..400 {
        let program = random::program(seed);
        let graph = Graph::new(&program);
        let effects = EffectMap::new(&graph);
        for func in program.functions.keys() {
            // All functions that may be called, by repetition.
            let mut called = BTreeSet::from([func]);
            loop {
                let edges =
                    program.edges.values().filter(|edge| called.contains(&program.function_of(edge.src)));
                let callees =
                    edges.filter_map(|edge| edge.op.as_call()).flat_map(|call| call.callee.functions());
                let more: BTreeSet<_> = callees.copied().collect();
                let before = called.len();
                called.extend(more);
                if called.len() == before {
                    break;
                }
            }
            let edges =
                || program.edges.values().filter(|edge| called.contains(&program.function_of(edge.src)));
            let is_global = |var: &VarId| program.vars[*var].owner.is_none();
            let writes: BTreeSet<VarId> =
                edges().flat_map(|edge| edge.op.writes()).filter(is_global).collect();
            let region_writes: BTreeSet<_> = edges()
                .filter_map(|edge| match edge.op {
                    Op::Store { region, .. } | Op::HavocRegion(region) => Some(region),
                    _ => None,
                })
                .collect();
            let reads: BTreeSet<String> =
                edges().flat_map(|edge| edge.op.expressions()).flat_map(|expr| all(&program, expr)).collect();
            let found = effects.of(&graph, func);
            assert_eq!((&found.writes, &found.region_writes), (&writes, &region_writes), "seed {seed}");
            let local =
                |name: &String| is_var(name) && !program.globals().any(|(id, _)| id.to_string() == *name);
            let reads: BTreeSet<String> = reads.into_iter().filter(|name| !local(name)).collect();
            let vars = found.reads.iter().map(VarId::to_string);
            assert_eq!(
                vars.chain(found.region_reads.iter().map(|region| region.to_string()))
                    .collect::<BTreeSet<_>>(),
                reads
            );
        }
    }
}

#[test]
fn a_closure_contains_what_it_starts_from() {
    let program = random::program(1);
    let (vars, regions) =
        Dependencies::new(&Graph::new(&program)).closure(program.vars.keys(), program.regions.keys());
    assert_eq!((vars.len(), regions.len()), (program.vars.len(), program.regions.len()));
}

#[test]
fn files_survive_the_round_trip_and_damage_is_refused() {
    for seed in 0..60 {
        let program = random::program(seed);
        let graph = Graph::new(&program);
        let targets = Targets::all(&program);
        let distances = Distances::of_metrics(&graph, &Metric::ALL, Estimate::Pfsm, &targets);
        let annotation = Annotation { distances };
        let bytes = file::to_bytes(&annotation, None).expect("it can be written");
        assert_eq!(
            file::from_bytes::<Annotation>("a.dist", &bytes).expect("it can be read").body,
            annotation
        );
        let features = Features::new(&graph);
        let bytes = file::to_bytes(&features, None).expect("it can be written");
        assert_eq!(file::from_bytes::<Features>("a.feat", &bytes).expect("it can be read").body, features);
    }
}

#[test]
fn no_body_makes_the_decoder_panic() {
    use file::{Body, Decoder, Encoder};
    let program = random::program(3);
    let graph = Graph::new(&program);
    let distances = Distances::of_metrics(&graph, &Metric::ALL, Estimate::Pfsm, &Targets::all(&program));
    let mut out = Encoder::default();
    Annotation { distances }.encode_body(&mut out).expect("it can be written");
    let bytes = out.into_bytes();
    let mut rng = fastrand::Rng::with_seed(1);
    let mut refused = 0;
    for _ in 0..20_000 {
        let mut bytes = bytes.clone();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..bytes.len());
            bytes[at] = rng.u8(..);
        }
        refused +=
            usize::from(Annotation::decode_body(&mut Decoder::new(&bytes), Annotation::VERSION).is_err());
    }
    assert!(refused > 1000);
}
