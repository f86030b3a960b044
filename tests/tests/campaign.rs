//! Campaigns, end to end: from a description to a history and a selector, on this machine and on a cluster.

use beeline_tests::tools;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn tool(name: &str) -> Command {
    Command::new(tools().unwrap().join(name))
}

/// A folder with two programs, one of which does not compile, and a description of four runs.
fn campaign(more: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let good =
        "void reach_error(void) {}\nint main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n";
    fs::write(folder.path().join("good.c"), good).unwrap();
    fs::write(folder.path().join("broken.c"), "int main(void) { return\n").unwrap();
    fs::write(folder.path().join("values.toml"), "[[step]]\ndomain = \"value\"\n").unwrap();
    let text = format!(
        "time-limit = \"10s\"\nmeasure = \"rusage\"\n{more}\n[plans]\nbuilt-in = \"built-in\"\nvalues = \"values.toml\"\n\
         [[tasks]]\nfiles = [\"*.c\"]\nfamily = \"small\"\nexpected = \"safe\"\n"
    );
    fs::write(folder.path().join("c.toml"), text).unwrap();
    folder
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn run(folder: &Path, options: &[&str]) -> Output {
    let mut command = tool("beeline-campaign");
    command.arg("run").arg(folder.join("c.toml")).args(options).output().unwrap()
}

fn table(folder: &Path) -> Vec<String> {
    let mut command = tool("beeline-campaign");
    let output =
        command.arg("table").arg(folder.join("c/results.hist")).args(["--csv", "-"]).output().unwrap();
    let mut lines: Vec<String> =
        String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect();
    lines.sort();
    lines
}

#[test]
fn a_campaign_runs_goes_on_and_has_a_row_for_each_failure() {
    let folder = campaign("");
    let output = run(folder.path(), &[]);
    assert!(output.status.success(), "{}", said(&output));
    let lines = table(folder.path());
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.contains("good.c,small,safe") && line.contains(",true,checked,"))
            .count(),
        2,
        "{lines:?}"
    );
    assert_eq!(
        lines.iter().filter(|line| line.contains("broken.c") && line.contains(",failed,")).count(),
        2,
        "{lines:?}"
    );

    // What a killed campaign leaves: a job that is not done, one of whose runs has no row.
    fs::remove_file(folder.path().join("c/done/2")).unwrap();
    fs::remove_file(folder.path().join("c/rows/2.json")).unwrap();
    let others = fs::metadata(folder.path().join("c/rows/3.json")).unwrap().modified().unwrap();
    let output = run(folder.path(), &[]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(table(folder.path()).len(), lines.len());
    assert_eq!(fs::metadata(folder.path().join("c/rows/3.json")).unwrap().modified().unwrap(), others);

    // Two programs teach nothing.
    let output = tool("beeline-train").arg(folder.path().join("c/results.hist")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("only 1 programs with features and a run of every plan; learning needs 8"),
        "{}",
        said(&output)
    );

    // Another campaign does not get into the same folder.
    fs::write(folder.path().join("more.c"), "int main(void) { return 0; }\n").unwrap();
    let output = run(folder.path(), &[]);
    assert!(said(&output).contains("holds another campaign"), "{}", said(&output));
}

#[test]
fn an_interrupted_campaign_says_what_is_kept_and_goes_on() {
    let folder = campaign("");
    let slow = "void reach_error(void) {}\nunsigned nondet_uint(void);\nint main(void) {\n  unsigned a = nondet_uint(), \
        b = nondet_uint();\n  unsigned long long p = 1, q = a;\n  \
        for (unsigned i = 0; i < b; i++) { p = p * q + i; q = q * q ^ p; }\n  \
        if (p == 0x123456789abcdefULL) reach_error();\n  return 0;\n}\n";
    fs::write(folder.path().join("broken.c"), slow).unwrap();
    let mut command = tool("beeline-campaign");
    command.arg("run").arg(folder.path().join("c.toml")).stderr(Stdio::piped()).stdout(Stdio::null());
    let child = command.spawn().unwrap();
    let start = Instant::now();
    while !folder.path().join("c/prepared/0.json").exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "the campaign does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("the campaign was interrupted; ") && text.contains(" of 4 runs are kept in "),
        "{text}"
    );
    // Nobody works in the folder any more.
    let lock =
        Command::new("flock").arg("-n").arg(folder.path().join("c/lock")).arg("true").status().unwrap();
    assert!(lock.success());
}

/// The keys of a structure in a source file of the tool, as a description writes them.
fn keys(file: &str, structure: &str) -> Vec<String> {
    let source = fs::read_to_string(root().join("tools/beeline-campaign/src").join(file)).unwrap();
    let (_, rest) = source.split_once(&format!("struct {structure} {{\n")).unwrap();
    let fields = rest.split("\n}").next().unwrap().lines().map(str::trim);
    let fields = fields.filter(|line| !line.starts_with('/') && !line.starts_with('#'));
    fields.filter_map(|line| Some(line.split_once(':')?.0.replace('_', "-"))).collect()
}

#[test]
fn the_page_on_campaigns_names_each_key_and_its_example_is_one() {
    let page = fs::read_to_string(root().join("docs/campaigns.md")).unwrap();
    let (_, example) = page.split_once("```toml\n").unwrap();
    let example = example.split_once("```").unwrap().0;
    let all = [keys("description.rs", "Description"), keys("tasks.rs", "TaskList")].concat();
    assert!(all.len() > 10, "{all:?}");
    for key in &all {
        assert!(page.contains(&format!("\n| `{key}` | ")), "docs/campaigns.md says nothing of {key}");
        assert!(example.contains(key), "its example has no {key}");
    }
    let folder = TempDir::new().unwrap();
    for part in ["plans", "programs"] {
        fs::create_dir(folder.path().join(part)).unwrap();
    }
    fs::write(folder.path().join("plans/unrolling.toml"), "[[step]]\nengine = \"bounded\"\n").unwrap();
    fs::write(folder.path().join("programs/a.c"), "int main(void) { return 0; }\n").unwrap();
    fs::write(folder.path().join("programs/slow.c"), "int main(void) { return 0; }\n").unwrap();
    fs::write(folder.path().join("c.toml"), example).unwrap();
    let output = run(folder.path(), &["--only-write"]);
    assert!(output.status.success(), "{}", said(&output));
    let made = fs::read_to_string(folder.path().join("c/campaign.json")).unwrap();
    assert!(made.contains("programs/a.c") && !made.contains("slow.c"), "{made}");
}

#[test]
fn what_is_wrong_with_a_description_is_said() {
    let folder = campaign("");
    let text = fs::read_to_string(folder.path().join("c.toml")).unwrap();
    for (from, to, sentence) in [
        ("values.toml", "none.toml", "none.toml"),
        ("*.c", "*.d", "no file matches *.d"),
        ("10s", "soon", "c.toml:1:"),
        ("family", "familly", "unknown field `familly`"),
    ] {
        fs::write(folder.path().join("c.toml"), text.replace(from, to)).unwrap();
        let output = run(folder.path(), &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains(sentence), "{}", said(&output));
    }
}

#[test]
fn a_cluster_that_is_not_there_is_said() {
    let folder = campaign("");
    let mut command = tool("beeline-campaign");
    command.arg("run").arg(folder.path().join("c.toml")).args(["--cluster", "slurm"]);
    let output = command.env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).starts_with("beeline-campaign: no Slurm cluster here"), "{}", said(&output));
    assert!(!folder.path().join("c/results.hist").exists());
}

#[test]
fn a_campaign_runs_on_a_cluster_of_one_machine() {
    let (folder, slurm) = (campaign("runs-per-job = 4"), TempDir::new().unwrap());
    let script = root().join("measure/slurm-one-machine");
    let start = Command::new(&script).arg("start").arg(slurm.path()).output().unwrap();
    if start.status.code() == Some(3) {
        eprintln!("not tested on a cluster: {}", String::from_utf8_lossy(&start.stderr));
        return;
    }
    assert!(start.status.success(), "{}", said(&start));
    let path = format!("{}:{}", slurm.path().join("bin").display(), std::env::var("PATH").unwrap());
    let mut command = tool("beeline-campaign");
    command.arg("run").arg(folder.path().join("c.toml")).args(["--cluster", "slurm", "--jobs", "2"]);
    let output =
        command.env("SLURM_CONF", slurm.path().join("slurm.conf")).env("PATH", path).output().unwrap();
    let log = fs::read_to_string(folder.path().join("c/snakemake.log")).unwrap_or_default();
    let stop = Command::new(&script).arg("stop").arg(slurm.path()).output().unwrap();
    assert!(output.status.success(), "{}\n{log}", said(&output));
    assert!(stop.status.success(), "{}", said(&stop));
    assert_eq!(table(folder.path()).iter().filter(|line| line.contains(",true,checked,")).count(), 2);
}
