// A deck without cards, whichever view is chosen: how it gets its first one, or why it shows none.
import { drawIcon, fill, make, makeButton } from "./dom.js";
import { addCard } from "./editing.js";
import { canWrite, hear, state } from "./store.js";
import { say } from "./strings.js";

export function openEmpty(host) {
  draw();
  const end = hear("deck", draw);

  function draw() {
    if (state.deck) fill(host, make("div", { class: "scroll" }, state.deck.state === "broken" ? drawUnread() : drawBegun()));
  }

  return { leave: end };
}

function drawUnread() {
  return make("div", { class: "empty" }, drawIcon("error"), make("h1", {}, say("deck_unread")),
    make("p", {}, say("wait_mended")));
}

function drawBegun() {
  return make("div", { class: "empty" },
    make("span", { class: "blank", on: { click: () => canWrite() && addCard(null) } }, drawIcon("plus")), make("h1", {}, say("no_cards")),
    canWrite() && [make("p", {}, say("no_cards_more", { file: state.deck.file })),
      makeButton({ icon: "plus", text: say("first_card"), kind: "strong", onClick: () => addCard(null) })]);
}
