//! Histories as tables, for spreadsheets and for BenchExec's table-generator.

use crate::cost::seconds;
use crate::{History, Outcome, Row};
use std::fmt::Write as _;

/// Columns of the table.
const COLUMNS: [&str; 17] = [
    "program",
    "family",
    "expected",
    "plan",
    "repetition",
    "outcome",
    "reason",
    "solved",
    "certificate",
    "cpu s",
    "wall s",
    "memory bytes",
    "check cpu s",
    "ticks",
    "states",
    "limit s",
    "measured by",
];

/// A table with a line for each run.
pub fn csv(history: &History) -> String {
    let mut table = COLUMNS.join(",");
    history.features.iter().for_each(|name| _ = write!(table, ",{}", field(name)));
    table.push('\n');
    for row in &history.rows {
        let program = &history.programs[row.program as usize];
        let setting = &history.settings[row.setting as usize];
        let fields = [
            field(&program.name),
            field(&program.family),
            program.expected.map_or(String::new(), |safe| if safe { "safe".into() } else { "unsafe".into() }),
            field(&history.strategies[row.strategy as usize].name),
            row.repetition.to_string(),
            row.outcome.word().into(),
            field(row.outcome.reason()),
            history.is_solved(row).to_string(),
            row.certificate.word().into(),
            seconds(row.cpu).to_string(),
            seconds(row.wall).to_string(),
            row.memory.to_string(),
            seconds(row.check_cpu).to_string(),
            row.ticks.to_string(),
            row.states.to_string(),
            history.limit(row).to_string(),
            field(&setting.measured_by),
        ];
        table.push_str(&fields.join(","));
        for index in 0..history.features.len() {
            table.push(',');
            if let Some(values) = &program.features {
                _ = write!(table, "{}", values[index]);
            }
        }
        table.push('\n');
    }
    table
}

/// A field of a table with commas.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

/// The results of one plan in the form that BenchExec's table-generator reads.
pub fn benchexec(history: &History, strategy: u32) -> String {
    let rows = || history.rows.iter().filter(|row| row.strategy == strategy);
    let name = xml(&history.strategies[strategy as usize].name);
    let setting = rows().next().map(|row| &history.settings[row.setting as usize]);
    let (version, limit) =
        setting.map_or(("", 0.0), |setting| (setting.version.as_str(), seconds(setting.cpu_limit)));
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE result PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN\" \
         \"https://www.sosy-lab.org/benchexec/result-3.0.dtd\">\n<result benchmarkname=\"beeline-campaign\" \
         name=\"{name}\" tool=\"Beeline\" toolmodule=\"beeline\" version=\"{}\" timelimit=\"{limit}s\">\n  <columns>\n    \
         <column title=\"status\"/>\n    <column title=\"cputime\"/>\n    <column title=\"walltime\"/>\n    \
         <column title=\"memory\"/>\n  </columns>\n",
        xml(version)
    );
    rows().for_each(|row| run(&mut text, history, row));
    text.push_str("</result>\n");
    text
}

/// One run of BenchExec's results.
fn run(text: &mut String, history: &History, row: &Row) {
    let program = &history.programs[row.program as usize];
    let status = match &row.outcome {
        Outcome::Safe => "true".to_string(),
        Outcome::Unsafe => "false(unreach-call)".to_string(),
        Outcome::Unknown(reason) => format!("unknown ({reason})"),
        Outcome::Failed(reason) => format!("ERROR ({reason})"),
    };
    let category = match (&row.outcome, program.expected) {
        (Outcome::Failed(_), _) => "error",
        (Outcome::Unknown(_), _) => "unknown",
        (_, None) => "missing",
        _ if history.is_wrong(row) => "wrong",
        _ => "correct",
    };
    let expected = program.expected.map_or(String::new(), |safe| format!(" expectedVerdict=\"{safe}\""));
    let name = match row.repetition {
        0 => xml(&program.name),
        more => format!("{}#{more}", xml(&program.name)),
    };
    _ = writeln!(
        text,
        "  <run name=\"{name}\" files=\"[{name}]\" properties=\"unreach-call\" propertyFile=\"unreach-call.prp\"{expected}>\n    \
         <column title=\"status\" value=\"{}\"/>\n    <column title=\"category\" value=\"{category}\" hidden=\"true\"/>\n    \
         <column title=\"cputime\" value=\"{}s\"/>\n    <column title=\"walltime\" value=\"{}s\"/>\n    \
         <column title=\"memory\" value=\"{}B\"/>\n  </run>",
        xml(&status),
        seconds(row.cpu),
        seconds(row.wall),
        row.memory
    );
}

/// A text as an attribute of XML, without the characters that XML does not allow.
fn xml(text: &str) -> String {
    let plain = text.chars().filter(|c| !c.is_control());
    plain.fold(String::new(), |mut escaped, c| {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
        escaped
    })
}
