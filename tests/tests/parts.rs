//! What a result leaves is shared among two processes that run at once, and put together.

use beeline_tests::{lower_to, tools};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Safe: three loops of their own, none of which values decide, since they turn too often.
const SAFE: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
  if (n == 1) {
    while (i < 1000) { i++; j++; }
    if (j != 1000) reach_error();
  } else if (n == 2) {
    while (i < 2000) { i++; j += 2; }
    if (j != 4000) reach_error();
  } else {
    while (i < 3000) { i++; j += 3; }
    if (j != 9000) reach_error();
  }
  return 0;
}
";

struct Place {
    folder: TempDir,
    tools: PathBuf,
}

impl Place {
    /// A program with a result that gives its loops up.
    fn new(source: &str) -> Place {
        let place = Place { folder: TempDir::new().unwrap(), tools: tools().unwrap() };
        lower_to(source, &place.folder.path().join("p.cfa")).unwrap();
        place.done("beeline-verify p.cfa --every --domain value --skip loop-iterations=3 -o p.run");
        place
    }

    fn command(&self, line: &str) -> Command {
        let mut words = line.split(' ');
        let mut command = Command::new(self.tools.join(words.next().unwrap()));
        command.args(words).current_dir(self.folder.path());
        command
    }

    fn ran(&self, line: &str) -> (Option<i32>, String) {
        let Output { status, stdout, stderr } = self.command(line).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let out = text(&stdout);
        let said = if out.trim().is_empty() { text(&stderr) } else { out };
        (status.code(), said.trim().lines().last().unwrap_or_default().to_string())
    }

    fn done(&self, line: &str) -> String {
        let (code, said) = self.ran(line);
        assert_eq!(code, Some(0), "{line}: {said}");
        said
    }

    /// Shares what is left between two processes, which run at once.
    fn verified_in_two(&self) {
        self.done("beeline split p.run p.cfa -n 2");
        let verify = |number: u32| {
            let line = format!(
                "beeline-verify p.cfa --every --condition p.{number}.run --condition p.run -o {number}.run"
            );
            self.command(&line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let both = [verify(1), verify(2)];
        both.into_iter().for_each(|mut one| assert!(one.wait().unwrap().success()));
    }
}

#[test]
fn two_processes_prove_together_what_one_left() {
    let place = Place::new(SAFE);
    place.verified_in_two();
    // What is shown of a part is shown of nothing else.
    assert!(place.ran("beeline-ir dump 1.run --json").1.contains('}'));
    let dumped = place.command("beeline-ir dump 1.run").output().unwrap();
    assert!(!String::from_utf8(dumped.stdout).unwrap().contains("verdict: safe"));
    assert_eq!(place.done("beeline-check-proof 1.run p.cfa --after p.run"), "valid");
    assert_eq!(place.done("beeline join p.run 1.run 2.run -o joined.run"), "verdict: safe");
    let check = "beeline-check-proof joined.run p.cfa --after p.run --after 1.run --after 2.run";
    assert_eq!(place.done(check), "valid");
    // One that is not at hand says nothing.
    let (code, said) = place.ran("beeline-check-proof joined.run p.cfa --after p.run --after 1.run");
    assert_eq!(code, Some(3), "{said}");
}

#[test]
fn a_part_that_is_left_out_or_foreign_is_refused() {
    let place = Place::new(SAFE);
    place.verified_in_two();
    let refused = |line: &str, why: &str| {
        let (code, said) = place.ran(line);
        assert!(code == Some(2) && said.contains(why), "{line}: {code:?} {said}");
    };
    refused("beeline join p.run 1.run -o joined.run", "has open states of parts without a result");
    refused("beeline join p.run 1.run 1.run -o joined.run", "has open states of parts without a result");
    refused("beeline join p.run 1.run p.run -o joined.run", "is not about a part");
    // Parts of something else that was left of the same program.
    place.done("beeline-verify p.cfa --every --domain value --skip loop-iterations=2 -o q.run");
    refused("beeline join q.run 1.run 2.run -o joined.run", "is not about a part");
    let other = Place::new(&SAFE.replace("1000", "1001"));
    other.verified_in_two();
    std::fs::copy(other.folder.path().join("1.run"), place.folder.path().join("foreign.run")).unwrap();
    refused("beeline join p.run foreign.run 2.run -o joined.run", "are not of the same program");
    refused("beeline split p.run joined.run -n 2", "joined.run");
}

#[test]
fn an_error_in_a_part_is_one_of_the_program() {
    let place = Place::new(&SAFE.replace("j != 4000", "j == 4000"));
    place.verified_in_two();
    assert_eq!(
        place.ran("beeline join p.run 1.run 2.run -o joined.run"),
        (Some(1), "verdict: unsafe".into())
    );
    // The two others are proved by both parts together.
    let check = "beeline-check-proof joined.run p.cfa --after p.run --after 1.run --after 2.run";
    assert_eq!(place.done(check), "valid");
}
