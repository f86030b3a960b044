//! The harness: the C file that a program is linked with, which answers the calls to functions outside of the
//! program.

use crate::given::{Given, mark_number, violating_function};
use crate::inputs::{Inputs, counted, is_input, reads};
use crate::memory::kinds;
use crate::memory_error;
use crate::schedule::{self, Schedule};
use beeline_ir::{Bits, FloatKind, Value};
use beeline_llvm::native::{Declared, DeclaredVariable, ENTRY, NativeType, REACHED, Site};
use beeline_lower::libc::{ASSERTS, reads_environment, takes_list};
use beeline_lower::{DIVISION_TARGET, SHIFT_TARGET};
use beeline_module::names::MARK;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The name suffix of targets that are calls through pointers.
const THROUGH_POINTER: &str = " called through a pointer";
/// The greatest number of arguments of `main` with strings from a counterexample.
const KNOWN_ARGUMENTS: u64 = 4096;
/// The greatest number of other arguments, each with a string of its own.
const OWN_ARGUMENTS: u64 = 16;
/// The names of inputs that runtime.c defines.
const IN_RUNTIME: [&str; 3] = ["__VERIFIER_nondet_memory", "klee_make_symbolic", "random"];
/// Functions of runtime.c that sanitizers have as well.
const INSTEAD: [&str; 4] = ["fopen", "getdelim", "getline", "time"];
/// The name prefix of the target in the lowering's model of `assert`.
const LIBRARY_ASSERT: &str = "__assert_fail in assert";

/// A counterexample with what it gives the native program.
pub(crate) type Case<'g> = (&'g Given, &'g Inputs);

/// The harness of counterexamples of one [`shape`]: the program reads which of them a run is about.
pub(crate) fn text(cases: &[Case<'_>]) -> String {
    let (given, inputs) = cases[0];
    let mut text = format!(
        "/* Written by beeline-replay: it drives a program to {}. */\n\n{}{}{}\n/* The counterexample. */\n\n",
        comment(&given.target().name),
        match (&given.command, inputs.gives_data) {
            (Some(_), _) => "#define AS_COMMAND\n#define READS_OWN_DATA\n",
            (None, false) => "#define READS_OWN_DATA\n",
            (None, true) => "",
        },
        weak(given),
        include_str!("runtime.c")
    );
    if given.has_threads() {
        text.push_str(include_str!("threads.c"));
    }
    if given.command.is_some() {
        text.push_str(include_str!("command.c"));
    }
    let mut paths = String::from("const struct path beeline_paths[] = {\n");
    for (number, case) in cases.iter().enumerate() {
        let (tables, path) = path(number, *case);
        text.push_str(&tables);
        paths.push_str(&path);
    }
    line(&mut text, format!("{paths}}};\n"));
    text.push_str(&kinds(&given.native.storage));
    text.push_str(&reports(cases));
    for (number, declared) in given.native.declared.iter().enumerate() {
        text.push_str(&function(number, declared, cases, inputs));
    }
    text + &start(cases[0])
}

/// Macros that make functions which sanitizers also define weak, unless the program declares them.
fn weak(given: &Given) -> String {
    let mut text = String::new();
    for name in INSTEAD {
        let declares = given.native.declared.iter().any(|function| function.name == name);
        let weak = if declares { "" } else { " __attribute__((weak))" };
        line(&mut text, format!("#define WEAK_{}{weak}", name.to_uppercase()));
    }
    text
}

/// The parts of a harness that have to be equal for counterexamples to share it, apart from tables.
pub(crate) fn shape(case: Case<'_>) -> String {
    case.0.contents.shape() + &start(case)
}

/// The start of the program: its undefined variables, and its entry.
fn start((given, inputs): Case<'_>) -> String {
    let mut text = String::new();
    for (number, variable) in given.native.variables.iter().enumerate() {
        text.push_str(&declared_variable(number, variable, given, inputs));
    }
    match &given.native.entry {
        Some(entry) if given.command.is_some() => text.push_str(&main_of_command(entry)),
        Some(entry) => text.push_str(&main(entry, given, inputs)),
        None => {}
    }
    text
}

/// The tables of a counterexample, and its line in the table of all.
fn path(number: usize, (given, inputs): Case<'_>) -> (String, String) {
    let mut tables = format!("static const struct value beeline_values_{number}[] = {{\n");
    for input in &inputs.values {
        let [low, high] = words(&image(&input.value));
        let (function, place) = (quoted(&input.function), quoted(&input.place));
        line(&mut tables, format!("  {{{function}, {{{low:#x}, {high:#x}}}, {place}}},"));
    }
    line(&mut tables, "  {\"\", {0, 0}, \"\"}};".into());
    let fills = format!("beeline_fills_{number}");
    let (text, fill_count) = given.contents.fills(&fills, given.program, &given.native.storage);
    tables.push_str(&text);
    let (text, outside) = given.contents.outside(number, given.native.pointer_width);
    tables.push_str(&text);
    let _ = writeln!(tables, "static const unsigned long long beeline_arguments_{number}[][2] = {{");
    for var in &given.program.functions[given.program.entry].params {
        let [low, high] = words(&inputs.initial.get(var).map_or(Bits::zero(128), image));
        let _ = writeln!(tables, "  {{{low:#x}, {high:#x}}},");
    }
    line(&mut tables, "  {0, 0}};\n".into());
    let Schedule { turns, created, end } = Schedule::of(given.program, &given.path);
    let told: Vec<String> = turns.iter().map(|(thread, point)| format!("{{{thread}, {point}}}")).collect();
    let _ = writeln!(tables, "static const struct turn beeline_turns_{number}[] = {{{}}};", or_zero(&told));
    let numbers: Vec<String> = created.iter().map(u32::to_string).collect();
    let _ = writeln!(tables, "static const unsigned beeline_created_{number}[] = {{{}}};", or_zero(&numbers));
    let mark = mark_number(given.target()).map_or(-1, i64::from);
    let path = format!(
        "  {{beeline_values_{number}, {}, {fills}, {fill_count}, beeline_arguments_{number}, {}, {mark}, \
         beeline_turns_{number}, {}, beeline_created_{number}, {}, {}, {{{}, {}}}, {outside}}},\n",
        inputs.values.len(),
        given.target,
        turns.len(),
        created.len(),
        u8::from(end.is_some()),
        end.map_or(0, |end| end.0),
        end.map_or(0, |end| end.1)
    );
    (tables, path)
}

/// The elements of an array, which must not be empty.
fn or_zero(list: &[String]) -> String {
    if list.is_empty() { "0".into() } else { list.join(", ") }
}

/// The two words of 128 bits, the lower one first.
fn words(bits: &Bits) -> [u64; 2] {
    [bits.extract(63, 0), bits.extract(127, 64)].map(|word| word.to_u64().unwrap_or(0))
}

/// The report of the harness at a place: whether the path's target is reached there.
fn word(cases: &[Case<'_>], is_reached: impl Fn(&str) -> bool) -> String {
    let reached = cases.iter().filter(|(given, _)| is_reached(&given.target().name));
    let numbers: BTreeSet<usize> = reached.map(|(given, _)| given.target).collect();
    let conditions: Vec<String> = numbers.iter().map(|number| format!("path->target == {number}")).collect();
    match conditions.is_empty() {
        true => "\"other-target\"".into(),
        false => format!("{} ? \"reached\" : \"other-target\"", conditions.join(" || ")),
    }
}

fn line(text: &mut String, line: String) {
    text.push_str(&line);
    text.push('\n');
}

/// The functions that are called before violations.
fn reports(cases: &[Case<'_>]) -> String {
    let mut text = format!("static int assertion;\n\nvoid {REACHED}(int site) {{\n  switch (site) {{\n");
    let mut assertions = String::from("static void fail(void) {\n  switch (assertion) {\n");
    for (number, site) in cases[0].0.native.sites.iter().enumerate() {
        let word = word(cases, |target| is_target(site, target));
        let ends = format!("  case {number}: end({word}, {});", quoted(&name(site)));
        match ASSERTS.contains(&site.callee.as_str()) && site.caller.is_some() {
            // The condition is not evaluated yet.
            true => {
                line(&mut text, format!("  case {number}: assertion = site; break;"));
                line(&mut assertions, ends);
            }
            false => line(&mut text, ends),
        }
    }
    text.push_str("  }\n}\n\n");
    line(&mut text, format!("{assertions}  }}\n}}\n"));
    // The function `assert` of the lowering's library.
    let word = word(cases, |target| target.starts_with(LIBRARY_ASSERT));
    let _ = writeln!(text, "static void assert_failed(void) {{ end({word}, \"assert\"); }}\n");
    text
}

fn name(site: &Site) -> String {
    match &site.caller {
        Some(caller) => {
            let place = site.place.as_ref().map(|(file, line, col)| match col {
                0 => format!(" at {file}:{line}"),
                col => format!(" at {file}:{line}:{col}"),
            });
            format!("{} in {caller}{}", site.callee, place.unwrap_or_default())
        }
        None => format!("{}{THROUGH_POINTER}", site.callee),
    }
}

/// Whether a site is that of a target with a name. Several calls at one place have a number after their
/// names.
fn is_target(site: &Site, target: &str) -> bool {
    let Some(rest) = target.strip_prefix(&name(site)) else { return false };
    // A call without a place has that of the instruction before it.
    rest.is_empty() || rest.starts_with(" (") || site.place.is_none() && rest.starts_with(" at ")
}

/// Whether the bitcode has the target of the counterexample.
pub(crate) fn has_target(given: &Given) -> bool {
    let target = &given.target().name;
    let is_operation = [DIVISION_TARGET, SHIFT_TARGET].iter().any(|what| target.starts_with(what));
    if is_operation || memory_error::kind(given.target()).is_some() || schedule::is_of_threads(given.target())
    {
        return true;
    }
    let declares = |name: &str| given.native.declared.iter().any(|function| function.name == name);
    given.native.sites.iter().any(|site| is_target(site, target))
        || mark_number(given.target()).is_some() && declares(MARK)
        || declares(violating_function(given.target())) && target.ends_with(THROUGH_POINTER)
        || declares("assert") && target.starts_with(LIBRARY_ASSERT)
}

/// The function that marks call.
fn marks(given: &Given) -> String {
    let numbers = given.program.targets.iter().filter_map(mark_number);
    let count = numbers.max().map_or(1, |most| most + 1);
    format!(
        "void mark(int, int) __asm__(\"{MARK}\");\nvoid mark(int holds, int number) {{\n  static unsigned char known[{count}];\n  if (!holds || number >= {count})\n    return;\n  if (number == path->mark)\n    end(\"reached\", \"the mark\");\n  if (!known[number])\n    pass(number);\n  known[number] = 1;\n}}\n"
    )
}

/// A function that fails if its argument is zero; the call was announced before.
fn assertion(number: usize, declared: &Declared) -> String {
    let name = quoted(&declared.name);
    let ty = declared.params.first().and_then(c_type).unwrap_or_else(|| "int".into());
    format!(
        "void f{number}({ty}) __asm__({name});\nvoid f{number}({ty} holds) {{\n  if (!holds)\n    fail();\n}}\n"
    )
}

/// A function that the program does not define.
fn function(number: usize, declared: &Declared, cases: &[Case<'_>], inputs: &Inputs) -> String {
    let (given, _) = cases[0];
    let name = quoted(&declared.name);
    if memory_error::kind(given.target()).is_some() && declared.name.starts_with("__ubsan_handle_") {
        // The sanitizer's library has them.
        return String::new();
    }
    if declared.name == MARK {
        return marks(given);
    }
    if ASSERTS.contains(&declared.name.as_str()) {
        return assertion(number, declared);
    }
    if given.program.targets.iter().any(|target| violating_function(target) == declared.name) {
        let through = format!("{}{THROUGH_POINTER}", declared.name);
        let word = word(cases, |target| target == through);
        return format!(
            "void f{number}(void) __asm__({name});\nvoid f{number}(void) {{ end({word}, {}); }}\n",
            quoted(&through)
        );
    }
    if IN_RUNTIME.contains(&declared.name.as_str()) {
        return String::new();
    }
    if !inputs.gives_data && (counted(&declared.name).is_some() || reads(&declared.name)) {
        return String::new();
    }
    let maker = match inputs.missing.contains(&declared.name) {
        _ if reads_environment(&declared.name) => return environment(number, declared, inputs),
        _ if is_input(&declared.name) => "INPUT",
        // Their writes are added after the call.
        _ if counted(&declared.name).is_some() => return counting(number, declared, given),
        _ if reads(&declared.name) && declared.result == NativeType::Pointer => {
            return line_reader(number, &name, given);
        }
        _ if reads(&declared.name) => {
            let kind = if takes_list(&declared.name) { "SCAN_LIST" } else { "SCAN" };
            let (stream, from) = match declared.name.contains("fscanf") {
                true => ("from", "void *from, "),
                false => ("beeline_stdin", ""),
            };
            return format!("{kind}(f{number}, {name}, {stream}, {from}const char *format)\n");
        }
        true => "UNKNOWN",
        false => return String::new(),
    };
    match c_type(&declared.result) {
        _ if declared.noreturn => format!("STOPS(f{number}, {name})\n"),
        Some(ty) => format!("{maker}({ty}, f{number}, {name})\n"),
        None => format!("NOTHING(f{number}, {name})\n"),
    }
}

/// A function that reads a line and returns where it is.
fn line_reader(number: usize, name: &str, given: &Given) -> String {
    let touched = touched(given, "line_room");
    format!(
        "void *f{number}(void *, int, void *) __asm__({name});\nvoid *f{number}(void *to, int size, void *from) {{\n  const unsigned long long *given = take_if_next({name});\n  line = given && given[0] ? to : NULL;\n  is_line = 1;\n  line_room = size > 0 ? size : 0;\n{touched}  if (line)\n    blank_line();\n  else if (size > 1)\n    reach_end(from);\n  return line;\n}}\n"
    )
}

/// A function that returns the amount that it has read: the whole amount if the program does not use the
/// result. The content is added after the call.
fn counting(number: usize, declared: &Declared, given: &Given) -> String {
    let (name, ty) = (quoted(&declared.name), c_type(&declared.result).unwrap_or_else(|| "long".into()));
    let parameters = counted(&declared.name).unwrap_or("void");
    let (size, short) = match parameters.contains("size_t size") {
        true => ("size", "  if (size && (size_t)got < count)\n    reach_end(from);\n"),
        false => ("1", ""),
    };
    let touched = touched(given, &format!("count * {size}"));
    format!(
        "{ty} f{number}({parameters}) __asm__({name});\n{ty} f{number}({parameters}) {{\n  const unsigned long long *given = take_if_next({name});\n{touched}  {ty} got = given ? ({ty})given[0] : ({ty})count;\n  if ({size} == 0 && got != 0)\n    end(\"assume\", \"\");\n  begin_read(to, (long)got, count, {size});\n{short}  return got;\n}}\n"
    )
}

/// The path to a memory error ends before the call that causes it: the sanitizer has to see all that may be
/// written.
fn touched(given: &Given, bytes: &str) -> String {
    match memory_error::kind(given.target()) {
        Some(_) => format!("  if (!given)\n    touch(to, {bytes});\n"),
        None => String::new(),
    }
}

/// A function that returns a string of the environment.
fn environment(number: usize, declared: &Declared, inputs: &Inputs) -> String {
    if !inputs.gives_environment {
        return String::new();
    }
    let name = quoted(&declared.name);
    format!(
        "char *f{number}(const char *) __asm__({name});\nchar *f{number}(const char *name) {{\n  const unsigned long long *given = take({name});\n  return found_in_environment(name, given[0] ? outside_at(given[0]) : NULL);\n}}\n"
    )
}

fn c_type(ty: &NativeType) -> Option<String> {
    Some(match ty {
        NativeType::Void | NativeType::Other(_) => return None,
        NativeType::Pointer => "void *".into(),
        NativeType::Float(kind) => match kind {
            FloatKind::F16 => "_Float16",
            FloatKind::Bf16 => "__bf16",
            FloatKind::F32 => "float",
            FloatKind::F64 => "double",
            FloatKind::X87 => "long double",
            FloatKind::F128 => "__float128",
        }
        .into(),
        NativeType::Int { width: 1, .. } => "_Bool".into(),
        NativeType::Int { width, signed } => {
            let sign = if *signed { "signed" } else { "unsigned" };
            match width {
                8 => format!("{sign} char"),
                16 => format!("{sign} short"),
                32 => format!("{sign} int"),
                64 => format!("{sign} long long"),
                128 => format!("{sign} __int128"),
                width => format!("{sign} _BitInt({width})"),
            }
        }
    })
}

/// A global variable that the program does not define, with its initial value.
fn declared_variable(number: usize, variable: &DeclaredVariable, given: &Given, inputs: &Inputs) -> String {
    // The symbol that the linker finds for a thread-local variable may be a function.
    if !inputs.missing.contains(&variable.name) && !variable.thread_local {
        return String::new();
    }
    let program = &given.program;
    let value = program.globals().find(|(_, var)| var.name == variable.name);
    let value = value.and_then(|(var, _)| inputs.initial.get(&var));
    let size = variable.size.max(1);
    let bytes: Vec<String> = value.map_or(Vec::new(), |value| {
        let image = image(value);
        let byte = |index: u64| image.extract(index as u32 * 8 + 7, index as u32 * 8).to_u64().unwrap_or(0);
        (0..size.min(16)).map(|index| byte(index).to_string()).collect()
    });
    let bytes = if bytes.is_empty() { "0".into() } else { bytes.join(", ") };
    let kind = if variable.thread_local { "__thread " } else { "" };
    format!(
        "extern {kind}unsigned char v{number}[{size}] __asm__({});\n__attribute__((aligned(16))) {kind}unsigned char v{number}[{size}] = {{{bytes}}};\n",
        quoted(&variable.name)
    )
}

/// The `main` that calls the entry function with its arguments.
fn main(entry: &Declared, given: &Given, inputs: &Inputs) -> String {
    let program = &given.program;
    let mut text = String::from("\nextern char **environ;\nstatic char *arguments[1 << 21];\n");
    let (mut sets, mut fills) = (String::new(), String::new());
    let params = &program.functions[program.entry].params;
    let mut names = Vec::new();
    for (number, ty) in entry.params.iter().enumerate() {
        let ty = c_type(ty).unwrap_or_else(|| "void *".into());
        let value = params.get(number).and_then(|var| inputs.initial.get(var));
        let _ =
            writeln!(text, "static union {{ unsigned long long bits[2]; {ty} value; }} argument{number};");
        let _ = writeln!(
            sets,
            "  argument{number}.bits[0] = path->arguments[{number}][0];\n  argument{number}.bits[1] = path->arguments[{number}][1];"
        );
        let is_main = program.functions[program.entry].name == "main" && ty == "void *";
        let pointer = value.filter(|_| ty == "void *").and_then(|value| value.as_bits()?.to_u64());
        let pointer = pointer.filter(|&addr| given.contents.has_room(addr, 0));
        let value = match (number, pointer.and_then(|addr| given.contents.pointer(addr))) {
            (1, _) if is_main => "arguments".into(),
            (2.., _) if is_main => "environ".into(),
            (_, Some(pointer)) => pointer,
            (_, None) => format!("argument{number}.value"),
        };
        if is_main && number == 1 {
            fills = fill_arguments(given, &value);
        }
        names.push((ty, value));
    }
    let types: Vec<&str> = names.iter().map(|(ty, _)| ty.as_str()).collect();
    let types = if types.is_empty() { "void".into() } else { types.join(", ") };
    let values: Vec<&str> = names.iter().map(|(_, value)| value.as_str()).collect();
    let number = match entry.name.as_str() {
        "main" => format!(
            "  if ((int)argument0.value < 1 || (int)argument0.value > {})\n    argument0.value = 1;\n",
            beeline_lower::MOST_ARGUMENTS
        ),
        _ => String::new(),
    };
    let _ = writeln!(
        text,
        "extern int {ENTRY}({types});\nint main(void) {{\n  link_outside();\n{sets}{number}{fills}  {ENTRY}({});\n  return 0;\n}}",
        values.join(", ")
    );
    text
}

/// The `main` of a command, with the arguments from the system, each in memory of its own.
fn main_of_command(entry: &Declared) -> String {
    let given = ["count", "copied_arguments(count, list)", "environ"];
    let types = ["int", "char **", "char **"];
    let number = entry.params.len().min(given.len());
    // What `main` gets is what the variable has.
    let empty = if number == given.len() { "  static char *none[1];\n  environ = none;\n" } else { "" };
    format!(
        "\nextern char **environ;\nextern int {ENTRY}({});\nint main(int count, char **list) {{\n{empty}  return {ENTRY}({});\n}}\n",
        types[..number].join(", "),
        given[..number].join(", ")
    )
}

/// Code that sets the arguments of `main` to their strings.
fn fill_arguments(given: &Given, list: &str) -> String {
    let known = (0..KNOWN_ARGUMENTS).filter_map(|index| {
        let text = beeline_lower::text_of_argument(given.native.pointer_width, index);
        let pointer = given.contents.pointer(text)?;
        Some(format!("  if ({index} < (int)argument0.value)\n    list[{index}] = {pointer};\n"))
    });
    let known: String = known.collect();
    // Arguments that the program does not read are strings as well, and it may write to them.
    let own: Vec<String> = (0..OWN_ARGUMENTS).map(|index| format!("own{index}")).collect();
    let texts: Vec<String> = own.iter().map(|name| format!("{name}[1]")).collect();
    format!(
        "  static char {};\n  char *own[] = {{{}}};\n  char **list = (char **){list};\n{known}  for (int i = 0; i < (int)argument0.value; i++)\n    if (!list[i])\n      list[i] = i < {OWN_ARGUMENTS} ? own[i] : \"\";\n",
        texts.join(", "),
        own.join(", ")
    )
}

/// The bits of a value, as memory holds them from the lowest address on.
fn image(value: &Value) -> Bits {
    match value {
        Value::Bool(truth) => Bits::new(128, u64::from(*truth)),
        Value::Bv(bits) | Value::Float(_, bits) => bits.zext(bits.width().max(128)).extract(127, 0),
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // A zero digit follows no such escape by accident: three octal digits are the most.
            c if c.is_control() => quoted.push_str(&format!("\\{:03o}", c as u32)),
            '?' => quoted.push_str("\\?"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}
