//! The emitted native program, for stepping through it in a debugger.

use crate::compiler::compiler;
use crate::given::Given;
use crate::native;
use crate::verdict::Verdict;
use std::path::Path;

/// Copies the files that the program is made from, with a script that builds it and a page that explains it.
pub(crate) fn leave(to: &Path, folder: &Path, given: &Given, verdict: &Verdict) -> Result<(), String> {
    let failed = |path: &Path, error: std::io::Error| format!("cannot write {}: {error}", path.display());
    std::fs::create_dir_all(to).map_err(|error| failed(to, error))?;
    for name in ["program.bc", "harness.c"] {
        std::fs::copy(folder.join(name), to.join(name)).map_err(|error| failed(&to.join(name), error))?;
    }
    let clang = compiler();
    let build = format!(
        "#!/bin/sh\n# Builds ./program from the bitcode and the harness.\nset -e\ncd \"$(dirname \"$0\")\"\n{clang} {}\n{clang} {}\n",
        native::compile_arguments(given).join(" "),
        native::link_arguments(given, 0).join(" ")
    );
    let target = &given.target().name;
    let readme = format!(
        "A counterexample as a native program\n\
         ====================================\n\n\
         It leads to: {target}\n\
         beeline-replay says: {verdict}\n\n\
         program.bc  the program; before each target it calls beeline_reached\n\
         harness.c   the inputs of the program: the values are in `beeline_values_0`\n\
         build.sh    builds ./program from both\n\n\
         To step through it:\n\n\
         \x20   sh build.sh\n\
         \x20   gdb ./program\n\
         \x20   (gdb) break beeline_reached\n\
         \x20   (gdb) run\n\
         \x20   (gdb) backtrace\n\n\
         `break main` stops at the start; `info locals`, `step` and `next` go on from there. The program\n\
         prints `reached` when it gets to the target. It has no limits on time and memory here.\n"
    );
    for (name, content) in [("build.sh", build), ("README", readme)] {
        std::fs::write(to.join(name), content).map_err(|error| failed(&to.join(name), error))?;
    }
    Ok(())
}
