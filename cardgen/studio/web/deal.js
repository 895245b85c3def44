// A table to try the deck on: shuffle, hands, draw, discard, turn, tokens.
import * as api from "./api.js";
import { announce, drawIcon, fill, make, makeButton, renew } from "./dom.js";
import { alter, begin, deal, drawCard, moveTo, shuffleIn } from "./game.js";
import { Picture } from "./picture.js";
import { showBanner } from "./problems.js";
import { findCard, hear, state } from "./store.js";
import { say } from "./strings.js";

const games = new Map(); // by deck, so that one may look elsewhere and come back

export function openDeal(host) {
  const { name } = state.deck;
  const kept = games.get(name) || { game: null, seed: newSeed(), rules: null };
  games.set(name, kept);
  followRules();
  let shuffles = 0;
  let asked = 0;
  const tools = make("div", { class: "toolbar" });
  const felt = make("div", { class: "felt" });
  const hands = make("div", { class: "hands" });
  fill(host, make("h1", { class: "unseen" }, `${state.deck.title}: ${say("view_deal")}`), tools,
    make("div", { class: "table-top" }, felt, hands));
  const end = hear("deck", () => { if (followRules()) drawTools(); draw(); });
  drawTools();
  if (kept.game) draw();
  else shuffle(false);

  /** Take over what the deck says of how it is dealt, where that is new; return whether it is. */
  function followRules() {
    const rules = state.deck?.deal;
    if (!rules) return false;
    if (JSON.stringify(rules) === JSON.stringify(kept.rules)) return false;
    Object.assign(kept, { rules, players: rules.players, size: rules.hand, points: rules.points?.to ?? 0 });
    return true;
  }

  function takePoints() {
    const { hand, points: { to, each, more } } = kept.rules;
    kept.size = Math.min(kept.rules.most.hand, hand + more * Math.max(0, Math.floor((kept.points - to) / each)));
    drawTools();
  }

  function drawTools() {
    const { points, aside, most } = kept.rules;
    const number = (key, min, max, label, { step = 1, then = null } = {}) => make("label", { class: "inline" },
      make("span", { class: "label" }, label), make("input", { class: "input tiny", type: "number", min, max, step,
        value: kept[key], data: { part: key }, on: { change: (event) => {
          kept[key] = Math.min(max, Math.max(min, Math.round(Number(event.target.value)) || min));
          event.target.value = kept[key];
          then?.();
        } } }));
    const seed = make("input", { class: "input tiny wide", value: kept.seed, maxlength: 40, autocomplete: "off", data: { part: "seed" },
      on: { change: (event) => { kept.seed = event.target.value.trim() || newSeed(); } } });
    const n = state.deck.cards.filter((card) => aside.includes(card.id)).reduce((sum, card) => sum + card.count, 0);
    renew(tools,
      number("players", 1, most.players, say("players")),
      points && number("points", 0, 1_000_000, say("game_points"), { step: 500, then: takePoints }),
      number("size", 0, most.hand, say("hand_size")),
      makeButton({ icon: "deal", part: "deal-hands", text: say("deal_hands"), kind: "strong", onClick: () => shuffle(true) }),
      n > 0 && make("span", { class: "tally" }, say("set_aside", { n })),
      make("span", { class: "spacer" }),
      make("div", { class: "toolset" },
        make("label", { class: "inline" }, make("span", { class: "label" }, say("seed")), seed),
        makeButton({ icon: "shuffle", part: "shuffle", text: say("shuffle"), onClick: () => {
          kept.seed = newSeed();
          drawTools();
          shuffle(kept.game?.hands.some((hand) => hand.length));
        } })));
  }

  async function shuffle(dealing) {
    const mine = ++asked;
    try {
      const answer = await api.shuffleDeck(name, state.view, kept.seed);
      if (mine !== asked) return;
      document.querySelector(".menu")?.remove(); // its card is of the game before
      kept.game = begin(answer.cards);
      if (dealing) deal(kept.game, kept.players, kept.size);
      else kept.game.hands = Array.from({ length: kept.players }, () => []);
      if (state.deck?.name === name) draw();
    } catch (error) {
      showBanner({ refused: error.problems || [], words: error.message });
    }
  }

  function draw() {
    const { game } = kept;
    if (!game) return;
    const held = host.contains(document.activeElement) ? document.activeElement.dataset.spot : null;
    fill(felt,
      make("div", { class: "piles" },
        drawPile("draw", say("draw_pile"), game.draw, () => drawFor(0)),
        drawPile("discard", say("discard_pile"), game.discard, () => game.discard.length && openMenu(game.discard.at(-1), "discard"))),
      make("section", { "aria-label": say("on_the_table") }, make("h2", { class: "label" }, say("on_the_table")),
        game.table.length ? make("div", { class: "laid" }, game.table.map((card) => drawPlayed(card, "table")))
          : make("p", { class: "quiet" }, say("table_empty"))));
    fill(hands, game.hands.map(drawHand));
    if (held) host.querySelector(`[data-spot="${CSS.escape(held)}"]`)?.focus();
  }

  function drawPile(key, words, pile, onClick) {
    const top = pile.at(-1);
    const card = top && findCard(top.id);
    const picture = new Picture({ isNear: true });
    const isUp = key === "discard";
    if (card) picture.showFace(getFace(card, isUp), 132, "");
    else picture.element.hidden = true;
    const n = say("left_in", { n: pile.length });
    return make("div", { class: "pile" },
      make("button", { type: "button", class: `pile-cards ${pile.length ? "full" : ""}`, data: { spot: key },
        "aria-label": [words, n, isUp && card ? card.name : ""].filter(Boolean).join(", "),
        vars: { "--ratio": getRatio() }, on: { click: onClick } }, picture.element),
      make("span", {}, make("strong", {}, words), ` · ${n}`),
      key === "discard" && pile.length > 0 && makeButton({ icon: "shuffle", text: say("shuffle_in"), kind: "small",
        onClick: () => { shuffles += 1; shuffleIn(kept.game, `${kept.seed} ${shuffles}`); draw(); } }));
  }

  function drawHand(hand, player) {
    const words = say("player_n", { n: player + 1 });
    return make("section", { class: "hand", "aria-label": words },
      make("header", { class: "hand-head" }, make("h2", { class: "label" }, words),
        make("span", { class: "quiet" }, say("left_in", { n: hand.length })), make("span", { class: "spacer" }),
        makeButton({ icon: "plus", text: say("draw_pile"), kind: "small", disabled: !kept.game.draw.length,
          onClick: () => drawFor(player) })),
      make("div", { class: "hand-cards" }, hand.length
        ? hand.map((card) => drawPlayed(card, player)) : make("p", { class: "quiet" }, say("hand_empty"))));
  }

  function drawPlayed(copy, where) {
    const card = findCard(copy.id);
    const picture = new Picture({ isNear: true });
    if (card) picture.showFace(getFace(card, copy.up), 150, "");
    const words = copy.up ? card?.name || copy.id : say("face_down");
    return make("button", { type: "button", class: `played ${copy.sideways ? "sideways" : ""}`,
      data: { spot: String(copy.number) }, "aria-haspopup": "menu",
      "aria-label": copy.tokens ? `${words}, ${say("tokens_n", { n: copy.tokens })}` : words,
      vars: { "--ratio": getRatio() },
      on: { click: () => openMenu(copy, where) } },
    picture.element, copy.tokens > 0 && make("span", { class: "played-tokens" }, String(copy.tokens)));
  }

  function drawFor(player) {
    if (!kept.game.hands.length) kept.game.hands = Array.from({ length: kept.players }, () => []);
    const card = drawCard(kept.game, player);
    announce(card ? say("drew", { who: say("player_n", { n: player + 1 }), name: findCard(card.id)?.name || card.id })
      : say("pile_is_empty"));
    draw();
  }

  /** Show what may be done with a card, beside it. */
  function openMenu(copy, where) {
    document.querySelector(".menu")?.remove();
    const { game } = kept;
    const spot = where === "discard" ? "discard" : String(copy.number);
    const anchor = host.querySelector(`[data-spot="${CSS.escape(spot)}"]`);
    const act = (text, change, icon) => make("button", { type: "button", class: "button bare", role: "menuitem", tabindex: -1,
      on: { click: () => { close(); change(); draw(); } } }, icon && drawIcon(icon), text);
    const to = (place) => () => moveTo(game, copy.number, place);
    const onTable = where === "table";
    const menu = make("div", { class: "menu", role: "menu", popover: "auto", "aria-label": findCard(copy.id)?.name || copy.id },
      !onTable && act(say("play_card"), to("table"), "up"),
      where !== "discard" && act(say("turn_over"), () => alter(game, copy.number, ({ up }) => ({ up: !up })), "flip"),
      onTable && act(say("turn_sideways"), () => alter(game, copy.number, ({ sideways }) => ({ sideways: !sideways })), "redo"),
      onTable && act(say("add_token"), () => alter(game, copy.number, ({ tokens }) => ({ tokens: tokens + 1 })), "plus"),
      onTable && copy.tokens > 0 && act(say("take_token"), () => alter(game, copy.number, ({ tokens }) => ({ tokens: tokens - 1 })), "minus"),
      where !== "discard" && act(say("put_discard"), to("discard"), "tray"),
      game.hands.map((_, player) => player !== where && act(say("to_hand", { name: say("player_n", { n: player + 1 }) }), to(player), "down")),
      act(say("to_top"), to("top"), "cards"), act(say("to_bottom"), to("bottom"), "cards"));
    const close = () => menu.hidePopover();
    menu.addEventListener("toggle", (event) => {
      if (event.newState !== "closed") return;
      const held = menu.contains(document.activeElement) || document.activeElement === document.body;
      menu.remove();
      if (held) host.querySelector(`[data-spot="${CSS.escape(spot)}"]`)?.focus();
    });
    menu.addEventListener("keydown", (event) => {
      const all = [...menu.querySelectorAll("button")];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
      } else if (event.key === "Tab") close();
      if (event.key !== "Escape") event.stopPropagation();
    });
    host.append(menu);
    menu.showPopover();
    const box = anchor.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(box.right - 24, innerWidth - width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(box.top + 16, innerHeight - height - 8))}px`;
    menu.querySelector("button").focus();
  }

  return { leave: () => { end(); document.querySelector(".menu")?.remove(); } };
}

const newSeed = () => String(Math.floor(Math.random() * 9000) + 1000);
const getFace = (card, isUp) => (isUp ? card.faces.front : card.faces.back);
const getRatio = () => {
  const face = state.deck.cards[0]?.faces.front;
  return face ? face.width / face.height : 0.716;
};
