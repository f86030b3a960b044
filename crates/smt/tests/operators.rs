//! Every operator of the table has a term of the type in the table.

use beeline_ir::samples::every_operator;
use beeline_ir::{Program, RegionId, VarId};
use beeline_smt::{Encoder, Memory, Term, Unsupported, Valuation};

struct Constants<'a>(&'a Program);

impl Valuation for Constants<'_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        Term::named(&format!("{var}"), self.0.vars[var].ty)
    }

    fn region(&mut self, _: RegionId) -> Result<Memory, Unsupported> {
        unreachable!("no operator reads memory")
    }
}

#[test]
fn every_operator_has_a_term_of_its_type() {
    let program = every_operator();
    let encoder = Encoder::new(&program);
    for (id, node) in program.exprs.iter() {
        let encoded = encoder.expr(id, &mut Constants(&program)).expect("it can be encoded");
        assert_eq!(encoded.term.ty(), program.exprs.ty(id), "{node:?}");
    }
}
