//! Witnesses in the format GraphML 1.0 of SV-COMP.

use crate::correctness::Correctness;
use crate::task::Task;
use crate::violation::Violation;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// The attributes of nodes, edges and the graph: key, name, type, and the kind of element.
const KEYS: [(&str, &str, &str, &str); 20] = [
    ("witness-type", "witness-type", "string", "graph"),
    ("sourcecodelang", "sourcecodelang", "string", "graph"),
    ("producer", "producer", "string", "graph"),
    ("specification", "specification", "string", "graph"),
    ("programfile", "programfile", "string", "graph"),
    ("programhash", "programhash", "string", "graph"),
    ("architecture", "architecture", "string", "graph"),
    ("creationtime", "creationtime", "string", "graph"),
    ("entry", "isEntryNode", "boolean", "node"),
    ("violation", "isViolationNode", "boolean", "node"),
    ("invariant", "invariant", "string", "node"),
    ("invariant.scope", "invariant.scope", "string", "node"),
    ("assumption", "assumption", "string", "edge"),
    ("assumption.scope", "assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "assumption.resultfunction", "string", "edge"),
    ("startline", "startline", "int", "edge"),
    ("endline", "endline", "int", "edge"),
    ("enterLoopHead", "enterLoopHead", "boolean", "edge"),
    ("enterFunction", "enterFunction", "string", "edge"),
    ("returnFrom", "returnFromFunction", "string", "edge"),
];

/// An element's data: XML attributes, or keys with values.
type Data = Vec<(&'static str, String)>;

/// The graph of a violation: a path over the inputs to the error.
pub fn violation(task: &Task, violation: &Violation, entry: &str) -> String {
    let mut graph = Graph::new(task, "violation_witness");
    graph.node(vec![("entry", "true".into())]);
    graph.node(vec![]);
    graph.edge(0, 1, vec![("enterFunction", entry.into())]);
    for input in &violation.inputs {
        let line = input.point.line.to_string();
        let at = graph.node(vec![]);
        let data = vec![
            ("startline", line.clone()),
            ("endline", line),
            ("assumption", format!("\\result == {}", input.value)),
            ("assumption.scope", input.point.function.clone().unwrap_or_default()),
            ("assumption.resultfunction", input.called.clone()),
        ];
        graph.edge(at - 1, at, data);
    }
    let at = graph.node(vec![("violation", "true".into())]);
    let line = violation.target.as_ref().map(|point| point.line.to_string());
    let line = line.map_or(vec![], |line| vec![("startline", line.clone()), ("endline", line)]);
    graph.edge(at - 1, at, line);
    graph.finish()
}

/// The graph of a proof: a node for each loop with its invariant.
pub fn correctness(task: &Task, correctness: &Correctness, entry: &str) -> String {
    let mut graph = Graph::new(task, "correctness_witness");
    graph.node(vec![("entry", "true".into())]);
    graph.node(vec![]);
    graph.edge(0, 1, vec![("enterFunction", entry.into())]);
    for invariant in &correctness.invariants {
        let line = invariant.point.line.to_string();
        let at = graph.node(vec![
            ("invariant", invariant.text.clone()),
            ("invariant.scope", invariant.point.function.clone().unwrap_or_default()),
        ]);
        let lines = vec![("startline", line.clone()), ("endline", line), ("enterLoopHead", "true".into())];
        graph.edge(1, at, lines.clone());
        graph.edge(at, at, lines);
    }
    graph.finish()
}

/// A graph while it is written.
struct Graph {
    writer: Writer<Vec<u8>>,
    nodes: usize,
    edges: Vec<(usize, usize, Data)>,
}

impl Graph {
    fn new(task: &Task, kind: &str) -> Graph {
        let writer = Writer::new_with_indent(Vec::new(), b' ', 1);
        let mut graph = Graph { writer, nodes: 0, edges: Vec::new() };
        graph.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        graph.start(
            "graphml",
            &[
                ("xmlns", "http://graphml.graphdrawing.org/xmlns"),
                ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
            ],
        );
        for (id, name, ty, of) in KEYS {
            let attributes = [("id", id), ("attr.name", name), ("attr.type", ty), ("for", of)];
            graph.start("key", &attributes);
            if ty == "boolean" {
                graph.start("default", &[]);
                graph.event(Event::Text(BytesText::new("false")));
                graph.end("default");
            }
            graph.end("key");
        }
        graph.start("graph", &[("edgedefault", "directed")]);
        graph.data(&[
            ("witness-type", kind.to_string()),
            ("sourcecodelang", "C".into()),
            ("producer", format!("Beeline {}", task.version)),
            ("specification", task.specification.clone()),
            ("programfile", task.file.clone()),
            ("programhash", task.hash.clone()),
            ("architecture", format!("{}bit", task.pointer_width)),
            ("creationtime", task.time.clone()),
        ]);
        graph
    }

    /// Adds a node and returns its number.
    fn node(&mut self, data: Data) -> usize {
        let id = format!("N{}", self.nodes);
        self.start("node", &[("id", &id)]);
        self.data(&data);
        self.end("node");
        self.nodes += 1;
        self.nodes - 1
    }

    /// Adds an edge; edges are written after all nodes.
    fn edge(&mut self, from: usize, to: usize, data: Data) {
        self.edges.push((from, to, data));
    }

    fn finish(mut self) -> String {
        for (from, to, data) in std::mem::take(&mut self.edges) {
            let (source, target) = (format!("N{from}"), format!("N{to}"));
            self.start("edge", &[("source", &source), ("target", &target)]);
            self.data(&data);
            self.end("edge");
        }
        self.end("graph");
        self.end("graphml");
        String::from_utf8_lossy(&self.writer.into_inner()).into_owned() + "\n"
    }

    fn data(&mut self, data: &[(&str, String)]) {
        for (key, value) in data {
            self.start("data", &[("key", key)]);
            self.event(Event::Text(BytesText::new(value)));
            self.end("data");
        }
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.event(Event::Start(BytesStart::new(name).with_attributes(attributes.iter().copied())));
    }

    fn end(&mut self, name: &str) {
        self.event(Event::End(BytesEnd::new(name)));
    }

    fn event(&mut self, event: Event<'_>) {
        self.writer.write_event(event).expect("a vector takes all that is written");
    }
}
