//! Templates of inline assembly, written as AT&T does, that are a single instruction of x86 whose result is a function
//! of its operands.
//!
//! Instructions whose meaning depends on the processor (`tzcnt`, `lzcnt`) or on flags are not among them.

/// An argument as an operand of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Register {
    /// The argument, by its position in the call.
    pub argument: usize,
    /// How many of its bits a modifier names.
    pub width: Option<u32>,
}

/// By how many bits to rotate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Number(u64),
    Register(Register),
}

/// What an instruction computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    /// `bswap`
    SwapBytes,
    /// `xchgb` of both bytes of a register of 16 bits
    ExchangeBytes,
    /// `popcnt`
    CountOnes,
    /// `rol`
    RotateLeft(Count),
    /// `ror`
    RotateRight(Count),
    /// `bsf`
    LowestOne,
    /// `bsr`
    HighestOne,
}

impl Operation {
    /// Whether it exists, with a result that is defined, for registers of this width.
    pub(super) fn has_width(self, width: u32) -> bool {
        match self {
            Operation::SwapBytes => matches!(width, 32 | 64),
            Operation::ExchangeBytes => width == 16,
            Operation::RotateLeft(_) | Operation::RotateRight(_) => matches!(width, 8 | 16 | 32 | 64),
            Operation::CountOnes | Operation::LowestOne | Operation::HighestOne => {
                matches!(width, 16 | 32 | 64)
            }
        }
    }
}

/// An instruction with a single result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Instruction {
    pub operation: Operation,
    /// What it reads, besides a count.
    pub source: Register,
    /// How many bits of the result a modifier names.
    pub destination: Option<u32>,
    /// The width that its name says.
    pub suffix: Option<u32>,
}

/// Whether a template without results has no effect on memory or registers. A result that it does not compute has any value.
pub(super) fn does_nothing(text: &str, constraints: &str) -> bool {
    if constraints.split(',').any(|constraint| constraint.starts_with('=')) {
        return false;
    }
    let all: Vec<&str> = instructions(text).collect();
    let is_nothing = |text: &&str| matches!(*text, "nop" | "pause" | "mfence" | "lfence" | "sfence");
    all == ["rep", "nop"] || all.iter().all(is_nothing)
}

/// The instruction that a template is, if it is a single one and known.
pub(super) fn instruction(text: &str, constraints: &str) -> Option<Instruction> {
    let text = alternative(text)?;
    let mut all = instructions(&text);
    let (name, operands) = all.next()?.split_once(char::is_whitespace)?;
    if all.next().is_some() {
        return None;
    }
    let operands: Option<Vec<Operand>> = operands.split(',').map(|text| operand(text.trim())).collect();
    let (operands, arguments) = (operands?, Arguments::new(constraints)?);
    let bytes = [Operand::Argument(0, Some(8)), Operand::HighByte(0)];
    if name == "xchgb" && operands.len() == 2 && bytes.iter().all(|byte| operands.contains(byte)) {
        let source = Register { argument: arguments.overwritten?, width: None };
        let operation = Operation::ExchangeBytes;
        return Some(Instruction { operation, source, destination: None, suffix: None });
    }
    let (&Operand::Argument(0, destination), sources) = operands.split_last()? else { return None };
    let bases = ["bswap", "popcnt", "bsf", "bsr", "rol", "ror"];
    let base = bases.into_iter().find(|base| name.starts_with(base))?;
    let suffix = suffix(&name[base.len()..])?;
    let overwritten = || Some(Register { argument: arguments.overwritten?, width: destination });
    let (operation, source) = match (base, sources) {
        ("bswap", []) => (Operation::SwapBytes, overwritten()?),
        ("popcnt", [source]) => (Operation::CountOnes, arguments.register(*source)?),
        ("bsf", [source]) => (Operation::LowestOne, arguments.register(*source)?),
        ("bsr", [source]) => (Operation::HighestOne, arguments.register(*source)?),
        ("rol", [count]) => (Operation::RotateLeft(arguments.count(*count)?), overwritten()?),
        ("ror", [count]) => (Operation::RotateRight(arguments.count(*count)?), overwritten()?),
        _ => return None,
    };
    Some(Instruction { operation, source, destination, suffix })
}

/// What is written as an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    /// The operand of this number, the result first, with the width that a modifier names.
    Argument(usize, Option<u32>),
    /// The second byte of an operand.
    HighByte(usize),
    Number(u64),
    /// The register `cl`.
    Counter,
}

/// What the constraints say of the arguments of a call with one result in a register.
struct Arguments<'a> {
    /// The constraint of each argument, and what is overwritten.
    constraints: Vec<&'a str>,
    /// The argument in the register of the result.
    overwritten: Option<usize>,
}

impl<'a> Arguments<'a> {
    fn new(constraints: &'a str) -> Option<Arguments<'a>> {
        let (results, constraints): (Vec<&str>, Vec<&str>) =
            constraints.split(',').partition(|constraint| constraint.starts_with('='));
        let [result] = results.as_slice() else { return None };
        let overwritten = constraints.iter().position(|constraint| *constraint == "0");
        (!result.contains('*')).then_some(Arguments { constraints, overwritten })
    }

    /// The argument that an operand names. The result names what its register had before.
    fn register(&self, operand: Operand) -> Option<Register> {
        let Operand::Argument(number, width) = operand else { return None };
        let argument = number.checked_sub(1).or(self.overwritten)?;
        // An argument in memory is its address in the call.
        let in_register = !self.constraints.get(argument)?.contains('*');
        in_register.then_some(Register { argument, width })
    }

    fn count(&self, operand: Operand) -> Option<Count> {
        match operand {
            Operand::Number(number) => Some(Count::Number(number)),
            Operand::Counter => {
                let argument =
                    self.constraints.iter().position(|constraint| constraint.starts_with("{cx}"))?;
                Some(Count::Register(Register { argument, width: Some(8) }))
            }
            Operand::Argument(..) => {
                let register = self.register(operand)?;
                Some(Count::Register(Register { width: Some(8), ..register }))
            }
            Operand::HighByte(_) => None,
        }
    }
}

/// The instructions of a template.
fn instructions(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '\n']).map(str::trim).filter(|text| !text.is_empty())
}

/// A template without its alternatives in other dialects: `$(` before them, `$|` between them, `$)` after them.
fn alternative(text: &str) -> Option<String> {
    let mut parts = text.split("$(");
    let mut all = parts.next()?.to_string();
    for part in parts {
        let (alternatives, rest) = part.split_once("$)")?;
        all.push_str(alternatives.split("$|").next()?);
        all.push_str(rest);
    }
    Some(all)
}

fn operand(text: &str) -> Option<Operand> {
    if let Some(number) = text.strip_prefix("$$") {
        return number.parse().ok().map(Operand::Number);
    }
    if text == "%cl" {
        return Some(Operand::Counter);
    }
    let text = text.strip_prefix('$')?;
    let Some(braced) = text.strip_prefix('{') else {
        return text.parse().ok().map(|number| Operand::Argument(number, None));
    };
    let (number, modifier) = braced.strip_suffix('}')?.split_once(':')?;
    let number = number.parse().ok()?;
    match modifier {
        "h" => Some(Operand::HighByte(number)),
        _ => suffix(modifier.strip_prefix('k').map_or(modifier, |_| "l"))?
            .map(|width| Operand::Argument(number, Some(width))),
    }
}

/// The width that the end of an instruction's name says, if it says one.
fn suffix(text: &str) -> Option<Option<u32>> {
    match text {
        "" => Some(None),
        "b" => Some(Some(8)),
        "w" => Some(Some(16)),
        "l" => Some(Some(32)),
        "q" => Some(Some(64)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(text: &str, constraints: &str) -> Option<Operation> {
        instruction(text, constraints).map(|found| found.operation)
    }

    #[test]
    fn what_compilers_write_is_read() {
        let found = instruction("bswap ${0:q}", "=r,0,~{dirflag},~{fpsr},~{flags}").unwrap();
        let source = Register { argument: 0, width: Some(64) };
        let expected =
            Instruction { operation: Operation::SwapBytes, source, destination: Some(64), suffix: None };
        assert_eq!(found, expected);
        let found = instruction("bsr$(q $1, $0$| $0, $1$);", "=r,r,~{cc}").unwrap();
        let source = Register { argument: 0, width: None };
        let expected =
            Instruction { operation: Operation::HighestOne, source, destination: None, suffix: Some(64) };
        assert_eq!(found, expected);
        let count = Count::Register(Register { argument: 0, width: Some(8) });
        assert_eq!(operation("roll $1,$0", "=r,{cx}I,0"), Some(Operation::RotateLeft(count)));
        assert_eq!(operation("rorl %cl, $0", "=r,{cx},0"), Some(Operation::RotateRight(count)));
        assert_eq!(operation("rorw $$8, ${0:w}", "=r,0"), Some(Operation::RotateRight(Count::Number(8))));
        assert_eq!(operation("xchgb ${0:b},${0:h}", "=Q,0"), Some(Operation::ExchangeBytes));
    }

    #[test]
    fn what_is_more_or_other_than_one_known_instruction_is_not_read() {
        for (text, constraints) in [
            ("bsfl $1, $0\n\tcmovzl $2,$0", "=r,rm,r"),
            ("bswap $0; bswap $0", "=r,0"),
            ("bswap $0 # only", "=r,0"),
            // Nothing has set the register.
            ("bswap $0", "=r"),
            // Not the result is changed, but an argument.
            ("bswap $1", "=r,r"),
            ("popcnt $0, $1", "=r,r"),
            // Memory.
            ("popcntl $1, $0", "=r,*m"),
            ("roll $1,$0", "=*imr,I,0"),
            ("popcntl ($1), $0", "=r,r"),
            // Another count than its argument's, two results, other names.
            ("roll %dl, $0", "=r,{dx},0"),
            ("bsfl $2, $0", "=r,=@ccz,r"),
            ("bsfd $1, $0", "=r,r"),
            ("tzcntl $1, $0", "=r,r"),
        ] {
            assert_eq!(operation(text, constraints), None, "{text}");
        }
    }

    #[test]
    fn hints_and_fences_do_nothing() {
        let is_hint = |text| does_nothing(text, "~{memory},~{dirflag},~{fpsr},~{flags}");
        assert!(is_hint("rep; nop") && is_hint("pause") && is_hint("lfence\n\tmfence"));
        assert!(!is_hint("rep; movsb") && !is_hint("nop; incl x") && !is_hint("hlt"));
    }

    #[test]
    fn a_result_in_memory_that_is_not_computed_has_any_value() {
        assert!(!does_nothing("nop", "=*m,~{memory}") && !does_nothing("pause", "=*m,*m,~{flags}"));
    }
}
