//! Random small programs as text: branches, loops, calls, recursion, function pointers, memory, arithmetic
//! that wraps around, few bits of input.

use fastrand::Rng;
use std::fmt::Write;

/// Optional features of the programs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct With {
    /// Whether functions call each other, `d` levels deep: up to a few, as an input says.
    pub(crate) recursion: bool,
    /// Whether numbers are only added and subtracted, with relations between the entry and exit values of
    /// functions.
    pub(crate) relations: bool,
    /// Whether ranges of memory are filled and copied, by functions that do nothing else.
    pub(crate) ranges: bool,
    /// Whether control flow is tangled: loops with breaks, continues and several entries, returns and calls
    /// inside of loops. Also, variables are read without being written, and some are wide.
    pub(crate) tangled: bool,
    /// Whether each operation of an expression has a result: no division, no access outside of an object.
    pub(crate) defined: bool,
}

/// The text of the program of a seed.
pub(crate) fn program(seed: u64, with: With) -> String {
    let rng = Rng::with_seed(seed);
    let (text, labels, ends, loops) = (String::new(), Vec::new(), Vec::new(), Vec::new());
    Generator { rng, text, label: 0, inputs: 0, targets: 0, with, labels, ends, loops }.program()
}

struct Generator {
    rng: Rng,
    text: String,
    label: u32,
    inputs: u32,
    targets: u32,
    with: With,
    /// The labels of the function so far, if it is tangled.
    labels: Vec<String>,
    /// The targets of the function so far.
    ends: Vec<String>,
    /// The head and end of each loop around.
    loops: Vec<[String; 2]>,
}

/// Functions that fill and copy ranges, as the lowering makes them.
const RANGES: &str = "fn fill(to: i8, from: i8, size: i8) {
  var i: i8
  i := 0
  more: while i + 1 <=u size goto body else done
  body: m[to + i] := from
  i := i + 1 goto more
  done: exit
}
fn copy(to: i8, from: i8, size: i8) {
  var i: i8
  if to <=u from goto up else down
  up: i := 0
  upwards: while i + 1 <=u size goto next else done
  next: m[to + i] := m[from + i]
  i := i + 1 goto upwards
  down: i := size
  downwards: while 0 <u i goto last else done
  last: i := i - 1
  m[to + i] := m[from + i] goto downwards
  done: exit
}
";

const VARS: [&str; 5] = ["a", "b", "g", "h", "p"];

impl Generator {
    fn program(mut self) -> String {
        self.text.push_str("beeline 1.0\nentry main\n");
        let more = if self.with.ranges { ", 0x18+4" } else { "" };
        writeln!(self.text, "region m: i8 -> i8 in 0x10+6{more} := 0x0: 7 * 256").unwrap();
        self.text.push_str("global g: i8 := 1\nglobal h: i8 := 0\n");
        for (name, address) in [("f", 0x40), ("k", 0x41)] {
            let deep = if self.with.recursion { ", d: i3" } else { "" };
            write!(
                self.text,
                "fn {name}(p: i8{deep}) -> r: i8 at {address:#x} {{\n  var a: i8, b: i8, t: i3\n"
            )
            .unwrap();
            self.begin("  a := p\n  b := 0\n  t := 0\n");
            if self.with.recursion {
                self.text.push_str("  r := p\n  if d == 0 goto last else deeper\n  deeper: skip\n");
            }
            self.statements(2, self.with.recursion || name == "k");
            let value = self.expr(2);
            write!(self.text, "  r := {value}\n  last:").unwrap();
            if self.with.relations {
                self.relations();
            }
            self.text.push_str(" exit\n}\n");
        }
        self.text.push_str("fn main() {\n  var a: i8, b: i8, p: i8, t: i3, d: i3\n");
        self.begin("  a := 3\n  b := 0\n  p := 1\n  t := 0\n  d := 1\n");
        if self.with.recursion {
            self.text.push_str("  d := input \"deep\"\n  d := (d & 1) + 2\n");
        }
        self.statements(3, true);
        self.fail();
        self.text.push_str(if self.with.tangled { "  last: exit\n}\n" } else { "  exit\n}\n" });
        if self.with.ranges {
            self.text.push_str(RANGES);
        }
        self.text
    }

    fn fresh(&mut self) -> String {
        self.label += 1;
        format!("l{}", self.label)
    }

    /// Begins the body of a function: its variables get values; in a tangled one, only some of them.
    fn begin(&mut self, values: &str) {
        if !self.with.tangled {
            self.text.push_str(values);
            return;
        }
        self.text.push_str("  var w: i128\n");
        self.labels = vec!["start".to_string()];
        self.ends.clear();
        let values: String =
            values.lines().filter(|_| self.rng.u8(..4) > 0).map(|line| format!("{line}\n")).collect();
        // Some begin with a loop.
        self.text.push_str(if self.rng.bool() { "  skip\n" } else { "" });
        write!(self.text, "  start: skip\n{values}").unwrap();
    }

    /// Jumps elsewhere under a condition, computes with many bits, or adds an endless loop.
    fn tangle(&mut self, depth: u32, calls: bool) {
        let (cond, on) = (self.cond(1), self.fresh());
        let around = self.rng.usize(..self.loops.len().max(1));
        let (to, var) = match (self.rng.u8(..18), self.loops.get(around)) {
            (0..=3, Some([_, end])) => (end.clone(), None),
            (4 | 5, Some([head, _])) => (head.clone(), None),
            (6, _) => ("last".to_string(), None),
            (7, _) => (self.labels[self.rng.usize(..self.labels.len())].clone(), None),
            (8 | 9, _) if !self.ends.is_empty() => {
                (self.ends[self.rng.usize(..self.ends.len())].clone(), None)
            }
            (10, _) if depth > 0 => return self.endless(depth, calls),
            (11..=15, _) if depth > 0 => {
                let var = self.pick(&VARS);
                return self.looped(var, depth, calls);
            }
            (_, _) => (String::new(), Some(self.pick(&VARS))),
        };
        match var {
            None => {
                writeln!(self.text, "  if {cond} goto {to} else {on}\n  {on}: skip").unwrap();
                self.labels.push(on);
            }
            Some(var) if self.rng.bool() => writeln!(self.text, "  w := zext({var}, i128) * w - w").unwrap(),
            Some(var) => writeln!(self.text, "  {var} := trunc(w >>u 125i128, i8)").unwrap(),
        }
    }

    /// A loop with a condition.
    fn looped(&mut self, var: &str, depth: u32, calls: bool) {
        let (head, body, end) = (self.fresh(), self.fresh(), self.fresh());
        let cond = self.cond(0);
        writeln!(self.text, "  {head}: while {cond} goto {body} else {end}\n  {body}: skip").unwrap();
        self.loops.push([head.clone(), end.clone()]);
        self.statements(depth - 1, calls && self.with.tangled);
        self.loops.pop();
        let step = self.rng.u8(1..3);
        writeln!(self.text, "  {var} := {var} + {step} goto {head}\n  {end}: skip").unwrap();
    }

    /// A loop without an end of its own.
    fn endless(&mut self, depth: u32, calls: bool) {
        let (head, end) = (self.fresh(), self.fresh());
        writeln!(self.text, "  {head}: skip").unwrap();
        self.loops.push([head.clone(), end.clone()]);
        self.statements(depth - 1, calls);
        self.loops.pop();
        writeln!(self.text, "  skip goto {head}\n  {end}: skip").unwrap();
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.rng.usize(..list.len())]
    }

    /// Relations at the exit of a function, whatever the path to it.
    fn relations(&mut self) {
        self.text.push_str(" skip\n");
        for _ in 0..self.rng.u32(..4) {
            let (var, value) = (self.pick(&["g", "h", "r"]), self.sum(&["p", "g", "h", "r"]));
            writeln!(self.text, "  {var} := {value}").unwrap();
        }
    }

    /// A sum of two terms. Even numbers leave relations that odd ones would not.
    fn sum(&mut self, vars: &[&str]) -> String {
        let number = self.pick(&["0i8", "1i8", "2i8", "4i8", "64i8", "128i8"]);
        let (x, op) = (self.pick(vars), self.pick(&["+", "-"]));
        match self.rng.u8(..4) {
            0 => number.to_string(),
            1 => format!("({x} {op} {})", self.pick(vars)),
            _ => format!("({x} {op} {number})"),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if self.with.relations {
            return self.sum(&VARS);
        }
        if depth == 0 || self.rng.u8(..4) == 0 {
            return match self.rng.u8(..3) {
                0 => format!("{}i8", self.rng.u8(..4)),
                _ => self.pick(&VARS).to_string(),
            };
        }
        let (x, y) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.rng.u8(..12) {
            0 if !self.with.defined => format!("(m[{x}])"),
            0 | 1 => format!("(m[({x} & 3) + 16])"),
            2 => format!("({} ? {x} : {y})", self.cond(1)),
            3 => format!("trunc(m[({x} & 3) + 16, i16], i8)"),
            _ => {
                let ops =
                    ["+", "-", "*", "&", "|", "^", "/u", "%u", "/s", "%s", "<<", ">>u", ">>s", "+", "-"];
                let op = match self.pick(&ops) {
                    "/u" | "%u" | "/s" | "%s" if self.with.defined => "+",
                    op => op,
                };
                format!("({x} {op} {y})")
            }
        }
    }

    fn cond(&mut self, depth: u32) -> String {
        if depth > 0 && self.rng.u8(..4) == 0 {
            let (x, y) = (self.cond(depth - 1), self.cond(depth - 1));
            return match self.rng.u8(..3) {
                0 => format!("({x} && {y})"),
                1 => format!("({x} || {y})"),
                _ => format!("!({x})"),
            };
        }
        let (x, y) = (self.expr(1), self.expr(1));
        format!("{x} {} {y}", self.pick(&["==", "!=", "<u", "<=s", "<s", "<=u"]))
    }

    fn fail(&mut self) {
        let (bad, fine) = (self.fresh(), self.fresh());
        let cond = self.cond(1);
        self.targets += 1;
        if self.with.tangled {
            self.ends.push(bad.clone());
        }
        writeln!(self.text, "  if {cond} goto {bad} else {fine}\n  {bad}: target \"t{}\"", self.targets)
            .unwrap();
        writeln!(self.text, "  {fine}: skip").unwrap();
    }

    fn statements(&mut self, depth: u32, calls: bool) {
        for _ in 0..self.rng.u32(1..4) {
            self.statement(depth, calls);
        }
    }

    /// Fills or copies a range of bytes, most of them valid.
    fn range(&mut self) {
        let address = |generator: &mut Generator| match generator.rng.u8(..8) {
            0 => generator.expr(1),
            1 => format!("{}i8", generator.rng.u8(14..30)),
            2 => format!("({} & 1) + 24", generator.expr(1)),
            _ => format!("({} & 3) + 16", generator.expr(1)),
        };
        let to = address(self);
        let (name, from) = if self.rng.bool() { ("copy", address(self)) } else { ("fill", self.expr(1)) };
        let size = match self.rng.u8(..6) {
            0 => self.expr(1),
            1 => format!("{}i8", self.rng.u8(..5)),
            _ => format!("({} & 3)", self.expr(1)),
        };
        writeln!(self.text, "  call {name}({to}, {from}, {size})").unwrap();
    }

    fn statement(&mut self, depth: u32, calls: bool) {
        if self.with.ranges && self.rng.u8(..3) == 0 {
            return self.range();
        }
        if self.with.tangled && self.rng.u8(..4) == 0 {
            return self.tangle(depth, calls);
        }
        let var = self.pick(&VARS);
        match self.rng.u8(..14) {
            0 | 1 if depth > 0 => {
                let (then, otherwise, end) = (self.fresh(), self.fresh(), self.fresh());
                let cond = self.cond(1);
                writeln!(self.text, "  if {cond} goto {then} else {otherwise}\n  {then}: skip").unwrap();
                self.statements(depth - 1, calls);
                writeln!(self.text, "  skip goto {end}\n  {otherwise}: skip").unwrap();
                self.statements(depth - 1, calls);
                writeln!(self.text, "  {end}: skip").unwrap();
            }
            2 | 3 if depth > 0 => self.looped(var, depth, calls),
            4 | 5 if self.inputs < 3 => {
                self.inputs += 1;
                self.input(var);
            }
            6 | 7 if calls => {
                let value = self.expr(1);
                let callee = if self.rng.u8(..5) == 0 { "k" } else { "f" };
                let deep = if self.with.recursion { ", d - 1" } else { "" };
                if self.rng.u8(..4) == 0 {
                    let cond = self.cond(0);
                    writeln!(
                        self.text,
                        "  {var} := call ({cond} ? 0x40i64 : 0x41i64)({value}{deep}) among f, k"
                    )
                    .unwrap();
                } else {
                    writeln!(self.text, "  {var} := call {callee}({value}{deep})").unwrap();
                }
            }
            8 => {
                let (addr, value) = (self.expr(1), self.expr(1));
                writeln!(self.text, "  m[({addr} & 3) + 16] := {value}").unwrap();
            }
            9 => {
                let (addr, value) = (self.expr(1), self.expr(1));
                writeln!(self.text, "  m[({addr} & 3) + 16] := zext({value}, i16) * 257").unwrap();
            }
            10 => self.fail(),
            11 => {
                let (x, y) = (self.expr(1), self.expr(1));
                writeln!(self.text, "  a, b := {x}, {y}").unwrap();
            }
            _ => {
                let value = self.expr(2);
                writeln!(self.text, "  {var} := {value}").unwrap();
            }
        }
    }

    /// Few bits of input, or a choice between few values.
    fn input(&mut self, var: &str) {
        if self.rng.bool() {
            let op = self.pick(&["zext", "sext"]);
            writeln!(self.text, "  t := input \"bits\"\n  {var} := {op}(t, i8)").unwrap();
            return;
        }
        let end = self.fresh();
        let choices = self.rng.u8(2..5);
        for choice in 0..choices {
            let lead = if choice == 0 { "" } else { "| " };
            let value = self.rng.u8(..6);
            writeln!(self.text, "  {lead}{var} := {value} goto {end}").unwrap();
        }
        writeln!(self.text, "  {end}: skip").unwrap();
    }
}
