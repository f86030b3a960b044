//! `beeline-ir dump`: files as readable text and for other programs.

use crate::distances::{self, Colours};
use crate::failure::Failure;
use crate::outline::outline;
use crate::{measured, result};
use beeline_graph::{Annotation, Features};
use beeline_ir::file::{self, File, Header, Kind};
use beeline_ir::text::{Printer, print, print_op};
use beeline_ir::{EdgeId, FuncId, Op, Program, Span, VarId};
use beeline_run::Run;
use beeline_run::drawing::{draw, quoted};
use beeline_run::names::Names;
use clap::Args;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::PathBuf;

/// What to print.
#[derive(Debug, Args)]
pub(crate) struct DumpArgs {
    /// The file
    file: PathBuf,
    /// Print one JSON object
    #[arg(long, group = "form")]
    json: bool,
    /// Print a graph for Graphviz: of a program, or of the proof in a .run file
    #[arg(long, group = "form")]
    dot: bool,
    /// Print the sizes of the program
    #[arg(long, group = "form")]
    stats: bool,
    /// Print what a .run file leaves to the next run: what was shown, and where it is open
    #[arg(long, conflicts_with = "stats")]
    condition: bool,
    /// Print this function only
    #[arg(long, value_name = "NAME", conflicts_with = "stats")]
    function: Option<String>,
    /// Show the distances of a .dist file: next to the operations, or as colours with --dot
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "stats"])]
    distances: Option<PathBuf>,
    /// The program that a .run or .dist file is about, for the names of its parts
    #[arg(long = "cfa", alias = "program", value_name = "FILE", conflicts_with_all = ["stats", "function", "distances"])]
    program: Option<PathBuf>,
}

/// Prints a file.
pub(crate) fn dump(args: &DumpArgs, out: &mut impl Write) -> Result<(), Failure> {
    let name = args.file.display().to_string();
    let bytes = file::read_bytes(&args.file)?;
    let header = file::peek_bytes(&name, &bytes)?;
    if args.condition {
        return dump_rest(args, &name, &bytes, out);
    }
    let of_program = args.stats || args.function.is_some() || args.distances.is_some();
    if header.kind == Kind::Run && args.dot {
        return dump_proof(args, &name, &bytes, out);
    }
    if header.kind != Kind::Cfa && !of_program && !args.dot {
        return dump_content(args, &name, &bytes, out);
    }
    let File { header, body: program } = file::from_bytes::<Program>(&name, &bytes)?;
    drop(bytes);
    if args.stats {
        return write_stats(&header, &program, out);
    }
    let functions = match &args.function {
        None => program.functions.keys().collect(),
        Some(name) => vec![program.function_named(name).ok_or_else(|| {
            Failure::Message(format!(
                "{} has no function {name}; `dump` without --function shows all",
                args.file.display()
            ))
        })?],
    };
    let annotation = match &args.distances {
        None => None,
        Some(path) => Some(distances::read(path, &name, (&header, &program))?),
    };
    if args.json {
        writeln!(out, "{:#}", program_json(&header, &program, &functions))?;
    } else if args.dot {
        let colours = annotation.as_ref().and_then(|annotation| Colours::new(annotation, &program));
        write_dot(&program, &functions, colours.as_ref(), out)?;
    } else if let Some(annotation) = &annotation {
        distances::write(annotation, &program, &functions, out)?;
    } else if let (Some(_), [func]) = (&args.function, &functions[..]) {
        let mut text = String::new();
        Printer::new(&program)
            .function(&mut text, *func)
            .map_err(|error| Failure::Message(error.to_string()))?;
        out.write_all(text.as_bytes())?;
    } else {
        out.write_all(print(&program).as_bytes())?;
    }
    Ok(())
}

/// The program that a file is about, if it is given.
fn program_of(args: &DumpArgs, name: &str, header: &Header) -> Result<Option<Program>, Failure> {
    let Some(path) = &args.program else { return Ok(None) };
    let program = file::read_program(path)?;
    file::expect_upstream(name, header, &path.display().to_string(), &program.header)?;
    Ok(Some(program.body))
}

/// Prints the content of a file that is not a program.
fn dump_content(args: &DumpArgs, name: &str, bytes: &[u8], out: &mut impl Write) -> Result<(), Failure> {
    let (header, _) = file::open(name, bytes)?;
    let program = program_of(args, name, &header)?;
    let names = Names { program: program.as_ref() };
    let mut content = match header.kind {
        Kind::Run => result::content(&file::from_bytes::<Run>(name, bytes)?.body, &names),
        Kind::Dist => measured::distances(&file::from_bytes::<Annotation>(name, bytes)?.body, &names),
        Kind::Feat => measured::features(&file::from_bytes::<Features>(name, bytes)?.body),
        Kind::Cfa | Kind::Hist | Kind::Sel => json!({}),
    };
    if args.json {
        content["header"] = header_json(&header);
        return Ok(writeln!(out, "{content:#}")?);
    }
    write_header(&header, out)?;
    Ok(out.write_all(outline(&content).as_bytes())?)
}

/// Prints the proof of a result as a graph.
fn dump_proof(args: &DumpArgs, name: &str, bytes: &[u8], out: &mut impl Write) -> Result<(), Failure> {
    let File { header, body: run } = file::from_bytes::<Run>(name, bytes)?;
    let program = program_of(args, name, &header)?;
    let Some(proof) = run.graph() else {
        return Err(Failure::Message(format!("{name} has no graph as a proof")));
    };
    Ok(out.write_all(draw(proof, &[], &Names { program: program.as_ref() }).as_bytes())?)
}

/// Prints the residual condition of a result.
fn dump_rest(args: &DumpArgs, name: &str, bytes: &[u8], out: &mut impl Write) -> Result<(), Failure> {
    let File { header, body: run } = file::from_bytes::<Run>(name, bytes)?;
    let program = program_of(args, name, &header)?;
    let names = Names { program: program.as_ref() };
    let Some(rest) = run.rests.last() else {
        return Err(Failure::Message(format!("{name} has no residual condition")));
    };
    if args.dot {
        let open: Vec<usize> = rest.open.iter().map(|open| open.state as usize).collect();
        return Ok(out.write_all(draw(&rest.graph, &open, &names).as_bytes())?);
    }
    let content = result::rest(rest, &names);
    if args.json {
        return Ok(writeln!(out, "{content:#}")?);
    }
    Ok(out.write_all(outline(&content).as_bytes())?)
}

fn write_header(header: &Header, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "kind: {} ({})", header.kind.ending(), header.kind.holds())?;
    writeln!(out, "version: {}", header.version)?;
    writeln!(out, "producer: {}", header.producer)?;
    writeln!(out, "digest: {}", header.digest)?;
    let upstream = header.upstream.map_or("none".into(), |digest| digest.to_string());
    writeln!(out, "upstream: {upstream}")?;
    writeln!(out, "body: {} bytes", header.body_len)?;
    Ok(())
}

fn header_json(header: &Header) -> Json {
    json!({
        "kind": header.kind.ending(),
        "version": header.version.to_string(),
        "producer": header.producer,
        "digest": header.digest.to_string(),
        "upstream": header.upstream.map(|digest| digest.to_string()),
        "body_bytes": header.body_len,
    })
}

/// The sizes of a program, by name.
fn sizes(program: &Program) -> Vec<(&'static str, usize)> {
    let edges = |wanted: fn(&Op) -> bool| program.edges.values().filter(|edge| wanted(&edge.op)).count();
    vec![
        ("functions", program.functions.len()),
        ("locations", program.num_locs()),
        ("edges", program.edges.len()),
        ("skips", edges(|op| matches!(op, Op::Skip))),
        ("assumes", edges(|op| matches!(op, Op::Assume(..)))),
        ("assignments", edges(|op| matches!(op, Op::Assign(_)))),
        ("havocs", edges(|op| matches!(op, Op::Havoc(..) | Op::HavocRegion(_)))),
        ("stores", edges(|op| matches!(op, Op::Store { .. }))),
        ("calls", edges(|op| matches!(op, Op::Call(_)))),
        ("globals", program.globals().count()),
        ("variables", program.vars.len()),
        ("regions", program.regions.len()),
        ("constants", program.exprs.consts().len()),
        ("expressions", program.exprs.len()),
        ("targets", program.targets.len()),
        ("assumptions", program.assumptions.len()),
        ("files", program.files.len()),
        ("inputs", program.inputs.len()),
        ("labels", program.labels.len()),
    ]
}

fn write_stats(header: &Header, program: &Program, out: &mut impl Write) -> Result<(), Failure> {
    write_header(header, out)?;
    for (name, size) in sizes(program) {
        writeln!(out, "{name}: {size}")?;
    }
    Ok(())
}

fn program_json(header: &Header, program: &Program, functions: &[FuncId]) -> Json {
    let target = |target: &beeline_ir::Target| {
        json!({
            "name": target.name,
            "property": target.property,
            "function": program.functions[program.function_of(target.loc)].name,
            "location": program.label(target.loc),
            "source": span_json(program, target.span),
        })
    };
    let assumption = |assumption: &beeline_ir::Assumption| {
        json!({
            "kind": assumption.kind,
            "text": assumption.text,
            "direction": assumption.direction.name(),
            "edge": assumption.edge.map(|edge| edge.as_u32()),
            "source": span_json(program, assumption.span),
        })
    };
    json!({
        "header": header_json(header),
        "sizes": sizes(program).into_iter().map(|(name, size)| (name.to_string(), json!(size)))
            .collect::<serde_json::Map<_, _>>(),
        "name": program.name,
        "entry": program.functions[program.entry].name,
        "globals": program.globals().map(|(id, _)| variable_json(program, id)).collect::<Vec<_>>(),
        "functions": functions.iter().map(|&func| function_json(program, func)).collect::<Vec<_>>(),
        "targets": program.targets.iter().map(target).collect::<Vec<_>>(),
        "assumptions": program.assumptions.iter().map(assumption).collect::<Vec<_>>(),
    })
}

fn function_json(program: &Program, func: FuncId) -> Json {
    let function = &program.functions[func];
    let edge = |id: EdgeId| {
        let edge = &program.edges[id];
        json!({
            "id": id.as_u32(),
            "from": program.label(edge.src),
            "to": program.label(edge.dst),
            "op": print_op(program, id),
            "source": span_json(program, edge.span),
        })
    };
    json!({
        "name": function.name,
        "parameters": function.params.iter().map(|&var| variable_json(program, var)).collect::<Vec<_>>(),
        "result": function.ret.map(|var| variable_json(program, var)),
        "locals": function.locals.iter().map(|&var| variable_json(program, var)).collect::<Vec<_>>(),
        "entry": program.label(function.entry()),
        "exit": program.label(function.exit),
        "locations": function.locations().map(|loc| program.label(loc)).collect::<Vec<_>>(),
        "edges": function.locations().flat_map(|loc| program.out_edges(loc)).map(edge).collect::<Vec<_>>(),
    })
}

fn variable_json(program: &Program, id: VarId) -> Json {
    let var = &program.vars[id];
    json!({ "name": var.name, "type": var.ty.to_string(), "source": var.source.as_ref().map(|s| &s.name) })
}

fn span_json(program: &Program, span: Option<Span>) -> Json {
    json!(span.map(|span| program.show_span(span)))
}

fn write_dot(
    program: &Program,
    functions: &[FuncId],
    colours: Option<&Colours<'_>>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    writeln!(out, "digraph {} {{", quoted(&program.name))?;
    writeln!(out, "  node [shape=circle, fontname=monospace]; edge [fontname=monospace];")?;
    for &func in functions {
        let function = &program.functions[func];
        writeln!(out, "  subgraph cluster_{} {{", func.as_u32())?;
        writeln!(out, "    label={};", quoted(&function.name))?;
        for loc in function.locations() {
            let is_target = program.targets.iter().any(|target| target.loc == loc);
            let look = if is_target {
                ", style=filled, fillcolor=salmon"
            } else if loc == function.exit {
                ", shape=doublecircle"
            } else {
                ""
            };
            let (label, look) = match colours.map(|colours| colours.of(loc)) {
                None => (program.label(loc), look.to_string()),
                Some((distances, colour)) => (
                    format!("{}\n{distances}", program.label(loc)),
                    format!("{look}, style=filled, fillcolor=\"{colour}\""),
                ),
            };
            writeln!(out, "    l{} [label={}{look}];", loc.as_u32(), quoted(&label))?;
        }
        for id in function.locations().flat_map(|loc| program.out_edges(loc)) {
            let edge = &program.edges[id];
            let op = quoted(&print_op(program, id));
            writeln!(out, "    l{} -> l{} [label={op}];", edge.src.as_u32(), edge.dst.as_u32())?;
        }
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")?;
    Ok(())
}
