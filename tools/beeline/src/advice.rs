//! What to try when there is no answer.

/// Parts of reasons as `beeline-verify` and `beeline-lower` give them, with what may help.
const ADVICE: [(&str, &str); 8] = [
    ("time limit", "more time (--time-limit), another --search or --metric, or --domain predicate"),
    ("memory limit", "more memory (--memory-limit), or --domain predicate, which makes fewer states"),
    ("too many states", "--blocks sbe, which makes smaller blocks"),
    ("no predicates", "--domain value, or --arithmetic bv"),
    ("no progress", "--domain value, or --arithmetic bv"),
    ("solver did not decide", "more time for a query (--query-time), or --domain value"),
    ("interpreter does not confirm", "a report of this program: it is a bug in Beeline"),
    ("refuses it", "a report of this program: it is a bug in Beeline"),
];

/// What may help against a reason.
pub fn against(reason: &str) -> Option<&'static str> {
    ADVICE.iter().find(|(part, _)| reason.contains(part)).map(|(_, advice)| *advice)
}
