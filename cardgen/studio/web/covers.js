// The start page: all decks as covers, and ways to a new one.
import * as api from "./api.js";
import { addDpi } from "./api.js";
import { drawIcon, fill, make, makeButton, openDialog } from "./dom.js";
import { nameFault } from "./german.js";
import { showBanner } from "./problems.js";
import { hear, makeRoute, state } from "./store.js";
import { say } from "./strings.js";

const USUAL = "poker-basic"; // what a deck that names no template is drawn with
const COVER_DPI = (window.devicePixelRatio || 1) > 1 ? 150 : 80;

export function openCovers(host) {
  const covers = make("ul", { class: "covers" });
  const examples = make("section", { class: "examples" });
  const page = make("div", { class: "start" },
    make("header", { class: "start-head" }, make("div", {}, make("h1", {}, say("your_decks")),
      make("p", {}, state.project?.folder || "")), make("span", { class: "spacer" }),
    make("a", { class: "button", href: "#/import" }, drawIcon("tray"), say("import_deck")),
    makeButton({ icon: "plus", text: say("new_deck"), kind: "strong", onClick: () => openNew(stopCovers, load) })),
    covers, examples);
  fill(host, make("div", { class: "scroll" }, page));
  let left = false;
  fill(covers, make("li", { class: "quiet" }, say("loading_decks")));
  load();
  const end = hear("decks", load);
  // Whoever comes back from his editor may have made a deck there.
  const look = () => { if (!document.hidden) load(); };
  document.addEventListener("visibilitychange", look);

  async function load() {
    try {
      const decks = await api.readDecks();
      if (left) return;
      if (state.project) state.project.decks = decks;
      draw(decks);
    } catch (error) {
      showBanner({ refused: error.problems || [], words: error.message });
    }
  }

  function draw(decks) {
    const own = decks.filter((deck) => deck.own !== false);
    const given = decks.filter((deck) => deck.own === false);
    fill(covers, own.length ? own.map(drawCover) : make("li", { class: "empty" }, drawIcon("cards"),
      make("h2", {}, say("no_decks")), make("p", {}, say("no_decks_more"))));
    fill(examples, given.length > 0 && [make("h2", {}, say("examples")), make("p", { class: "quiet" }, say("examples_more")),
      make("ul", { class: "covers" }, given.map(drawCover))]);
  }

  // What is on its way would keep what is asked for next waiting.
  const stopCovers = () => page.querySelectorAll("img").forEach((image) => {
    if (!image.complete) image.removeAttribute("src");
  });

  return { leave: () => {
    left = true;
    stopCovers();
    end();
    document.removeEventListener("visibilitychange", look);
  } };
}

function drawCover(deck) {
  const art = make("div", { class: "cover-art" });
  const blank = make("span", { class: "blank", "aria-hidden": "true" });
  const image = make("img", { src: deck.cover ? addDpi(deck.cover, COVER_DPI) : null, alt: "", loading: "lazy" });
  const fail = () => fill(art, drawIcon(deck.problems?.length ? "error" : "sheets"));
  image.addEventListener("error", fail);
  image.addEventListener("load", () => {
    blank.remove();
    art.style.setProperty("--ratio", image.naturalWidth / image.naturalHeight);
    if (deck.copies > 1) art.prepend(make("span", { class: "behind" }), make("span", { class: "behind" }));
  });
  const isEmpty = deck.problems?.every(({ code }) => code === "deck/no-cards");
  if (deck.cover) art.append(image, fill(blank, say("cover_coming")));
  else if (isEmpty) art.append(fill(blank, drawIcon("plus")));
  else fail();
  const isBroken = deck.problems?.length > 0 && !deck.designs && !isEmpty;
  return make("li", {}, make("a", { class: "cover", href: makeRoute("cards", null, deck.name) }, art,
    make("span", { class: "cover-words" }, make("strong", {}, deck.title || deck.name),
      make("span", { class: "quiet" }, isBroken ? `${deck.file || deck.name}: ${nameFault(deck.problems[0])}`
        : [deck.own === false ? null : deck.file,
          deck.designs ? say("cards_n", { n: deck.copies }) : say("cover_empty")].filter(Boolean).join(" · ")))));
}

/** Ask for a new deck. Covers that are on their way would keep it waiting. */
async function openNew(stopCovers, goOn) {
  stopCovers();
  let made = false;
  const title = make("input", { class: "input", required: true, maxlength: 80, autocomplete: "off" });
  const known = await api.readTemplates().catch(() => [{ name: USUAL, own: false }]);
  const own = known.filter((one) => one.own);
  const draw = (some) => some.map(({ name }) => make("option", { value: name, selected: name === USUAL }, name));
  const template = make("select", { class: "select" },
    own.length > 0 && make("optgroup", { label: say("decks_here") }, draw(own)),
    make("optgroup", { label: say("decks_given") }, draw(known.filter((one) => !one.own))));
  const failed = make("p", { class: "hint bad", role: "alert" });
  const dialog = openDialog({ title: say("new_deck"), closeLabel: say("close"),
    onClose: () => { if (!made) goOn(); } },
    make("form", { on: { submit: save } },
      make("div", { class: "dialog-body" },
        make("label", {}, make("span", { class: "label" }, say("title")), title),
        make("label", {}, make("span", { class: "label" }, say("template")), template), failed),
      make("footer", { class: "dialog-foot" },
        makeButton({ text: say("cancel"), bare: true, onClick: () => dialog.close() }),
        makeButton({ text: say("create"), kind: "strong", type: "submit" }))));
  title.focus();

  async function save(event) {
    event.preventDefault();
    try {
      const { deck } = await api.makeDeck({ name: title.value.trim(), template: template.value });
      made = true;
      dialog.close();
      location.hash = makeRoute("cards", null, deck);
    } catch (error) {
      fill(failed, error.message);
    }
  }
}
