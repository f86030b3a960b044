//! The error path: what happens on the way to the error, line by line, with the values it happens with.
//!
//! The steps and the values from outside stand in the `.run` file; the interpreter tells the rest.

use beeline_interp::{Execution, Limits, Machine, Oracle, Source};
use beeline_ir::{AssumeKind, EdgeId, Expr, ExprId, FloatKind, FuncId, Op, Program, RegionId, Span, Type};
use beeline_ir::{Value, VarId};
use beeline_run::{Choice, RunPath, RunStep};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The way to an error.
#[derive(Debug, Default)]
pub struct ErrorPath {
    /// What happens, in order.
    pub moments: Vec<Moment>,
    /// The values that the condition in front of the error reads.
    pub here: Vec<String>,
    /// The calls that are active at the error, the innermost first: where, and in which function.
    pub callers: Vec<(Option<Span>, String)>,
    /// The function that the error is in.
    pub function: String,
}

/// What happens on one line, as long as the execution stays there.
#[derive(Debug)]
pub struct Moment {
    /// Where.
    pub span: Span,
    /// How many calls are active, beyond the first.
    pub depth: usize,
    /// What happens.
    pub notes: Vec<String>,
}

impl ErrorPath {
    /// Follows the path of a result.
    pub fn follow(program: &Program, path: &RunPath) -> ErrorPath {
        let edges: Vec<EdgeId> = path
            .steps
            .iter()
            .filter_map(|step| match step {
                RunStep::Edge(edge) | RunStep::Call(edge, _) => Some(*edge),
                RunStep::Return(_) => None,
            })
            .collect();
        let mut oracle = Chosen::new(&path.choices);
        let machine = Machine::new(program);
        let limits = Limits { depth: usize::MAX, ..Limits::default() };
        let mut walk = Walk {
            program,
            execution: machine.follow(&edges, &mut oracle, &limits),
            calls: Vec::new(),
            condition: None,
            found: ErrorPath::default(),
        };
        walk.parameters(program.entry);
        for step in &path.steps {
            if walk.execution.step().is_err() {
                break;
            }
            walk.step(step);
        }
        walk.finish(path)
    }
}

struct Walk<'a> {
    program: &'a Program,
    execution: Execution<'a>,
    /// The active calls with the functions they are in.
    calls: Vec<(EdgeId, FuncId)>,
    /// The condition taken last.
    condition: Option<ExprId>,
    found: ErrorPath,
}

impl Walk<'_> {
    /// What the parameters of the entry are.
    fn parameters(&mut self, entry: FuncId) {
        let params = self.program.functions[entry].params.clone();
        for param in params {
            let span = self.program.vars[param].source.as_ref().and_then(|source| source.span);
            if let Some(note) = self.value_of(param) {
                self.note(span, note);
            }
        }
    }

    /// Tells what a step did.
    fn step(&mut self, step: &RunStep) {
        match *step {
            RunStep::Edge(edge) => self.edge(edge),
            RunStep::Call(edge, callee) => {
                let args: Vec<String> = self.program.functions[callee].params.clone().into_iter()
                    .filter_map(|param| self.value_of(param)).collect();
                let name = &self.program.functions[callee].name;
                self.note(self.program.edges[edge].span, format!("calls {name}({})", args.join(", ")));
                let caller = self.program.function_of(self.program.edges[edge].src);
                self.calls.push((edge, caller));
            }
            RunStep::Return(edge) => {
                self.calls.pop();
                let into = self.program.edges[edge].op.as_call().and_then(|call| call.ret);
                if let Some(note) = into.and_then(|var| self.value_of(var)) {
                    self.note(self.program.edges[edge].span, note);
                }
            }
        }
    }

    fn edge(&mut self, id: EdgeId) {
        let edge = &self.program.edges[id];
        match &edge.op {
            Op::Havoc(var, input) => {
                let source = input.map(|input| self.program.inputs[input].as_str());
                let note = match (self.value_of(*var), source) {
                    (Some(note), _) => note,
                    (None, Some(name)) => match self.execution.variable(*var) {
                        Some(value) => format!("{name}() returns {}", shown(&value, "")),
                        None => return,
                    },
                    (None, None) => return,
                };
                self.note(edge.span, note);
            }
            Op::Assign(list) => {
                for (var, _) in list {
                    if let Some(note) = self.value_of(*var) {
                        self.note(edge.span, note);
                    }
                }
            }
            Op::Assume(condition, AssumeKind { branch: true, negated, .. }) => {
                self.condition = Some(*condition);
                self.note(edge.span, if *negated { "false" } else { "true" }.into());
            }
            Op::Assume(condition, _) => self.condition = Some(*condition),
            Op::Store { value, .. } => {
                if let Ok(value) = self.execution.evaluate(*value) {
                    self.note(edge.span, format!("writes {}", shown(&value, "")));
                }
            }
            Op::Skip | Op::HavocRegion(_) | Op::Call(_) => {}
        }
    }

    /// `name = value`, for what has a name in the source.
    fn value_of(&mut self, var: VarId) -> Option<String> {
        let source = self.program.vars[var].source.as_ref()?;
        let value = self.execution.variable(var)?;
        Some(format!("{} = {}", source.name, shown(&value, &source.ty)))
    }

    fn note(&mut self, span: Option<Span>, note: String) {
        let Some(span) = span else { return };
        let depth = self.calls.len();
        match self.found.moments.last_mut() {
            Some(last) if last.span.line == span.line && last.span.file == span.file && last.depth == depth => {
                last.notes.push(note);
            }
            _ => self.found.moments.push(Moment { span, depth, notes: vec![note] }),
        }
    }

    fn finish(mut self, path: &RunPath) -> ErrorPath {
        let program = self.program;
        let mut seen = FxHashSet::default();
        let mut vars = Vec::new();
        let mut open: Vec<ExprId> = self.condition.into_iter().collect();
        while let Some(expr) = open.pop() {
            if let Expr::Var(var) = program.exprs[expr]
                && seen.insert(var)
            {
                vars.push(var);
            }
            open.extend(program.exprs[expr].operands());
        }
        vars.sort();
        self.found.here = vars.into_iter().filter_map(|var| self.value_of(var)).collect();
        let name = |func: FuncId| program.functions[func].name.clone();
        self.found.function = name(program.function_of(path.target));
        let calls = self.calls.iter().rev();
        self.found.callers = calls.map(|(edge, func)| (program.edges[*edge].span, name(*func))).collect();
        self.found
    }
}

/// The choices of a result, for the interpreter: by what they are for, in order.
struct Chosen {
    values: FxHashMap<Key, VecDeque<Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Edge(EdgeId),
    Variable(VarId),
    Cell(RegionId, u64),
}

impl Chosen {
    fn new(choices: &[Choice]) -> Chosen {
        let mut values: FxHashMap<Key, VecDeque<Value>> = FxHashMap::default();
        for choice in choices {
            let (key, value) = match choice {
                Choice::Input { edge, value, .. } => (Key::Edge(*edge), value),
                Choice::Unwritten { var, value } => (Key::Variable(*var), value),
                Choice::Cell { region, addr, value } => (Key::Cell(*region, *addr), value),
            };
            values.entry(key).or_default().push_back(value.clone());
        }
        Chosen { values }
    }
}

impl Oracle for Chosen {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        let key = match *source {
            Source::Input { edge, .. } | Source::Havoc { edge } => Key::Edge(edge),
            Source::Variable(var) => Key::Variable(var),
            Source::Cell(region, addr) => Key::Cell(region, addr),
        };
        self.values.get_mut(&key).and_then(VecDeque::pop_front).unwrap_or_else(|| Value::zero(ty))
    }

    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// A value as C writes it, for a type as the source names it.
pub fn shown(value: &Value, ty: &str) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Bv(bits) if ty.contains('*') => match bits.to_u64() {
            Some(0) => "NULL".into(),
            _ => format!("{:#x}", bits.to_biguint()),
        },
        Value::Bv(bits) if is_unsigned(ty) => bits.to_biguint().to_string(),
        Value::Bv(bits) => bits.to_bigint().to_string(),
        Value::Float(FloatKind::F32, bits) => f32::from_bits(bits.to_u64().unwrap_or(0) as u32).to_string(),
        Value::Float(FloatKind::F64, bits) => f64::from_bits(bits.to_u64().unwrap_or(0)).to_string(),
        Value::Float(kind, bits) => format!("{:#x} ({})", bits.to_biguint(), kind.name()),
    }
}

/// Is a type unsigned, as far as its name tells?
fn is_unsigned(ty: &str) -> bool {
    ty.split(' ').any(|word| {
        word == "unsigned" || word == "size_t" || word == "_Bool" || word == "uintptr_t"
            || (word.starts_with("uint") && word.ends_with("_t")) || ["u8", "u16", "u32", "u64"].contains(&word)
    })
}
