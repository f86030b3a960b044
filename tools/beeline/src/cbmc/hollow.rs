//! Hollow proofs: a proof shows little if no execution reaches the end of its harness, as when an assumption
//! is never satisfied.

use super::prepare::{self, Places};
use crate::answer::Word;
use crate::arguments::CbmcArguments;
use crate::check;
use crate::targets::Severity;
use beeline_cbmc::dialect::last_line;
use beeline_cbmc::kit::Kit;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The share of the time of a proof that is spent on this.
const SHARE: u32 = 4;

/// The dead lines of the harness of a safe program, as a sentence, if the end of the harness is known to be
/// among them.
pub(super) fn why(arguments: &CbmcArguments, kit: &Kit, bitcode: &[u8]) -> Result<Option<String>, String> {
    let limit = arguments.time_limit.0 / SHARE;
    if ends(kit, bitcode, limit).unwrap_or(false) {
        return Ok(None);
    }
    let (parsed, job, _folder) = prepare::marked(kit, bitcode, limit, &Places::LinesOf(&kit.entry))?;
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

/// Whether an execution reaches the end of the harness, as far as is known without a search for its other
/// lines.
fn ends(kit: &Kit, bitcode: &[u8], limit: Duration) -> Result<bool, String> {
    let end = |file: &PathBuf| {
        let text = String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned();
        Some((file.clone(), last_line(&text, &kit.entry)?))
    };
    let Some((file, line)) = kit.proof.iter().chain(&kit.project).find_map(end) else { return Ok(false) };
    let (parsed, job, _folder) = prepare::marked(kit, bitcode, limit, &Places::Line(&file, line))?;
    Ok(check::answer(&parsed, job, |_, _| Ok(()))?.0.word() == Word::Unsafe)
}
