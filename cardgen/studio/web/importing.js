// Importing: a file is dropped, its report stands beside the source, doubts are put right by clicks.
import * as api from "./api.js";
import { drawIcon, fill, make, makeButton } from "./dom.js";
import { drawFinding } from "./problems.js";
import { hear, makeRoute, state } from "./store.js";
import { say } from "./strings.js";

export function openImport(host) {
  const file = { chosen: null };
  const taught = { names: [], not: [] };
  const end = hear("dropped", take);
  if (state.dropped) take();
  else drawDrop();

  function drawDrop(problems = []) {
    const input = make("input", { type: "file", class: "unseen", id: "import-file",
      on: { change: () => { state.dropped = input.files[0]; if (state.dropped) take(); } } });
    fill(host, make("div", { class: "scroll" }, make("div", { class: "start" },
      make("header", { class: "start-head" }, make("h1", {}, say("import_deck"))),
      problems.length ? make("ul", { class: "findings" }, problems.map(drawFinding)) : null,
      make("div", { class: "drop" }, drawIcon("tray"), make("h2", {}, say("drop_here")),
        make("p", { class: "quiet" }, say("drop_more")), input,
        make("label", { class: "button strong", htmlFor: "import-file" }, say("choose_file"))))));
  }

  function take() {
    file.chosen = state.dropped;
    state.dropped = null;
    taught.names = [];
    taught.not = [];
    ask();
  }

  async function ask() {
    fill(host, make("div", { class: "empty" }, make("p", {}, say("reading_file", { name: file.chosen.name }))));
    try {
      drawReport(await api.importFile(file.chosen, taughtQuery()));
    } catch (error) {
      drawDrop(error.problems?.length ? error.problems : [{ code: String(error.status || ""), message: error.message }]);
    }
  }

  const taughtQuery = () => ({ names: JSON.stringify(taught.names), not: JSON.stringify(taught.not) });

  function teach(list, text) {
    taught[list].push(text);
    ask();
  }

  function drawReport(report) {
    const cards = report.cards || [];
    const left = report.left_out || [];
    const source = make("div", { class: "source", tabindex: 0, role: "region", "aria-label": say("source") },
      (report.source || []).map((line, at) => make("div", { class: `source-line ${line.left_out ? "left-out" : ""}`, data: { line: at + 1 } },
        make("span", { class: "number" }, String(line.number ?? at + 1)), make("span", {}, line.text ?? line))));
    const found = make("div", { class: "found-cards", tabindex: 0, role: "region", "aria-label": say("found_cards", { n: cards.length }) },
      make("ul", {}, cards.map((card) => make("li", { class: "finding" },
        make("h3", {}, card.name), (card.doubts || []).map((doubt) => make("p", { class: "quiet" }, doubt.what || doubt)),
        make("div", { class: "finding-places" },
          makeButton({ text: say("no_name"), kind: "small", onClick: () => teach("not", card.name) }))))),
      left.length ? make("section", {}, make("h2", { class: "side-head" }, say("left_out")),
        make("ul", {}, left.map((one) => make("li", { class: "finding" }, make("p", {}, one.text),
          make("p", { class: "quiet" }, one.why),
          make("div", { class: "finding-places" },
            makeButton({ text: say("is_name"), kind: "small", onClick: () => teach("names", one.text) })))))) : null);
    fill(host, make("div", { class: "toolbar" }, make("h1", {}, file.chosen.name),
      make("span", { class: "tally" }, say("found_cards", { n: cards.length })), make("span", { class: "spacer" }),
      report.deck && make("a", { class: "button strong", href: makeRoute("cards", null, report.deck) }, say("open_deck", { name: report.deck }))),
    make("div", { class: "import" }, source, found));
  }

  return { leave: end };
}
