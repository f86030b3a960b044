"use strict";
const paths = JSON.parse(document.getElementById("paths").textContent);
let path = 0, step = 0;
// The list stays at its top, where the verdict is, until somebody steps.
function show(of, at, steps_on = true) {
  const steps = paths[of];
  if (!steps || !steps.length) return;
  path = of;
  step = Math.max(0, Math.min(at, steps.length - 1));
  document.querySelectorAll("ol.way").forEach((list, number) => { list.hidden = number !== path; });
  document.querySelectorAll(".here").forEach(element => element.classList.remove("here"));
  document.querySelectorAll(".value").forEach(element => { element.textContent = ""; });
  for (const past of steps.slice(0, step + 1)) {
    const value = document.querySelector("#" + past.line + " .value");
    if (value && past.remark) value.textContent = past.remark;
  }
  const item = document.querySelectorAll("ol.way")[path].children[step];
  item.classList.add("here");
  if (steps_on) item.scrollIntoView({ block: "nearest" });
  const line = document.getElementById(steps[step].line);
  const near = document.getElementById("near");
  near.replaceChildren();
  if (line) {
    line.classList.add("here");
    const rows = [...line.parentElement.children], index = rows.indexOf(line);
    for (const row of rows.slice(Math.max(0, index - 2), index + 3)) {
      const copy = row.cloneNode(true);
      copy.removeAttribute("id");
      near.append(copy);
    }
    line.scrollIntoView({ block: "center" });
  }
  document.getElementById("count").textContent = `step ${step + 1} of ${steps.length}`;
}
document.querySelectorAll("ol.way").forEach((list, of) => {
  [...list.children].forEach((item, at) => item.addEventListener("click", () => show(of, at)));
});
document.querySelectorAll("[data-path]").forEach(button => {
  button.addEventListener("click", () => show(Number(button.dataset.path), 0));
});
if (paths.length) {
  document.getElementById("back").addEventListener("click", () => show(path, step - 1));
  document.getElementById("on").addEventListener("click", () => show(path, step + 1));
  document.addEventListener("keydown", event => {
    if (event.key === "ArrowRight") show(path, step + 1);
    if (event.key === "ArrowLeft") show(path, step - 1);
  });
  show(0, paths[0].length - 1, false);
  // Where the list stands above the source, the line is not shown before the verdict.
  scrollTo(0, 0);
}
