//! The environment that a counterexample gives to a program that starts as a command: arguments, standard
//! input, files. The models of the lowering choose these (`models/world.c`).

use beeline_ir::{Program, Value};
use beeline_run::{Choice, RunPath};
use std::fmt::Write;

/// The prefix of the names of inputs that are parts of a command's environment.
const WORLD: &str = "world.";
/// The name prefix of the functions where commands start.
const START: &str = "__beeline_command";
/// The name of the program in its arguments.
pub const NAME: &str = "program";

/// The environment of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The arguments after the program's name, without the zeros at their ends.
    pub arguments: Vec<Vec<u8>>,
    /// The standard input.
    pub stdin: Vec<u8>,
    /// The contents of the files that are opened for reading, in this order.
    pub files: [Vec<u8>; 2],
    /// For each attempt to open a file, whether it exists.
    pub opened: Vec<bool>,
}

/// Whether an input is a part of the environment of a command.
pub fn is_of_world(input: &str) -> bool {
    input.starts_with(WORLD)
}

/// Whether a program starts as a command.
pub fn is_command(program: &Program) -> bool {
    program.functions[program.entry].name.starts_with(START)
}

impl Command {
    /// The command of a counterexample, if its program starts as one.
    pub fn of(program: &Program, path: &RunPath) -> Option<Command> {
        if !is_command(program) {
            return None;
        }
        let mut command = Command::default();
        for choice in &path.choices {
            if let Choice::Input { input: Some(input), value, .. } = choice
                && let Some(part) = program.inputs[*input].strip_prefix(WORLD)
            {
                command.take(part, value);
            }
        }
        for argument in &mut command.arguments {
            let length = argument.iter().position(|byte| *byte == 0).unwrap_or(argument.len());
            argument.truncate(length);
        }
        Some(command)
    }

    fn take(&mut self, part: &str, value: &Value) {
        let number = value.as_bits().and_then(|bits| bits.to_u64()).unwrap_or(0);
        // A byte, or the end of the file as a number below zero.
        let byte = u8::try_from(number).ok();
        match part {
            "more-arguments" if number != 0 => self.arguments.push(Vec::new()),
            "letter" => {
                if let Some(argument) = self.arguments.last_mut() {
                    argument.push(number as u8);
                }
            }
            "opened" => self.opened.push(number != 0),
            "stdin" => self.stdin.extend(byte),
            "file1" => self.files[0].extend(byte),
            "file2" => self.files[1].extend(byte),
            _ => {}
        }
    }

    /// The files that are shown: those with content, as the number of files opened for reading is not known.
    fn files(&self) -> impl Iterator<Item = (usize, &Vec<u8>)> {
        self.files.iter().enumerate().filter(|(_, bytes)| !bytes.is_empty())
    }

    /// The command line, and the contents of the files that it reads.
    pub fn shown(&self) -> Vec<String> {
        let mut line = String::new();
        if self.stdin.is_empty() {
            line.push_str("</dev/null ");
        } else {
            let _ = write!(line, "printf {} | ", quoted(&printed(&self.stdin)));
        }
        line.push_str(NAME);
        for argument in &self.arguments {
            line.push(' ');
            line.push_str(&word(argument));
        }
        let mut shown = vec![line];
        for (number, bytes) in self.files() {
            let which = if number == 0 { "first" } else { "second" };
            shown.push(format!("where the {which} file that it reads holds \"{}\"", bytes.escape_ascii()));
        }
        shown
    }
}

/// Bytes as a format for `printf`.
fn printed(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\\' => text.push_str("\\\\"),
            b'%' => text.push_str("%%"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text
}

/// A word in the syntax of the shell.
fn word(bytes: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./,:=+@".contains(byte);
    let shows = |byte: &u8| matches!(byte, b' '..=b'~');
    match bytes {
        _ if !bytes.is_empty() && bytes.iter().all(plain) => String::from_utf8_lossy(bytes).into_owned(),
        _ if bytes.iter().all(shows) => quoted(&String::from_utf8_lossy(bytes)),
        // The shell removes line feeds at the end.
        _ => {
            let mut text = String::from("$'");
            for &byte in bytes {
                match byte {
                    b'\\' | b'\'' => text.extend(['\\', char::from(byte)]),
                    b' '..=b'~' => text.push(char::from(byte)),
                    _ => {
                        let _ = write!(text, "\\{byte:03o}");
                    }
                }
            }
            text + "'"
        }
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_they_are_typed() {
        let command = Command {
            arguments: vec![
                b"-n".to_vec(),
                b"a b".to_vec(),
                b"".to_vec(),
                b"it's".to_vec(),
                b"\n\xff'".to_vec(),
            ],
            stdin: b"a%\\\n\x01".to_vec(),
            files: [Vec::new(), b"\n".to_vec()],
            opened: vec![true],
        };
        let line = "printf 'a%%\\\\\\n\\001' | program -n 'a b' '' 'it'\\''s' $'\\012\\377\\''";
        assert_eq!(command.shown(), [line, "where the second file that it reads holds \"\\n\""]);
    }
}
