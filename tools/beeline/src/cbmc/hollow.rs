//! Is a proof hollow? It proves little if no execution gets to the end of its harness, as where an assumption is never met.

use super::prepare;
use crate::arguments::CbmcArguments;
use crate::check;
use crate::targets::Severity;
use beeline_cbmc::kit::Kit;
use std::collections::BTreeMap;

/// The share of the time of a proof that is spent on this.
const SHARE: u32 = 4;

/// What no execution gets to in the harness of a program that is safe, as a sentence, if it is known that the end of the harness
/// is a part of that.
pub(super) fn why(arguments: &CbmcArguments, kit: &Kit, bitcode: &[u8]) -> Result<Option<String>, String> {
    let limit = arguments.time_limit.0 / SHARE;
    let (parsed, job, _folder) = prepare::marked(kit, bitcode, limit, Some(&kit.entry))?;
    let answer = check::answer(&parsed, job, |_, _| Ok(()))?.0;
    let Some((program, _)) = &answer.result else { return Ok(None) };
    let mut lines = BTreeMap::new();
    for known in answer.targets() {
        let target = program.targets.iter().find(|target| target.loc == known.target);
        if let Some(span) = target.and_then(|target| target.span) {
            // A line of several statements is dead if all are.
            let is_dead = lines.entry((span.file, span.line)).or_insert((true, span));
            is_dead.0 &= known.severity == Severity::Safe;
        }
    }
    let end = lines.values().next_back().filter(|(is_dead, _)| *is_dead);
    let first = lines.values().find(|(is_dead, _)| *is_dead);
    Ok(end.zip(first).map(|((_, end), (_, first))| {
        let show = |span: &beeline_ir::Span| {
            let place = program.show_span(*span);
            place.rsplit_once(':').map_or(place.clone(), |(line, _)| line.to_string())
        };
        match first.line == end.line {
            true => format!("hollow: no execution gets to the end of {}, {}", kit.entry, show(end)),
            false => format!(
                "hollow: no execution gets to the end of {}, {}; the first line that none gets to is {}",
                kit.entry,
                show(end),
                show(first)
            ),
        }
    }))
}
