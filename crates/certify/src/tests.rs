//! The circuits compute what the interpreter does, and the comparison with it notices a wrong circuit of any operator.

use crate::{Limits, Refutation, refute_parts};
use beeline_interp::eval::{self, Evaluated};
use beeline_ir::build::ProgramBuilder;
use beeline_ir::{BinOp, Bits, CastOp, Expr, ExprId, Program, RegionId, Type, UnOp, Value, VarId};
use beeline_smt::parts::{Op, OrderOp, Parts, WordOp};
use beeline_smt::{Encoder, Formula, Memory, Term, Unsupported, Valuation};
use fastrand::Rng;

const LIMITS: Limits = Limits { gates: 1_000_000, conflicts: 100_000, deadline: None };

const WIDTHS: [u32; 12] = [1, 2, 3, 5, 8, 13, 16, 32, 33, 64, 65, 100];

/// The operators of the interpreter on two numbers.
const BINARY: [BinOp; 18] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::URem,
    BinOp::SDiv,
    BinOp::SRem,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
    BinOp::Eq,
    BinOp::Ult,
    BinOp::Ule,
    BinOp::Slt,
    BinOp::Sle,
];

/// Expressions of variables.
struct Cases {
    program: Program,
    vars: Vec<VarId>,
    all: Vec<ExprId>,
}

impl Cases {
    /// Some expressions of variables with these types.
    fn of<const N: usize>(types: [Type; N], make: impl FnOnce([ExprId; N]) -> Vec<Expr>) -> Cases {
        let mut builder = ProgramBuilder::new("operators", 64);
        let names = ["a", "b", "c", "d"];
        let mut index = 0;
        let vars = types.map(|ty| {
            index += 1;
            builder.global(names[index - 1], ty, None)
        });
        let operands = vars.map(|var| builder.intern(Expr::Var(var)).expect("it exists"));
        let all = make(operands).into_iter().map(|expr| builder.intern(expr).expect("it is typed")).collect();
        Cases { program: builder.program().clone(), vars: vars.to_vec(), all }
    }

    /// The operators on two numbers of a width and a truth value.
    fn new(width: u32) -> Cases {
        let ty = Type::Bv(width);
        Cases::of([ty, ty, Type::Bool], |[a, b, c]| {
            let binary = BINARY.into_iter().chain([BinOp::Concat]).map(|op| Expr::Binary(op, a, b));
            let mut all: Vec<Expr> = binary.collect();
            all.extend([
                Expr::Unary(UnOp::BvNot, a),
                Expr::Unary(UnOp::Neg, a),
                Expr::Ite(c, a, b),
                Expr::Extract { hi: width - 1, lo: width / 2, arg: a },
                Expr::Extract { hi: width / 3, lo: width / 4, arg: a },
                Expr::Cast(CastOp::ZExt, Type::Bv(width + 7), a),
                Expr::Cast(CastOp::SExt, Type::Bv(width + 7), a),
                Expr::Unary(UnOp::Not, c),
            ]);
            all
        })
    }

    /// What the interpreter computes.
    fn value(&self, id: ExprId, values: &[Value]) -> Evaluated {
        let of = |id| self.value(id, values);
        match self.program.exprs[id] {
            Expr::Const(value) => Ok(self.program.exprs.value(value).clone()),
            Expr::Var(var) => Ok(values[self.index(var)].clone()),
            Expr::Unary(op, a) => eval::unary(op, &of(a)?),
            Expr::Binary(op, a, b) => eval::binary(op, &of(a)?, &of(b)?),
            Expr::Fma(a, b, c) => eval::fma(&of(a)?, &of(b)?, &of(c)?),
            Expr::Ite(c, a, b) => eval::ite(&of(c)?, &of(a)?, &of(b)?),
            Expr::Extract { hi, lo, arg } => eval::extract(hi, lo, &of(arg)?),
            Expr::Cast(op, to, a) => eval::cast(op, to, &of(a)?),
            Expr::Load { .. } => unreachable!("no expression reads memory"),
        }
    }

    fn index(&self, var: VarId) -> usize {
        self.vars.iter().position(|other| *other == var).expect("it is one of them")
    }
}

/// Variables as constants with facts about their values, or as values.
struct World<'w> {
    cases: &'w Cases,
    values: &'w [Value],
    facts: Option<Vec<Formula>>,
}

impl Valuation for World<'_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        let index = self.cases.index(var);
        let value = Term::value(&self.values[index])?;
        let Some(facts) = &mut self.facts else { return Ok(value) };
        let constant = Term::named(&format!("v{index}"), self.values[index].ty())?;
        facts.push(constant.same(&value));
        Ok(constant)
    }

    fn region(&mut self, _: RegionId) -> Result<Memory, Unsupported> {
        unreachable!("no expression reads memory")
    }
}

/// Whether the circuit of an expression has the value that the interpreter computes, and only this one. The parts of its
/// formula may be changed before.
fn agrees(cases: &Cases, id: ExprId, values: &[Value], folded: bool, change: impl Fn(&mut Parts)) -> bool {
    let expected = cases.value(id, values);
    let mut world = World { cases, values, facts: (!folded).then(Vec::new) };
    let encoded = Encoder::new(&cases.program).expr(id, &mut world).expect("it has a term");
    let holds = match &expected {
        Ok(value) => encoded.defined.and(&encoded.term.same(&Term::value(value).expect("it is small"))),
        Err(_) => encoded.defined.not(),
    };
    let facts = world.facts.unwrap_or_default();
    let answer = |formula: Formula| {
        let mut formulas = facts.clone();
        formulas.push(formula);
        let mut parts = Parts::of(&formulas).expect("all is supported");
        change(&mut parts);
        refute_parts(&parts, &LIMITS, None)
    };
    answer(holds.clone()) == Refutation::Model { exact: true } && answer(holds.not()) == Refutation::Certified
}

fn random_bits(rng: &mut Rng, width: u32) -> Bits {
    match rng.u8(..6) {
        0 => Bits::from_i64(width, i64::from(rng.i8(-2..3))),
        1 => Bits::ones(width).lshr(&Bits::new(width, 1)),
        2 => Bits::ones(width).lshr(&Bits::new(width, 1)).not(),
        3 => Bits::new(width, rng.u64(..u64::from(width) + 3)),
        _ => Bits::from_u128(width, rng.u128(..)),
    }
}

fn random_values(rng: &mut Rng, width: u32) -> [Value; 3] {
    let (a, b) = (random_bits(rng, width), random_bits(rng, width));
    [Value::Bv(a), Value::Bv(b), Value::Bool(rng.bool())]
}

#[test]
fn circuits_compute_what_the_interpreter_does() {
    let mut rng = Rng::with_seed(1);
    let mut stuck = 0;
    for width in WIDTHS {
        let cases = Cases::new(width);
        for _ in 0..if width > 16 { 2 } else { 8 } {
            let values = random_values(&mut rng, width);
            for &case in &cases.all {
                let folded = rng.bool();
                stuck += usize::from(cases.value(case, &values).is_err());
                assert!(
                    agrees(&cases, case, &values, folded, |_| {}),
                    "{:?} of {values:?}",
                    cases.program.exprs[case]
                );
            }
        }
    }
    assert!(stuck > 10, "{stuck} were stuck");
}

#[test]
fn small_numbers_are_compared_completely() {
    for width in 1..4 {
        let cases = Cases::new(width);
        for bits in 0..1_u64 << (2 * width) {
            let (a, b) = (bits & ((1 << width) - 1), bits >> width);
            let values = [Value::bv(width, a), Value::bv(width, b), Value::Bool(bits & 1 == 1)];
            for &case in &cases.all {
                let expr = &cases.program.exprs[case];
                assert!(agrees(&cases, case, &values, false, |_| {}), "{expr:?} of {values:?}");
            }
        }
    }
}

/// Another operator in place of one, as an encoding with an error would have it.
fn confused(op: &Op) -> Option<Op> {
    Some(match op {
        Op::Word(op) => Op::Word(match op {
            WordOp::Not => WordOp::Neg,
            WordOp::Neg => WordOp::Not,
            WordOp::Add => WordOp::Sub,
            WordOp::Sub => WordOp::Add,
            WordOp::Mul => WordOp::Add,
            WordOp::UDiv => WordOp::SDiv,
            WordOp::URem => WordOp::SRem,
            WordOp::SDiv => WordOp::UDiv,
            WordOp::SRem => WordOp::URem,
            WordOp::And => WordOp::Or,
            WordOp::Or => WordOp::Xor,
            WordOp::Xor => WordOp::Or,
            WordOp::Shl => WordOp::LShr,
            WordOp::LShr => WordOp::AShr,
            WordOp::AShr => WordOp::LShr,
        }),
        Op::Order(op) => Op::Order(match op {
            OrderOp::Ult => OrderOp::Ule,
            OrderOp::Ule => OrderOp::Ult,
            OrderOp::Slt => OrderOp::Ult,
            OrderOp::Sle => OrderOp::Ule,
        }),
        Op::ZeroExt => Op::SignExt,
        Op::SignExt => Op::ZeroExt,
        &Op::Extract(high, low) if low > 0 => Op::Extract(high - 1, low - 1),
        Op::And => Op::Or,
        Op::Or => Op::And,
        Op::Same => Op::Distinct,
        _ => return None,
    })
}

/// Confuses an operator of some kind wherever it occurs, or exchanges the operands of a choice or a concatenation.
fn confuse(parts: &mut Parts, kind: &Op) {
    for node in parts.nodes.iter_mut().filter(|node| node.op == *kind) {
        match &node.op {
            Op::Ite => node.args.swap(1, 2),
            Op::Concat => node.args.swap(0, 1),
            op => node.op = confused(op).expect("it has another one"),
        }
    }
}

#[test]
fn a_wrong_circuit_of_any_operator_is_noticed() {
    let word = [
        WordOp::Not,
        WordOp::Neg,
        WordOp::Add,
        WordOp::Sub,
        WordOp::Mul,
        WordOp::UDiv,
        WordOp::URem,
        WordOp::SDiv,
        WordOp::SRem,
        WordOp::And,
        WordOp::Or,
        WordOp::Xor,
        WordOp::Shl,
        WordOp::LShr,
        WordOp::AShr,
    ];
    let order = [OrderOp::Ult, OrderOp::Ule, OrderOp::Slt, OrderOp::Sle];
    let others = [Op::ZeroExt, Op::SignExt, Op::Extract(7, 4), Op::Ite, Op::Concat, Op::Same, Op::And];
    let kinds = word.map(Op::Word).into_iter().chain(order.map(Op::Order)).chain(others);
    let cases = Cases::new(8);
    for kind in kinds {
        let mut rng = Rng::with_seed(2);
        let noticed = (0..40).any(|_| {
            let values = random_values(&mut rng, 8);
            cases.all.iter().any(|&case| {
                let change = |parts: &mut Parts| confuse(parts, &kind);
                !agrees(&cases, case, &values, false, change)
            })
        });
        assert!(noticed, "{kind:?}");
    }
}

mod floats;
