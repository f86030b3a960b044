//! Calls of `sprintf`, `snprintf` and `sscanf` with constant formats: one call of the models for each piece of the
//! format. Calls with other formats have no model, nor have pointers to these functions.

mod printed;
mod scanned;

use crate::instruction::operand_type;
use crate::libc::as_guess;
use crate::models::is_model;
use crate::rewrite::{Types, call_of, declared, for_each_mention, plain, type_of};
use beeline_ir::Bits;
use beeline_module::*;
use rustc_hash::FxHashMap;

/// The prefixes of the models' names.
const MODELS: [&str; 2] = ["__beeline_print_", "__beeline_scan_"];

/// The task of a function with a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// Prints to its first argument.
    Print,
    /// The same, with a limit of room as its second argument.
    PrintInto,
    /// Reads its first argument.
    Scan,
}

/// The functions, and what they do.
const FUNCTIONS: [(&str, Task); 5] = [
    ("sprintf", Task::Print),
    ("snprintf", Task::PrintInto),
    ("sscanf", Task::Scan),
    ("__isoc99_sscanf", Task::Scan),
    ("__isoc23_sscanf", Task::Scan),
];

impl Task {
    /// The index of the argument that is the format.
    fn format(self) -> usize {
        if self == Task::PrintInto { 2 } else { 1 }
    }

    fn pieces(self, format: &[u8], word: u32) -> Option<Vec<Piece>> {
        if self == Task::Scan { scanned::pieces(format, word) } else { printed::pieces(format, word) }
    }

    fn models(self) -> &'static str {
        MODELS[usize::from(self == Task::Scan)]
    }
}

/// A part of a format: the model of its effect, and the arguments of the model.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    model: String,
    given: Vec<Given>,
}

fn piece(model: impl Into<String>, given: impl IntoIterator<Item = Given>) -> Piece {
    Piece { model: model.into(), given: given.into_iter().collect() }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Given {
    /// A number, as a size.
    Size(usize),
    /// A number of 64 bits.
    Number(i64),
    /// The text of the format from a place on.
    Text(usize),
    /// The next argument, which is of this kind.
    Next(TyKind),
    /// The next argument, an int, as a number of 64 bits.
    NextNumber,
}

/// A format that is read from beginning to end.
struct Format<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Format<'a> {
    fn new(text: &'a [u8]) -> Format<'a> {
        let end = text.iter().position(|letter| *letter == 0).unwrap_or(text.len());
        Format { text: &text[..end], at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        self.at += 1;
        self.text.get(self.at - 1).copied()
    }

    /// Takes a letter, if it is the next one.
    fn take(&mut self, letter: u8) -> bool {
        let is_next = self.peek() == Some(letter);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes letters while they are wanted ones.
    fn run(&mut self, is_wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|letter| is_wanted(**letter)).count();
        self.at += length;
        &rest[..length]
    }

    /// A number, if there is one.
    fn number(&mut self) -> Option<i64> {
        std::str::from_utf8(self.run(|letter| letter.is_ascii_digit())).ok()?.parse().ok()
    }

    /// The width in bits of a number, by the letters of its length modifier.
    fn bits(&mut self, word: u32) -> Option<u32> {
        match self.run(|letter| b"hljztqL".contains(&letter)) {
            b"hh" => Some(8),
            b"h" => Some(16),
            b"" => Some(32),
            b"l" | b"z" | b"t" => Some(word),
            b"ll" | b"j" => Some(64),
            _ => None,
        }
    }
}

/// Replaces calls with known formats by calls of the models of their pieces.
pub(crate) fn expand_formats(module: &mut Module) {
    let models = Models::new(module);
    let has_models = |task: &Task| models.functions.contains_key(&format!("{}end", task.models()));
    for (name, task) in FUNCTIONS.into_iter().filter(|(_, task)| has_models(task)) {
        let is_it = |function: &Function| function.name == name && is_model(function);
        let Some((function, model)) = module.functions.iter().find(|(_, function)| is_it(function)) else {
            continue;
        };
        let model = model.clone();
        for site in sites(module, function, task) {
            models.expand(&mut module.functions[site.function], site, task);
        }
        let unknown = declared(module, &as_guess(name), model.ty, &model);
        for_each_mention(module, &mut |id| {
            if *id == function {
                *id = unknown;
            }
        });
    }
    for &(model, _) in models.functions.values() {
        // Messages show these names.
        let name = module.functions[model].name.trim_start_matches("__beeline_").to_string();
        if module.functions.values().all(|function| function.name != name) {
            module.functions[model].name = name;
        }
    }
}

/// Whether a function is the model of a piece of a format.
pub(crate) fn is_piece(function: &Function) -> bool {
    let name = function.name.trim_start_matches("__beeline_");
    is_model(function)
        && MODELS.iter().any(|prefix| name.starts_with(prefix.trim_start_matches("__beeline_")))
}

/// A call, and what it does.
struct Site {
    function: FnId,
    block: BlockId,
    inst: InstId,
    format: GlobalId,
    pieces: Vec<Piece>,
}

/// The calls of a function with known formats.
fn sites(module: &Module, called: FnId, task: Task) -> Vec<Site> {
    let mut found = Vec::new();
    for (id, function) in &module.functions {
        for (block, insts) in function.blocks.iter().map(|(block, data)| (block, &data.insts)) {
            for &inst in insts {
                if let InstKind::Call(call) = &function.insts[inst].kind
                    && matches!(call.callee, Operand::Const(_, Const::Func(callee)) if callee == called)
                    && let Some((format, pieces)) = known(module, function, &call.args, task)
                {
                    found.push(Site { function: id, block, inst, format, pieces });
                }
            }
        }
    }
    found
}

/// The format of a call and its pieces, if the models know it and the arguments fit it.
fn known(
    module: &Module,
    function: &Function,
    args: &[Operand],
    task: Task,
) -> Option<(GlobalId, Vec<Piece>)> {
    let (format, rest) = args.get(task.format()..)?.split_first()?;
    let Operand::Const(_, Const::Global(format, 0)) = format else { return None };
    let text = match &module.globals[*format] {
        Global { constant: true, init: Some(Const::Bytes(bytes)), .. } => bytes.as_slice(),
        Global { constant: true, init: Some(Const::Zero), .. } => &[],
        _ => return None,
    };
    let pieces = task.pieces(text, module.pointer_width)?;
    let int = TyKind::Int(32);
    let wanted: Vec<&TyKind> = pieces
        .iter()
        .flat_map(|piece| &piece.given)
        .filter_map(|given| match given {
            Given::Next(kind) => Some(kind),
            Given::NextNumber => Some(&int),
            _ => None,
        })
        .collect();
    let is_of = |(arg, wanted): (&Operand, &&TyKind)| {
        operand_type(module, function, arg).is_some_and(|ty| module.kind(ty) == *wanted)
    };
    (wanted.len() <= rest.len() && rest.iter().zip(&wanted).all(is_of)).then_some((*format, pieces))
}

/// The models of pieces, and the types of their arguments.
struct Models {
    functions: FxHashMap<String, (FnId, TyId)>,
    types: Types,
    size: TyId,
    width: u32,
    number: TyId,
}

impl Models {
    fn new(module: &mut Module) -> Models {
        let is_one = |function: &Function| MODELS.iter().any(|prefix| function.name.starts_with(prefix));
        let models = module.functions.iter().filter(|(_, function)| is_one(function));
        let functions = models.map(|(id, function)| (function.name.clone(), (id, function.ty))).collect();
        let types = Types::find_or_add(module);
        let width = module.pointer_width;
        let size = type_of(module, TyKind::Int(width), u64::from(width / 8));
        let number = type_of(module, TyKind::Int(64), 8);
        Models { functions, types, size, width, number }
    }

    /// Inserts a call for each piece before a call with all of them, which becomes the call for the end.
    fn expand(&self, function: &mut Function, site: Site, task: Task) {
        let InstKind::Call(call) = &function.insts[site.inst].kind else { return };
        let mut args = call.args.clone();
        let place = function.insts[site.inst].place;
        let mut made = Vec::new();
        let mut push = |ty: TyId, kind: InstKind| {
            made.push(function.insts.push(Inst { place, ..plain(ty, kind) }));
            Operand::Inst(made[made.len() - 1])
        };
        let mut rest = args.split_off(task.format() + 1).into_iter();
        let mut next = || rest.next().expect("the arguments have been counted");
        // Printing takes the buffer, its room and the number of printed bytes; scanning keeps track of its position.
        let mut state = args;
        state.pop();
        match task {
            Task::Print => state.extend([self.of_size(-1), self.of_size(0)]),
            Task::PrintInto => state.push(self.of_size(0)),
            Task::Scan => {
                let begin = self.call(task, "begin", std::mem::take(&mut state));
                push(self.types.void(), begin);
            }
        }
        for piece in site.pieces {
            let mut given = state.clone();
            for one in piece.given {
                given.push(match one {
                    Given::Size(size) => self.of_size(size as i64),
                    Given::Number(number) => {
                        Operand::Const(self.number, Const::Int(Bits::new(64, number as u64)))
                    }
                    Given::Text(at) => {
                        Operand::Const(self.types.ptr(), Const::Global(site.format, at as i64))
                    }
                    Given::Next(_) => next(),
                    Given::NextNumber => push(self.number, InstKind::Cast(CastKind::SExt, next())),
                });
            }
            let call = self.call(task, &piece.model, given);
            let ty = if task == Task::Scan { self.types.void() } else { self.size };
            let done = push(ty, call);
            if let Some(printed) = state.last_mut() {
                *printed = done;
            }
        }
        let end = self.call(task, "end", state);
        function.insts[site.inst].kind = end;
        let insts = &mut function.blocks[site.block].insts;
        let before = insts.iter().position(|inst| *inst == site.inst).unwrap_or(0);
        insts.splice(before..before, made);
    }

    fn of_size(&self, number: i64) -> Operand {
        Operand::Const(self.size, Const::Int(Bits::new(self.width, number as u64)))
    }

    /// A call of a model.
    fn call(&self, task: Task, name: &str, args: Vec<Operand>) -> InstKind {
        let (model, ty) = self.functions[&format!("{}{name}", task.models())];
        call_of(&self.types, model, ty, args, false)
    }
}
