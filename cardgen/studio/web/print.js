// The print dialogue: it asks what people get wrong, shows the sheets, and checks them.
import * as api from "./api.js";
import { debounce, drawIcon, fill, make, makeButton, openDialog, renew } from "./dom.js";
import { drawFinding, drawMissed } from "./problems.js";
import { makePapers } from "./sheets.js";
import { choose, getShown, hasBacks, hear, state } from "./store.js";
import { say } from "./strings.js";
import { listChoices, makeSelect } from "./switches.js";

export function openPrint() {
  if (!state.deck || document.querySelector("dialog[open]")) return;
  const { name, title } = state.deck;
  let { view } = state;
  const chosen = { what: "both", runs: "both", since: null, one_of_each: false };
  let usual = null; // what is changed since; not known before the first sheets are told
  let turn = 0;
  const papers = make("div", { class: "papers" });
  const preview = make("div", { class: "print-preview", tabindex: 0, role: "region", "aria-label": say("view_sheets") }, papers);
  const findings = make("div", { role: "status" });
  let isTurned = hasBacks(); // by whoever prints at home: a service is not told of runs
  const hasTurn = ({ turn: edge }) => hasBacks() && edge !== null;
  const tally = make("p", { class: "quiet" });
  const tip = make("p", { class: "facts" });
  const failed = make("p", { role: "alert", class: "hint bad" });
  const missed = make("div", { role: "alert" });
  const options = make("form", { class: "print-options", on: { submit: (event) => event.preventDefault() } });
  const go = makeButton({ icon: "download", text: say("download", { file: "PDF" }), kind: "strong", onClick: download });
  const dialog = openDialog({ title: say("print_title", { name: title }), closeLabel: say("close"), wide: true,
    onClose: () => { shown.end(); later.cancel(); turn += 1; ends.forEach((end) => end()); } },
  missed, make("div", { class: "print" }, options, preview),
  make("footer", { class: "dialog-foot" }, tally, failed, make("span", { class: "spacer" }),
    makeButton({ text: say("cancel"), bare: true, onClick: () => dialog.close() }), go));
  const shown = makePapers(papers, preview);
  const later = debounce(load, 80);
  const ends = [hear("anew", later), hear("missed", debounce(() => renew(missed, drawMissed(dialog)), 80))];
  shown.resize(240);
  draw();
  load();

  function draw() {
    renew(options,
      [["target", "paper"], ["printer", "printer"], ["look", "look"], ["language", "language"]].map(([key, word]) => {
        const choices = listChoices(key);
        const [, , more] = choices.find(([value]) => value === getShown(view, key)) || [];
        return choices.length > 1 && make("label", { class: key === "target" ? null : "half" }, make("span", { class: "label" }, say(word)),
          makeSelect(choices, getShown(view, key), (value) => { view = choose(view, key, value); draw(); later(); }, `print-${key}`),
          more && make("span", { class: "facts more-of" }, more));
      }),
      hasBacks() && drawRadios("what", "what", [["both", say("print_all")], ["fronts", say("print_fronts")], ["backs", say("print_backs")]]),
      isTurned && chosen.what === "both" && drawRadios("runs", "sheet_sides",
        [["both", say("sides_all")], ["odd", say("sides_odd")], ["even", say("sides_even")]]),
      make("div", { class: "choices" },
        drawCheck("one", chosen.one_of_each, say("one_of_each"), (checked) => { chosen.one_of_each = checked; }),
        drawCheck("since", chosen.since !== null, say("only_what_changed"), (checked) => {
          chosen.since = checked ? usual : null;
          draw();
        }, usual === null),
        chosen.since !== null && make("input", { class: "input", value: chosen.since, data: { part: "since-what" }, "aria-label": say("since_what"),
          title: say("since_what"), on: { change: (event) => { chosen.since = event.target.value.trim() || usual; later(); } } })),
      tip,
      make("section", { class: "choices" }, make("h3", {}, say("preflight")), findings));
  }

  function drawRadios(key, word, choices) {
    return make("fieldset", { class: "choices" }, make("legend", { class: "label" }, say(word)),
      choices.map(([value, text]) => make("label", { class: "choice" },
        make("input", { type: "radio", name: key, value, checked: chosen[key] === value,
          data: { part: `${key}-${value}` },
          on: { change: () => { chosen[key] = value; draw(); later(); } } }), text)));
  }

  function drawCheck(part, checked, text, choose, disabled = false) {
    return make("label", { class: "choice" }, make("input", { type: "checkbox", checked, disabled, data: { part },
      on: { change: (event) => { choose(event.target.checked); later(); } } }), text);
  }

  function getOptions() {
    return { sides: chosen.what === "both" && isTurned ? chosen.runs : chosen.what, one_of_each: chosen.one_of_each,
      ...(chosen.since === null ? {} : { since: chosen.since }) };
  }

  async function load() {
    const mine = ++turn;
    fill(failed);
    fill(findings, make("p", { class: "quiet" }, say("preflight_wait")));
    try {
      const sheets = await api.readSheets(name, view, getOptions());
      if (mine !== turn) return;
      shown.show(sheets);
      if (isTurned !== hasTurn(sheets)) {
        isTurned = hasTurn(sheets);
        draw();
        if (chosen.runs !== "both" && chosen.what === "both") { load(); return; }
      }
      if (chosen.since === null) learn(sheets.name ? `output/${sheets.name}` : "HEAD");
      fill(tally, say("pages_n", { n: sheets.pages.length }));
      go.disabled = !sheets.pages.length;
      fill(tip, sheets.turn && sheets.pages.length > 0 && say(`print_turn_${sheets.turn.split("-")[0]}`));
      fill(go.lastChild, say("download", { file: sheets.file === "zip" ? "ZIP" : "PDF" }));
    } catch (error) {
      if (mine !== turn) return;
      if (getOptions().sides !== "both" && error.problems?.some(({ code }) => code === "print/sides-mean-nothing")) {
        Object.assign(chosen, { what: "both", runs: "both" });
        draw();
        load();
        return;
      }
      shown.refuse(error);
      learn(usual ?? "HEAD");
      fill(tally);
      fill(findings);
      go.disabled = true;
      return;
    }
    try {
      const checked = await api.preflight(name, view, getOptions());
      if (mine !== turn) return;
      drawFindings(checked.findings);
    } catch (error) {
      // That pictures are not for preflight is nothing to be mended.
      const soften = (one) => (one.code === "studio/no-pdf" ? { ...one, level: "note" } : one);
      if (mine === turn) {
        fill(findings, make("ul", { class: "plain-findings" }, (error.problems || []).map(soften).map(drawFinding)));
      }
    }
  }

  function learn(since) {
    const first = usual === null;
    usual = since;
    if (first) draw();
  }

  function drawFindings(list) {
    shown.mark(list);
    if (!list.length) {
      fill(findings, make("p", { class: "choice good" }, drawIcon("check"), say("preflight_good")));
      return;
    }
    fill(findings, make("ul", { class: "plain-findings" }, list.map((finding) => {
      const item = drawFinding(finding);
      if (finding.page) {
        item.append(make("div", { class: "finding-places" },
          makeButton({ text: say("page_n", { n: finding.page }), kind: "small", onClick: () => shown.goTo(finding.page) })));
      }
      return item;
    })));
  }

  async function download() {
    go.disabled = true;
    fill(tally, say("building"));
    fill(failed);
    try {
      fill(tally, await api.downloadBuild(name, view, getOptions()));
    } catch (error) {
      fill(tally);
      fill(failed, error.message);
    }
    go.disabled = false;
  }
}
