//! Drawings of graphs: boxes of text in rows from the top down, with arrows, as SVG.

use super::escaped;
use layout::core::base::Orientation;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::{Point, Position};
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use std::fmt::Write;

/// The arrow head of all drawings of a page. It is outside of them, so that it is there when some are closed.
pub(super) const ARROW_HEAD: &str = "<svg class=\"heads\" aria-hidden=\"true\"><defs><marker id=\"head\" viewBox=\"0 0 8 8\" \
     refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0 8 4 0 8z\"/></marker>\
     </defs></svg>\n";

/// The height of a line, and the width of a character.
const LINE: f64 = 14.0;
const CHARACTER: f64 = 7.3;
/// The free room around a box.
const ROOM: Point = Point { x: 14.0, y: 16.0 };
/// What is inside of a box and is not text.
const PADDING: f64 = 10.0;

/// Arrows over more rows than this are drawn as a jump: they would cross others, and nobody follows them with the eye.
const FAR: usize = 8;

/// A box.
#[derive(Debug, Default, Clone)]
pub(super) struct Node {
    /// What others call it.
    pub(super) name: String,
    /// Its lines.
    pub(super) lines: Vec<String>,
    /// What a pointer on it shows.
    pub(super) title: String,
    /// Its classes in the style sheet.
    pub(super) class: String,
    /// The part of the page that it leads to.
    pub(super) link: Option<String>,
}

/// An arrow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) dashed: bool,
}

/// Draws a graph, whose name is part of the names of its boxes in the page.
pub(super) fn drawing(name: &str, nodes: &[Node], edges: &[Edge]) -> String {
    let (nodes, edges) = &with_jumps(name, nodes, edges);
    let mut graph = VisualGraph::new(Orientation::TopToBottom);
    let look = StyleAttr::simple();
    let boxes = nodes.iter().enumerate().map(|(index, node)| {
        let (shape, size) = (ShapeKind::new_box(""), size(&node.lines));
        let name = index.to_string();
        let mut element =
            Element::create_with_properties(shape, look.clone(), Orientation::TopToBottom, size, name);
        element.pos = Position::new(Point::zero(), size, Point::zero(), ROOM);
        graph.add_node(element)
    });
    let handles: Vec<_> = boxes.collect();
    // Each arrow is added before those that leave its end: the layout follows all paths to see whether it closes a
    // cycle, of which there may be exponentially many.
    let Order { is_back, position, .. } = Order::new(nodes.len(), edges);
    let mut downwards: Vec<(usize, usize, Arrow)> = Vec::new();
    for (edge, &is_back) in edges.iter().zip(&is_back) {
        let style = if edge.dashed { LineStyleKind::Dashed } else { LineStyleKind::Normal };
        let arrow = Arrow::new(LineEndKind::None, LineEndKind::Arrow, style, "", &look, &None, &None);
        downwards.push(match is_back {
            true => (edge.to, edge.from, arrow.reverse()),
            false => (edge.from, edge.to, arrow),
        });
    }
    downwards.sort_by_key(|&(from, _, _)| position[from]);
    for (from, to, arrow) in downwards {
        graph.add_edge(arrow, handles[from], handles[to]);
    }
    graph.dag.set_validate(false);
    let mut canvas = Canvas { name, nodes, content: String::new(), extent: Point::zero() };
    graph.do_it(false, false, false, &mut canvas);
    let (width, height) = (canvas.extent.x + PADDING, canvas.extent.y + PADDING);
    format!(
        "<div class=\"drawing\"><svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n{}</svg></div>\n",
        canvas.content
    )
}

/// The name of a box in the page.
fn id(name: &str, node: usize) -> String {
    format!("{name}-{node}")
}

/// The graph in which a small box at the start of a long arrow says where it leads.
fn with_jumps(name: &str, nodes: &[Node], edges: &[Edge]) -> (Vec<Node>, Vec<Edge>) {
    let Order { row, .. } = Order::new(nodes.len(), edges);
    let (mut nodes, mut edges) = (nodes.to_vec(), edges.to_vec());
    for edge in &mut edges {
        if row[edge.from].abs_diff(row[edge.to]) > FAR {
            let jump = Node {
                lines: vec![format!("to {}", nodes[edge.to].name)],
                class: "condition".into(),
                link: Some(id(name, edge.to)),
                ..Node::default()
            };
            edge.to = nodes.len();
            nodes.push(jump);
        }
    }
    (nodes, edges)
}

/// An order of the boxes in which few arrows lead upwards.
struct Order {
    /// The arrows that lead to a box that a walk from the first ones on has entered and not left.
    is_back: Vec<bool>,
    /// The boxes in an order that the other arrows keep.
    position: Vec<usize>,
    /// The rows of the boxes, if the other arrows lead down.
    row: Vec<usize>,
}

impl Order {
    fn new(nodes: usize, edges: &[Edge]) -> Order {
        let mut leaving = vec![Vec::new(); nodes];
        edges.iter().enumerate().for_each(|(index, edge)| leaving[edge.from].push(index));
        let mut is_back = vec![false; edges.len()];
        let (mut entered, mut left) = (vec![false; nodes], vec![false; nodes]);
        let (mut open, mut leaves): (Vec<(usize, usize)>, Vec<usize>) = (Vec::new(), Vec::new());
        for start in 0..nodes {
            if !entered[start] {
                open.push((start, 0));
            }
            entered[start] = true;
            while let Some((node, next)) = open.last_mut() {
                let Some(&edge) = leaving[*node].get(*next) else {
                    left[*node] = true;
                    leaves.push(*node);
                    open.pop();
                    continue;
                };
                *next += 1;
                let to = edges[edge].to;
                is_back[edge] = entered[to] && !left[to];
                if !entered[to] {
                    entered[to] = true;
                    open.push((to, 0));
                }
            }
        }
        let (mut row, mut position) = (vec![0; nodes], vec![0; nodes]);
        for (node, at) in leaves.into_iter().rev().zip(0..) {
            position[node] = at;
            for &edge in leaving[node].iter().filter(|&&edge| !is_back[edge]) {
                let to = edges[edge].to;
                row[to] = row[to].max(row[node] + 1);
            }
        }
        Order { is_back, position, row }
    }
}

/// The size of a box with these lines.
fn size(lines: &[String]) -> Point {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    #[expect(clippy::cast_precision_loss)]
    let (wide, high) = (longest as f64, lines.len().max(1) as f64);
    Point::new(wide * CHARACTER + PADDING, high * LINE + PADDING)
}

/// Where a graph is drawn.
struct Canvas<'n> {
    name: &'n str,
    nodes: &'n [Node],
    content: String,
    extent: Point,
}

impl Canvas<'_> {
    fn reach(&mut self, point: Point) {
        self.extent = Point::new(self.extent.x.max(point.x), self.extent.y.max(point.y));
    }
}

impl RenderBackend for Canvas<'_> {
    fn draw_rect(
        &mut self,
        at: Point,
        size: Point,
        _: &StyleAttr,
        index: Option<String>,
        _: Option<ClipHandle>,
    ) {
        self.reach(at.add(size));
        let Some(index) = index.and_then(|index| index.parse::<usize>().ok()) else { return };
        let node = &self.nodes[index];
        let link = node.link.as_ref().map(|link| format!("<a href=\"#{link}\">"));
        let _ = write!(
            self.content,
            "<g id=\"{}\" class=\"{}\">{}<title>{}</title><rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\"/><text>",
            id(self.name, index),
            node.class,
            link.as_deref().unwrap_or_default(),
            escaped(&node.title),
            at.x,
            at.y,
            size.x,
            size.y
        );
        let mut y = at.y + PADDING / 2.0 + 11.0;
        for line in &node.lines {
            let x = at.x + PADDING / 2.0;
            let _ = write!(self.content, "<tspan x=\"{x:.0}\" y=\"{y:.0}\">{}</tspan>", escaped(line));
            y += LINE;
        }
        let _ = writeln!(self.content, "</text>{}</g>", if link.is_some() { "</a>" } else { "" });
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        dashed: bool,
        (backward, forward): (bool, bool),
        _: &StyleAttr,
        _: Option<String>,
        _: &str,
    ) {
        path.iter().for_each(|&(point, _)| self.reach(point));
        let [(start, leaving), (entering, next), rest @ ..] = path else { return };
        let _ = write!(
            self.content,
            "<path class=\"{}\" d=\"M{:.0} {:.0}C{:.0} {:.0} {:.0} {:.0} {:.0} {:.0}",
            if dashed { "arrow dashed" } else { "arrow" },
            start.x,
            start.y,
            leaving.x,
            leaving.y,
            entering.x,
            entering.y,
            next.x,
            next.y
        );
        for (entering, next) in rest {
            let _ = write!(self.content, "S{:.0} {:.0} {:.0} {:.0}", entering.x, entering.y, next.x, next.y);
        }
        let head =
            |is_there, name| if is_there { format!(" marker-{name}=\"url(#head)\"") } else { String::new() };
        let _ = writeln!(self.content, "\"{}{}/>", head(backward, "start"), head(forward, "end"));
    }

    // Boxes write their text themselves; nothing else is in the graphs.
    fn draw_text(&mut self, _: Point, _: &str, _: &StyleAttr) {}

    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::{Edge, FAR, Node, Order, drawing};

    #[test]
    fn what_closes_a_cycle_jumps_back() {
        let edge = |from, to| Edge { from, to, dashed: false };
        // Two loops, one in the other, a way around both, and a loop that nothing leads to.
        let edges =
            [edge(2, 1), edge(0, 1), edge(1, 2), edge(2, 0), edge(0, 3), edge(3, 3), edge(4, 5), edge(5, 4)];
        let Order { is_back, row, .. } = Order::new(6, &edges);
        assert_eq!(is_back, [true, false, false, true, false, true, false, true]);
        assert_eq!(row, [0, 1, 2, 1, 0, 1]);
    }

    #[test]
    fn a_long_arrow_is_a_jump_with_a_link() {
        let node = |index| Node { name: format!("L{index}"), class: "box".into(), ..Node::default() };
        let nodes: Vec<Node> = (0..FAR + 2).map(node).collect();
        let mut edges: Vec<Edge> = (0..=FAR).map(|from| Edge { from, to: from + 1, dashed: false }).collect();
        edges.push(Edge { from: 0, to: FAR, dashed: false });
        edges.push(Edge { from: 0, to: FAR + 1, dashed: false });
        let text = drawing("f", &nodes, &edges);
        assert_eq!(text.matches("class=\"condition\"").count(), 1, "{text}");
        assert!(text.contains(&format!("<a href=\"#f-{}\">", FAR + 1)), "{text}");
        assert!(text.contains(&format!(">to L{}<", FAR + 1)), "{text}");
    }

    /// Graphs of any shape: chains, jumps back, edges to themselves and twice the same, parts that are apart.
    #[test]
    fn every_graph_is_drawn_with_all_its_boxes_and_arrows() {
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let number = rng.usize(1..40);
            let nodes: Vec<Node> = (0..number)
                .map(|index| Node {
                    lines: vec![format!("box {index} <&>"); rng.usize(0..4)],
                    class: "box".into(),
                    ..Node::default()
                })
                .collect();
            let edges: Vec<Edge> = (0..rng.usize(0..2 * number))
                .map(|_| Edge { from: rng.usize(0..number), to: rng.usize(0..number), dashed: rng.bool() })
                .collect();
            let text = drawing("f", &nodes, &edges);
            assert_eq!(text.matches(" class=\"box\">").count(), nodes.len(), "{seed}");
            assert_eq!(text.matches("<path class=\"arrow").count(), edges.len(), "{seed}");
            assert_eq!(text.matches("marker-").count(), edges.len(), "{seed}");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{seed}: {text}");
        }
    }
}
