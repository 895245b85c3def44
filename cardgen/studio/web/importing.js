// Importing: a file is dropped, what is found in it stands beside its lines, and clicks put right
// what was taken wrongly; then it becomes a deck.
import * as api from "./api.js";
import { announce, drawIcon, fill, make, makeButton } from "./dom.js";
import { inEnglish, nameDoubt, nameGuess, nameReason } from "./german.js";
import { drawFinding, formatPlace } from "./problems.js";
import { hear, makeRoute, state } from "./store.js";
import { say } from "./strings.js";

const KNOWN = ["name", "text"];

export function openImport(host) {
  let file = null;
  let title = "";
  let clicks = []; // each [kind, line or card, the other card, whether it is for this one alone]
  let report = null;
  let picked = null; // the card that is one with the next that is clicked
  let line = null; // the line of the source that can be clicked on
  let turn = 0;
  const end = hear("dropped", take);
  if (state.dropped) take();
  else drawDrop();

  function drawDrop(problems = []) {
    const input = make("input", { type: "file", class: "unseen", id: "import-file",
      on: { change: () => { state.dropped = input.files[0]; if (state.dropped) take(); } } });
    fill(host, make("div", { class: "scroll" }, make("div", { class: "start" },
      make("header", { class: "start-head" }, make("h1", {}, say("import_deck"))),
      problems.length ? make("div", { class: "findings", role: "alert" }, make("ul", {}, problems.map(drawProblem))) : null,
      make("div", { class: "drop" }, drawIcon("tray"), make("h2", {}, say("drop_here")),
        make("p", { class: "quiet" }, say("drop_more")), input,
        make("label", { class: "button strong", htmlFor: "import-file" }, say("choose_file"))))));
  }

  function take() {
    file = state.dropped;
    state.dropped = null;
    title = file.name.replace(/\.[^.]*$/, "").replace(/[-_]+/g, " ");
    clicks = [];
    report = picked = line = null;
    ask();
  }

  const listProblems = (error) => (error.problems?.length ? error.problems
    : [{ code: String(error.status || ""), message: error.message }]);

  /** Ask what is found; a click that cannot be followed is taken back. */
  async function ask(before = null) {
    const mine = ++turn;
    if (!host.querySelector(".import")) {
      fill(host, make("p", { class: "empty", role: "status" }, say("reading_file", { name: file.name })));
    }
    try {
      const told = await api.importFile(file, { clicks: JSON.stringify(clicks) });
      if (mine !== turn) return;
      report = told;
      drawReport();
    } catch (error) {
      if (mine !== turn) return;
      if (!before) { drawDrop(listProblems(error)); return; }
      clicks = before;
      drawReport(listProblems(error));
    }
  }

  function teach(kind, at, other = "", alone = false) {
    const before = clicks;
    clicks = [...clicks, [kind, at, other, alone]];
    picked = null;
    ask(before);
  }

  /** Let the last click hold for the card alone that was clicked. */
  function narrow() {
    const before = clicks;
    const [kind, at, other] = clicks.at(-1);
    clicks = [...clicks.slice(0, -1), [kind, at, other, true]];
    ask(before);
  }

  function drawReport(problems = report.problems) {
    const tops = [".found-cards", ".source"].map((one) => host.querySelector(one)?.scrollTop || 0);
    const n = report.cards.length;
    const failed = make("div", { class: "findings", role: "alert" });
    // What the command line would say of it is said by clicks here.
    if (problems.length) fill(failed, make("ul", {}, problems.map((one) => drawProblem({ ...one, hint: null, cure: null }))));
    const name = make("input", { class: "input", value: title, maxlength: 80, required: true, autocomplete: "off",
      on: { input: () => { title = name.value; } } });
    const write = async (event) => {
      event.preventDefault();
      try {
        const { deck } = await api.importFile(file, { clicks: JSON.stringify(clicks), title: title.trim() });
        location.hash = makeRoute("cards", null, deck);
      } catch (error) {
        fill(failed, make("ul", {}, listProblems(error).map(drawProblem)));
      }
    };
    const last = clicks.at(-1);
    const cards = make("div", { class: "found-cards", tabindex: 0, role: "region", "aria-label": say("found_cards", { n }) },
      failed,
      report.alike > 0 && last && !last[3] && make("div", { class: "notice" }, drawIcon("check"),
        make("p", { class: "notice-text" }, say("also_alike", { n: report.alike })),
        last[0] !== "right" && makeButton({ text: say("this_alone"), kind: "small", onClick: narrow })),
      drawGuesses(),
      report.doubts.length > 0 && make("ul", {}, report.doubts.map(drawDeckDoubt)),
      make("ul", {}, report.cards.map(drawCard)));
    fill(host,
      make("form", { class: "toolbar", on: { submit: write } }, make("h1", {}, file.name),
        make("span", { class: "tally", role: "status" }, say("found_cards", { n })),
        make("span", { class: "spacer" }),
        make("div", { class: "toolset" },
          makeButton({ icon: "undo", label: say("undo"), bare: true, disabled: !clicks.length,
            onClick: () => { clicks = clicks.slice(0, -1); picked = null; ask(); } }),
          make("label", { class: "inline" }, make("span", { class: "label" }, say("title")), name),
          makeButton({ icon: "check", text: say("write_deck"), kind: "strong", type: "submit", disabled: !n }))),
      make("div", { class: "import" }, drawSource(), cards));
    [cards.scrollTop, host.querySelector(".source").scrollTop] = tops;
    if (line) choose(host.querySelector(`.source-line[data-at="${CSS.escape(line)}"]`));
  }

  // What was found

  /** Show what else the cards may be, where too little was found. */
  function drawGuesses() {
    if (report.cards.length) return null;
    return make("div", { class: "guesses" }, make("p", { class: "quiet" }, say("point_at_names")),
      make("ul", {}, report.guesses.map(({ what, found, names }) => make("li", { class: "found-card" },
        make("header", {}, make("h2", {}, names.join(", ")), make("span", { class: "quiet" }, `${found} ${nameGuess(what)}`)),
        make("div", { class: "found-tools" }, makeButton({ text: say("these_are_names"), kind: "small",
          onClick: () => teach("like", names.slice(0, 2).join("\n")) }))))));
  }

  const drawDoubt = (doubt) => nameDoubt(doubt) ?? make("span", inEnglish(), doubt.what);

  function drawDeckDoubt({ key, ...doubt }) {
    const lost = report.source.find(({ why }) => why === "prose");
    return make("li", { class: "notice warning" }, drawIcon("warning"), make("p", { class: "notice-text" }, drawDoubt(doubt)),
      doubt.kind === "left-out" && lost && makeButton({ text: say("show_lines"), kind: "small", onClick: () => goTo(lost.at) }),
      makeButton({ text: say("is_right"), kind: "small", onClick: () => teach("right", key) }));
  }

  function drawCard(found, number) {
    const { card, at, begins } = found;
    const facts = Object.entries(card).filter(([key]) => !KNOWN.includes(key))
      .map(([key, value]) => `${key} ${typeof value === "object" ? JSON.stringify(value) : value}`);
    const show = (isOn) => host.querySelectorAll(`.source-line[data-card="${CSS.escape(at)}"]`)
      .forEach((one) => one.classList.toggle("here", isOn));
    return make("li", { class: "found-card", data: { look: String(found.look) },
      on: { pointerenter: () => show(true), pointerleave: () => show(false), focusin: () => show(true),
        focusout: () => show(false) } },
    make("header", {}, make("h2", {}, card.name), make("span", { class: "quiet" }, facts.join(" · ")),
      found.look && !found.doubts.length && make("span", { class: "unsure" }, say("unsure"))),
    card.text && make("p", { class: "found-text" }, drawText(card.text)),
    found.doubts.map(({ key, times, ...doubt }) => make("div", { class: "found-doubt" }, drawIcon("warning"), make("p", {}, drawDoubt(doubt)),
      makeButton({ text: times > 1 ? say("is_right_n", { n: times }) : say("is_right"), kind: "small",
        onClick: () => teach("right", key) }))),
    make("div", { class: "found-tools" },
      picked !== null && picked !== at ? makeButton({ text: say("same_card"), kind: "small strong",
        onClick: () => teach("one", picked, at) }) : [
        makeButton({ text: say("show_source"), kind: "small", onClick: () => goTo(begins) }),
        number > 0 && makeButton({ text: say("belongs_above"), kind: "small", onClick: () => teach("joined", at) }),
        makeButton({ text: say("no_card"), kind: "small", onClick: () => teach("left", at) }),
        report.cards.length > 1 && makeButton({ text: say("one_with"), kind: "small", pressed: picked === at,
          onClick: () => { picked = picked === at ? null : at; drawReport(); } }),
      ]));
  }

  // The source

  /** Draw all lines in their order: those of cards, and those that were left out. */
  function drawSource() {
    const region = make("div", { class: "source", tabindex: 0, role: "region", "aria-label": say("source"),
      on: { pointerover: (event) => choose(event.target.closest(".source-line")), keydown: (event) => step(event, region) } },
    report.source.map(({ at, text, card, why }) => make("div", {
      class: `source-line ${card === null ? "left-out" : ""}`, title: why ? `${say("left_out")}: ${nameReason(why)}` : null,
      data: card === null ? { at } : { at, card } },
    make("span", { class: "number" }, at), make("span", {}, text))));
    return region;
  }

  /** Put what can be said of a line beside it. */
  function choose(element) {
    if (!element || element.querySelector(".line-tools")) return;
    host.querySelector(".line-tools")?.remove();
    line = element.dataset.at;
    const { at, card, name } = report.source.find((one) => one.at === line);
    const begins = report.cards.find((one) => one.begins === at);
    const act = (text, ...said) => makeButton({ text, kind: "small", onClick: () => teach(...said) });
    const tools = [
      name && !begins && act(say("is_name", { name }), "name", at),
      card === null ? report.cards.length > 0 && act(say("belongs_above"), "joined", at)
        : act(say("no_card"), "left", begins ? begins.at : at),
    ].filter(Boolean);
    if (tools.length) element.append(make("span", { class: "line-tools" }, tools));
  }

  /** Go from line to line with the arrows; Tab leads to what can be said of it. */
  function step(event, region) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const lines = [...region.children];
    const at = lines.findIndex((one) => one.dataset.at === line);
    goTo(lines[Math.min(lines.length - 1, Math.max(0, at + by))].dataset.at);
    region.focus({ preventScroll: true });
  }

  function goTo(at) {
    const element = host.querySelector(`.source-line[data-at="${CSS.escape(at)}"]`);
    if (!element) return;
    element.scrollIntoView({ block: "nearest" });
    choose(element);
    announce(element.children[1].textContent);
  }

  return {
    go: () => { if (report) drawReport(); else if (!file) drawDrop(); },
    leave: () => { turn += 1; end(); },
  };
}

/** Draw what is wrong with a file that was dropped: no editor can open it, so its place is only named. */
function drawProblem({ place, ...problem }) {
  const item = drawFinding(problem);
  if (place) item.append(make("p", { class: "mono quiet" }, formatPlace(place)));
  return item;
}

/** Show a text with what is bold and italic in it as it will be printed. */
const drawText = (text) => text.split(/(\*\*[^*\n]+\*\*|\*[^*\n]+\*)/).map((part) => {
  const [, signs, words] = /^(\*\*?)([^*]+)\1$/.exec(part) || [];
  return signs ? make(signs === "*" ? "em" : "strong", {}, words) : part;
});
