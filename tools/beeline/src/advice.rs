//! What to try when there is no answer.

/// Parts of reasons as `beeline-verify` and `beeline-lower` give them, with what may help.
const ADVICE: [(&str, &str); 12] = [
    ("time limit", "more time (--time-limit), another --search or --metric, or --domain predicate"),
    ("memory limit", "more memory (--memory-limit), or --domain predicate, which makes fewer states"),
    ("limit on states", "a higher --max-states, or --domain predicate, which makes fewer states"),
    ("has too many states", "--block sbe, which makes smaller blocks"),
    ("no predicates were found", "--domain value, or --arithmetic bv"),
    ("made no progress", "--domain value, or --arithmetic bv"),
    ("solver did not decide", "more steps for a query (--query-ticks), or --domain value"),
    (
        "is not defined",
        "to mend that place first; --property bounds or --property all may show how a run gets there",
    ),
    ("natively does not happen", "--property all, which may show undefined behaviour on the way"),
    ("guess", "a body, or a model, for what is guessed here"),
    ("interpreter does not confirm", "to report this: it is a bug in Beeline"),
    ("refuses it", "to report this: it is a bug in Beeline"),
];

/// What may help against a reason.
pub fn against(reason: &str) -> Option<&'static str> {
    ADVICE.iter().find(|(part, _)| reason.contains(part)).map(|(_, advice)| *advice)
}
