//! Pages in a browser: what is seen at the width of a telephone and of a screen, and that drawings hold their text.
//!
//! Headless Chromium loads a page into a frame; a script beside it asks for sizes and writes the answers.

use beeline_tests::driver::beeline;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A bug after calls, with a condition that is wider than a telephone.
const PROGRAM: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int twice(int number_that_has_a_long_name) {
  return number_that_has_a_long_name > 1000 ? 0 : 2 * number_that_has_a_long_name;
}
int main(void) {
  int first_number = __VERIFIER_nondet_int();
  if (first_number < 0)
    return 0;
  assert(twice(first_number) != 46 || first_number == 24 || first_number > 1000 || first_number < 10);
  return 0;
}
";

/// Whether the browser is there: scripts/setup installs it where the distribution has it.
fn has_browser() -> bool {
    let is_there =
        Command::new("chromium").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("chromium is missing: no page is tested in a browser");
    }
    is_there
}

/// What a script finds in a page that is shown in a frame of some width; it has the frame's `view` and `page`.
fn seen(folder: &Path, page: &str, width: u32, script: &str) -> Value {
    let frame = page.replace('&', "&amp;").replace('"', "&quot;");
    let text = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><iframe style=\"border: 0; width: {width}px; height: 900px\" srcdoc=\"{frame}\"></iframe>\
         <pre></pre><script>\nconst frame = document.querySelector(\"iframe\");\nframe.addEventListener(\"load\", () => {{\n\
         const view = frame.contentWindow, page = frame.contentDocument;\nconst found = (() => {{\n{script}\n}})();\n\
         document.querySelector(\"pre\").textContent = JSON.stringify(found);\n}});\n</script>"
    );
    std::fs::write(folder.join("frame.html"), text).unwrap();
    let mut browser = Command::new("timeout");
    browser.args([
        "60",
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
    ]);
    browser.args(["--virtual-time-budget=5000", "--window-size=1600,1000", "--dump-dom"]);
    browser.arg(format!("--user-data-dir={}", folder.join("browser").display()));
    browser.arg(format!("file://{}", folder.join("frame.html").display()));
    let output = browser.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let found = text.split_once("<pre>").and_then(|(_, rest)| Some(rest.split_once("</pre>")?.0));
    let found = found.map(|found| found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
    serde_json::from_str(&found.unwrap_or_default()).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// The page of the program's bug, if there is a browser to show it.
fn page(folder: &Path) -> Option<String> {
    if !has_browser() {
        return None;
    }
    std::fs::write(folder.join("a.c"), PROGRAM).unwrap();
    let ran = beeline(folder, &["check", "--html", "a.html", "a.c"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    Some(std::fs::read_to_string(folder.join("a.html")).unwrap())
}

#[test]
fn a_telephone_shows_the_source_beside_its_steps() {
    let folder = TempDir::new().unwrap();
    let Some(page) = page(folder.path()) else { return };
    let script = "
        page.getElementById('back').click();
        const shown = id => view.getComputedStyle(page.getElementById(id)).display !== 'none';
        const near = page.getElementById('near').getBoundingClientRect();
        const line = page.querySelector('main tr.here').textContent;
        return {
          near: shown('near'),
          inside: near.top >= 0 && near.bottom <= view.innerHeight,
          line: page.querySelector('#near tr.here')?.textContent === line,
          wide: page.documentElement.scrollWidth > view.innerWidth,
        };";
    let narrow = seen(folder.path(), &page, 390, script);
    assert_eq!(narrow, serde_json::json!({ "near": true, "inside": true, "line": true, "wide": false }));
    let wide = seen(folder.path(), &page, 1280, script);
    assert_eq!(wide["near"], false, "{wide}");
    assert_eq!(wide["wide"], false, "{wide}");
}

#[test]
fn buttons_and_keys_step_through_a_path() {
    let folder = TempDir::new().unwrap();
    let Some(page) = page(folder.path()) else { return };
    let script = "
        const at = () => page.getElementById('count').textContent;
        const states = [at()];
        page.getElementById('back').click();
        states.push(at());
        page.dispatchEvent(new view.KeyboardEvent('keydown', { key: 'ArrowLeft' }));
        states.push(at());
        page.getElementById('on').click();
        states.push(at());
        const values = [...page.querySelectorAll('.value')].map(value => value.textContent).filter(text => text);
        return { states, values };";
    let found = seen(folder.path(), &page, 1280, script);
    let states: Vec<&str> = found["states"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let (_, all) = states[0].split_once(" of ").unwrap();
    let all: u32 = all.parse().unwrap();
    assert!(all > 2, "{states:?}");
    let step = |number: u32| format!("step {number} of {all}");
    assert_eq!(states, [step(all), step(all - 1), step(all - 2), step(all - 1)]);
    let values = found["values"].as_array().unwrap();
    assert!(values.iter().any(|value| value == "first_number = 23"), "{values:?}");
}

#[test]
fn the_boxes_of_drawings_hold_their_text() {
    let folder = TempDir::new().unwrap();
    let Some(page) = page(folder.path()) else { return };
    let script = "
        page.querySelectorAll('details').forEach(details => { details.open = true; });
        const boxes = [...page.querySelectorAll('.drawing g')];
        const outside = boxes.filter(group => {
          const [text, rect] = ['text', 'rect'].map(name => group.querySelector(name).getBBox());
          return text.x < rect.x || text.y < rect.y || text.x + text.width > rect.x + rect.width
            || text.y + text.height > rect.y + rect.height;
        });
        const overlaps = boxes.filter(one => boxes.some(other => {
          if (one === other || one.closest('svg') !== other.closest('svg')) return false;
          const [a, b] = [one, other].map(group => group.querySelector('rect').getBBox());
          return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
        }));
        const of = groups => groups.map(group => group.textContent);
        return { boxes: boxes.length, outside: of(outside), overlaps: of(overlaps) };";
    let found = seen(folder.path(), &page, 1280, script);
    assert!(found["boxes"].as_u64() > Some(10), "{found}");
    assert_eq!(found["outside"], serde_json::json!([]), "{found}");
    assert_eq!(found["overlaps"], serde_json::json!([]), "{found}");
}

#[test]
fn texts_can_be_read_in_both_themes() {
    let folder = TempDir::new().unwrap();
    let Some(page) = page(folder.path()) else { return };
    // The luminance of colours, and contrasts, are those of the guidelines for accessible pages.
    let script = "
        const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
        const luminance = colour => numbers(colour).slice(0, 3).map(byte => byte / 255)
          .map(share => share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
          .reduce((sum, share, index) => sum + share * [0.2126, 0.7152, 0.0722][index], 0);
        const behind = element => {
          const colour = view.getComputedStyle(element).backgroundColor;
          const seen = (numbers(colour)[3] ?? 1) > 0;
          return seen || !element.parentElement ? colour : behind(element.parentElement);
        };
        const bad = [];
        let texts = 0;
        for (const element of page.querySelectorAll('nav *, main *:not(svg *)')) {
          const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
          if (!own || ['OPTION', 'BUTTON', 'SCRIPT'].includes(element.tagName)) continue;
          texts++;
          const [one, other] = [luminance(view.getComputedStyle(element).color), luminance(behind(element))];
          const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
          if (contrast < 4.5) bad.push([element.tagName, element.className, element.textContent, contrast]);
        }
        return { texts, bad };";
    // A frame has the theme of its system: the dark one is made the theme of all.
    let dark = page.replace("@media (prefers-color-scheme: dark)", "@media all");
    assert_ne!(page, dark);
    for theme in [&page, &dark] {
        let found = seen(folder.path(), theme, 1280, script);
        assert!(found["texts"].as_u64() > Some(20), "{found}");
        assert_eq!(found["bad"], serde_json::json!([]), "{found}");
    }
}
