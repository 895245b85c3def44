// The sheets as they will lie on the paper, with their marks.
import * as api from "./api.js";
import { debounce, drawIcon, fill, make, makeButton, makeShape, renew } from "./dom.js";
import { Picture, watchPictures } from "./picture.js";
import { drawFinding } from "./problems.js";
import { findCard, hear, keepSetting, settings, state, tell } from "./store.js";
import { say } from "./strings.js";
import { makeSwitches } from "./switches.js";

const OVERLAYS = ["trim", "bleed", "safe", "folds"];
const overlays = new Set(); // that lie over the sheets

export function openSheets(host) {
  let usual = "HEAD";
  let turn = 0; // counts what is asked for, so that only the last is taken
  let since = null; // the output, or the revision, of which only what has changed is shown
  const tools = make("div", { class: "toolbar" });
  const papers = make("div", { class: "papers" });
  const scroll = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say("view_sheets") }, papers);
  const tally = make("span", { class: "tally", role: "status" });
  const shown = makePapers(papers, scroll);
  fill(host, make("h1", { class: "unseen" }, `${state.deck.title}: ${say("view_sheets")}`), tools, scroll);
  drawTools();
  shown.resize(settings.paper);
  load();
  const again = debounce(load, 60);
  const end = hear("deck", ({ all }) => { if (all) drawTools(); again(); });

  function drawTools() {
    renew(tools, makeSwitches(["target", "look", "language", "printer"], () => tell("view")), tally,
      make("span", { class: "spacer" }),
      make("div", { class: "toolset" },
        makeButton({ part: "since", text: say("only_changed_sheets"), pressed: since !== null, onClick: () => {
          since = since === null ? usual : null;
          drawTools();
          load();
        } }),
        make("div", { class: "group", role: "group", "aria-label": say("overlays") }, OVERLAYS.map((one) => makeButton({
          part: one, text: say(`overlay_${one}`), pressed: overlays.has(one), onClick: () => {
            if (!overlays.delete(one)) overlays.add(one);
            drawTools();
            shown.lay(overlays);
          } }))),
        make("label", { class: "inline" }, make("span", { class: "label" }, say("size")),
          make("input", { type: "range", min: 160, max: 1100, step: 20, value: settings.paper, data: { part: "size" },
            on: { input: (event) => resize(Number(event.target.value)) } }))));
  }

  function resize(size) {
    settings.paper = size;
    keepPaper(size);
    shown.resize(size);
  }

  async function load() {
    if (!state.deck) return;
    const mine = ++turn;
    try {
      const options = since === null ? {} : { since };
      const answer = await api.readSheets(state.deck.name, state.view, options);
      if (mine !== turn) return;
      if (since === null && answer.name) usual = `output/${answer.name}`;
      shown.show(answer);
      shown.lay(overlays);
      fill(tally, say("pages_n", { n: answer.pages.length }));
    } catch (error) {
      if (mine !== turn) return;
      shown.refuse(error);
      fill(tally);
    }
  }

  return { leave: () => { turn += 1; end(); again.cancel(); shown.end(); } };
}

const keepPaper = debounce((size) => keepSetting("paper", size), 300);

/** Return what shows sheets within an element; findings of preflight are marked on their pages. */
export function makePapers(host, scroll) {
  const pictures = watchPictures(scroll);
  let list = [];
  let size = 200;
  let pages = [];
  const sharpen = debounce(draw, 150);

  function draw() {
    pages.forEach((page, at) => list[at]?.picture.showPage(page, page.width > page.height ? size * 1.3 : size,
      say("page_of", { n: at + 1, all: pages.length })));
  }

  /** Return the pages, both sides of a sheet as one, so that they stay beside one another. */
  function pairUp() {
    const groups = [];
    list.forEach(({ figure }, at) => {
      const isOther = pages[at].side === "back" && pages[at - 1]?.side === "front";
      if (isOther) groups.at(-1).push(figure);
      else groups.push([figure]);
    });
    return groups.map((figures) => make("div", { class: "pair" }, figures));
  }

  return {
    show(answer) {
      pages = answer.pages;
      while (list.length > pages.length) pictures.drop(list.pop().picture);
      while (list.length < pages.length) {
        const picture = new Picture({ className: "page" });
        const words = make("figcaption", {});
        const figure = make("figure", { class: "paper" }, picture.element, words);
        list.push({ figure, picture, words });
        pictures.add(picture);
      }
      pages.forEach((page, at) => {
        const { figure, words } = list[at];
        figure.classList.toggle("lying", page.width > page.height);
        const hasSides = pages.some(({ side }) => side === "back");
        fill(words, make("span", {}, say(hasSides ? "sheet_n" : "page_n", { n: page.number ?? at + 1 })),
          make("span", {}, hasSides && ["front", "back"].includes(page.side) ? say(page.side) : ""));
      });
      fill(host, pairUp());
      draw();
      if (!pages.length) {
        const problems = answer.problems || [];
        host.append(make("div", { class: "empty" }, drawIcon("sheets"), make("h2", {}, say("no_sheets")),
          problems.length ? make("ul", {}, problems.map(drawFinding)) : make("p", {}, say("no_sheets_more"))));
      }
    },
    refuse(error) {
      this.show({ pages: [], problems: error.problems?.length ? error.problems
        : [{ code: String(error.status || ""), message: error.message }] });
    },
    mark(findings) {
      host.querySelectorAll(".page-rect").forEach((one) => one.remove());
      list.forEach(({ figure }) => figure.classList.remove("found", "bad"));
      for (const finding of findings) {
        const at = list[(finding.page ?? 0) - 1];
        if (!at) continue;
        at.figure.classList.add("found");
        if (finding.level === "error") at.figure.classList.add("bad");
        const page = pages[finding.page - 1];
        if (!finding.width) continue;
        at.picture.element.append(make("span", { class: "page-rect", vars: {
          left: `${(100 * finding.x) / page.width}%`, top: `${(100 * finding.y) / page.height}%`,
          width: `${(100 * finding.width) / page.width}%`, height: `${(100 * finding.height) / page.height}%`,
        } }));
      }
    },
    /** Lay lines over the sheets: where cards are cut, bleed, are safe, and where a sheet is folded. */
    lay(chosen) {
      list.forEach(({ picture }, at) => {
        picture.element.querySelector(".overlay")?.remove();
        if (chosen.size && pages[at]) picture.element.append(drawOverlay(pages[at], chosen));
      });
    },
    goTo(page) { list[page - 1]?.figure.scrollIntoView({ block: "nearest", behavior: "smooth" }); },
    resize(to) {
      size = to;
      host.style.setProperty("--size", `${to}px`);
      sharpen();
    },
    end: () => { pictures.end(); sharpen.cancel(); },
  };
}

function drawOverlay(page, chosen) {
  const svg = makeShape("svg", { class: "overlay", viewBox: `0 0 ${page.width} ${page.height}` });
  const add = (kind, d) => {
    if (chosen.has(kind === "fold" ? "folds" : kind)) svg.append(makeShape("path", { class: kind, d }));
  };
  for (const place of page.cards) {
    const face = findCard(place.id)?.faces[place.side];
    if (!face) continue;
    const around = (insets, sign) => {
      const [top, right, bottom, left] = ["top", "right", "bottom", "left"]
        .map((edge) => sign * insets[place.turned ? OPPOSITE[edge] : edge]);
      return `M${place.x + left} ${place.y + top}h${place.width - left - right}v${place.height - top - bottom}`
        + `h${left + right - place.width}z`;
    };
    const none = { top: 0, right: 0, bottom: 0, left: 0 };
    add("bleed", around(face.bleed, -1));
    add("trim", around(none, 1));
    add("safe", around(face.safe, 1));
  }
  for (const [x1, y1, x2, y2] of page.folds || []) add("fold", `M${x1} ${y1}L${x2} ${y2}`);
  return svg;
}

const OPPOSITE = { top: "bottom", bottom: "top", left: "right", right: "left" };
