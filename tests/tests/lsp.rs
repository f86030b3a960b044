//! The language server, asked by a scripted editor.

use beeline_tests::driver::command;
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use tempfile::TempDir;

/// An editor in a folder with a C file.
struct Editor {
    /// The folder of the project, and a path to it that the editor uses.
    folder: TempDir,
    root: PathBuf,
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    requests: i32,
    /// The diagnostics that were published last, and all messages that were shown.
    diagnostics: Value,
    shown: Vec<String>,
}

impl Editor {
    fn new(text: &str, arguments: &[&str]) -> Editor {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        Editor::within(folder, root, text, arguments)
    }

    fn within(folder: TempDir, root: PathBuf, text: &str, arguments: &[&str]) -> Editor {
        let mut server = command(folder.path());
        server.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = server.spawn().unwrap();
        let (to, from) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        let mut editor =
            Editor { folder, root, server, to, from, requests: 0, diagnostics: json!([]), shown: Vec::new() };
        let root = format!("file://{}", editor.root.display());
        let given = json!({
            "processId": null,
            "rootUri": root,
            "capabilities": { "window": { "workDoneProgress": true }, "workspace": { "codeLens": { "refreshSupport": true } } },
            "initializationOptions": { "arguments": arguments },
        });
        let answer = editor.ask("initialize", given).unwrap();
        assert_eq!(answer["serverInfo"]["name"], "beeline");
        editor.tell("initialized", json!({}));
        std::fs::write(editor.file(), text).unwrap();
        let document = json!({ "uri": editor.uri(), "languageId": "c", "version": 1, "text": text });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
        editor
    }

    fn file(&self) -> PathBuf {
        self.root.join("a b.c")
    }

    fn uri(&self) -> String {
        format!("file://{}", self.file().display()).replace(' ', "%20")
    }

    fn send(&mut self, message: &Message) {
        message.write(self.to.as_mut().unwrap()).unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&Message::Notification(Notification::new(method.into(), params)));
    }

    /// Sends a request and waits for the answer.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(&Message::Request(Request::new(id.clone(), method.into(), params)));
        loop {
            match self.hear() {
                Message::Response(response) if response.id == id => {
                    return response.response_result.map_err(|error| error.message);
                }
                _ => {}
            }
        }
    }

    /// The next message.
    fn hear(&mut self) -> Message {
        let message = Message::read(&mut self.from).unwrap().expect("the server goes on");
        if let Message::Notification(told) = &message {
            match told.method.as_str() {
                "textDocument/publishDiagnostics" if told.params["uri"] == self.uri() => {
                    self.diagnostics = told.params["diagnostics"].clone();
                }
                "window/showMessage" => self.shown.push(told.params["message"].as_str().unwrap().into()),
                _ => {}
            }
        }
        message
    }

    /// Waits until a progress has this kind, and returns what all those before said.
    fn progress(&mut self, kind: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let Message::Notification(told) = self.hear() else { continue };
            if told.method == "$/progress" {
                let value = &told.params["value"];
                said.extend(value["message"].as_str().map(String::from));
                if value["kind"] == kind {
                    return said;
                }
            }
        }
    }

    fn change(&mut self, text: &str) {
        let document = json!({ "uri": self.uri(), "version": 2 });
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    fn save(&mut self, text: &str) {
        self.change(text);
        std::fs::write(self.file(), text).unwrap();
        self.tell("textDocument/didSave", json!({ "textDocument": { "uri": self.uri() } }));
    }

    /// Saves a text and waits for all checks: what was checked.
    fn checked(&mut self, text: &str) -> Vec<String> {
        self.save(text);
        self.progress("end")
    }

    /// Gives a command and waits for the answer: what is shown.
    fn execute(&mut self, command: &str, arguments: Value) -> String {
        let mut all = vec![json!(self.uri())];
        all.extend(arguments.as_array().unwrap().clone());
        self.ask("workspace/executeCommand", json!({ "command": command, "arguments": all })).unwrap();
        self.progress("end");
        self.shown.pop().unwrap()
    }

    fn titles(&mut self) -> Vec<String> {
        let document = json!({ "uri": self.uri() });
        let lenses = self.ask("textDocument/codeLens", json!({ "textDocument": document })).unwrap();
        let lenses = lenses.as_array().unwrap().iter();
        lenses
            .map(|lens| {
                format!("{} {}", lens["range"]["start"]["line"], lens["command"]["title"].as_str().unwrap())
            })
            .collect()
    }

    fn hover(&mut self, line: usize, character: usize) -> String {
        let place = json!({ "textDocument": { "uri": self.uri() }, "position": { "line": line, "character": character } });
        let hover = self.ask("textDocument/hover", place).unwrap();
        hover["contents"]["value"].as_str().unwrap_or_default().into()
    }

    /// The diagnostics in short.
    fn told(&self) -> Vec<String> {
        let diagnostics = self.diagnostics.as_array().unwrap().iter();
        diagnostics
            .map(|it| {
                let at = &it["range"]["start"];
                let text = it["message"].as_str().unwrap();
                format!("{}:{} {}: {text}", at["line"], at["character"], it["code"].as_str().unwrap())
            })
            .collect()
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null).unwrap();
        self.tell("exit", Value::Null);
        self.to = None;
        assert!(self.server.wait().unwrap().success());
    }
}

const TEXT: &str = "\
#define SIZE 4
static int at(int *a, int i) {
  return a[i];
}
int first(int x) {
  int a[SIZE] = {0};
  if (x > 2 && x < 5) {
    return at(a, x);
  }
  return a[0];
}
int second(int x) {
  return x / 2;
}
";

#[test]
fn functions_are_checked_when_they_change() {
    let mut editor = Editor::new(TEXT, &["--property=valid-deref,no-overflow"]);
    assert_eq!(editor.titles()[2..], ["4 check", "4 cover", "11 check", "11 cover"]);
    // What was opened and is saved unchanged is not checked, and blanks are no change.
    editor.save(&TEXT.replace("x / 2", "x  /  2"));
    let changed = TEXT.replace("x > 2", "x > 1");
    assert_eq!(editor.checked(&changed), ["check first"]);
    let told = editor.told();
    assert!(
        told.len() == 1
            && told[0].starts_with("2:9 valid-deref: memory is accessed outside of a live object"),
        "{told:?}"
    );
    assert!(told[0].ends_with("(first: confirmed)"), "{told:?}");
    let related = editor.diagnostics[0]["relatedInformation"].as_array().unwrap().clone();
    let steps: Vec<&str> = related.iter().map(|step| step["message"].as_str().unwrap()).collect();
    assert!(steps.contains(&"first: x > 1") && steps.iter().any(|step| step.contains("call")), "{steps:?}");
    assert_eq!(related[0]["location"]["uri"], editor.uri());
    assert_eq!(editor.titles()[2], "4 check: unsafe (confirmed)");
    assert!(editor.hover(4, 5).starts_with("**first**: unsafe (confirmed), property `"));

    // A function that it calls is mended: both are checked, and the error is gone.
    let mended = changed.replace("return a[i]", "return i < SIZE ? a[i] : 0");
    assert_eq!(editor.checked(&mended), ["check at, 1 more", "check first"]);
    assert_eq!(editor.told().iter().filter(|told| told.contains("first: ")).count(), 0);
    assert!(editor.titles()[2].starts_with("4 check: safe ("));
    // A caller that nobody asked about is not checked.
    let called = mended.replace("x / 2;", "at(0, x);");
    assert_eq!(editor.checked(&called), ["check second"]);
    // Options of checks are none of other questions.
    assert!(
        editor.execute("beeline.reach", json!(["second", 13])).starts_with("second: line 13 is reachable")
    );
    assert!(editor.execute("beeline.cover", json!(["second"])).starts_with("second: of "));
    // A macro may change each answer.
    assert_eq!(editor.checked(&mended.replace("SIZE 4", "SIZE 5")).len(), 3);
    // A title tells nothing of a text that is not saved.
    editor.change(&mended);
    assert_eq!(editor.titles()[2], "4 check");
    // What is said of a file ends with it.
    assert_eq!(editor.checked(TEXT).len(), 3);
    assert_eq!(editor.told().len(), 2);
    let document = json!({ "uri": editor.uri() });
    editor.tell("textDocument/didClose", json!({ "textDocument": document }));
    assert_eq!(editor.titles(), [""; 0]);
    assert_eq!(editor.told(), [""; 0]);
    editor.end();
}

#[test]
fn commands_answer_what_a_person_asks() {
    let text = "int f(unsigned n) {\n  if (n % 2 == 2)\n    return 1;\n  if (n == 77)\n    return 2;\n  return 0;\n}\n";
    let mut editor = Editor::new(text, &[]);
    assert!(editor.execute("beeline.check", json!(["f"])).starts_with("f: safe ("));
    assert_eq!(editor.execute("beeline.cover", json!(["f"])), "f: of 6 lines, 5 covered, 1 dead, 0 open");
    assert_eq!(editor.told()[0].split(" (").next(), Some("2:4 cover: no execution of f reaches this line"));
    assert_eq!(editor.diagnostics[0]["tags"], json!([1]));
    assert_eq!(editor.execute("beeline.reach", json!(["f", 5])), "f: line 5 is reachable (confirmed)");
    let told = editor.told();
    assert!(
        told.iter().any(|told| told.starts_with("4:4 reach: an execution of f reaches this line")),
        "{told:?}"
    );
    assert!(editor.execute("beeline.reach", json!(["f", 3])).starts_with("f: line 3 is unreachable ("));
    // A line without code is no line of the function.
    assert!(editor.execute("beeline.reach", json!(["f", 70])).starts_with("f: no code at "));

    let document = json!({ "uri": editor.uri() });
    let place = json!({ "line": 4, "character": 1 });
    let asked = json!({ "textDocument": document, "range": { "start": place, "end": place }, "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", asked).unwrap();
    assert_eq!(actions[2]["title"], "Beeline: reach this line");
    assert_eq!(actions[2]["arguments"], json!([editor.uri(), "f", 5]));
    // What cannot be answered is refused in a sentence.
    let asked = |arguments: Value| json!({ "command": "beeline.check", "arguments": arguments });
    for (arguments, sentence) in [
        (json!([editor.uri(), "g"]), "the document has no such function"),
        (json!(["file:///no.c", "f"]), "the document is not open"),
        (json!([]), "a command of Beeline needs a document and a function"),
        (json!([editor.uri(), "f", 3]), "there is no such command of Beeline"),
    ] {
        assert_eq!(editor.ask("workspace/executeCommand", asked(arguments)).unwrap_err(), sentence);
    }
    assert!(editor.ask("textDocument/rename", json!({})).unwrap_err().starts_with("there is no request"));
    editor.change(&text.replace("77", "78"));
    let arguments = json!([editor.uri(), "f"]);
    editor.ask("workspace/executeCommand", asked(arguments)).unwrap();
    assert!(editor.shown.pop().unwrap().starts_with("Save "));
    editor.end();
}

#[test]
fn what_is_wrong_in_no_file_is_shown_at_the_function() {
    let text = "#include <stdlib.h>\nint *kept(void);\nint leak(int n) {\n  int *p = malloc(4);\n  return p == 0 || n;\n}\n";
    let mut editor = Editor::new(text, &["--property=memory-safety"]);
    assert!(editor.execute("beeline.check", json!(["leak"])).starts_with("leak: unsafe (confirmed)"));
    let told = editor.told();
    assert!(told.len() == 1 && told[0].contains("valid-memtrack"), "{told:?}");
    editor.end();
}

#[test]
fn hovers_show_invariants_and_what_is_assumed() {
    let text = "// beeline: requires n < 100\nint f(int n) {\n  int i = 0;\n  while (i < n) {\n    i++;\n  }\n  return i == 100 ? 1 / (i - 100) : 0;\n}\n";
    let mut editor = Editor::new(text, &["--domain=predicate", "--no-check"]);
    assert_eq!(editor.checked(&text.replace("i++", "i += 1")), ["check f"]);
    let hover = editor.hover(1, 4);
    assert!(hover.contains("**f**: safe") && hover.contains("`n < 100 holds`"), "{hover}");
    let invariant = editor.hover(3, 0);
    assert!(invariant.starts_with("loop invariant: `"), "{invariant}");
    assert_eq!(editor.hover(2, 0), "");
    editor.end();
}

#[test]
fn a_new_text_ends_the_check_of_the_old_one() {
    let slow = "int f(unsigned n) {\n  unsigned h = n;\n  for (unsigned i = 0; i < n; i++)\n    h = h * 31 + (h >> 7);\n  return 1 / (h != 12345);\n}\n";
    let mut editor = Editor::new(&slow.replace("12345", "1"), &["--time-limit=10m"]);
    editor.save(slow);
    assert_eq!(editor.progress("begin"), ["check f"]);
    assert_eq!(editor.checked("int f(unsigned n) {\n  return n > 3;\n}\n"), ["check f"]);
    assert!(editor.titles()[0].starts_with("0 check: safe ("));
    // The server ends with a check that runs.
    editor.save(slow);
    assert_eq!(editor.progress("begin"), ["check f"]);
    editor.end();
}

#[test]
fn the_project_says_how_a_function_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("lib.c", "int half(int x) { return x / 2; }\n");
    write("half.h", "int half(int x);\n#define LIMIT 5\n");
    write(
        "beeline.toml",
        "property = 'no-overflow'\n[[entry]]\nfunction = 'f'\nfiles = ['a b.c', 'lib.c']\nrequires = 'x > 0'\ntime-limit = '20s'\n",
    );
    let text = "#include \"half.h\"\nint f(int x) {\n  return half(x) < 0 ? 1 / (LIMIT - 5) : 0;\n}\nint g(int x) {\n  return x + 1;\n}\n";
    // The editor uses another path to the same folder.
    let links = tempfile::tempdir().unwrap();
    let root = links.path().join("link");
    std::os::unix::fs::symlink(folder.path(), &root).unwrap();
    // What the entry says goes before what the editor says.
    let mut editor = Editor::within(folder, root, text, &["--time-limit", "30s"]);
    assert_eq!(
        editor.checked(&text.replace("x + 1", "x + 2").replace("? 1", "? 2")),
        ["check f, 1 more", "check g"]
    );
    let told = editor.told();
    assert!(told.len() == 1 && told[0].starts_with("5:"), "{told:?}");
    let hover = editor.hover(1, 4);
    assert!(hover.contains("safe") && hover.contains("`x > 0 holds`"), "{hover}");
    // A header that is saved may change each answer.
    let header = editor.folder.path().canonicalize().unwrap().join("half.h");
    let header = format!("file://{}", header.display());
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": header } }));
    assert_eq!(editor.progress("end"), ["check f, 1 more", "check g"]);
    editor.end();
}

#[test]
fn what_does_not_compile_is_told_and_the_server_goes_on() {
    let mut editor = Editor::new("int f(void) {\n  return 1;\n}\n", &[]);
    editor.save("int f(void) {\n  return oops;\n}\n");
    let log = loop {
        if let Message::Notification(told) = editor.hear()
            && told.method == "window/logMessage"
        {
            break told.params["message"].to_string();
        }
    };
    assert!(log.contains("f: ") && log.contains("does not compile"), "{log}");
    editor.progress("end");
    assert_eq!(editor.told(), [""; 0]);
    assert_eq!(editor.checked("int f(void) {\n  return 2;\n}\n"), ["check f"]);
    assert!(editor.titles()[0].starts_with("0 check: safe"));
    editor.end();
}

#[test]
fn an_editor_that_says_what_is_not_understood_is_told_so() {
    let mut server = command(Path::new("."));
    server.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = server.spawn().unwrap();
    let given = json!({ "capabilities": {}, "initializationOptions": { "argumnets": [] } });
    let request = Request::new(RequestId::from(1), "initialize".into(), given);
    let mut to = server.stdin.take().unwrap();
    Message::Request(request).write(&mut to).unwrap();
    Message::Notification(Notification::new("initialized".into(), json!({}))).write(&mut to).unwrap();
    drop(to);
    let output = server.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // Editors show the one, and some only keep the other.
    assert!(String::from_utf8_lossy(&output.stdout).contains("window/showMessage"));
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("the options that the editor gives: unknown field `argumnets`"), "{said}");
}
