//! Threads in names of locations: which one passes which scheduling point.
//!
//! A program of several threads is one automaton, as any other. A reader that has to know which thread does what finds
//! it in these names.

/// The input that chooses the thread that goes on.
pub const SCHEDULE: &str = "__beeline_schedule";

/// The action of a thread when it reaches a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The number of the thread; the one that starts in the entry function has 1.
    pub thread: u32,
    /// Its action.
    pub does: Does,
}

/// The action in a [`Turn`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Does {
    /// The thread begins to run a function.
    Starts(String),
    /// The thread lets others go on within a function of the library.
    Yields,
    /// The thread creates another one.
    Creates(u32),
    /// The thread and another one are about to access the same memory; 0 if all threads wait.
    Races(u32),
    /// The thread passes a scheduling point of the program.
    Passes {
        /// The function.
        function: String,
        /// The number of accesses and calls before the point in the function.
        ordinal: u32,
    },
}

impl Turn {
    /// The name of a location for it; the number makes the name unique.
    pub fn label(&self, number: usize) -> String {
        let Turn { thread, does } = self;
        let told = match does {
            Does::Starts(function) => format!("starts.{function}"),
            Does::Yields => "yields".into(),
            Does::Creates(other) => format!("creates.{other}"),
            Does::Races(other) => format!("races.{other}"),
            Does::Passes { function, ordinal } => format!("passes.{ordinal}.{function}"),
        };
        format!("thread{thread}.{number}.{told}")
    }

    /// The meaning of a location's name.
    pub fn of_label(label: &str) -> Option<Turn> {
        let mut parts = label.strip_prefix("thread")?.splitn(3, '.');
        let thread = parts.next()?.parse().ok()?;
        parts.next()?.parse::<usize>().ok()?;
        let (word, rest) = parts.next().map(|told| told.split_once('.').unwrap_or((told, "")))?;
        let does = match word {
            "starts" => Does::Starts(rest.into()),
            "yields" => Does::Yields,
            "creates" => Does::Creates(rest.parse().ok()?),
            "races" => Does::Races(rest.parse().ok()?),
            "passes" => {
                let (ordinal, function) = rest.split_once('.')?;
                Does::Passes { function: function.into(), ordinal: ordinal.parse().ok()? }
            }
            _ => return None,
        };
        Some(Turn { thread, does })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_as_they_are_made() {
        let passes = Does::Passes { function: "worker.copy".into(), ordinal: 13 };
        for (number, does) in
            [Does::Starts("f".into()), Does::Yields, Does::Creates(3), Does::Races(1), passes]
                .into_iter()
                .enumerate()
        {
            let turn = Turn { thread: 2, does };
            assert_eq!(Turn::of_label(&turn.label(number)), Some(turn));
        }
        for other in ["L12", "thread", "thread2", "thread2.x.starts", "thread2.1.ends"] {
            assert_eq!(Turn::of_label(other), None, "{other}");
        }
    }
}
