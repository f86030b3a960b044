//! The turns of threads in a violation witness: which thread goes on where, and who creates whom.
//!
//! The format counts threads from 0, in the order in which the witness creates them.

use crate::point::{Point, start_of_call};
use crate::unit::Unit;
use beeline_ir::{Does, Op, Program, Span, Turn};
use beeline_run::{Choice, RunPath};
use rustc_hash::FxHashMap;

/// The turns of threads until the error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schedule {
    /// What happens, in order.
    pub events: Vec<Event>,
    /// Where the error is: a place, or the two accesses of a race.
    pub targets: Vec<(u32, Point)>,
}

/// What a thread does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The thread.
    pub thread: u32,
    /// Its action.
    pub does: Action,
}

/// The action of an [`Event`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// It gets one of the inputs, by index.
    Input(usize),
    /// It creates the next thread, by a call with its opening parenthesis there.
    Creates(Point),
    /// It goes on with a line, after another thread.
    Continues(Point),
}

/// Whether a program has several threads.
pub(crate) fn has_threads(program: &Program) -> bool {
    program.labels.values().any(|label| Turn::of_label(label).is_some())
}

impl Schedule {
    /// The schedule of a counterexample; `inputs` says of each choice which input it is, if any. There is none if the
    /// file has no place where a thread is created, or none for the error.
    pub(crate) fn new(
        program: &Program,
        path: &RunPath,
        unit: &Unit,
        inputs: &[Option<usize>],
    ) -> Option<Schedule> {
        let mut events = Events {
            program,
            unit,
            threads: [(1, 0)].into_iter().collect(),
            created: FxHashMap::default(),
            events: Vec::new(),
        };
        let is_input = |choice: &&(usize, &Choice)| matches!(choice.1, Choice::Input { .. });
        let choices: Vec<(usize, &Choice)> = path.choices.iter().enumerate().collect();
        let mut choices = choices.iter().filter(is_input).peekable();
        // Whether the running thread's next line in the file is its first after another one's.
        let (mut running, mut is_first) = (1, false);
        let mut races = None;
        for step in &path.steps {
            let id = step.edge();
            let edge = &program.edges[id];
            let turn = program.labels.get(&edge.dst).and_then(|label| Turn::of_label(label));
            if let Some(Turn { thread, does }) = turn {
                is_first |= thread != running;
                running = thread;
                match does {
                    Does::Creates(other) => events.create(running, other, edge.span?)?,
                    Does::Races(other) => races = Some((other, edge.span)),
                    Does::Starts(_) | Does::Yields | Does::Passes { .. } => {}
                }
            }
            let given = choices.next_if(|(_, choice)| {
                matches!((&edge.op, choice), (Op::Havoc(..), Choice::Input { edge, .. }) if *edge == id)
            });
            if let Some(input) = given.and_then(|(index, _)| inputs[*index]) {
                is_first = false;
                events.add(running, Action::Input(input))?;
            } else if is_first && let Some(point) = events.first_line(running, edge.span) {
                is_first = false;
                events.add(running, Action::Continues(point))?;
            }
        }
        let targets = events.targets(path, running, races)?;
        Some(Schedule { events: events.events, targets })
    }
}

struct Events<'p> {
    program: &'p Program,
    unit: &'p Unit,
    /// The numbers of threads in the witness.
    threads: FxHashMap<u32, u32>,
    /// Where each was created: what hands over its argument is there, too, and is no statement of its own.
    created: FxHashMap<u32, Span>,
    events: Vec<Event>,
}

impl Events<'_> {
    fn add(&mut self, thread: u32, does: Action) -> Option<()> {
        let &thread = self.threads.get(&thread)?;
        self.events.push(Event { thread, does });
        Some(())
    }

    fn create(&mut self, by: u32, other: u32, span: Span) -> Option<()> {
        let line = self.unit.number(self.program, span)?;
        let column = self.unit.line(line).and_then(|text| start_of_call(text, span.col, "pthread_create"));
        self.add(by, Action::Creates(Point { function: None, line, column }))?;
        self.created.insert(other, span);
        self.threads.insert(other, u32::try_from(self.threads.len()).ok()?);
        Some(())
    }

    /// The line of a step, if it may be a thread's first one after another thread.
    fn first_line(&self, thread: u32, span: Option<Span>) -> Option<Point> {
        let span = span.filter(|span| self.created.get(&thread) != Some(span))?;
        self.line(span)
    }

    /// A line of the file; a statement begins somewhere in it.
    fn line(&self, span: Span) -> Option<Point> {
        Some(Point { function: None, line: self.unit.number(self.program, span)?, column: None })
    }

    fn targets(
        &self,
        path: &RunPath,
        running: u32,
        races: Option<(u32, Option<Span>)>,
    ) -> Option<Vec<(u32, Point)>> {
        let target = self.program.targets.iter().find(|target| target.loc == path.target)?;
        let thread = *self.threads.get(&running)?;
        let place = |span: Span| {
            let point = self.line(span)?;
            Some(Point { column: Some(span.col).filter(|&col| col > 0), ..point })
        };
        let (at, other) = match races {
            None => (target.span, None),
            Some((other, at)) => (at, self.threads.get(&other).zip(self.other_access(&target.name, at))),
        };
        let first = (thread, place(at?)?);
        let second = other.and_then(|(&other, at)| Some((other, place(at)?)));
        // A race without its other access is none.
        if races.is_some_and(|(other, _)| other > 0) && second.is_none() {
            return None;
        }
        Some([first].into_iter().chain(second).collect())
    }

    /// The second place in the name of a race, "data-race between a.c:8:10 and a.c:12:13", or the first, if it is at
    /// the second.
    fn other_access(&self, name: &str, one: Option<Span>) -> Option<Span> {
        let (first, second) = name.split_once(" between ")?.1.split_once(" and ")?;
        let is_second = one.is_some_and(|one| self.program.show_span(one) == second);
        let mut parts = if is_second { first } else { second }.rsplitn(3, ':');
        let col = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        let name = parts.next()?;
        let (file, _) = self.program.files.iter().find(|(_, file)| file.as_str() == name)?;
        Some(Span { file, line, col })
    }
}
