//! Drawings of abstract reachability graphs in the language of Graphviz.

use crate::formulas::Formulas;
use crate::names::Names;
use crate::proof::RunProof;
use std::fmt::Write;

/// Draws an abstract reachability graph. Solid lines lead to successors, dashed ones to the covering state.
/// States that are not expanded yet are filled; a proof has none.
pub fn draw(graph: &RunProof, waiting: &[usize], names: &Names<'_>) -> String {
    let formulas = Formulas::new(graph, names);
    let mut looks = vec![""; graph.states.len()];
    waiting.iter().for_each(|&index| looks[index] = ", style=filled, fillcolor=lightyellow");
    let mut text = String::from("digraph proof {\n  node [shape=box, fontname=monospace];\n");
    for (index, (state, open)) in graph.states.iter().zip(looks).enumerate() {
        let mut lines = vec![format!("{index}: {}", names.location(state.loc))];
        lines.extend(names.known(&state.values));
        lines.push(formulas.text(state.formula));
        if !open.is_empty() {
            lines.push("waits".into());
        }
        let look = if state.covered_by.is_some() { ", style=dashed" } else { open };
        let _ = writeln!(text, "  s{index} [label={}{look}];", quoted(&lines.join("\n")));
        for child in &state.children {
            let _ = writeln!(text, "  s{index} -> s{child};");
        }
        if let Some(covering) = state.covered_by {
            let _ = writeln!(text, "  s{index} -> s{covering} [style=dashed, constraint=false];");
        }
    }
    text + "}\n"
}

/// A text as a quoted name of Graphviz.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
