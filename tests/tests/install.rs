//! What is installed runs wherever it lies, and everything is there that a user looks for.

use beeline_tests::driver::Ran;
use beeline_tests::tools;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Runs a script with the tools that were built with this test.
fn script(name: &str, folder: &Path) {
    let mut command = Command::new(root().join("scripts").join(name));
    let output = command.arg(folder).arg(tools().unwrap()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// `beeline check` below a prefix, which finds nothing of this repository.
fn checks(prefix: &Path) {
    for (example, verdict) in
        [("lock.c", "verdict: safe (proof certified)"), ("scheduler.c", "verdict: unsafe (confirmed)")]
    {
        let mut command = Command::new(prefix.join("bin/beeline"));
        command.arg("check").arg(prefix.join("share/doc/beeline/examples").join(example));
        command.env("PATH", "/usr/bin:/bin").env_remove("LD_LIBRARY_PATH").current_dir("/");
        let ran = Ran::from(command.output().unwrap());
        assert_eq!(ran.verdict(), verdict, "{ran:?}");
    }
}

#[test]
fn what_is_installed_runs_when_it_is_moved() {
    let place = TempDir::new().unwrap();
    let prefix = place.path().join("first place");
    script("install", &prefix);
    let names = std::fs::read_dir(root().join("tools")).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    // The tools for a later LLVM have names of their own, and no pages.
    let names: Vec<String> = names.into_iter().filter(|name| name.starts_with("beeline")).collect();
    assert!(names.len() >= 9, "{names:?}");
    for name in &names {
        for file in [
            format!("bin/{name}"),
            format!("share/man/man1/{name}.1"),
            format!("share/bash-completion/completions/{name}"),
            format!("share/zsh/site-functions/_{name}"),
            format!("share/fish/vendor_completions.d/{name}.fish"),
        ] {
            let size = std::fs::metadata(prefix.join(&file)).map(|found| found.len());
            assert!(size.as_ref().is_ok_and(|size| *size > 100), "{file}: {size:?}");
        }
    }
    let moved = place.path().join("second");
    std::fs::rename(&prefix, &moved).unwrap();
    checks(&moved);
}

#[test]
fn packages_hold_what_is_installed() {
    let place = TempDir::new().unwrap();
    script("dist", place.path());
    let entries = std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().path());
    let (packed, package): (Vec<PathBuf>, Vec<PathBuf>) =
        entries.partition(|path| path.extension().is_some_and(|ending| ending == "gz"));
    let unpack = |program: &str, arguments: &[&str], file: &Path, to: &str| {
        let folder = place.path().join(to);
        std::fs::create_dir(&folder).unwrap();
        let output = Command::new(program).args(arguments).arg(file).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    };
    let tar = unpack("tar", &["-xzf"], &packed[0], "tar");
    let name = packed[0].file_name().unwrap().to_str().unwrap().trim_end_matches(".tar.gz").to_string();
    let notices = std::fs::read_to_string(tar.join(&name).join("share/doc/beeline/NOTICES")).unwrap();
    for part in ["Microsoft Corporation", "rustsat-cadical", "rustsat-kissat", "mimalloc", "clap"] {
        assert!(notices.contains(part), "there is no notice of {part}");
    }
    checks(&tar.join(name));
    let deb = place.path().join("deb");
    let status = Command::new("dpkg-deb").arg("-x").arg(&package[0]).arg(&deb).status().unwrap();
    assert!(status.success());
    assert!(
        deb.join("usr/bin/beeline-verify").is_file() && deb.join("usr/share/man/man1/beeline.1.gz").is_file()
    );
    for document in ["NOTICES.gz", "changelog.gz", "CHANGELOG.md.gz", "copyright", "answer.schema.json"] {
        assert!(deb.join("usr/share/doc/beeline").join(document).is_file(), "there is no {document}");
    }
    let fields = Command::new("dpkg-deb").arg("-I").arg(&package[0]).output().unwrap();
    let fields = String::from_utf8_lossy(&fields.stdout).into_owned();
    let filled = ["@VERSION@", "@ARCHITECTURE@", "@LIBC@"].iter().all(|blank| !fields.contains(blank));
    assert!(fields.contains("Depends: clang-19") && filled, "{fields}");
}
