//! Every rule of the validator, each with the message that its breach prints.

use beeline_ir::{
    AssumeKind, Assumption, BinOp, Call, Callee, ConstId, Direction, EdgeId, Expr, ExprId, Extent, FileId,
    FloatKind, FuncId, InitRun, InputId, LocId, Op, Program, RegionId, SourceVar, Span, Type, Value, Var,
    VarId, text, validate,
};
use cranelift_entity::EntityRef;

const VALID: &str = "
beeline 1.0
entry main
file \"a.c\"
region mem: i64 -> i32 in 0x10+16, 0x40+8 := 0x10: 1, 2
global g: i32 := 5

fn main(x: i32, p: i64) -> r: i32 {
  var y: i32, z: i32, t: bool
  L0: y := x
  L1: r := call f(y)
  L2: mem[p] := z
  L3: if t goto bad else good
  bad: target \"bad\"
  good: exit
}

fn f(a: i32) -> b: i32 at 0x10 {
  L0: b := a
  L1: exit
}
";
const MAIN: usize = 0;
const F: usize = 1;

fn valid() -> Program {
    text::parse(VALID).expect("the program is valid")
}

/// Checks the faults of the valid program after a change.
#[track_caller]
fn breaks(change: impl FnOnce(&mut Program), expected: &[&str]) {
    let mut program = valid();
    change(&mut program);
    let found: Vec<String> = validate(&program).iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

fn var(program: &Program, name: &str) -> VarId {
    program.vars.iter().find(|(_, var)| var.name == name).expect("it is declared").0
}

/// The expression that reads a variable.
fn read(program: &Program, name: &str) -> ExprId {
    let var = var(program, name);
    program.exprs.iter().find(|(_, node)| **node == Expr::Var(var)).expect("it is read").0
}

/// A constant of another type than any variable has.
fn odd_constant(program: &mut Program) -> ConstId {
    program.exprs.intern_const(Value::bv(7, 1))
}

fn op(program: &mut Program, edge: usize) -> &mut Op {
    &mut program.edges[EdgeId::new(edge)].op
}

fn region(program: &mut Program) -> &mut beeline_ir::Region {
    &mut program.regions[RegionId::new(0)]
}

fn func(program: &mut Program, index: usize) -> &mut beeline_ir::Function {
    &mut program.functions[FuncId::new(index)]
}

/// A span in a file that does not exist.
fn no_file() -> Option<Span> {
    Some(Span { file: FileId::new(9), line: 1, col: 1 })
}

/// A span in a line that does not exist.
fn line_0() -> Option<Span> {
    Some(Span { file: FileId::new(0), line: 0, col: 1 })
}

#[test]
fn the_program_is_valid_as_it_stands() {
    breaks(|_| {}, &[]);
}

#[test]
fn the_program() {
    breaks(|p| p.pointer_width = 7, &["program: pointers of 7 bits are not supported, only 8 to 64"]);
    breaks(|p| p.pointer_width = 65, &["program: pointers of 65 bits are not supported, only 8 to 64"]);
    breaks(|p| p.entry = FuncId::new(2), &["program: the entry f2 does not exist"]);
    let mut empty = beeline_ir::ProgramBuilder::new("", 64).program().clone();
    empty.entry = FuncId::new(0);
    assert_eq!(validate(&empty)[0].to_string(), "program: the program has no function");
}

#[test]
fn names() {
    breaks(|p| region(p).name = String::new(), &["region : a name is empty"]);
    breaks(
        |p| func(p, F).name = "a`b".into(),
        &["function a`b: the name \"a`b\" has a control character or a backtick"],
    );
    breaks(
        |p| p.vars[VarId::new(0)].name = "g\n".into(),
        &["variable g\n: the name \"g\\n\" has a control character or a backtick"],
    );
    breaks(|p| func(p, F).name = "main".into(), &["function main: another function has the same name"]);
    breaks(|p| func(p, MAIN).addr = Some(0x10), &["function f: it has the address 0x10 of function main"]);
    breaks(
        |p| p.vars[VarId::new(0)].name = "mem".into(),
        &["variable mem: another global or region has the same name"],
    );
    breaks(
        |p| {
            let copy = region(p).clone();
            p.regions.push(copy);
        },
        &["region mem: another region has the same name"],
    );
    let shadow = ["variable g of function main: another variable in its scope has the same name"];
    breaks(
        |p| {
            let x = var(p, "x");
            p.vars[x].name = "g".into()
        },
        &shadow,
    );
    breaks(
        |p| {
            let x = var(p, "x");
            p.vars[x].name = "y".into()
        },
        &["variable y of function main: another variable in its scope has the same name"],
    );
    // Another function's locals are another scope.
    breaks(
        |p| {
            let x = var(p, "x");
            p.vars[x].name = "a".into()
        },
        &[],
    );
}

#[test]
fn variables() {
    breaks(
        |p| func(p, MAIN).locals.push(VarId::new(99)),
        &["function main: its variable v99 does not exist"],
    );
    breaks(
        |p| {
            let y = var(p, "y");
            func(p, MAIN).locals.push(y)
        },
        &[
            "variable y of function main: it is declared twice",
            "variable y of function main: another variable in its scope has the same name",
        ],
    );
    breaks(
        |p| func(p, MAIN).locals.push(VarId::new(0)),
        &[
            "variable g of function main: it belongs to no or another function",
            "variable g of function main: another variable in its scope has the same name",
        ],
    );
    breaks(
        |p| {
            let owner = Some(FuncId::new(F));
            p.vars.push(Var { name: "w".into(), ty: Type::Bool, owner, init: None, source: None });
        },
        &["variable w: no function declares it"],
    );
    let wide = Type::Bv(beeline_ir::MAX_WIDTH + 1);
    for (ty, width) in [(Type::Bv(0), "0"), (wide, "8388609")] {
        breaks(
            |p| {
                p.vars.push(Var { name: "w".into(), ty, owner: None, init: None, source: None });
            },
            &[&format!("variable w: a bit-vector of {width} bits is not supported, only 1 to 8388608")],
        );
    }
    breaks(
        |p| {
            let (y, init) = (var(p, "y"), p.vars[VarId::new(0)].init);
            p.vars[y].init = init
        },
        &["variable y: only globals have a value at the start"],
    );
    breaks(
        |p| p.vars[VarId::new(0)].init = Some(odd_constant(p)),
        &["variable g: its value at the start is i7, not i32"],
    );
    let source = |span| Some(SourceVar { name: "g".into(), ty: "int".into(), span });
    breaks(
        |p| p.vars[VarId::new(0)].source = source(no_file()),
        &["variable g: the span is in file9, which does not exist"],
    );
    breaks(|p| p.vars[VarId::new(0)].source = source(line_0()), &["variable g: lines count from 1, not 0"]);
}

#[test]
fn regions() {
    for (ty, name) in [(Type::Bv(65), "i65"), (Type::Bv(0), "i0"), (Type::Float(FloatKind::F64), "f64")] {
        let mut program = valid();
        region(&mut program).addr = ty;
        let message = format!("region mem: addresses of type {name} are not supported, only i1 to i64");
        assert_eq!(validate(&program)[0].to_string(), message);
    }
    for (ty, name) in [(Type::Bv(12), "i12"), (Type::Bool, "bool")] {
        let mut program = valid();
        region(&mut program).cell = ty;
        let message = format!("region mem: cells of type {name} are not a whole number of bytes");
        assert_eq!(validate(&program)[0].to_string(), message);
    }
    let behind =
        |at: &str| format!("region mem: the extent at {at} is empty or does not follow the previous one");
    breaks(|p| region(p).extents[0].size = 0, &[&behind("0x10")]);
    breaks(|p| region(p).extents[1].base = 0x1f, &[&behind("0x1f")]);
    breaks(|p| region(p).extents[1].base = 0x20, &[]);
    breaks(
        |p| region(p).extents.push(Extent { base: u64::MAX, size: 2 }),
        &["region mem: the extent at 0xffffffffffffffff ends beyond the last address"],
    );
    breaks(|p| region(p).extents.push(Extent { base: u64::MAX, size: 1 }), &[]);
    let none = |at: &str| {
        format!("region mem: the initial values at {at} are empty or do not follow the previous ones")
    };
    breaks(|p| region(p).init[1].count = 0, &[&none("0x14")]);
    breaks(|p| region(p).init[1].addr = 0x13, &[&none("0x13")]);
    breaks(
        |p| {
            let value = region(p).init[0].value;
            region(p).init.push(InitRun { addr: u64::MAX - 3, count: 2, value });
        },
        &["region mem: the initial values at 0xfffffffffffffffc end beyond the last address"],
    );
    breaks(
        |p| region(p).init[0].value = odd_constant(p),
        &["region mem: the initial value at 0x10 is i7, the cells are i32"],
    );
}

#[test]
fn functions() {
    breaks(
        |p| func(p, F).locs = 7..8,
        &["function f: its locations do not follow those of the previous function"],
    );
    let mut program = valid();
    func(&mut program, F).locs = 6..6;
    let faults: Vec<String> = validate(&program).iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "function f: it has no location",
            "function f: its exit is not one of its locations",
            "program: some locations belong to no function"
        ]
    );
    breaks(|p| func(p, MAIN).exit = LocId::new(7), &["function main: its exit is not one of its locations"]);
    breaks(|p| func(p, MAIN).exit = LocId::new(0), &["function main: an edge leaves its exit"]);
    breaks(|p| func(p, F).file = Some(FileId::new(4)), &["function f: its file file4 does not exist"]);
}

#[test]
fn edges() {
    breaks(|p| p.edges[EdgeId::new(0)].dst = LocId::new(99), &["edge0: one of its ends does not exist"]);
    breaks(
        |p| p.edges[EdgeId::new(0)].dst = LocId::new(6),
        &["function main, edge from L0: it leads into another function"],
    );
    breaks(
        |p| p.edges[EdgeId::new(0)].span = no_file(),
        &["function main, edge from L0: the span is in file9, which does not exist"],
    );
    breaks(
        |p| p.edges[EdgeId::new(0)].span = line_0(),
        &["function main, edge from L0: lines count from 1, not 0"],
    );
}

#[test]
fn scopes() {
    breaks(
        |p| {
            let y = var(p, "y");
            let a = read(p, "a");
            *op(p, 0) = Op::assign(y, a)
        },
        &["function main, edge from L0: it reads a local of another function"],
    );
    breaks(
        |p| {
            let (y, a) = (read(p, "y"), read(p, "a"));
            let mut exprs = std::mem::take(&mut p.exprs);
            let both = exprs.intern(Expr::Binary(BinOp::Add, y, a), p).expect("the types fit");
            p.exprs = exprs;
            *op(p, 0) = Op::assign(var(p, "y"), both);
        },
        &["function main, edge from L0: it reads a local of another function"],
    );
    breaks(
        |p| {
            let a = var(p, "a");
            *op(p, 0) = Op::Havoc(a, None)
        },
        &["function main, edge from L0: it writes a, a local of another function"],
    );
    breaks(
        |p| *op(p, 0) = Op::Havoc(VarId::new(99), None),
        &["function main, edge from L0: its variable v99 does not exist"],
    );
    breaks(
        |p| *op(p, 0) = Op::assume(ExprId::new(99)),
        &["function main, edge from L0: its expression e99 does not exist"],
    );
}

#[test]
fn operations() {
    breaks(
        |p| {
            let x = read(p, "x");
            *op(p, 0) = Op::assume(x)
        },
        &["function main, edge from L0: it assumes a value of type i32, not bool"],
    );
    for kind in [
        AssumeKind { branch: false, looping: true, negated: false },
        AssumeKind { branch: false, looping: false, negated: true },
    ] {
        breaks(
            |p| {
                let t = read(p, "t");
                *op(p, 0) = Op::Assume(t, kind)
            },
            &["function main, edge from L0: only a branch can be marked as a loop or as negated"],
        );
    }
    breaks(
        |p| *op(p, 0) = Op::Assign(Default::default()),
        &["function main, edge from L0: it assigns nothing"],
    );
    breaks(
        |p| {
            let (y, p_read) = (var(p, "y"), read(p, "p"));
            *op(p, 0) = Op::assign(y, p_read)
        },
        &["function main, edge from L0: y is i32, the value is i64"],
    );
    breaks(
        |p| {
            let (y, x) = (var(p, "y"), read(p, "x"));
            *op(p, 0) = Op::Assign([(y, x), (y, x)].into_iter().collect());
        },
        &["function main, edge from L0: it assigns y twice"],
    );
    breaks(
        |p| *op(p, 0) = Op::Havoc(var(p, "y"), Some(InputId::new(3))),
        &["function main, edge from L0: its input3 does not exist"],
    );
    breaks(
        |p| *op(p, 0) = Op::HavocRegion(RegionId::new(3)),
        &["function main, edge from L0: its region r3 does not exist"],
    );
}

#[test]
fn stores() {
    let store = |region, addr: &'static str, value: &'static str| {
        move |p: &mut Program| {
            let (addr, value) = (read(p, addr), read(p, value));
            *op(p, 2) = Op::Store { region: RegionId::new(region), addr, value };
        }
    };
    breaks(store(3, "p", "z"), &["function main, edge from L2: its region r3 does not exist"]);
    breaks(
        store(0, "y", "z"),
        &["function main, edge from L2: the address is i32, but region mem has addresses of type i64"],
    );
    breaks(
        store(0, "p", "t"),
        &["function main, edge from L2: a value of type bool does not consist of cells of type i32"],
    );
    // A value may take several cells.
    breaks(store(0, "p", "p"), &[]);
}

/// Puts a call where the valid program has one.
fn call(change: impl FnOnce(&mut Program, &mut Call)) -> impl FnOnce(&mut Program) {
    |p| {
        let mut call = p.edges[EdgeId::new(1)].op.as_call().expect("it is a call").clone();
        change(p, &mut call);
        *op(p, 1) = Op::Call(Box::new(call));
    }
}

#[test]
fn calls() {
    breaks(
        call(|_, call| call.callee = Callee::Direct(FuncId::new(5))),
        &["function main, edge from L1: its callee f5 does not exist"],
    );
    breaks(call(|_, call| call.args.clear()), &["function main, edge from L1: f takes 1 arguments, not 0"]);
    breaks(
        call(|p, call| call.args[0] = read(p, "p")),
        &["function main, edge from L1: parameter a of f is i32, the argument is i64"],
    );
    breaks(
        call(|p, call| call.ret = Some(var(p, "p"))),
        &["function main, edge from L1: p is i64, the value is i32"],
    );
    breaks(call(|_, call| call.ret = None), &[]);
    breaks(
        |p| {
            let b = func(p, F).ret.take().expect("it returns something");
            func(p, F).locals.push(b);
        },
        &["function main, edge from L1: f returns nothing"],
    );
}

#[test]
fn indirect_calls() {
    let through = |target: &'static str, candidates: &'static [usize]| {
        call(move |p, call| {
            let candidates = candidates.iter().map(|&func| FuncId::new(func)).collect();
            call.callee = Callee::Indirect { target: read(p, target), candidates };
        })
    };
    breaks(through("p", &[F]), &[]);
    breaks(through("p", &[]), &[]);
    breaks(
        through("y", &[F]),
        &["function main, edge from L1: it calls through a value of type i32, not a pointer"],
    );
    breaks(through("p", &[F, F]), &["function main, edge from L1: its candidate f1 is listed twice"]);
    breaks(through("p", &[7]), &["function main, edge from L1: its callee f7 does not exist"]);
    breaks(
        through("p", &[MAIN]),
        &[
            "function main, edge from L1: its candidate main has no address",
            "function main, edge from L1: main takes 2 arguments, not 1",
        ],
    );
}

#[test]
fn targets() {
    breaks(
        |p| {
            let copy = p.targets[0].clone();
            p.targets.push(copy)
        },
        &["target \"bad\": another target has the same name"],
    );
    breaks(|p| p.targets[0].loc = LocId::new(99), &["target \"bad\": its location does not exist"]);
    breaks(|p| p.targets[0].loc = LocId::new(0), &["target \"bad\": an edge leaves its location"]);
    breaks(|p| p.targets[0].loc = LocId::new(5), &["target \"bad\": its location is the exit of a function"]);
    breaks(
        |p| p.targets[0].span = no_file(),
        &["target \"bad\": the span is in file9, which does not exist"],
    );
}

#[test]
fn assumptions() {
    let assumption = |kind: &str, edge: Option<usize>, span| {
        let (kind, edge) = (kind.to_string(), edge.map(EdgeId::new));
        move |p: &mut Program| {
            let (text, direction) = ("it may".into(), Direction::Both);
            p.assumptions.push(Assumption { kind, text, direction, edge, span });
        }
    };
    breaks(assumption("extern-call", Some(0), None), &[]);
    breaks(
        assumption("extern call", None, None),
        &["assumption \"extern call\": its kind does not consist of words joined by hyphens"],
    );
    breaks(assumption("asm", Some(99), None), &["assumption \"asm\": its edge does not exist"]);
    breaks(assumption("asm", None, line_0()), &["assumption \"asm\": lines count from 1, not 0"]);
}

#[test]
fn labels() {
    let label = |loc: usize, label: &str| {
        let label = label.to_string();
        move |p: &mut Program| drop(p.labels.insert(LocId::new(loc), label))
    };
    breaks(label(99, "far"), &["label far: its location does not exist"]);
    breaks(label(0, ""), &["label : a name is empty"]);
    breaks(label(0, "bad"), &["label bad: another location of function main has it"]);
    // What an unnamed location is called anyway.
    breaks(label(0, "L2"), &["label L2: another location of function main has it"]);
    // Another function's labels do not count.
    breaks(label(6, "bad"), &[]);
}

#[test]
fn the_list_ends_where_nobody_reads_on() {
    let mut program = valid();
    for index in 0..1000 {
        program.labels.insert(LocId::new(1000 + index), "far".into());
    }
    assert_eq!(validate(&program).len(), 100);
}
