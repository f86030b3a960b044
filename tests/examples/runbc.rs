//! x
use beeline_interp::*; use beeline_lower::Options;
fn main() { let a: Vec<String> = std::env::args().collect(); let o = Options { flat: a.get(2).is_some_and(|x| x == "flat"), ..Options::default() };
 let p = beeline_tests::lowered(std::path::Path::new(&a[1]), &o).unwrap();
 let r = Machine::new(&p).run(&mut oracle::Given::default(), &Limits { steps: 50_000_000, trace: true, ..Limits::default() });
 println!("{:x?} steps {}", r.outcome, r.steps);
 if a.len() > 3 { for e in r.trace { let ed=&p.edges[e]; println!("{} {} {}", p.functions[p.function_of(ed.src)].name, beeline_ir::text::print_op(&p, e), ed.span.map(|s| p.show_span(s)).unwrap_or_default()); } } }
