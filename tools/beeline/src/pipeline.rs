//! The steps of a run.

use crate::job::{AnyVariables, Job, Rewritten, Source};
use crate::property::{self, Property};
use crate::step::{Step, Word};
use crate::{copies, marks, tools};
use std::path::Path;

/// The exit code that `beeline-lower` is asked for where it cannot model the program.
pub(crate) const NOT_MODELLED: i32 = 3;

/// The title of clang's steps.
pub(crate) const COMPILING: &str = "compiling";

/// Flags that make bitcode of which a program is made that reads like its source: no optimisation, but
/// none forbidden either, and all that a debugger knows.
const READABLE: [&str; 7] =
    ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-emit-llvm", "-c"];

/// Has clang say where the scopes of variables begin and end.
const SCOPES: [&str; 2] = ["-Xclang", "-fsanitize-address-use-after-scope"];

/// Flags that define what C leaves open: signed numbers wrap around, memory may be read as any type, and no check
/// of a pointer is left out.
const DIALECT: [&str; 3] = ["-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks"];

/// Has compilers newer than clang 19 only warn of what that warns of.
const ONLY_WARNED_OF: &str = "-Wno-error=incompatible-pointer-types";

/// Has 32-bit code compute with the digits that floats have, as 64-bit code does.
const PLAIN_FLOATS: &str = "-msse2";

/// The flags by which a build leaves bitcode: those of a check without properties of sanitizers.
pub(crate) fn for_bitcode() -> impl Iterator<Item = &'static str> {
    READABLE.into_iter().chain(SCOPES).chain(DIALECT).chain([ONLY_WARNED_OF])
}

/// Has clang preprocess only, as goto-cc does.
pub(crate) const PREPROCESS: [&str; 4] = ["-E", "-w", "-D__CPROVER__", "-D__CPROVER"];

/// The header that is included before files that were rewritten from CBMC's dialect.
pub(crate) const PRELUDE: &str = "prelude.h";

/// All steps of a run, and the files they leave.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// From the source to the bitcode of the whole program.
    pub compile: Vec<Step>,
    /// From bitcode to a program.
    pub lower: Step,
    /// From that to one whose loops are outlined, if that is asked for.
    pub outline: Option<Step>,
    /// From a program to distances.
    pub annotate: Step,
    /// From a program to its features.
    pub features: Result<Step, String>,
    /// From a program with its distances to a result.
    pub verify: Step,
    /// The check of the first error path.
    replay: Result<Step, String>,
    /// The check of a proof.
    pub prove: Result<Step, String>,
    /// From the bitcode to the residual program, if that is asked for.
    pub residual: Option<Step>,
    /// The bitcode of the whole program.
    pub bitcode: Word,
    /// The program's file.
    pub program: String,
    /// The file of its distances.
    pub distances: String,
    /// The file of its features.
    pub measured: String,
    /// The result's file.
    pub result: String,
    /// The options about memory.
    memory: Vec<String>,
}

impl Pipeline {
    /// The steps that do a job.
    pub(crate) fn new(job: &Job) -> Result<Pipeline, String> {
        let (mut compile, bitcode) = compile(job)?;
        let bitcode = instrumented(job, &mut compile, bitcode)?;
        let (program, result) = (format!("{}.cfa", job.name), format!("{}.run", job.name));
        let distances = format!("{}.dist", job.name);
        let (cfa, dist) = (Word::Made(program.clone()), Word::Made(distances.clone()));
        let run = Word::Made(result.clone());
        let lowered = match job.outlined {
            true => format!("{}.lowered.cfa", job.name),
            false => program.clone(),
        };
        let memory = job.memory_limit.iter().flat_map(|size| ["--memory-limit".into(), size.0.to_string()]);
        let memory: Vec<String> = memory.collect();
        let lower = lowered_as(job, Step::new("lowering", tools::sibling("beeline-lower")?).reads(&bitcode))
            .texts(&memory)
            .texts(["--unsupported-code", &NOT_MODELLED.to_string()])
            .makes(&lowered);
        let outline = job.outlined.then(|| outline(lowered, &program)).transpose()?;
        let annotate = Step::new("measuring distances", tools::sibling("beeline-annotate")?)
            .reads(&cfa)
            .texts(&memory)
            .makes(&distances);
        let measured = format!("{}.feat", job.name);
        let features = tools::sibling("beeline-features")
            .map(|tool| Step::new("measuring features", tool).reads(&cfa).texts(&memory).makes(&measured));
        let verify = Step::new("verifying", tools::sibling("beeline-verify")?)
            .reads(&cfa)
            .text("--dist")
            .reads(&dist)
            .options(&job.search)
            .makes(&result);
        let replay = replay(&run, &bitcode);
        let prove = prove(job, &run, &cfa, &memory);
        let residual = job.residual.as_ref().map(|path| cut(job, &bitcode, &run, path)).transpose()?;
        Ok(Pipeline {
            compile,
            lower,
            outline,
            annotate,
            features,
            verify,
            replay,
            prove,
            residual,
            bitcode,
            program,
            distances,
            measured,
            result,
            memory,
        })
    }

    /// The check of so many error paths.
    pub(crate) fn replay(&self, paths: usize) -> Result<Step, String> {
        let step = self.replay.clone()?;
        // The first one is meant where nothing is said.
        Ok(if paths == 1 { step } else { step.text("--all") })
    }

    /// The steps that lead to the program.
    pub(crate) fn to_program(&self) -> impl Iterator<Item = &Step> {
        self.compile.iter().chain([&self.lower]).chain(&self.outline)
    }

    /// The steps that lead to what a search is given.
    pub(crate) fn to_search(&self) -> impl Iterator<Item = &Step> {
        self.to_program().chain([&self.annotate])
    }

    /// The step that moves an earlier result to the program.
    pub(crate) fn adapt(&self, run: &Path, program: &Path) -> Result<Step, String> {
        let step = Step::new("comparing with the earlier result", tools::sibling("beeline-adapt")?);
        let given = |path: &Path| Word::Given(path.to_path_buf());
        let step = step.reads(&given(run)).reads(&given(program)).reads(&Word::Made(self.program.clone()));
        Ok(step.texts(&self.memory).makes(&self.adapted()).answers())
    }

    /// The file of a moved result.
    pub(crate) fn adapted(&self) -> String {
        self.result.replace(".run", ".since.run")
    }

    /// The check of a moved proof.
    pub(crate) fn recheck(&self) -> Result<Step, String> {
        let mut step = self.prove.clone()?;
        step.words[0] = Word::Made(self.adapted());
        Ok(step.text("--account"))
    }
}

/// Adds the steps that change the bitcode for a job: variables get any value, places get marks. Returns the last one's
/// bitcode.
fn instrumented(job: &Job, compile: &mut Vec<Step>, mut bitcode: Word) -> Result<Word, String> {
    if let Some(any) = &job.any_variables {
        let forgotten = format!("{}.any.bc", job.name);
        let forget = Step::new("giving variables any value", tools::sibling("beeline-mark")?);
        let forget = forget.reads(&bitcode).texts(["--havoc", &job.function]);
        let forget = forget.texts((*any == AnyVariables::Statics).then_some("--statics"));
        let forget = forget.texts(job.asserted.iter().flat_map(|kind| ["--assert", *kind]));
        compile.push(forget.makes(&forgotten));
        bitcode = Word::Made(forgotten);
    }
    if !job.marks.is_empty() {
        let marked = format!("{}.marked.bc", job.name);
        let mark = Step::new("marking places", tools::sibling("beeline-mark")?).reads(&bitcode);
        let mark = mark.texts(&job.marks).text("--list").reads(&Word::Made(marks::LIST.into()));
        compile.push(mark.makes(&marked));
        bitcode = Word::Made(marked);
    }
    Ok(bitcode)
}

/// From a lowered program to one whose loops are outlined.
fn outline(lowered: String, program: &str) -> Result<Step, String> {
    let step = Step::new("outlining loops", tools::sibling("beeline-ir")?).text("outline-loops");
    Ok(step.reads(&Word::Made(lowered)).makes(program))
}

/// The check of the first error path of a result.
fn replay(run: &Word, bitcode: &Word) -> Result<Step, String> {
    let step = Step::new("replaying the error path", tools::sibling("beeline-replay")?);
    Ok(step.reads(run).text("--bitcode").reads(bitcode).answers())
}

/// The check of the proof of a result.
fn prove(job: &Job, run: &Word, cfa: &Word, memory: &[String]) -> Result<Step, String> {
    let limit = job.time_limit.iter().flat_map(|time| ["--time-limit".to_string(), time.to_string()]);
    let step = Step::new("checking the proof", tools::sibling("beeline-check-proof")?)
        .reads(run)
        .reads(cfa)
        .texts(job.certify.then_some(["--trust", "nothing"]).into_iter().flatten())
        .texts(limit)
        .texts(memory);
    Ok(step.answers())
}

/// The residual program of a result.
fn cut(job: &Job, bitcode: &Word, run: &Word, path: &Path) -> Result<Step, String> {
    let step = Step::new("cutting covered code", tools::sibling("beeline-residual")?);
    let step = lowered_as(job, step.reads(bitcode).reads(run));
    Ok(step.text("-o").reads(&Word::Given(path.to_path_buf())))
}

/// A step with what the job says of the lowering.
fn lowered_as(job: &Job, step: Step) -> Step {
    step.texts(job.properties.iter().flat_map(|property| ["--property".into(), property.for_lower()]))
        .texts(["--function", &job.function])
        .texts(job.given.iter().flat_map(|text| ["--given", text.as_str()]))
        .texts(job.allow_unsound.then_some("--allow-unsound"))
        .texts(&job.lowering)
}

/// The steps to the bitcode of the whole program, and where that is.
fn compile(job: &Job) -> Result<(Vec<Step>, Word), String> {
    let mut steps = Vec::new();
    let (mut bitcode, mut overriding) = (Vec::new(), Vec::new());
    let single = job.sources.len() == 1;
    let names: Vec<Option<String>> = job.sources.iter().enumerate().map(rewritten_name).collect();
    for (source, name) in job.sources.iter().zip(&names) {
        if let (Source::Dialect(source), Some(name)) = (source, name) {
            steps.push(preprocessed(job, source, name)?);
        }
    }
    for (number, source) in job.sources.iter().enumerate() {
        match source {
            Source::Llvm(file) => bitcode.push(file.clone()),
            Source::C(file, flags) => {
                let name = match single {
                    true => format!("{}.bc", job.name),
                    false => format!("{}.{number}.bc", file.stem()),
                };
                steps.push(compiled(job, file, flags, &name)?);
                bitcode.push(Word::Made(name));
            }
            Source::Dialect(source) => {
                let Some(name) = &names[number] else { continue };
                let others = names.iter().flatten().filter(|other| source.with_others && *other != name);
                steps.extend(rewritten(job, source, name, others)?);
                overriding.push(Word::Made(format!("{name}.bc")));
            }
        }
    }
    if bitcode.is_empty() {
        bitcode.extend(overriding.pop());
    }
    if let ([only], []) = (&bitcode[..], &overriding[..]) {
        return Ok((steps, only.clone()));
    }
    let linked = format!("{}.bc", job.name);
    let linker = tools::llvm_link(&tools::clang()?)?;
    let link = Step::new("linking", linker);
    let link = bitcode.iter().fold(link, Step::reads);
    // The last one goes before the others.
    let link = overriding.iter().rev().fold(link, |link, file| link.text("--override").reads(file));
    steps.push(link.makes(&linked));
    Ok((steps, Word::Made(linked)))
}

/// The name of the files made from a source in CBMC's dialect.
fn rewritten_name((number, source): (usize, &Source)) -> Option<String> {
    match source {
        Source::Dialect(source) => Some(format!("{}.{number}", source.file.stem())),
        _ => None,
    }
}

fn preprocessed(job: &Job, source: &Rewritten, name: &str) -> Result<Step, String> {
    let step = Step::new("preprocessing", tools::clang()?).texts(PREPROCESS).texts(&job.flags);
    Ok(step.reads(&source.file).makes(&format!("{name}.i")))
}

/// The steps to bitcode from what the preprocessor left of a file in CBMC's dialect, which may need the other files.
fn rewritten<'n>(
    job: &Job,
    source: &Rewritten,
    name: &str,
    others: impl Iterator<Item = &'n String>,
) -> Result<[Step; 2], String> {
    let [plain, changed] = [format!("{name}.i"), format!("{name}.rewritten.c")];
    let rewrite = Step::new("rewriting", tools::sibling("beeline-dialect")?);
    let rewrite = rewrite.reads(&Word::Made(plain)).texts(&source.rewriting);
    let with = |step: Step, other: &String| step.text("--with").reads(&Word::Made(format!("{other}.i")));
    let rewrite = others.fold(rewrite, with).makes(&changed);
    let compile = compiled(job, &Word::Made(changed), &[], &format!("{name}.bc"))?;
    Ok([rewrite, compile.text("-include").reads(&Word::Made(PRELUDE.into()))])
}

fn compiled(job: &Job, source: &Word, flags: &[String], name: &str) -> Result<Step, String> {
    let sanitizers = property::sanitizers(&job.properties).map(|kinds| {
        // A function of another type than its caller's is for the C++ run-time to find.
        [format!("-fsanitize={kinds}"), "-fno-sanitize=function".into(), "-fno-sanitize-recover=all".into()]
    });
    // Code that the user wants optimised is checked after optimisation.
    let optimised = job.flags.iter().any(|flag| flag.starts_with("-O") && flag != "-O0");
    let dialect = !optimised && !job.properties.iter().any(Property::is_of_overflow);
    let compiling = Step::new(COMPILING, tools::clang()?);
    let compiling = match job.copies.is_empty() {
        true => compiling,
        false => {
            let [first, option, again] = copies::WITH_OVERLAY;
            let compiling = compiling.text(first).text(option).text(again);
            compiling.reads(&Word::Made(copies::OVERLAY.into()))
        }
    };
    Ok(compiling
        .texts(READABLE)
        .texts(SCOPES)
        .text(ONLY_WARNED_OF)
        .texts(DIALECT.into_iter().filter(|_| dialect))
        .texts(flags.iter().chain(&job.flags).any(|flag| flag == "-m32").then_some(PLAIN_FLOATS))
        .texts(sanitizers.into_iter().flatten())
        .texts(flags)
        .texts(&job.flags)
        .reads(source)
        .makes(name))
}
