//! Every operator of the table has a value of the type in the table, or ends the execution for a reason.

use beeline_interp::{Limits, Machine, Oracle, Source, StuckReason};
use beeline_ir::samples::every_operator;
use beeline_ir::{Bits, Type, Value};

/// An oracle that answers everything with one pattern of bits.
struct Pattern(u64);

impl Oracle for Pattern {
    fn value(&mut self, _: &Source, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.0 % 2 == 1),
            Type::Bv(width) => Value::Bv(Bits::from_u128(width, self.0.into())),
            Type::Float(kind) => Value::float(kind, Bits::from_u128(kind.width(), self.0.into())),
        }
    }

    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

#[test]
fn every_operator_has_a_value_of_its_type() {
    let program = every_operator();
    for pattern in [0, 1, 2, 0x3c00, u64::MAX] {
        let (machine, limits) = (Machine::new(&program), Limits::default());
        let mut oracle = Pattern(pattern);
        let mut execution = machine.start(&mut oracle, &limits);
        let mut values = 0;
        for (id, node) in program.exprs.iter() {
            match execution.evaluate(id) {
                Ok(value) => {
                    assert_eq!(value.ty(), program.exprs.ty(id), "{node:?}");
                    values += 1;
                }
                Err(StuckReason::IllTyped) => panic!("{node:?} has no meaning"),
                Err(_) => {}
            }
        }
        // Divisions by zero and floats out of range of all integers are few.
        assert!(values * 10 > program.exprs.len() * 7, "only {values} values for {pattern:#x}");
    }
}
