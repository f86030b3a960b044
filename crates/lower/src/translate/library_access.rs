//! Memory accesses of functions of the C library without a model: checked as far as their arguments show them, else an
//! assumption.

use super::guard::{Size, Way};
use super::place::Place;
use super::{Body, signature};
use crate::analyse::points_to::{NodeTraits, Ptr};
use crate::analyse::promote::Object;
use crate::instruction::constant_u64;
use crate::libc::{Effect, READS, effect, reads_environment, shown, stream_of, takes_list};
use crate::options::Fault;
use beeline_ir::{BinOp, Direction};
use beeline_module::*;

/// Whether a format of `scanf` reads numbers only, so that a conversion that fails writes nothing.
fn reads_numbers(format: &[u8]) -> bool {
    let mut letters = conversions(format).into_iter();
    // A set of characters holds any letters.
    !format.contains(&b'[') && letters.all(|letter| b"diouxXaAeEfFgGp".contains(&letter))
}

/// The conversions of a format, one for each argument: their letters, and stars.
fn conversions(format: &[u8]) -> Vec<u8> {
    let mut found = Vec::new();
    let mut bytes = format.iter().copied();
    while bytes.by_ref().any(|byte| byte == b'%') {
        for byte in bytes.by_ref() {
            match byte {
                b'*' => found.push(b'*'),
                b'%' => break,
                letter if letter.is_ascii_alphabetic() && !b"hlLjztq".contains(&letter) => {
                    found.push(letter);
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

impl Body<'_, '_> {
    /// Checks the memory that a function reads or writes.
    pub(super) fn guard_arguments(&mut self, name: &str, call: &CallInst) {
        if let Some(at) = stream_of(name) {
            self.guard_stream(call, at);
        }
        if name == READS {
            if self.asks_for_one_of(&Fault::OF_ACCESSES) {
                self.guard_range(call, 0, &[1], Way::Read);
            }
            return;
        }
        let plain = name.trim_start_matches("__").trim_end_matches("_chk");
        match plain {
            "fgets" if name != plain => return self.guard_range(call, 0, &[2], Way::Write),
            "fread" if name != plain => return self.guard_range(call, 0, &[2, 3], Way::Write),
            "fgets" => return self.guard_range(call, 0, &[1], Way::Write),
            "fread" => return self.guard_range(call, 0, &[1, 2], Way::Write),
            "read" | "recv" => return self.guard_range(call, 1, &[2], Way::Write),
            "fwrite" => return self.guard_range(call, 0, &[1, 2], Way::Read),
            "write" | "send" => return self.guard_range(call, 1, &[2], Way::Read),
            // At least one byte is there.
            "puts" | "fputs" => self.guard_argument(call, 0, Size::Bytes(1), Way::Read),
            _ if effect(name) == Effect::Print => self.guard_strings(call),
            _ => {}
        }
        self.note_arguments(name, call);
    }

    /// A range whose size is a product of arguments.
    fn guard_range(&mut self, call: &CallInst, at: usize, sizes: &[usize], way: Way) {
        let mut bytes = self.word(1);
        for size in sizes.iter().filter_map(|&index| call.args.get(index)) {
            self.keep_for_later(size);
            let size = self.scalar(size);
            let size = self.as_bv(size);
            let width = self.cx.scope.module.pointer_width;
            let exprs = self.cx.builder.exprs();
            let size = exprs.resize(size, width, true);
            bytes = exprs.binary(BinOp::Mul, bytes, size);
        }
        self.guard_argument(call, at, Size::Number(bytes), way);
    }

    fn guard_argument(&mut self, call: &CallInst, at: usize, size: Size, way: Way) {
        let Some(arg) = call.args.get(at) else { return };
        self.keep_for_later(arg);
        let mut place = self.locate(arg);
        match (&place, size) {
            // A pointer that leads to no object is null at best.
            (Place::Memory(addr, None), Size::Bytes(_)) => {
                if self.cx.options.violated_by(Fault::Access).is_some() {
                    self.nowhere(*addr);
                }
            }
            _ => self.guard(arg, &mut place, size, way),
        }
    }

    fn asks_for_one_of(&self, faults: &[Fault]) -> bool {
        faults.iter().any(|fault| self.cx.options.violated_by(*fault).is_some())
    }

    /// Checks that a stream is open: one from the program, and one of the library where a property asks for accesses.
    fn guard_stream(&mut self, call: &CallInst, at: usize) {
        let Some(arg) = call.args.get(at) else { return };
        if !self.asks_for_one_of(&[Fault::Access, Fault::Null]) {
            return;
        }
        let ptr = crate::analyse::flow::operand_ptr(self.cx.points, self.id, arg);
        let traits = ptr.map(|ptr| self.cx.points.traits(ptr)).unwrap_or_default();
        if traits.external || traits.given {
            let text = "streams that the program does not open are open".to_string();
            self.cx.note("library-access", text, Direction::MayHideBug, self.span);
        } else {
            self.guard_argument(call, at, Size::Bytes(1), Way::Read);
        }
    }

    /// A constant format among the arguments of a call: its index, and its conversions.
    fn format(&self, call: &CallInst) -> Option<(usize, Vec<u8>)> {
        let module = self.cx.scope.module;
        let format = call.args.iter().enumerate().find_map(|(at, arg)| match arg {
            Operand::Const(_, Const::Global(id, 0)) => match module.globals[*id].init.as_ref()? {
                Const::Bytes(bytes) => Some((at, bytes)),
                _ => None,
            },
            _ => None,
        });
        format.map(|(at, format)| (at, conversions(format)))
    }

    /// Whether a call writes to its arguments only if its result is above zero.
    pub(super) fn reads_if_counted(&self, name: &str, call: &CallInst) -> bool {
        let Effect::ReadInto(first) = effect(name) else { return false };
        let format = first.checked_sub(1).and_then(|at| call.args.get(at));
        // A variable may hold another format when it is read than at the start.
        let format = match format {
            Some(Operand::Const(_, Const::Global(id, 0))) => {
                let global = &self.cx.scope.module.globals[*id];
                global.init.as_ref().filter(|_| global.constant)
            }
            _ => None,
        };
        let counted = name.ends_with("scanf") && !takes_list(name);
        counted && matches!(format, Some(Const::Bytes(format)) if reads_numbers(format))
    }

    /// The first argument to which a call that prints may write, if its format may ask for that.
    pub(super) fn prints_into(&self, name: &str, call: &CallInst) -> Option<usize> {
        let at = self.place_of_format(name, call)?;
        self.may_count(call.args.get(at)?).then_some(at + 1)
    }

    /// The index of the format among a call's arguments: the one before the formatted arguments.
    fn place_of_format(&self, name: &str, call: &CallInst) -> Option<usize> {
        if takes_list(name) {
            return call.args.len().checked_sub(2);
        }
        match signature(self.cx.scope.module, call.ty)? {
            (_, params, true) => params.len().checked_sub(1),
            _ => None,
        }
    }

    /// Whether a format may ask for the number of printed bytes, so that this is written.
    fn may_count(&self, format: &Operand) -> bool {
        let module = self.cx.scope.module;
        let counts = |global: &Global| match &global.init {
            Some(Const::Bytes(bytes)) if global.constant => conversions(bytes).contains(&b'n'),
            Some(Const::Zero) if global.constant => false,
            _ => true,
        };
        if let Operand::Const(_, Const::Global(id, 0)) = format {
            return counts(&module.globals[*id]);
        }
        let Some(ptr) = crate::analyse::flow::operand_ptr(self.cx.points, self.id, format) else {
            return true;
        };
        let NodeTraits { heap, stack, external, given } = self.cx.points.traits(ptr);
        // A string that is only partly the format may ask for other things.
        let counts = |object| match object {
            Object::Global(id) => {
                let global = &module.globals[id];
                counts(global)
                    || matches!(&global.init, Some(Const::Bytes(bytes)) if bytes.windows(2).any(|pair| pair == b"%%"))
            }
            Object::Alloca(..) | Object::Heap(..) => true,
        };
        heap || stack || external || given || self.cx.points.objects_of(ptr).any(|(object, _)| counts(object))
    }

    /// The pointers that a call may write to, from an argument on.
    pub(super) fn written_by(&self, name: &str, call: &CallInst, first: usize) -> Vec<Ptr> {
        let points = self.cx.points;
        let mut written = Vec::new();
        for (index, arg) in call.args.iter().enumerate().skip(first) {
            let Some(ptr) = crate::analyse::flow::operand_ptr(points, self.id, arg) else { continue };
            if !takes_list(name) || index + 1 < call.args.len() {
                written.push(ptr);
            } else if name.ends_with("scanf") || self.prints_into(name, call).is_some() {
                // A list is where arguments are, or leads there.
                for area in points.pointees_of(ptr) {
                    written.push(area);
                    written.extend(points.pointees_of(area));
                }
            }
        }
        written
    }

    /// Checks that strings that are printed by a constant format have a first byte.
    fn guard_strings(&mut self, call: &CallInst) {
        let Some((at, conversions)) = self.format(call) else { return };
        for (index, conversion) in (at + 1..).zip(conversions) {
            if conversion == b's' {
                self.guard_argument(call, index, Size::Bytes(1), Way::Read);
            }
        }
    }

    /// Notes that a buffer that is given to the library is not written.
    pub(super) fn note_buffer(&mut self, name: &str, call: &CallInst) {
        let is_null = |arg: &Operand| constant_u64(arg) == Some(0);
        if !call.args.get(1).is_none_or(is_null) {
            let text = format!("the library does not write to the buffer that {} sets", shown(name));
            self.cx.note("library-access", text, Direction::MayHideBug, self.span);
        }
    }

    /// Notes that memory that a function reads or writes is assumed to be there, where a property asks for that.
    fn note_arguments(&mut self, name: &str, call: &CallInst) {
        let known = matches!(
            effect(name),
            Effect::Print | Effect::ReadInto(_) | Effect::GuessInto(_) | Effect::Guess
        ) || reads_environment(name);
        let module = self.cx.scope.module;
        let leads = |arg: &Operand| {
            let ty = crate::instruction::operand_type(module, self.function, arg);
            !matches!(arg, Operand::Const(_, Const::Global(..)))
                && ty.is_some_and(|ty| matches!(module.kind(ty), TyKind::Ptr))
        };
        let asked = self.cx.options.violated_by(Fault::Access).is_some();
        if known && asked && call.args.iter().any(leads) {
            let text = format!("{} reads and writes live objects only", shown(name));
            self.cx.note("library-access", text, Direction::MayHideBug, self.span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{conversions, reads_numbers};

    #[test]
    fn formats_ask_for_arguments() {
        assert_eq!(conversions(b"a%d %5s%%x %*lu%-8.3f%"), b"ds*uf");
        assert_eq!(conversions(b""), b"");
    }

    #[test]
    fn only_numbers_are_written_as_a_whole() {
        assert!(reads_numbers(b"%d, %lf %x"));
        // Some bytes of a string are there already; `%n` does not count; a conversion that is skipped may be the first.
        for format in [&b"%d %s"[..], b"%10c", b"%d%n", b"%*d %d", b"%[a]"] {
            assert!(!reads_numbers(format));
        }
    }
}
