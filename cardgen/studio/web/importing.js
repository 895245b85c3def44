// Importing: a file is dropped, what is found in it stands beside its lines, and clicks put right
// what was taken wrongly; then it becomes a deck.
import * as api from "./api.js";
import { drawIcon, fill, make, makeButton } from "./dom.js";
import { drawFinding } from "./problems.js";
import { hear, makeRoute, state } from "./store.js";
import { say } from "./strings.js";

const KNOWN = ["name", "text"];

export function openImport(host) {
  let file = null;
  let title = "";
  let said = []; // what was clicked: [kind, the card's number]
  let turn = 0;
  const end = hear("dropped", take);
  if (state.dropped) take();
  else drawDrop();

  function drawDrop(problems = []) {
    const input = make("input", { type: "file", class: "unseen", id: "import-file",
      on: { change: () => { state.dropped = input.files[0]; if (state.dropped) take(); } } });
    fill(host, make("div", { class: "scroll" }, make("div", { class: "start" },
      make("header", { class: "start-head" }, make("h1", {}, say("import_deck"))),
      problems.length ? make("ul", { class: "findings", role: "alert" }, problems.map(drawFinding)) : null,
      make("div", { class: "drop" }, drawIcon("tray"), make("h2", {}, say("drop_here")),
        make("p", { class: "quiet" }, say("drop_more")), input,
        make("label", { class: "button strong", htmlFor: "import-file" }, say("choose_file"))))));
  }

  function take() {
    file = state.dropped;
    state.dropped = null;
    title = file.name.replace(/\.[^.]*$/, "").replace(/[-_]+/g, " ");
    said = [];
    ask();
  }

  const listSaid = (kind) => said.filter(([one]) => one === kind).map(([, number]) => number).join(",");
  const getSaid = () => ({ left: listSaid("left"), joined: listSaid("joined") });
  const listProblems = (error) => (error.problems?.length ? error.problems
    : [{ code: String(error.status || ""), message: error.message }]);

  async function ask() {
    const mine = ++turn;
    if (!host.querySelector(".import")) {
      fill(host, make("p", { class: "empty", role: "status" }, say("reading_file", { name: file.name })));
    }
    try {
      const report = await api.importFile(file, getSaid());
      if (mine === turn) drawReport(report);
    } catch (error) {
      if (mine === turn) drawDrop(listProblems(error));
    }
  }

  function tellOf(kind, number) {
    said.push([kind, number]);
    ask();
  }

  function drawReport(report) {
    const scrolled = host.querySelector(".found-cards")?.scrollTop || 0;
    const failed = make("ul", { class: "findings", role: "alert" });
    const name = make("input", { class: "input", value: title, maxlength: 80, required: true, autocomplete: "off",
      on: { input: () => { title = name.value; } } });
    const write = async (event) => {
      event.preventDefault();
      try {
        const { deck } = await api.importFile(file, { ...getSaid(), title: title.trim() });
        location.hash = makeRoute("cards", null, deck);
      } catch (error) {
        fill(failed, listProblems(error).map(drawFinding));
      }
    };
    const cards = make("div", { class: "found-cards", tabindex: 0, role: "region",
      "aria-label": say("found_cards", { n: report.cards.length }) },
    failed,
    report.doubts.length ? make("ul", {}, report.doubts.map(({ what }) =>
      make("li", { class: "notice warning" }, drawIcon("warning"), make("p", { class: "notice-text" }, what)))) : null,
    make("ul", {}, report.cards.map(drawCard)));
    fill(host,
      make("form", { class: "toolbar", on: { submit: write } }, make("h1", {}, file.name),
        make("span", { class: "tally", role: "status" }, say("found_cards", { n: report.cards.length })),
        make("span", { class: "spacer" }),
        makeButton({ icon: "undo", label: say("undo"), bare: true, disabled: !said.length,
          onClick: () => { said.pop(); ask(); } }),
        make("label", { class: "inline" }, make("span", { class: "label" }, say("title")), name),
        makeButton({ icon: "check", text: say("write_deck"), kind: "strong", type: "submit",
          disabled: !report.cards.length })),
      make("div", { class: "import" }, drawSource(report), cards));
    cards.scrollTop = scrolled;
  }

  function drawCard(found, at) {
    const { card, number } = found;
    const facts = Object.entries(card).filter(([key]) => !KNOWN.includes(key))
      .map(([key, value]) => `${key} ${typeof value === "object" ? JSON.stringify(value) : value}`);
    const show = (isOn) => host.querySelectorAll(`.source-line[data-card="${number}"]`)
      .forEach((line) => line.classList.toggle("here", isOn));
    return make("li", { class: "found-card", data: { look: String(found.look) },
      on: { pointerenter: () => show(true), pointerleave: () => show(false), focusin: () => show(true),
        focusout: () => show(false) } },
    make("header", {}, make("h2", {}, card.name), make("span", { class: "quiet" }, facts.join(" · "))),
    card.text && make("p", { class: "found-text" }, card.text),
    found.doubts.map(({ what }) => make("p", { class: "found-doubt" }, drawIcon("warning"), what)),
    make("div", { class: "found-tools" },
      makeButton({ text: say("show_source"), kind: "small", onClick: () =>
        host.querySelector(`.source-line[data-card="${number}"]`)?.scrollIntoView({ block: "center" }) }),
      at > 0 && makeButton({ text: say("belongs_above"), kind: "small", onClick: () => tellOf("joined", number) }),
      makeButton({ text: say("no_card"), kind: "small", onClick: () => tellOf("left", number) })));
  }

  /** Draw all lines of the source in their order: those of cards, and those that were left out. */
  function drawSource(report) {
    const lines = [
      ...report.cards.flatMap(({ lines: own, again, number }) =>
        [own, ...again].flat().map((line) => ({ ...line, card: number }))),
      ...report.left_out.map((line) => ({ ...line, card: null })),
    ].sort((a, b) => (a.page || 0) - (b.page || 0) || a.line - b.line);
    return make("div", { class: "source", tabindex: 0, role: "region", "aria-label": say("source") },
      lines.map(({ line, page, text, card, why }) => make("div", {
        class: `source-line ${card === null ? "left-out" : ""}`, title: why ? `${say("left_out")}: ${why}` : null,
        data: card === null ? {} : { card: String(card) } },
      make("span", { class: "number" }, page ? `${page}.${line}` : String(line)), make("span", {}, text))));
  }

  return { leave: () => { turn += 1; end(); } };
}
