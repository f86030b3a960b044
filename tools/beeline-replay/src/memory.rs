//! What memory holds in a counterexample that the program has not written: variables that are not set, allocated
//! memory, and what pointers from outside lead to. The native program is given the same.

use crate::inputs::place;
use beeline_ir::{EdgeId, Op, Outlined, Program, RegionId, Value, VarId};
use beeline_llvm::native::Storage;
use beeline_lower::libc::reads_environment;
use beeline_lower::{Begun, HEAP_NEXT, LIVES};
use beeline_module::DebugVar;
use beeline_run::{Choice, RunPath, RunStep};
use beeline_witness::execution::{Executed, Place};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Write;

/// Bytes behind a pointer from outside that the program may write.
const ROOM: u64 = 1 << 12;
/// More memory than this is not laid out.
const MOST_MEMORY: u64 = 1 << 28;
/// Paths with more memory than this share no program.
const MOST_SHARED: u64 = 1 << 20;
/// More bytes than this are not forced.
const MOST_BYTES: usize = 1 << 16;

/// The greatest number of arguments of `main` in readable text.
const MOST_TOLD: u64 = 64;

/// A byte that memory is to hold when it begins to exist for the so-manieth time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fill {
    storage: usize,
    time: usize,
    offset: u64,
    byte: u8,
}

/// A variable that is not set, or memory that is not written, with what a counterexample has there.
#[derive(Debug, Clone)]
struct Found {
    what: What,
    /// How often it was allocated before.
    time: usize,
    value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum What {
    /// A variable of a function, when that is called.
    Local(VarId),
    /// A variable of a block, when control reaches its declaration.
    Block(VarId),
    /// A byte of memory that a variable has: the region's name, and the distance from its begin.
    Region(String, u64),
    /// A byte of an object on the heap.
    Heap(u64),
    /// Bytes of a variable of a function when its life begins.
    Begun(String, Begun),
}

/// Memory behind pointers from outside.
#[derive(Debug, Default)]
struct Chunk {
    start: u64,
    end: u64,
    bytes: BTreeMap<u64, u8>,
}

/// The contents of memory.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    found: Vec<Found>,
    chunks: Vec<Chunk>,
}

impl Contents {
    /// The contents for a counterexample, whose execution is known.
    pub(crate) fn of(program: &Program, path: &RunPath, executed: &Executed) -> Contents {
        let mut contents = Contents { found: locals(program, path, executed), chunks: Vec::new() };
        let mut outside = Vec::new();
        let mut read: HashMap<_, usize> = HashMap::new();
        let heap = heap_objects(program, executed);
        let slots = slots(program, executed);
        // Smaller than the distance of two slots.
        let slot_size = if program.pointer_width == 64 { 1 << 36 } else { 1 << 14 };
        for choice in &path.choices {
            let Choice::Cell { region, addr, value } = choice else { continue };
            // The system sets these natively, too.
            if is_main(program) && beeline_lower::is_in_list(program.pointer_width, *addr) {
                continue;
            }
            if is_of_argument(program, *addr) {
                outside.push((*addr, value));
                continue;
            }
            if let Some(slot) = slots.iter().rev().find(|slot| addr.wrapping_sub(slot.base) < slot_size) {
                let offset = addr - slot.base;
                let what = What::Begun(slot.function.clone(), Begun { offset, ..slot.begun.clone() });
                contents.found.push(Found { what, time: slot.time, value: value.clone() });
                continue;
            }
            let name = region_name(program, *region);
            match name.split('.').next() {
                Some("heap") => {
                    let below = heap.iter().enumerate().filter(|(_, base)| *base <= addr);
                    if let Some((time, base)) = below.max_by_key(|(_, base)| **base) {
                        let what = What::Heap(addr - base);
                        contents.found.push(Found { what, time, value: value.clone() });
                    }
                }
                Some("outside") => outside.push((*addr, value)),
                _ => {
                    if let Some(what) = of_region(program, *region, *addr) {
                        let time = read.entry((*region, *addr)).or_insert(0);
                        contents.found.push(Found { what, time: *time, value: value.clone() });
                        *time += 1;
                    }
                }
            }
        }
        contents.lay_out(program, path, &outside);
        contents
    }

    /// The functions whose variables are forced; an empty name stands for the heap.
    pub(crate) fn functions(&self, program: &Program) -> HashSet<String> {
        let owner =
            |var: VarId| program.vars[var].owner.map(|owner| program.source_function(owner).to_string());
        let mut names = HashSet::new();
        for found in &self.found {
            match &found.what {
                What::Local(var) | What::Block(var) => names.extend(owner(*var)),
                What::Region(name, _) => {
                    names.extend(name.split_once('.').map(|(owner, _)| owner.to_string()))
                }
                What::Heap(_) => {
                    names.insert(String::new());
                }
                What::Begun(function, _) => {
                    names.insert(function.clone());
                }
            }
        }
        names
    }

    /// Groups the memory behind pointers from outside into chunks.
    fn lay_out(&mut self, program: &Program, path: &RunPath, cells: &[(u64, &Value)]) {
        let entry = &program.functions[program.entry];
        let number = |value: &Value| value.as_bits().and_then(|bits| bits.to_u64());
        let given = |index: usize| {
            let var = *entry.params.get(index)?;
            path.choices.iter().find_map(|choice| match choice {
                Choice::Unwritten { var: read, value } if *read == var => number(value),
                _ => None,
            })
        };
        let mut ranges: Vec<(u64, u64)> = cells
            .iter()
            .map(|(addr, value)| (*addr, addr.saturating_add(bytes(value).len() as u64)))
            .collect();
        if !is_main(program) {
            ranges.extend(
                (0..entry.params.len())
                    .filter_map(given)
                    .filter(|addr| *addr >= 4096)
                    .map(|addr| (addr, addr)),
            );
        }
        ranges.extend(environment(program, path).map(|(.., addr)| (addr, addr)));
        // A cell may hold a pointer to memory of which nothing is read.
        ranges.sort_unstable();
        for (start, end) in ranges {
            let end = end.saturating_add(ROOM);
            match self.chunks.last_mut() {
                Some(last) if start <= last.end => last.end = last.end.max(end),
                _ => self.chunks.push(Chunk { start, end, bytes: BTreeMap::new() }),
            }
        }
        if self.chunks.iter().map(|chunk| chunk.end - chunk.start).sum::<u64>() > MOST_MEMORY {
            self.chunks.clear();
        }
        for (addr, value) in cells {
            let Some(chunk) = self.chunks.iter_mut().find(|chunk| (chunk.start..chunk.end).contains(addr))
            else {
                continue;
            };
            for (index, byte) in bytes(value).into_iter().enumerate() {
                chunk.bytes.entry(addr + index as u64).or_insert(byte);
            }
        }
    }

    /// The address as C, if a pointer from outside leads there: in an array, by its number.
    fn pointer_in(&self, addr: u64, array: impl Fn(usize) -> String) -> Option<String> {
        let at = self.chunks.iter().position(|chunk| (chunk.start..chunk.end).contains(&addr))?;
        Some(format!("(void *)({} + {})", array(at), addr - self.chunks[at].start))
    }

    /// The address as C for any of the paths that share a program, if a pointer from outside leads there.
    pub(crate) fn pointer(&self, addr: u64) -> Option<String> {
        self.pointer_in(addr, |number| format!("path->outside[{number}].bytes"))
    }

    /// Whether memory behind a pointer from outside has room for a number of bytes.
    pub(crate) fn has_room(&self, addr: u64, size: u64) -> bool {
        self.chunks.iter().any(|chunk| (chunk.start..chunk.end).contains(&addr) && size <= chunk.end - addr)
    }

    /// The memory behind the pointers that the program is given, as readable text: names and contents.
    pub(crate) fn told(&self, program: &Program, path: &RunPath) -> Vec<(String, String)> {
        let mut told = self.told_at_start(program, path);
        told.extend(environment(program, path).filter_map(|(function, edge, addr)| {
            Some((format!("*{function}() at {}", place(program, edge)), self.text(addr)?))
        }));
        told
    }

    fn told_at_start(&self, program: &Program, path: &RunPath) -> Vec<(String, String)> {
        let entry = &program.functions[program.entry];
        if is_main(program) {
            let text = |index| self.text(beeline_lower::text_of_argument(program.pointer_width, index));
            return (0..MOST_TOLD)
                .filter_map(|index| Some((format!("argv[{index}]"), text(index)?)))
                .collect();
        }
        let told = path.choices.iter().filter_map(|choice| match choice {
            Choice::Unwritten { var, value } if entry.params.contains(var) => {
                let source = program.vars[*var].source.as_ref().filter(|source| source.ty.ends_with('*'))?;
                let addr = value.as_bits()?.to_u64()?;
                let is_text = source.ty.split(' ').any(|word| word == "char");
                let shown = if is_text { self.text(addr) } else { self.hexadecimal(addr) };
                Some((format!("*{}", source.name), shown?))
            }
            _ => None,
        });
        told.collect()
    }

    /// The bytes from an address on that a counterexample determines.
    fn bytes_at(&self, addr: u64) -> impl Iterator<Item = u8> + '_ {
        let chunk = self.chunks.iter().find(|chunk| (chunk.start..chunk.end).contains(&addr));
        chunk
            .into_iter()
            .flat_map(move |chunk| (addr..chunk.end).map_while(|at| chunk.bytes.get(&at).copied()))
    }

    /// The text at an address, without its end.
    fn text(&self, addr: u64) -> Option<String> {
        self.bytes_at(addr).next()?;
        let bytes: Vec<u8> = self.bytes_at(addr).take_while(|byte| *byte != 0).collect();
        Some(format!("\"{}\"", bytes.escape_ascii()))
    }

    /// The first bytes at an address.
    fn hexadecimal(&self, addr: u64) -> Option<String> {
        let bytes: Vec<String> = self.bytes_at(addr).take(16).map(|byte| format!("{byte:02x}")).collect();
        (!bytes.is_empty()).then(|| format!("the bytes {}", bytes.join(" ")))
    }

    /// The tables of a path with the memory behind pointers from outside and the pointers in it, and the names and lengths of
    /// these tables.
    pub(crate) fn outside(&self, path: usize, pointer_width: u32) -> (String, String) {
        let mut text = String::new();
        let (mut chunks, mut pointers) = (Vec::new(), Vec::new());
        let array = |number: usize| format!("beeline_outside_{path}_{number}");
        let width = u64::from(pointer_width / 8);
        for (number, chunk) in self.chunks.iter().enumerate() {
            let size = chunk.end - chunk.start;
            let bytes = chunk.bytes.iter().filter(|(_, byte)| **byte != 0);
            let bytes: Vec<String> =
                bytes.map(|(at, byte)| format!("[{}] = {byte}", at - chunk.start)).collect();
            let name = array(number);
            let _ = writeln!(
                text,
                "__attribute__((aligned(16))) static unsigned char {name}[{size}] = {{{}}};",
                bytes.join(", ")
            );
            chunks.push(format!("{{{name}, {}ull, {size}ull}}", chunk.start));
            for (at, target) in chunk.pointers(width) {
                let target = self.pointer_in(target, array);
                pointers.extend(target.map(|target| format!("{{{name} + {}, {target}}}", at - chunk.start)));
            }
        }
        // An array must not be empty.
        let listed = |list: &[String]| if list.is_empty() { "{0}".into() } else { list.join(", ") };
        for (table, list) in [("chunk", &chunks), ("pointer", &pointers)] {
            let list = listed(list);
            let _ = writeln!(text, "static const struct {table} beeline_{table}s_{path}[] = {{{list}}};");
        }
        let (chunks, pointers) = (chunks.len(), pointers.len());
        (text, format!("beeline_chunks_{path}, {chunks}, beeline_pointers_{path}, {pointers}"))
    }

    /// What has to be equal for paths to share a program: nothing, unless there is much memory.
    pub(crate) fn shape(&self) -> String {
        let size: u64 = self.chunks.iter().map(|chunk| chunk.end - chunk.start).sum();
        if size > MOST_SHARED { format!("{:?}", self.chunks) } else { String::new() }
    }

    /// The table with a name of bytes that memory is given when it begins to exist, and how many there are.
    pub(crate) fn fills(&self, name: &str, program: &Program, storage: &[Storage]) -> (String, usize) {
        let fills = self.forced(program, storage);
        let mut text = format!("static const struct fill {name}[] = {{\n");
        for fill in &fills {
            let time = if fill.time == usize::MAX { "-1".into() } else { fill.time.to_string() };
            // All that is on the heap is counted together.
            let on_heap = matches!(storage[fill.storage], Storage::Heap);
            let storage = if on_heap { "-1".into() } else { fill.storage.to_string() };
            let _ = writeln!(text, "  {{{storage}, {time}, {}, {}}},", fill.offset, fill.byte);
        }
        text.push_str("  {-2, 0, 0, 0}};\n");
        (text, fills.len())
    }

    fn forced(&self, program: &Program, storage: &[Storage]) -> Vec<Fill> {
        let mut fills = Vec::new();
        for found in &self.found {
            for (number, place) in storage.iter().enumerate() {
                let Some(offset) = offset_of(program, place, &found.what) else { continue };
                // A variable that is not read into holds the same each time that it begins to exist.
                let of_region = matches!((&found.what, place), (What::Region(..), Storage::Variable { .. }));
                if of_region && found.time > 0 {
                    continue;
                }
                let time = if of_region { usize::MAX } else { found.time };
                let limit = if let Storage::Read { limit, .. } = place { *limit } else { None };
                let bytes = bytes(&found.value).into_iter().zip(offset..);
                let bytes = bytes.filter(|(_, offset)| limit.is_none_or(|limit| *offset < limit));
                fills.extend(bytes.map(|(byte, offset)| Fill { storage: number, time, offset, byte }));
                if matches!(place, Storage::Heap) {
                    // One line for all places that allocate: they are counted together.
                    break;
                }
            }
            if fills.len() > MOST_BYTES {
                break;
            }
        }
        fills
    }
}

/// Whether the program starts as the system starts programs.
fn is_main(program: &Program) -> bool {
    program.functions[program.entry].name == "main"
}

/// Whether an address is in a string argument of `main`, whatever else is in its region.
pub(crate) fn is_of_argument(program: &Program, addr: u64) -> bool {
    is_main(program) && beeline_lower::is_text_of_argument(program.pointer_width, addr)
}

/// The texts that a path finds in the environment: the function that returns one, where, and the address of the text.
fn environment<'a>(
    program: &'a Program,
    path: &'a RunPath,
) -> impl Iterator<Item = (&'a str, EdgeId, u64)> + 'a {
    path.choices.iter().filter_map(|choice| match choice {
        Choice::Input { edge, input: Some(input), value, .. } => {
            let function = program.inputs[*input].as_str();
            let addr = value.as_bits()?.to_u64().filter(|addr| *addr != 0)?;
            reads_environment(function).then_some((function, *edge, addr))
        }
        _ => None,
    })
}

impl Chunk {
    /// The possible pointers in it, by the words that the counterexample has read.
    fn pointers(&self, width: u64) -> Vec<(u64, u64)> {
        let word = |at: u64| {
            (0..width).try_fold(0u64, |word, index| {
                let byte = *self.bytes.get(&(at + index))?;
                Some(word | u64::from(byte) << (8 * index))
            })
        };
        self.bytes
            .keys()
            .filter(|at| (*at - self.start).is_multiple_of(width))
            .filter_map(|&at| Some((at, word(at)?)))
            .collect()
    }
}

/// The variable of a region that has a cell, and where in it that is. A region of several has the name of one of them:
/// only those of the same function are found.
fn of_region(program: &Program, region: RegionId, addr: u64) -> Option<What> {
    let name = region_name(program, region);
    let extents = &program.regions[region].extents;
    if let [extent] = &extents[..] {
        return Some(What::Region(name.to_string(), addr.wrapping_sub(extent.base)));
    }
    let offset = extents.iter().find_map(|extent| {
        let offset = addr.checked_sub(extent.base)?;
        (offset < extent.size).then_some(offset)
    })?;
    let (cell, _) = program.cell_at(addr)?;
    let (owner, _) = name.split_once('.')?;
    Some(What::Region(format!("{owner}.{}", cell.split(['[', '.']).next()?), offset))
}

/// The offset of something in a storage, if it is in there.
fn offset_of(program: &Program, storage: &Storage, what: &What) -> Option<u64> {
    let of_variable = |var: VarId, function: &str, variable: &DebugVar| {
        let data = &program.vars[var];
        let owner = program.source_function(data.owner?);
        let source = data.source.as_ref()?;
        let line = variable.place.map(|place| place.line);
        let same_place = source.span.map(|span| span.line) == line;
        let part = source.name.strip_prefix(&variable.name)?;
        let known = variable.parts.iter().find_map(|known| known.offset_of(part));
        let offset = match part {
            "" => Some(0),
            part => known.or_else(|| part.strip_prefix('.')?.parse().ok()),
        };
        offset.filter(|_| owner == function && same_place)
    };
    match (storage, what) {
        (Storage::Variable { function, variable }, What::Begun(owner, begun)) => {
            (!begun.in_block && is_begun(variable, begun) && owner == function).then_some(begun.offset)
        }
        (Storage::Block { function, variable }, What::Begun(owner, begun)) => {
            (begun.in_block && is_begun(variable, begun) && owner == function).then_some(begun.offset)
        }
        (Storage::Variable { function, variable }, What::Local(var)) => of_variable(*var, function, variable),
        (Storage::Block { function, variable }, What::Block(var)) => of_variable(*var, function, variable),
        (
            Storage::Variable { function, variable } | Storage::Read { function, variable, .. },
            What::Region(name, offset),
        ) => {
            let (owner, rest) = name.split_once('.')?;
            let named = rest == variable.name || rest.strip_prefix(&variable.name)?.starts_with('.');
            (owner == function && named).then_some(*offset)
        }
        (Storage::Result { function }, What::Local(var)) => {
            let returned = program.vars[*var].owner.map(|owner| &program.functions[owner]);
            returned.filter(|owner| owner.name == *function && owner.ret == Some(*var)).map(|_| 0)
        }
        (Storage::Heap, What::Heap(offset)) => Some(*offset),
        _ => None,
    }
}

/// Whether this is the variable whose lifetime begins.
fn is_begun(variable: &DebugVar, begun: &Begun) -> bool {
    variable.name == begun.variable && variable.place.map_or(0, |place| place.line) == begun.line
}

/// The lowering's name for the memory in a region.
fn region_name(program: &Program, region: RegionId) -> &str {
    program.regions[region].name.trim_start_matches("mem.")
}

/// The bytes of a value, the lowest first.
fn bytes(value: &Value) -> Vec<u8> {
    match value {
        Value::Bool(truth) => vec![u8::from(*truth)],
        Value::Bv(bits) | Value::Float(_, bits) => bits.to_le_bytes(),
    }
}

/// Where the objects on the heap begin, in the order in which they are allocated: a step that allocates sets the
/// next free address, or that an object lives, together with a pointer.
fn heap_objects(program: &Program, executed: &Executed) -> Vec<u64> {
    let number = |value: &Value| value.as_bits().and_then(|bits| bits.to_u64());
    let marks = |place: &Place, value: &Value| match place {
        Place::Global(var) => {
            let name = program.vars[*var].name.as_str();
            name == HEAP_NEXT || name.starts_with(LIVES) && value.as_bool() == Some(true)
        }
        _ => false,
    };
    let steps = executed.steps.iter();
    let begins = steps.filter(|step| step.writes.iter().any(|(place, value)| marks(place, value)));
    begins.filter_map(|step| step.writes.first().and_then(|(_, value)| number(value))).collect()
}

/// A variable's life that has an address of its own.
struct Slot {
    base: u64,
    function: String,
    begun: Begun,
    /// The number of earlier lifetimes of the variable.
    time: usize,
}

/// The lives of variables that have addresses of their own, by these.
fn slots(program: &Program, executed: &Executed) -> Vec<Slot> {
    let mut times: HashMap<VarId, usize> = HashMap::new();
    let mut slots = Vec::new();
    for step in &executed.steps {
        // The address of the next slot is taken together with the counter.
        let [(Place::Local(var, _), value), (Place::Global(_), _)] = &step.writes[..] else { continue };
        let data = &program.vars[*var];
        let (Some(begun), Some(owner)) = (Begun::of(&data.name), data.owner) else { continue };
        let Some(base) = value.as_bits().and_then(|bits| bits.to_u64()) else { continue };
        let time = times.entry(*var).or_insert(0);
        let function = program.source_function(owner).to_string();
        slots.push(Slot { base, function, begun, time: *time });
        *time += 1;
    }
    slots.sort_by_key(|slot| slot.base);
    slots
}

/// The kinds of memory, and how often each was allocated.
pub(crate) fn kinds(storage: &[Storage]) -> String {
    let kinds = storage.iter().map(|storage| match storage {
        Storage::Heap => "ON_HEAP, ",
        Storage::Read { limit: None, .. } => "READ, ",
        _ => "PLAIN, ",
    });
    let kinds: String = kinds.collect();
    format!(
        "const unsigned char beeline_kinds[] = {{{kinds}PLAIN}};\nunsigned beeline_times[{}];\n\n",
        storage.len() + 1
    )
}

/// By activation of an execution, how often its function was called before.
fn times(program: &Program, path: &RunPath) -> Vec<usize> {
    let mut calls: HashMap<_, usize> = HashMap::from([(program.entry, 1)]);
    let mut times = vec![0];
    let (outlined, mut active) = (Outlined::new(program), vec![0]);
    for step in &path.steps {
        match step {
            RunStep::Edge(_) => {}
            RunStep::Return(_) => drop(active.pop()),
            // A loop that is a function is a part of the activation that it is called in.
            RunStep::Call(_, callee) if outlined.is_loop(*callee) => {
                let time = active.last().copied().unwrap_or(0);
                times.push(time);
                active.push(time);
            }
            RunStep::Call(_, callee) => {
                let count = calls.entry(*callee).or_insert(0);
                times.push(*count);
                active.push(*count);
                *count += 1;
            }
        }
    }
    times
}

/// The variables of functions that are read before they are set, and those that a declaration gives any value.
fn locals(program: &Program, path: &RunPath, executed: &Executed) -> Vec<Found> {
    let times = times(program, path);
    let mut found = Vec::new();
    let mut declared: HashMap<VarId, usize> = HashMap::new();
    let mut seen = HashSet::new();
    let mut chosen: HashMap<VarId, VecDeque<&Value>> = HashMap::new();
    for choice in &path.choices {
        if let Choice::Unwritten { var, value } = choice {
            chosen.entry(*var).or_default().push_back(value);
        }
    }
    for step in &executed.steps {
        for (place, value) in &step.unset {
            let Place::Local(var, activation) = place else { continue };
            // A counterexample chooses once for each activation. A result is only read where the caller takes it.
            if !seen.insert((*var, *activation)) {
                continue;
            }
            let chosen = chosen.get_mut(var).and_then(VecDeque::pop_front);
            if let Some(value) = value.as_ref().or(chosen) {
                let time = times.get(*activation as usize).copied().unwrap_or(0);
                found.push(Found { what: What::Local(*var), time, value: value.clone() });
            }
        }
        if let Op::Havoc(var, None) = program.edges[step.edge()].op
            && let Some((_, value)) = step.writes.first()
        {
            let time = declared.entry(var).or_insert(0);
            let data = &program.vars[var];
            let owner = data.owner.map(|owner| program.source_function(owner).to_string());
            let what = match Begun::of(&data.name).zip(owner) {
                Some((begun, owner)) => What::Begun(owner, begun),
                None => What::Block(var),
            };
            found.push(Found { what, time: *time, value: value.clone() });
            *time += 1;
        }
    }
    found
}
