//! Plots of histories, as SVG: two plans against each other, and how many programs each plan solves in how much time.

use beeline_history::History;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The side of the square of a plot, and the room around it for numbers.
const SIDE: f64 = 400.0;
const MARGIN: f64 = 60.0;
/// Times below this one are drawn as this one, in seconds.
const SHORTEST: f64 = 0.01;
/// Room for the names of plans beside their curves.
const NAMES: f64 = 180.0;
/// Colours that are distinguishable, also with colour blindness. The lines of further plans are dashed.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"];

/// The mean time of a plan on each program that it solves, by program.
fn solved(history: &History, strategy: usize) -> BTreeMap<u32, f64> {
    let mut times: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for row in history.rows.iter().filter(|row| row.strategy as usize == strategy && history.is_solved(row)) {
        times.entry(row.program).or_default().push(row.cpu as f64 / 1e6);
    }
    times
        .into_iter()
        .map(|(program, times)| (program, times.iter().sum::<f64>() / times.len() as f64))
        .collect()
}

/// The greatest limit of the runs, in seconds.
fn limit(history: &History) -> f64 {
    history.settings.iter().map(|setting| setting.cpu_limit as f64 / 1e6).fold(SHORTEST * 10.0, f64::max)
}

/// The position of a time on a logarithmic axis, from 0 to the side.
fn on_axis(time: f64, longest: f64) -> f64 {
    SIDE * (time.max(SHORTEST) / SHORTEST).ln() / (longest / SHORTEST).ln()
}

/// A drawing with axes of time.
struct Drawing {
    text: String,
}

impl Drawing {
    /// A drawing with extra room on the right.
    fn new(title: &str, beside: f64) -> Drawing {
        let whole = SIDE + 2.0 * MARGIN;
        let wide = whole + beside;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {whole}\" width=\"{wide}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n\
             <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"#888\"/>\n",
            escaped(title)
        );
        _ = writeln!(text, "<text x=\"{MARGIN}\" y=\"30\" font-size=\"14\">{}</text>", escaped(title));
        Drawing { text }
    }

    /// Marks of times on an axis: 0.01, 0.1, 1 ... up to the longest.
    fn times(&mut self, longest: f64, upright: bool) {
        let mut time = SHORTEST;
        while time <= longest {
            let at = on_axis(time, longest);
            let (x, y, anchor) = match upright {
                true => (MARGIN - 6.0, MARGIN + SIDE - at + 4.0, "end"),
                false => (MARGIN + at, MARGIN + SIDE + 16.0, "middle"),
            };
            _ = writeln!(self.text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{time} s</text>");
            // Removes the rounding errors of repeated multiplication.
            time = (time * 10.0 * 1e6).round() / 1e6;
        }
    }

    fn label(&mut self, x: f64, y: f64, text: &str, colour: &str) {
        _ = writeln!(self.text, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{}</text>", escaped(text));
    }

    fn end(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// The time of one plan against that of another, a point for each program; an unsolved program is at the
/// limit.
pub(crate) fn scatter(history: &History, first: usize, second: usize) -> String {
    let names = [first, second].map(|plan| history.strategies[plan].name.as_str());
    let (longest, times) = (limit(history), [first, second].map(|plan| solved(history, plan)));
    let mut drawing = Drawing::new(&format!("{} against {}", names[0], names[1]), 0.0);
    drawing.times(longest, true);
    drawing.times(longest, false);
    let corner = MARGIN + SIDE;
    _ = writeln!(
        drawing.text,
        "<line x1=\"{MARGIN}\" y1=\"{corner}\" x2=\"{corner}\" y2=\"{MARGIN}\" stroke=\"#ccc\"/>"
    );
    for program in 0..history.programs.len() as u32 {
        let time = |plan: usize| times[plan].get(&program).copied();
        if time(0).is_none() && time(1).is_none() {
            continue;
        }
        let at = |plan: usize| on_axis(time(plan).unwrap_or(longest), longest);
        _ = writeln!(
            drawing.text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{}\" fill-opacity=\"0.5\"><title>{}</title></circle>",
            MARGIN + at(0),
            corner - at(1),
            COLOURS[0],
            escaped(&history.programs[program as usize].name)
        );
    }
    drawing.label(MARGIN + SIDE / 2.0, corner + 40.0, names[0], "#000");
    drawing.label(8.0, MARGIN - 10.0, names[1], "#000");
    drawing.end()
}

/// The number of programs that each plan solves within a time: the time of the n-th fastest (quantile), or of
/// all up to it together (cactus).
pub(crate) fn quantile(history: &History, together: bool) -> String {
    let curves: Vec<Vec<f64>> = (0..history.strategies.len())
        .map(|plan| {
            let mut times: Vec<f64> = solved(history, plan).into_values().collect();
            times.sort_by(f64::total_cmp);
            if together {
                times.iter_mut().fold(0.0, |sum, time| {
                    *time += sum;
                    *time
                });
            }
            times
        })
        .collect();
    let most = curves.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let longest = curves.iter().flatten().copied().fold(limit(history), f64::max);
    let title = match together {
        true => "Cactus: programs solved in this time of the processor altogether",
        false => "Quantiles: programs solved in this time of the processor each",
    };
    let mut drawing = Drawing::new(title, NAMES);
    drawing.times(longest, true);
    for (plan, times) in curves.iter().enumerate() {
        let (colour, turn) = (COLOURS[plan % COLOURS.len()], plan / COLOURS.len());
        let gaps = 8_usize.checked_div(turn).map(|length| format!(" stroke-dasharray=\"{length} 3\""));
        let gaps = gaps.unwrap_or_default();
        let points = times.iter().zip(1..).map(|(time, count)| {
            let x = MARGIN + SIDE * f64::from(count) / most as f64;
            format!("{x:.1},{:.1}", MARGIN + SIDE - on_axis(*time, longest))
        });
        let points: Vec<String> = points.collect();
        _ = writeln!(
            drawing.text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{gaps}/>",
            points.join(" ")
        );
        let name = format!("{} ({})", history.strategies[plan].name, times.len());
        let (x, y) = (MARGIN + SIDE + 12.0, MARGIN + 12.0 + 15.0 * plan as f64);
        let (end, middle) = (x + 24.0, y - 4.0);
        _ = writeln!(
            drawing.text,
            "<line x1=\"{x}\" y1=\"{middle}\" x2=\"{end}\" y2=\"{middle}\" stroke=\"{colour}\" stroke-width=\"1.5\"{gaps}/>"
        );
        drawing.label(end + 6.0, y, &name, "#000");
    }
    for count in [0, most / 2, most] {
        let x = MARGIN + SIDE * count as f64 / most as f64;
        drawing.label(x - 8.0, MARGIN + SIDE + 16.0, &count.to_string(), "#000");
    }
    drawing.end()
}

/// A page with all plots and a table.
pub(crate) fn page(history: &History, summary: &str) -> String {
    let mut page = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Campaign</title>\n\
         <style>body { font-family: sans-serif; margin: 2em } svg { margin: 1em } .pair svg { width: 300px; margin: 0 }</style>\n<h1>Campaign</h1>\n",
    );
    for setting in &history.settings {
        _ = writeln!(
            page,
            "<p>{}; Beeline {}; measured by {}; at most {} s of the processor for each run</p>",
            escaped(&setting.machine),
            escaped(&setting.version),
            escaped(&setting.measured_by),
            setting.cpu_limit as f64 / 1e6
        );
    }
    let (programs, runs) = (history.programs.len(), history.rows.len());
    _ = writeln!(
        page,
        "<p>{programs} programs, {runs} runs; PAR-2 counts twice the limit for what is not solved</p>\n<pre>{}</pre>",
        escaped(summary)
    );
    page.push_str(&quantile(history, false));
    page.push_str(&quantile(history, true));
    page.push_str("<h2>The plan that costs least against each other one</h2>\n<div class=\"pair\">\n");
    for (first, second) in pairs(history) {
        page.push_str(&scatter(history, first, second));
    }
    page.push_str("</div>\n");
    page.push_str("</html>\n");
    page
}

/// The pairs of plans to compare: the cheapest plan with each other one.
pub(crate) fn pairs(history: &History) -> Vec<(usize, usize)> {
    let cost = |plan: usize| -> f64 {
        let rows = history.rows.iter().filter(|row| row.strategy as usize == plan);
        rows.map(|row| history.par2(row)).sum()
    };
    let plans = 0..history.strategies.len();
    let Some(best) = plans.clone().min_by(|&a, &b| cost(a).total_cmp(&cost(b))) else { return Vec::new() };
    plans.filter(|&plan| plan != best).map(|plan| (best, plan)).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_history::{Certificate, Outcome, Program, Row, Setting, Strategy};

    /// Two plans on two programs, of which the second plan solves one.
    fn history() -> History {
        let mut history = History::new(["A"]);
        let setting = history.add_setting(Setting { cpu_limit: 10_000_000, ..Setting::default() });
        for (name, outcomes) in
            [("a & b", [Outcome::Safe, Outcome::Safe]), ("c", [Outcome::Safe, Outcome::Unknown("x".into())])]
        {
            let program = Program { name: name.into(), family: "f".into(), expected: None, features: None };
            let program = history.add_program(program).unwrap();
            for (plan, outcome) in ["quick", "slow"].into_iter().zip(outcomes) {
                let strategy = Strategy { name: plan.into(), plan: String::new() };
                let strategy = history.add_strategy(strategy).unwrap();
                history.rows.push(Row {
                    program,
                    strategy,
                    setting,
                    repetition: 0,
                    outcome,
                    certificate: Certificate::None,
                    cpu: 100_000 * u64::from(strategy + 1),
                    wall: 0,
                    memory: 0,
                    check_cpu: 0,
                    ticks: 0,
                    states: 0,
                });
            }
        }
        history
    }

    #[test]
    fn plots_have_a_point_for_each_program_and_a_curve_for_each_plan() {
        let history = history();
        assert_eq!(pairs(&history), [(0, 1)]);
        let scatter = scatter(&history, 0, 1);
        assert_eq!(scatter.matches("<circle").count(), 2);
        assert!(scatter.contains("a &amp; b"), "{scatter}");
        // A tenth of a second is at a third between a hundredth and ten seconds; failures are at the limit.
        assert!(scatter.contains("cx=\"193.3\" cy=\"60.0\""), "{scatter}");
        let quantile = quantile(&history, false);
        assert!(quantile.contains("quick (2)") && quantile.contains("slow (1)"), "{quantile}");
        // A plan more than there are colours has a line of its own all the same.
        let mut many = history.clone();
        for number in 0..8 {
            many.add_strategy(Strategy { name: format!("plan {number}"), plan: String::new() }).unwrap();
        }
        let drawn = super::quantile(&many, false);
        assert_eq!((drawn.matches("<polyline").count(), drawn.matches("<line").count()), (10, 10));
        assert_eq!(drawn.matches("stroke-dasharray").count(), 4);
        let page = page(&history, "a < b");
        assert_eq!(page.matches("<svg").count(), 3);
        assert!(page.contains("a &lt; b"));
    }
}
