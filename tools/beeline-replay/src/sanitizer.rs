//! Confirmation by AddressSanitizer and LeakSanitizer, for what a plain run does not show: accesses outside of
//! objects, objects that are freed wrongly or never.

use crate::compiler::compiler;
use crate::given::Given;
use crate::inputs::{Input, Inputs};
use crate::memory_error::{Kind, kind};
use crate::sandbox::Ended;
use crate::verdict::Verdict;
use beeline_ir::{Bits, Op, Program, Span, Target};
use beeline_llvm::native::NativeType;
use beeline_run::RunPath;
use beeline_witness::slice::slice;
use std::path::Path;
use std::process::Command;

/// The start of the names of the files that the sanitizers report to.
const REPORT: &str = "sanitizer";

/// The environment of a run.
pub(crate) fn environment(target: &Target, is_command: bool) -> Vec<(String, String)> {
    // No object that is left is in use, where all must be freed.
    let leaks = match (kind(target), target.property.as_str()) {
        (Some(Kind::Leak), "valid-memcleanup") => {
            "use_globals=0:use_stacks=0:use_registers=0:use_tls=0:use_root_regions=0:use_unaligned=0"
        }
        _ => "",
    };
    let detect = i32::from(kind(target) == Some(Kind::Leak));
    let symbolizer = Command::new(compiler()).arg("-print-prog-name=llvm-symbolizer").output();
    let symbolizer = symbolizer
        .map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    // A command runs in a folder inside of that of the run.
    let above = if is_command { "../" } else { "" };
    let options = format!(
        "log_path={above}{REPORT}:detect_leaks={detect}:detect_stack_use_after_return=1:allocator_may_return_null=1:\
         redzone=2048:hard_rss_limit_mb=4096:external_symbolizer_path={symbolizer}"
    );
    vec![("ASAN_OPTIONS".into(), options), ("LSAN_OPTIONS".into(), leaks.into())]
}

/// The verdict of a run on a memory error, and the finding as text.
pub(crate) fn verdict(
    kind: Kind,
    folder: &Path,
    given: &Given,
    inputs: &Inputs,
    ended: &Ended,
) -> (Verdict, Option<String>) {
    let report = report(folder);
    let mut verdict = judged(kind, report.as_deref(), folder, given, ended);
    let guessed = report.as_deref().and_then(address).and_then(|address| guessed(given, inputs, address));
    if let (Verdict::Confirmed, Some(function)) = (&verdict, guessed) {
        let why = format!(
            "the address is the result of {function}, which is a guess: the function has no definition"
        );
        verdict = Verdict::NotConfirmed(why);
    }
    let finding = report.filter(|_| verdict == Verdict::Confirmed).map(|report| finding(&report));
    (verdict, finding)
}

fn report(folder: &Path) -> Option<String> {
    let reports = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut reports = reports.filter(|file| file.file_name().to_string_lossy().starts_with(REPORT));
    let report = reports.next().and_then(|file| std::fs::read_to_string(file.path()).ok());
    report.filter(|text| text.contains("Sanitizer"))
}

fn judged(kind: Kind, report: Option<&str>, folder: &Path, given: &Given, ended: &Ended) -> Verdict {
    let Some(report) = report else {
        let plain = std::fs::read_to_string(folder.join("report.txt")).unwrap_or_default();
        let Verdict::NotConfirmed(why) = Verdict::of(&plain, ended) else { return silent() };
        return if *ended == Ended::Code(0) && plain.is_empty() {
            silent()
        } else {
            Verdict::NotConfirmed(why)
        };
    };
    let Some(found) = error(report) else {
        return Verdict::NotRun("the sanitizer reports no reason".into());
    };
    if !fits(kind, found) {
        return Verdict::NotConfirmed(format!("the sanitizer reports another error: {found}"));
    }
    match (kind, expected(given.program, &given.path, given.target())) {
        (Kind::Access | Kind::Free, Some(span)) if !happens_at(report, given.program, span) => {
            Verdict::NotConfirmed(format!(
                "the sanitizer reports {found}, but not at {}",
                given.program.show_span(span)
            ))
        }
        (Kind::Leak, _) if !leaves_own(report) => silent(),
        _ => Verdict::Confirmed,
    }
}

/// Whether an object that the program allocated is left. Where all must be freed, objects that the library and
/// the sanitizer keep for themselves are left, too.
fn leaves_own(report: &str) -> bool {
    let mut lines = report.lines().map(str::trim_start);
    while lines
        .by_ref()
        .any(|line| line.starts_with("Direct leak of ") || line.starts_with("Indirect leak of "))
    {
        // The first frame is the allocator's.
        if lines.by_ref().find(|line| line.starts_with("#1 ")).is_some_and(is_of_program) {
            return true;
        }
    }
    false
}

/// Whether a frame is one of the program, not of a shared library. The sources of libraries have relative
/// paths.
fn is_of_program(frame: &str) -> bool {
    match frame.split_once(" (/") {
        Some((_, module)) => !module.split('+').next().is_some_and(|path| path.contains(".so")),
        None => frame.split(' ').any(|word| word.starts_with('/')),
    }
}

fn silent() -> Verdict {
    Verdict::NotConfirmed("the sanitizer reports no error".into())
}

/// The kind of error that a report is about.
fn error(report: &str) -> Option<&str> {
    let line = report.lines().find(|line| line.contains("ERROR: "))?;
    let (_, about) = line.split_once("Sanitizer: ")?;
    let words = ["attempting double-free", "attempting free", "detected memory leaks"];
    if let Some(word) = words.into_iter().find(|word| about.starts_with(word)) {
        return Some(word);
    }
    about.split([' ', ':']).next()
}

/// The address of an access where no object is.
fn address(report: &str) -> Option<u64> {
    let (_, rest) = report.split_once("unknown address 0x")?;
    u64::from_str_radix(rest.split(|c: char| !c.is_ascii_hexdigit()).next()?, 16).ok()
}

/// The greatest distance of an access from its object.
const NEAR: u64 = 1 << 20;

/// The function without a body that has returned an address, or one near it, on which the error depends.
fn guessed<'a>(given: &'a Given, inputs: &Inputs, address: u64) -> Option<&'a str> {
    let executed = given.execute().ok()?;
    let is_near = |input: &Input| {
        let value = input.value.as_bits().and_then(Bits::to_u64);
        value.is_some_and(|value| value.abs_diff(address) < NEAR)
    };
    let returns_address = |function: &str| {
        let declared = given.native.declared.iter().find(|declared| declared.name == function);
        declared.is_some_and(|declared| declared.result == NativeType::Pointer)
            && inputs.missing.contains(function)
            && inputs.values.iter().any(|input| input.function == function && is_near(input))
    };
    let steps = executed.steps.iter().zip(slice(&executed));
    let mut functions = steps.filter(|(_, matters)| *matters).filter_map(|(step, _)| {
        match given.program.edges[step.edge()].op {
            Op::Havoc(_, Some(input)) => Some(given.program.inputs[input].as_str()),
            _ => None,
        }
    });
    functions.find(|function| returns_address(function))
}

/// The error in a report and its object, as readable text.
fn finding(report: &str) -> String {
    let start = report.find("ERROR: ").unwrap_or(0);
    let lines: Vec<&str> = report[start..].lines().map(str::trim).collect();
    let found = error(report).unwrap_or("an error");
    // The text after a word, up to another one.
    let between = |line: &str, from: &str, to: &str| {
        let (_, rest) = line.split_once(from)?;
        Some(rest.split(to).next().unwrap_or(rest).trim().to_string())
    };
    let mut parts = vec![match found {
        "attempting double-free" => "double free".to_string(),
        "attempting free" => "free of a pointer that is not the start of a heap object".to_string(),
        "detected memory leaks" => "leak".to_string(),
        "SEGV" if lines[0].contains("address 0x0000000000") => "use of a null pointer".to_string(),
        "SEGV" => "use of an address outside of all objects".to_string(),
        kind => kind.replace('-', " "),
    }];
    for line in &lines {
        for (word, verb) in [("READ of size ", "read"), ("WRITE of size ", "write")] {
            if let Some(size) = line.strip_prefix(word) {
                let size = size.split(' ').next().unwrap_or_default();
                parts.push(format!("{verb} of {size} {}", if size == "1" { "byte" } else { "bytes" }));
            }
        }
        if let Some(place) = between(line, " is located ", " [0x")
            && place.contains("-byte region")
        {
            parts.push(place.replace("-byte region", "-byte heap object"));
        } else if line.contains("<== Memory access") && line.contains('\'') {
            parts.push(format!("at the variable {}", between(line, "'", "'").unwrap_or_default()));
        } else if line.starts_with("Direct leak of ") || line.starts_with("Indirect leak of ") {
            parts.extend(between(line, "leak of ", " allocated"));
        }
    }
    let globals = lines.iter().filter_map(|line| beside_global(&between(line, " is located ", " (0x")?));
    parts.extend(globals.min().map(|(_, place)| place));
    for (title, word) in
        [("freed by", "freed at"), ("allocated by", "allocated at"), ("allocated from", "allocated at")]
    {
        let stack = lines.iter().skip_while(|line| !line.contains(title) || line.starts_with('#')).skip(1);
        let mut frames = stack.take_while(|line| line.starts_with('#'));
        parts.extend(frames.find_map(|frame| Some(format!("{word} {}", place_of(frame)?))));
    }
    parts.dedup();
    parts.join(", ")
}

/// How far an access is from a global variable of the program, and where that is, without its folder.
fn beside_global(place: &str) -> Option<(u64, String)> {
    let (beside, defined) = place.split_once(" defined in '")?;
    let path = defined.strip_suffix('\'').filter(|path| !is_harness(path))?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let distance = beside.split(' ').next()?.parse().ok()?;
    beside.contains("global variable").then(|| (distance, format!("{beside} defined in {name}")))
}

/// Whether a place of a report is in a harness: there may be several, with numbers.
fn is_harness(path: &str) -> bool {
    let name = path.rsplit('/').next().and_then(|name| name.strip_prefix("harness"));
    name.is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(".c:"))
}

/// The file and line of a frame of the user's code.
fn place_of(frame: &str) -> Option<String> {
    let path = frame
        .rsplit(' ')
        .next()
        .filter(|path| path.starts_with('/') && !path.contains("compiler-rt") && !is_harness(path))?;
    let name = Path::new(path).file_name()?.to_string_lossy().into_owned();
    name.contains(':').then_some(name)
}

/// Whether an error of a sanitizer is of the kind of a target.
fn fits(kind: Kind, found: &str) -> bool {
    match kind {
        Kind::Access => {
            found.contains("overflow")
                || found.contains("underflow")
                || found.contains("use-after")
                || ["SEGV", "BUS", "unknown-crash", "negative-size-param"].contains(&found)
                || found.contains("param-overlap")
        }
        // A freed address may not even be readable.
        Kind::Free => {
            ["attempting double-free", "attempting free", "bad-free", "alloc-dealloc-mismatch", "SEGV"]
                .contains(&found)
        }
        Kind::Leak => found == "detected memory leaks",
    }
}

/// The user's line at which the error is: that of the target, or of the last call from the user's code.
fn expected(program: &Program, path: &RunPath, target: &Target) -> Option<Span> {
    target.span.or_else(|| path.steps.iter().rev().find_map(|step| program.edges[step.edge()].span))
}

/// Whether a line is in the stack of calls that led to the error.
fn happens_at(report: &str, program: &Program, span: Span) -> bool {
    let file = Path::new(&program.files[span.file]).file_name().unwrap_or_default().to_string_lossy();
    let place = format!("/{file}:{}", span.line);
    // A function that calls nothing leaves no trace.
    if report.contains("Hint: pc points to the zero page") {
        return true;
    }
    let from = report.find("ERROR: ").unwrap_or(0);
    let stack = report[from..].lines().skip(1).skip_while(|line| !line.trim_start().starts_with('#'));
    stack.take_while(|line| line.trim_start().starts_with('#')).any(|frame| {
        frame.find(&place).is_some_and(|at| {
            let rest = &frame[at + place.len()..];
            rest.is_empty() || rest.starts_with(':')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_told_in_one_sentence() {
        let report = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2\n\
            WRITE of size 4 at 0x1 thread T0\n    #0 0x5 in main /src/a.c:3:119\n\n\
            0x1 is located 0 bytes after 40-byte region [0x1,0x2)\nallocated by thread T0 here:\n    \
            #0 0x6 in malloc (/src/a+0x1)\n    #1 0x7 in main /src/a.c:3:69\n";
        assert_eq!(
            finding(report),
            "heap buffer overflow, write of 4 bytes, 0 bytes after 40-byte heap object, allocated at a.c:3:69"
        );
    }

    #[test]
    fn of_several_global_variables_the_nearest_one_of_the_program_is_told() {
        let at =
            |place: &str, file: &str| format!("0x1 is located {place} defined in '{file}' (0x2) of size 4\n");
        let report = "==7==ERROR: AddressSanitizer: global-buffer-overflow on address 0x1 at pc 0x2\nREAD of size 4 at 0x1\n";
        let report = [
            report,
            &at("2 bytes before global variable 'beeline_count'", "/x/harness1.c:112"),
            &at("28 bytes before global variable 'far'", "/src/a.c:9"),
            &at("4 bytes after global variable 'table'", "/src/a.c:3"),
        ];
        assert_eq!(
            finding(&report.concat()),
            "global buffer overflow, read of 4 bytes, 4 bytes after global variable 'table' defined in a.c:3"
        );
    }

    #[test]
    fn reports_name_their_errors() {
        for (line, found, kind) in [
            (
                "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1",
                "heap-buffer-overflow",
                Kind::Access,
            ),
            ("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0", "SEGV", Kind::Access),
            (
                "==1==ERROR: AddressSanitizer: attempting double-free on 0x1",
                "attempting double-free",
                Kind::Free,
            ),
            ("==1==ERROR: LeakSanitizer: detected memory leaks", "detected memory leaks", Kind::Leak),
        ] {
            assert_eq!(error(line), Some(found));
            for other in [Kind::Access, Kind::Free, Kind::Leak] {
                let crash = found == "SEGV" && other == Kind::Free;
                assert_eq!(fits(other, found), other == kind || crash, "{line}");
            }
        }
    }

    #[test]
    fn what_the_library_keeps_is_not_left_by_the_program() {
        let leak = |caller: &str| {
            format!(
                "Direct leak of 288 byte(s) in 1 object(s) allocated from:\n    \
                 #0 0x5 in calloc (/x/program+0xc) (BuildId: 3)\n    #1 0x7 in {caller}\n\n"
            )
        };
        let own = ["main /src/a.c:3:69", "main (/x/program+0x1) (BuildId: 3)"].map(leak);
        let others = [
            "calloc elf/../include/rtld-malloc.h:44:10",
            "calloc (/lib64/ld-linux-x86-64.so.2+0x12cb2) (BuildId: 4)",
            "_IO_file_doallocate libio/./libio/filedoalloc.c:101:7",
        ]
        .map(leak);
        assert!(own.iter().all(|record| leaves_own(record)));
        assert!(!leaves_own(&others.concat()));
        assert!(leaves_own(&(others.concat() + &own[0])));
    }
}
