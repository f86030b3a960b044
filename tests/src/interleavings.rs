//! Random programs of a few threads, and what all interleavings of them do: these are enumerated step by step, without
//! anything that Beeline knows of threads.

use fastrand::Rng;
use std::collections::HashSet;
use std::fmt::Write;

/// How many shared variables and mutexes there are.
const VARIABLES: usize = 2;
const MUTEXES: usize = 2;
/// Values stay below this, so that executions are finitely many.
const MOST: u8 = 4;

/// A step of a thread, which has one variable of its own, `r`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// `r = x`
    Load(usize),
    /// `x = (r + n) % MOST`
    Store(usize, u8),
    /// `r = n`
    Set(u8),
    Lock(usize),
    Unlock(usize),
    /// Goes on at another step if `r` is this number.
    If(u8, usize),
    /// Goes back to another step if `r` is not this number.
    Until(u8, usize),
    /// `assert(r != n)`
    Assert(u8),
}

/// The properties that are asked for.
pub const PROPERTIES: [&str; 3] = ["unreach-call", "no-data-race", "no-deadlock"];

/// A program, and what happens in some interleaving.
#[derive(Debug)]
pub struct Program {
    /// The program in C.
    pub text: String,
    /// An assertion fails.
    pub fails: bool,
    /// Two threads are about to access a variable, and one writes.
    pub races: bool,
    /// All threads wait.
    pub deadlocks: bool,
}

impl Program {
    /// Is a property violated?
    pub fn violates(&self, property: &str) -> bool {
        match property {
            "no-data-race" => self.races,
            "no-deadlock" => self.deadlocks,
            _ => self.fails,
        }
    }

    /// What is wrong with a verdict, if something is.
    pub fn fault(&self, property: &str, verdict: &str) -> Option<&'static str> {
        let starts = |word: &str| verdict.starts_with(&format!("verdict: {word}"));
        match self.violates(property) {
            true if starts("safe") => Some("an interleaving violates it"),
            false if starts("unsafe") => Some("no interleaving violates it"),
            _ => None,
        }
    }
}

/// The program with a number.
pub fn generated(seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed);
    let count = rng.usize(2..4);
    let threads: Vec<Vec<Step>> = (0..count).map(|_| thread(&mut rng, 12 / count)).collect();
    let last = [rng.u8(..MOST), rng.u8(..MOST)];
    let mut search = Search { threads: &threads, last, fails: false, races: false, deadlocks: false };
    search.run();
    let Search { fails, races, deadlocks, .. } = search;
    Program { text: text(&threads, last), fails, races, deadlocks }
}

fn thread(rng: &mut Rng, most: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut held: Vec<usize> = Vec::new();
    for _ in 0..rng.usize(1..=most) {
        let variable = rng.usize(..VARIABLES);
        let number = rng.u8(..MOST);
        match rng.u8(..12) {
            0..3 => steps.push(Step::Load(variable)),
            3..6 => steps.push(Step::Store(variable, number)),
            6 => steps.push(Step::Set(number)),
            7 | 8 => {
                let mutex = rng.usize(..MUTEXES);
                match held.iter().position(|known| *known == mutex) {
                    Some(at) => steps.push(Step::Unlock(held.remove(at))),
                    None => {
                        held.push(mutex);
                        steps.push(Step::Lock(mutex));
                    }
                }
            }
            9 => {
                // What is left out is one step.
                steps.push(Step::If(number, steps.len() + 2));
                steps.push(Step::Store(variable, 1));
            }
            10 => {
                steps.push(Step::Load(variable));
                steps.push(Step::Until(number, steps.len() - 1));
            }
            _ => {
                steps.push(Step::Load(variable));
                steps.push(Step::Assert(number));
            }
        }
    }
    // Some end with what they hold.
    if rng.u8(..4) > 0 {
        steps.extend(held.into_iter().map(Step::Unlock));
    }
    steps
}

/// Where threads are and what variables hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    at: Vec<usize>,
    own: Vec<u8>,
    shared: [u8; VARIABLES],
    owners: [Option<usize>; MUTEXES],
}

struct Search<'a> {
    threads: &'a [Vec<Step>],
    /// What the variables must not all be at the end.
    last: [u8; VARIABLES],
    fails: bool,
    races: bool,
    deadlocks: bool,
}

impl Search<'_> {
    fn run(&mut self) {
        let count = self.threads.len();
        let first = State {
            at: vec![0; count],
            own: vec![0; count],
            shared: [0; VARIABLES],
            owners: [None; MUTEXES],
        };
        let mut met = HashSet::from([first.clone()]);
        let mut open = vec![first];
        while let Some(state) = open.pop() {
            let next: Vec<State> = (0..count).filter_map(|thread| self.step(&state, thread)).collect();
            let ended = (0..count).all(|thread| state.at[thread] == self.threads[thread].len());
            self.fails |= ended && state.shared == self.last;
            self.deadlocks |= !ended && next.is_empty() && !self.is_at_failure(&state);
            self.races |= self.is_race(&state);
            open.extend(next.into_iter().filter(|next| met.insert(next.clone())));
        }
    }

    fn next(&self, state: &State, thread: usize) -> Option<Step> {
        self.threads[thread].get(state.at[thread]).copied()
    }

    fn is_at_failure(&self, state: &State) -> bool {
        (0..state.at.len()).any(|thread| {
            matches!(self.next(state, thread), Some(Step::Assert(number)) if state.own[thread] == number)
        })
    }

    fn is_race(&self, state: &State) -> bool {
        let access = |thread| match self.next(state, thread)? {
            Step::Load(variable) => Some((variable, false)),
            Step::Store(variable, _) => Some((variable, true)),
            _ => None,
        };
        let accesses: Vec<(usize, bool)> = (0..state.at.len()).filter_map(access).collect();
        let collides = |index: usize| {
            let (variable, writes) = accesses[index];
            accesses[index + 1..].iter().any(|other| other.0 == variable && (writes || other.1))
        };
        (0..accesses.len()).any(collides)
    }

    /// Where a step of a thread leads, if it can make one.
    fn step(&mut self, state: &State, thread: usize) -> Option<State> {
        let step = self.next(state, thread)?;
        let mut next = state.clone();
        let own = state.own[thread];
        next.at[thread] += 1;
        match step {
            Step::Load(variable) => next.own[thread] = state.shared[variable],
            Step::Store(variable, number) => next.shared[variable] = (own + number) % MOST,
            Step::Set(number) => next.own[thread] = number,
            Step::Lock(mutex) if state.owners[mutex].is_some() => return None,
            Step::Lock(mutex) => next.owners[mutex] = Some(thread),
            Step::Unlock(mutex) => next.owners[mutex] = None,
            Step::If(number, to) if own == number => next.at[thread] = to,
            Step::Until(number, to) if own != number => next.at[thread] = to,
            Step::If(..) | Step::Until(..) => {}
            Step::Assert(number) if own == number => {
                self.fails = true;
                return None;
            }
            Step::Assert(_) => {}
        }
        Some(next)
    }
}

fn text(threads: &[Vec<Step>], last: [u8; VARIABLES]) -> String {
    let mut text = String::from("#include <assert.h>\n#include <pthread.h>\n");
    for variable in 0..VARIABLES {
        let _ = writeln!(text, "unsigned char x{variable};");
    }
    for mutex in 0..MUTEXES {
        let _ = writeln!(text, "pthread_mutex_t m{mutex} = PTHREAD_MUTEX_INITIALIZER;");
    }
    for (number, steps) in threads.iter().enumerate() {
        let _ = writeln!(text, "void *thread{number}(void *given) {{\n  unsigned char r = 0;");
        for (at, step) in steps.iter().enumerate() {
            let line = match *step {
                Step::Load(variable) => format!("r = x{variable};"),
                Step::Store(variable, number) => format!("x{variable} = (r + {number}) % {MOST};"),
                Step::Set(number) => format!("r = {number};"),
                Step::Lock(mutex) => format!("pthread_mutex_lock(&m{mutex});"),
                Step::Unlock(mutex) => format!("pthread_mutex_unlock(&m{mutex});"),
                Step::If(number, to) => format!("if (r == {number}) goto l{to};"),
                Step::Until(number, to) => format!("if (r != {number}) goto l{to};"),
                Step::Assert(number) => format!("assert(r != {number});"),
            };
            let _ = writeln!(text, "l{at}: {line}");
        }
        let _ = writeln!(text, "l{}: return 0;\n}}", steps.len());
    }
    text.push_str("int main(void) {\n");
    for number in 0..threads.len() {
        let _ = writeln!(text, "  pthread_t t{number};\n  pthread_create(&t{number}, 0, thread{number}, 0);");
    }
    for number in 0..threads.len() {
        let _ = writeln!(text, "  pthread_join(t{number}, 0);");
    }
    let _ = writeln!(text, "  assert(x0 != {} || x1 != {});\n  return 0;\n}}", last[0], last[1]);
    text
}
