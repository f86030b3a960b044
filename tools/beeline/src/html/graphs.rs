//! The control-flow automata of a page's functions, and the abstract graph of its proof.

use super::drawing::{ARROW_HEAD, Edge, Node, drawing};
use super::{escaped, line_id};
use crate::answer::Word;
use crate::report::violation;
use beeline_ir::text::print_op;
use beeline_ir::{EdgeId, FuncId, LocId, Op, Program};
use beeline_run::formulas::Formulas;
use beeline_run::names::Names;
use beeline_run::{Run, RunFormula, RunProof};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Boxes of one drawing, and of all that show automata.
const BOXES: usize = 250;
const ALL_BOXES: usize = 1_500;
/// Characters of a line, and lines of a box.
const WIDTH: usize = 64;
const HEIGHT: usize = 12;

/// What is known of the locations that are drawn.
pub(super) struct Known {
    /// The verdicts of the targets.
    pub(super) verdicts: FxHashMap<LocId, Word>,
    /// The locations of the first error path.
    pub(super) path: FxHashSet<LocId>,
}

/// The automata and the abstract graph of a result, each to be opened.
pub(super) fn graphs(program: &Program, run: &Run, known: &Known) -> String {
    let text = automata(program, known) + &proofs(program, run);
    if text.is_empty() { text } else { ARROW_HEAD.to_string() + &text }
}

/// The automata of the functions that have a file, those with targets and on the path first.
fn automata(program: &Program, known: &Known) -> String {
    let concerned: BTreeSet<FuncId> =
        known.verdicts.keys().chain(&known.path).map(|&loc| program.function_of(loc)).collect();
    let mut functions: Vec<FuncId> =
        program.functions.keys().filter(|&func| program.functions[func].file.is_some()).collect();
    functions.sort_by_key(|func| (*func != program.entry, !concerned.contains(func), *func));
    let (mut text, mut left, mut number) = (String::new(), ALL_BOXES, 0);
    for &func in &functions {
        let (nodes, edges) = automaton(program, func, known);
        if nodes.len() > BOXES.min(left) {
            continue;
        }
        (left, number) = (left - nodes.len(), number + 1);
        let name = escaped(program.source_function(func));
        let drawn = drawing(&format!("cfa{}", func.as_u32()), &nodes, &edges);
        text += &format!("<details><summary>{name}</summary>\n{drawn}</details>\n");
    }
    if number < functions.len() {
        let missing = functions.len() - number;
        text += &format!(
            "<p>Functions that are too large to be drawn here: {missing}. <code>beeline check --keep DIR</code> keeps the \
             program, and <code>beeline-ir dump --dot</code> writes it for Graphviz.</p>\n"
        );
    }
    if text.is_empty() { text } else { format!("<h2>Control-flow automata</h2>\n{text}") }
}

/// The boxes of a function: operations that follow each other are in one, conditions are between them.
fn automaton(program: &Program, func: FuncId, known: &Known) -> (Vec<Node>, Vec<Edge>) {
    let chains = Chains::new(program, func, known);
    let mut nodes: Vec<Node> = Vec::new();
    let index: FxHashMap<LocId, usize> = chains.starts.iter().copied().zip(0..).collect();
    let (mut conditions, mut edges) = (Vec::new(), Vec::new());
    for &start in &chains.starts {
        let (steps, last) = chains.from(start);
        nodes.push(block(program, known, start, &steps));
        let from = index[&start];
        if let Some(&to) = steps.last().and_then(|&edge| index.get(&program.edges[edge].dst)) {
            edges.push(Edge { from, to, dashed: false });
            continue;
        }
        for edge in program.out_edges(last) {
            let to = index[&program.edges[edge].dst];
            let condition = operation(program, edge);
            if condition.is_empty() {
                edges.push(Edge { from, to, dashed: false });
            } else {
                let on_path = known.path.contains(&last) && known.path.contains(&program.edges[edge].dst);
                conditions.push((from, to, condition, on_path));
            }
        }
    }
    for (from, to, condition, on_path) in conditions {
        let class = if on_path { "condition taken" } else { "condition" };
        edges.push(Edge { from, to: nodes.len(), dashed: false });
        edges.push(Edge { from: nodes.len(), to, dashed: false });
        nodes.push(Node {
            lines: folded(&condition),
            title: condition,
            class: class.into(),
            ..Node::default()
        });
    }
    (nodes, edges)
}

/// How the locations of a function follow each other without a choice.
struct Chains<'p> {
    program: &'p Program,
    /// Where a box begins.
    starts: BTreeSet<LocId>,
}

impl<'p> Chains<'p> {
    fn new(program: &'p Program, func: FuncId, known: &Known) -> Chains<'p> {
        let function = &program.functions[func];
        let mut before: FxHashMap<LocId, u32> = FxHashMap::default();
        let mut starts: BTreeSet<LocId> = [function.entry()].into();
        for loc in function.locations() {
            let out: Vec<EdgeId> = program.out_edges(loc).collect();
            for &edge in &out {
                let next = program.edges[edge].dst;
                let number = before.entry(next).or_default();
                *number += 1;
                if *number > 1 || out.len() > 1 || known.verdicts.contains_key(&next) {
                    starts.insert(next);
                }
            }
        }
        Chains { program, starts }
    }

    /// The edges of a box, of which the last one may lead to another, and its last location.
    fn from(&self, start: LocId) -> (Vec<EdgeId>, LocId) {
        let (mut steps, mut last) = (Vec::new(), start);
        loop {
            let mut out = self.program.out_edges(last);
            let (Some(edge), None) = (out.next(), out.next()) else { return (steps, last) };
            steps.push(edge);
            let next = self.program.edges[edge].dst;
            if self.starts.contains(&next) {
                return (steps, last);
            }
            last = next;
        }
    }
}

/// A box with its place and its operations.
fn block(program: &Program, known: &Known, first: LocId, steps: &[EdgeId]) -> Node {
    let edges = steps.iter().copied().chain(program.out_edges(first));
    let span = edges.into_iter().find_map(|edge| program.edges[edge].span);
    let target = program.targets.iter().find(|target| target.loc == first);
    let span = span.or_else(|| target.and_then(|target| target.span));
    let mut lines = vec![match span {
        Some(span) => format!("{}, line {}", program.label(first), span.line),
        None => program.label(first),
    }];
    lines.extend(target.map(|target| violation(target, None)));
    if program.functions[program.function_of(first)].exit == first {
        lines.push("exit".into());
    }
    lines.extend(steps.iter().map(|&edge| operation(program, edge)).filter(|text| !text.is_empty()));
    let mut class = known.verdicts.get(&first).map_or("box", |word| word.name()).to_string();
    if known.path.contains(&first) {
        class += " taken";
    }
    node(program.label(first), &lines, class, span.map(|span| line_id((span.file, span.line))))
}

/// A box with lines of any length, all of which its title has.
fn node(name: String, lines: &[String], class: String, link: Option<String>) -> Node {
    let mut shown: Vec<String> = lines.iter().flat_map(|line| folded(line)).collect();
    if shown.len() > HEIGHT {
        let more = shown.len() - (HEIGHT - 1);
        shown.truncate(HEIGHT - 1);
        shown.push(format!("... {more} more"));
    }
    Node { name, lines: shown, title: lines.join("\n"), class, link }
}

/// What an edge does; empty if that is nothing.
fn operation(program: &Program, edge: EdgeId) -> String {
    let text = print_op(program, edge);
    match &program.edges[edge].op {
        Op::Skip => String::new(),
        // "assume[loop negated] x == 0": what matters in a drawing is the condition.
        Op::Assume(..) => {
            let text = text.strip_prefix("assume").unwrap_or(&text);
            format!("[{}]", text.split_once("] ").map_or(text, |(_, condition)| condition).trim_start())
        }
        _ => text,
    }
}

/// A line as several that are not too long.
fn folded(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let last = lines.len() - 1;
        let long = lines[last].chars().count() + word.trim_end().chars().count() > WIDTH;
        if long && !lines[last].is_empty() {
            lines.push(format!("  {word}"));
        } else {
            lines[last] += word;
        }
    }
    lines.iter().map(|line| shortened(line.trim_end())).collect()
}

/// A line without its end, if it is longer than a drawing has room.
fn shortened(line: &str) -> String {
    if line.chars().count() <= WIDTH + 4 {
        return line.to_string();
    }
    line.chars().take(WIDTH).collect::<String>() + " ..."
}

/// The graphs of a proof.
fn proofs(program: &Program, run: &Run) -> String {
    let Some(graphs) = run.whole_graphs().filter(|_| run.paths.is_empty()) else { return String::new() };
    let mut text = String::from("<h2>Abstract graph</h2>\n");
    for (proof, graph) in graphs.into_iter().enumerate() {
        let number = graph.states.len();
        if number > BOXES {
            text += &format!(
                "<p>{number} states, too many to be drawn here. <code>beeline check --keep DIR</code> keeps the result, and \
                 <code>beeline-ir dump --dot</code> writes its graph for Graphviz.</p>\n"
            );
            continue;
        }
        let (nodes, edges) = abstract_graph(program, graph);
        let states = if number == 1 { "1 state".to_string() } else { format!("{number} states") };
        let drawn = drawing(&format!("proof{proof}"), &nodes, &edges);
        text += &format!("<details><summary>{states}</summary>\n{drawn}</details>\n");
    }
    text
}

/// The boxes of an abstract reachability graph: place, values, predicates. A dashed arrow leads to the covering state.
fn abstract_graph(program: &Program, graph: &RunProof) -> (Vec<Node>, Vec<Edge>) {
    let names = Names { program: Some(program) };
    let formulas = Formulas::new(graph, &names);
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for (index, state) in graph.states.iter().enumerate() {
        let span = program.out_edges(state.loc).find_map(|edge| program.edges[edge].span);
        let mut lines = vec![format!("{index}: {}", names.location(state.loc))];
        lines[0] += &span.map_or(String::new(), |span| format!(", line {}", span.line));
        lines.extend(names.known(&state.values));
        lines.extend((state.formula != RunFormula::TRUE).then(|| formulas.text(state.formula)));
        lines.extend(state.covered_by.map(|state| format!("covered by {state}")));
        let class = if state.covered_by.is_some() { "box covered-by" } else { "box" };
        let link = span.map(|span| line_id((span.file, span.line)));
        nodes.push(node(index.to_string(), &lines, class.into(), link));
        let successors = state.children.iter().map(|&child| (child, false));
        let covering = state.covered_by.iter().map(|&state| (state, true));
        for (to, dashed) in successors.chain(covering) {
            edges.push(Edge { from: index, to: to as usize, dashed });
        }
    }
    (nodes, edges)
}
