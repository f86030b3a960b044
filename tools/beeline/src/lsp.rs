//! `beeline lsp`: a language server, which checks the functions of C files in an editor.
//!
//! When a file is saved, each function that changed is checked by a `beeline check` of its own, with `--function`. Errors become
//! diagnostics, with the error path as related information. Above each function are the commands `check` and `cover`, which
//! also say what is known of the function; at each line there is the command `reach this line`. A hover shows the answer, its
//! assumptions, contracts and loop invariants.
//!
//! [`document`] finds the functions of a file, [`worker`] runs the checks one after the other, [`findings`] makes diagnostics of
//! their answers, [`place`] translates places. The text of hovers and titles is in [`outline`].

mod document;
mod findings;
mod options;
mod outline;
mod place;
mod worker;

use document::Document;
use findings::Finding;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::*;
use options::Options;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use worker::{Outcome, Question, Report, Task, Worker};

/// The command of an editor that checks a function.
const CHECK: &str = "beeline.check";
/// The command that asks which lines executions of a function reach.
const COVER: &str = "beeline.cover";
/// The command that looks for an execution of a function that reaches a line.
const REACH: &str = "beeline.reach";
/// The token of the progress of checks.
const PROGRESS: &str = "beeline";

/// Serves an editor on standard input and output until it says that this is all.
pub(crate) fn run() -> Result<u8, String> {
    let (connection, threads) = Connection::stdio();
    let told = serve(&connection);
    drop(connection);
    threads.join().map_err(|error| format!("cannot talk to the editor: {error}"))?;
    told.map(|()| 0)
}

fn serve(connection: &Connection) -> Result<(), String> {
    let fault = |error: lsp_server::ProtocolError| format!("the editor broke the protocol: {error}");
    let (id, given) = connection.initialize_start().map_err(fault)?;
    let given: InitializeParams =
        serde_json::from_value(given).map_err(|error| format!("the editor broke the protocol: {error}"))?;
    let answer = json!({
        "capabilities": capabilities(),
        "serverInfo": ServerInfo { name: "beeline".into(), version: Some(env!("CARGO_PKG_VERSION").into()) },
    });
    connection.initialize_finish(id, answer).map_err(fault)?;
    let mut server = Server::new(connection, &given).inspect_err(|sentence| {
        let shown = ShowMessageParams { typ: MessageType::ERROR, message: format!("Beeline: {sentence}") };
        let method = notification::ShowMessage::METHOD.into();
        // An editor that is gone needs no reason.
        let _ = connection.sender.send(Notification::new(method, shown).into());
    })?;
    loop {
        crossbeam_channel::select! {
            recv(connection.receiver) -> message => match message {
                Ok(Message::Request(request)) => {
                    if connection.handle_shutdown(&request).map_err(fault)? {
                        return Ok(());
                    }
                    server.request(request);
                }
                Ok(Message::Notification(told)) => server.notification(told),
                Ok(Message::Response(_)) => {}
                Err(_) => return Ok(()),
            },
            recv(server.worker.reports) -> report => match report {
                Ok(Report::Started(task, left)) => server.begin(&task, left),
                Ok(Report::Done(outcome)) => server.take(*outcome),
                Ok(Report::Idle) => server.end_progress(),
                Err(_) => return Err("the thread that runs checks ended".into()),
            },
        }
    }
}

fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::FULL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [CHECK, COVER, REACH].map(String::from).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// The findings of the last answer to a question.
struct Found {
    /// The function, with its file.
    of: (PathBuf, String),
    question: &'static str,
    /// Stands for the text that they are about.
    digest: u64,
    findings: Vec<Finding>,
}

/// What is known of the functions of the files that are open.
struct Server<'c> {
    connection: &'c Connection,
    documents: BTreeMap<PathBuf, Document>,
    /// The last answer on each function of a file.
    known: BTreeMap<(PathBuf, String), Outcome>,
    /// What is shown.
    found: Vec<Found>,
    worker: Worker,
    /// Whether the editor shows progress, and whether it shows some now.
    shows_progress: bool,
    is_busy: bool,
    refreshes_lenses: bool,
    /// The number of requests to the editor.
    requests: i32,
}

impl<'c> Server<'c> {
    fn new(connection: &'c Connection, given: &InitializeParams) -> Result<Server<'c>, String> {
        let options = Options::new(given)?;
        let window = given.capabilities.window.as_ref();
        let workspace = given.capabilities.workspace.as_ref();
        let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
        Ok(Server {
            connection,
            worker: Worker::new(options),
            documents: BTreeMap::new(),
            known: BTreeMap::new(),
            found: Vec::new(),
            shows_progress: window.and_then(|window| window.work_done_progress).unwrap_or(false),
            is_busy: false,
            refreshes_lenses: lenses.and_then(|lenses| lenses.refresh_support).unwrap_or(false),
            requests: 0,
        })
    }

    fn send(&self, message: impl Into<Message>) {
        // An editor that hears nothing any more has ended, which the next receive tells.
        let _ = self.connection.sender.send(message.into());
    }

    fn notify<N: notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.into(), params));
    }

    fn ask<R: request::Request>(&mut self, params: R::Params) {
        self.requests += 1;
        self.send(Request::new(RequestId::from(self.requests), R::METHOD.into(), params));
    }

    fn show(&self, typ: MessageType, message: String) {
        self.notify::<notification::ShowMessage>(ShowMessageParams { typ, message });
    }

    fn request(&mut self, request: Request) {
        let id = request.id;
        let response = match request.method.as_str() {
            request::CodeLensRequest::METHOD => read(request.params).map(|asked| json!(self.lenses(&asked))),
            request::CodeActionRequest::METHOD => {
                read(request.params).map(|asked| json!(self.actions(&asked)))
            }
            request::HoverRequest::METHOD => read(request.params).map(|asked| json!(self.hover(&asked))),
            request::ExecuteCommand::METHOD => {
                read(request.params).and_then(|asked| self.execute(&asked)).map(|()| Value::Null)
            }
            method => Err((ErrorCode::MethodNotFound, format!("there is no request {method}"))),
        };
        self.send(match response {
            Ok(value) => Response::new_ok(id, value),
            Err((code, sentence)) => Response::new_err(id, code as i32, sentence),
        });
    }

    fn notification(&mut self, told: Notification) {
        // A notification that cannot be read has no answer.
        let _ = match told.method.as_str() {
            notification::DidOpenTextDocument::METHOD => read(told.params).map(|told| self.opened(told)),
            notification::DidChangeTextDocument::METHOD => read(told.params).map(|told| self.changed(told)),
            notification::DidSaveTextDocument::METHOD => {
                let saved = read::<DidSaveTextDocumentParams>(told.params);
                saved.map(|told| {
                    place::path(&told.text_document.uri).into_iter().for_each(|path| self.saved(&path))
                })
            }
            notification::DidCloseTextDocument::METHOD => {
                let closed = read::<DidCloseTextDocumentParams>(told.params);
                closed.map(|told| {
                    place::path(&told.text_document.uri).into_iter().for_each(|path| self.closed(&path))
                })
            }
            _ => Ok(()),
        };
    }

    fn opened(&mut self, DidOpenTextDocumentParams { text_document }: DidOpenTextDocumentParams) {
        if let Some(path) = place::path(&text_document.uri) {
            self.documents.insert(path, Document::new(text_document.uri, text_document.text));
        }
    }

    fn changed(&mut self, told: DidChangeTextDocumentParams) {
        let path = place::path(&told.text_document.uri);
        let document = path.and_then(|path| self.documents.get_mut(&path));
        // Each change is the whole text.
        if let (Some(document), Some(change)) = (document, told.content_changes.into_iter().next_back()) {
            document.change(change.text);
        }
    }

    fn closed(&mut self, path: &Path) {
        self.documents.remove(path);
        self.worker.cancel(path, |_| false);
        self.known.retain(|(file, _), _| file != path);
        let files = self.forget(|found| found.of.0 == path);
        self.publish(files);
    }

    /// Checks the functions that changed in a saved file, and those with an answer that may be another one now.
    fn saved(&mut self, path: &Path) {
        if !document::is_source(path) {
            // A header: what it changed is not known.
            let tasks = self.known.values().map(|outcome| outcome.task.clone());
            self.worker.add(tasks.map(|task| Task { is_asked: false, ..task }));
            return;
        }
        let Some(document) = self.documents.get_mut(path) else { return };
        let changed = document.save();
        let digests = document.digests().clone();
        let is_current = |task: &Task| digests.get(&task.function) == Some(&task.digest);
        self.worker.cancel(path, is_current);
        let is_stale = |(file, function): &(PathBuf, String), digest: u64| {
            file == path && digests.get(function) != Some(&digest)
        };
        let stale: Vec<(PathBuf, String)> = self
            .known
            .iter()
            .filter(|(of, outcome)| is_stale(of, outcome.task.digest))
            .map(|(of, _)| of.clone())
            .collect();
        let mut functions = changed;
        for of in stale {
            match (digests.contains_key(&of.1), functions.contains(&of.1)) {
                (true, false) => functions.push(of.1),
                (true, true) => {}
                (false, _) => drop(self.known.remove(&of)),
            }
        }
        let files = self.forget(|found| is_stale(&found.of, found.digest));
        self.publish(files);
        let tasks = functions.iter().filter_map(|name| self.task(path, name, Question::Check, false));
        self.worker.add(tasks);
    }

    /// A question on a function of an open file.
    fn task(&self, path: &Path, name: &str, question: Question, is_asked: bool) -> Option<Task> {
        let document = self.documents.get(path)?;
        let defined = document.functions().iter().find(|function| function.name == name)?;
        Some(Task {
            file: path.into(),
            function: name.into(),
            line: u32::try_from(defined.line).unwrap_or(u32::MAX),
            question,
            digest: *document.digests().get(name)?,
            is_asked,
        })
    }

    /// Takes back diagnostics. Returns the files that they were in.
    fn forget(&mut self, is_meant: impl Fn(&Found) -> bool) -> Vec<PathBuf> {
        let mut files = Vec::new();
        self.found.retain(|found| {
            let is_kept = !is_meant(found);
            if !is_kept {
                files.extend(found.findings.iter().map(|finding| finding.file.clone()));
            }
            is_kept
        });
        files
    }

    fn lenses(&self, asked: &CodeLensParams) -> Vec<CodeLens> {
        let Some((path, document)) = self.document(&asked.text_document.uri) else { return Vec::new() };
        let known = |function: &str| self.known.get(&(path.clone(), function.to_string()));
        outline::lenses(document, known)
    }

    fn actions(&self, asked: &CodeActionParams) -> Vec<CodeActionOrCommand> {
        let line = asked.range.start.line;
        let Some((_, document)) = self.document(&asked.text_document.uri) else { return Vec::new() };
        outline::actions(document, line).into_iter().map(CodeActionOrCommand::Command).collect()
    }

    fn hover(&self, asked: &HoverParams) -> Option<Hover> {
        let TextDocumentPositionParams { text_document, position } = &asked.text_document_position_params;
        let (path, document) = self.document(&text_document.uri)?;
        let known = |function: &str| self.known.get(&(path.clone(), function.to_string()));
        outline::hover(document, *position, known)
    }

    fn document(&self, uri: &Uri) -> Option<(PathBuf, &Document)> {
        let path = place::path(uri)?;
        let document = self.documents.get(&path)?;
        Some((path, document))
    }

    /// Starts what a command asks for.
    fn execute(&mut self, asked: &ExecuteCommandParams) -> Result<(), (ErrorCode, String)> {
        let wrong = |sentence: &str| (ErrorCode::InvalidParams, sentence.to_string());
        let [uri, function, rest @ ..] = &asked.arguments[..] else {
            return Err(wrong("a command of Beeline needs a document and a function"));
        };
        let uri: Uri = read(uri.clone())?;
        let function: String = read(function.clone())?;
        let question = match (asked.command.as_str(), rest) {
            (CHECK, []) => Question::Check,
            (COVER, []) => Question::Cover,
            (REACH, [line]) => Question::Reach(read(line.clone())?),
            _ => return Err(wrong("there is no such command of Beeline")),
        };
        let (path, document) = self.document(&uri).ok_or_else(|| wrong("the document is not open"))?;
        let task = self.task(&path, &function, question, true);
        let task = task.ok_or_else(|| wrong("the document has no such function"))?;
        if !document.is_saved_in(&path) {
            self.show(
                MessageType::WARNING,
                format!("Save {} first: files are checked, not buffers", path.display()),
            );
            return Ok(());
        }
        self.worker.add([task]);
        Ok(())
    }

    /// Takes the answer of a task.
    fn take(&mut self, outcome: Outcome) {
        let task = outcome.task.clone();
        let is_current =
            |document: &Document| document.saved_digests().get(&task.function) == Some(&task.digest);
        if !self.documents.get(&task.file).is_some_and(is_current) {
            return;
        }
        let of = (task.file.clone(), task.function.clone());
        let question = task.question.name();
        let mut files = self.forget(|found| found.of == of && found.question == question);
        let findings = findings::of(&outcome);
        files.extend(findings.iter().map(|finding| finding.file.clone()));
        self.found.push(Found { of: of.clone(), question, digest: task.digest, findings });
        self.publish(files);
        let sentence = outcome.sentence();
        if task.is_asked {
            self.show(outcome.severity(), sentence);
        } else if outcome.is_fault() {
            self.notify::<notification::LogMessage>(LogMessageParams {
                typ: MessageType::WARNING,
                message: sentence,
            });
        }
        if task.question == Question::Check {
            self.known.insert(of, outcome);
            if self.refreshes_lenses {
                self.ask::<request::CodeLensRefresh>(());
            }
        }
    }

    /// Publishes the diagnostics of files.
    fn publish(&self, mut files: Vec<PathBuf>) {
        files.sort();
        files.dedup();
        for file in files {
            let document = self.documents.get(&file);
            let uri = document.map(|document| document.uri().clone()).or_else(|| place::uri(&file));
            let Some(uri) = uri else { continue };
            let text = document.map(|document| document.text().to_string());
            let text = text.or_else(|| std::fs::read_to_string(&file).ok()).unwrap_or_default();
            let found = self.found.iter().flat_map(|found| &found.findings);
            let diagnostics = findings::diagnostics(found.filter(|finding| finding.file == file), &text);
            let params = PublishDiagnosticsParams::new(uri, diagnostics, None);
            self.notify::<notification::PublishDiagnostics>(params);
        }
    }

    /// Shows what is checked now.
    fn begin(&mut self, task: &Task, left: usize) {
        if !self.shows_progress {
            return;
        }
        let more = if left > 0 { format!(", {left} more") } else { String::new() };
        let message = Some(format!("{} {}{more}", task.question.name(), task.function));
        let value = match self.is_busy {
            true => WorkDoneProgress::Report(WorkDoneProgressReport {
                message,
                ..WorkDoneProgressReport::default()
            }),
            false => {
                let token = NumberOrString::String(PROGRESS.into());
                self.ask::<request::WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token });
                let title = "Beeline".into();
                WorkDoneProgress::Begin(WorkDoneProgressBegin {
                    title,
                    message,
                    ..WorkDoneProgressBegin::default()
                })
            }
        };
        self.is_busy = true;
        self.progress(value);
    }

    fn end_progress(&mut self) {
        if std::mem::take(&mut self.is_busy) {
            self.progress(WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
        }
    }

    fn progress(&self, value: WorkDoneProgress) {
        let token = NumberOrString::String(PROGRESS.into());
        let value = ProgressParamsValue::WorkDone(value);
        self.notify::<notification::Progress>(ProgressParams { token, value });
    }
}

/// Reads the parameters of a message.
fn read<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}
