//! What can be run on the program of a file test: the tools, each as its users run it.

use crate::{CLANG, tools};
use std::path::Path;
use std::process;
use tempfile::TempDir;

/// Something that a file test can run.
#[derive(Debug)]
pub struct Command {
    /// The word for it.
    pub name: &'static str,
    /// Its whole output is worth keeping.
    pub(super) dumps: bool,
    /// The tools to run, one after the other; what the last one prints is the output.
    steps: &'static [&'static str],
}

/// All there is, with the tools that do it.
pub const COMMANDS: [Command; 8] = [
    Command { name: "dump", dumps: true, steps: &["beeline-ir dump OPTIONS program.cfa"] },
    Command {
        name: "distances",
        dumps: true,
        steps: &[
            "beeline-annotate OPTIONS program.cfa",
            "beeline-ir dump --distances program.dist program.cfa",
        ],
    },
    Command { name: "features", dumps: true, steps: &["beeline-features --json OPTIONS program.cfa"] },
    Command { name: "lower", dumps: true, steps: &["beeline-lower --text -o - OPTIONS program.bc"] },
    Command {
        name: "outline-loops",
        dumps: true,
        steps: &[
            "beeline-ir outline-loops OPTIONS program.cfa -o outlined.cfa",
            "beeline-ir dump outlined.cfa",
        ],
    },
    Command {
        name: "verify-outlined",
        dumps: false,
        steps: &[
            "beeline-ir outline-loops program.cfa -o outlined.cfa",
            "beeline-verify OPTIONS outlined.cfa",
        ],
    },
    Command { name: "verify", dumps: false, steps: &["beeline-verify OPTIONS program.cfa"] },
    Command { name: "execute", dumps: false, steps: &["beeline-ir run OPTIONS program.cfa"] },
];

/// So long may a tool take, in seconds.
const LIMIT: &str = "120";

/// A folder with a program, ready for the tools.
#[derive(Debug)]
pub(super) struct Place {
    folder: TempDir,
}

impl Place {
    /// Puts the text of a file of some name there, and makes of it what the tools read.
    pub(super) fn new(name: &str, text: &str) -> Result<Place, String> {
        let place = Place { folder: tempfile::tempdir().map_err(|error| error.to_string())? };
        std::fs::write(place.folder.path().join(name), text).map_err(|error| error.to_string())?;
        match Path::new(name).extension().and_then(|ending| ending.to_str()) {
            Some("cfa") => {
                std::fs::rename(place.folder.path().join(name), place.folder.path().join("program.txt"))
                    .map_err(|error| error.to_string())?;
                place.tool("beeline-ir assemble program.txt -o program.cfa", &[])?;
            }
            Some("c") => {
                let flags =
                    ["-g", "-w", "-fwrapv", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c"];
                let mut clang = process::Command::new(CLANG);
                place.output(clang.args(flags).args([name, "-o", "program.bc"]))?;
            }
            _ => return Err("file tests end in .cfa or .c".into()),
        }
        Ok(place)
    }

    /// What a command prints: complaints, then results.
    pub(super) fn run(&self, command: &Command, options: &[String]) -> Result<String, String> {
        if self.folder.path().join("program.bc").exists() && command.name != "lower" {
            self.tool("beeline-lower program.bc", &[])?;
        }
        let outputs: Result<Vec<String>, String> =
            command.steps.iter().map(|step| self.tool(step, options)).collect();
        Ok(outputs?.pop().unwrap_or_default())
    }

    fn tool(&self, step: &str, options: &[String]) -> Result<String, String> {
        let words = step.split(' ').flat_map(|word| match word {
            "OPTIONS" => options.to_vec(),
            word => vec![word.to_string()],
        });
        let words: Vec<String> = words.collect();
        let (tool, arguments) = words.split_first().ok_or("a step without a tool")?;
        let mut timeout = process::Command::new("timeout");
        self.output(timeout.arg(LIMIT).arg(tools()?.join(tool)).args(arguments))
    }

    fn output(&self, command: &mut process::Command) -> Result<String, String> {
        let output = command.current_dir(self.folder.path()).stdin(process::Stdio::null()).output();
        let output = output.map_err(|error| error.to_string())?;
        let said =
            [output.stderr, output.stdout].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        match output.status.code() {
            Some(0) => Ok(said),
            Some(124) => Err(format!("it takes longer than {LIMIT} seconds:\n{said}")),
            _ => Err(format!("it fails:\n{said}")),
        }
    }
}
