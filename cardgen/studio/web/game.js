// A game with the deck, as plain data: where each copy lies, which way up, with how many tokens.

/** Begin: all copies on the draw pile, in the order of a shuffle; the last one lies on top. */
export function begin(ids) {
  const copies = ids.map((id, number) => ({ number, id, up: false, sideways: false, tokens: 0 }));
  return { draw: copies.reverse(), discard: [], table: [], hands: [] };
}

/** Deal so many cards to each of so many hands, one after the other, as people do. */
export function deal(game, players, size) {
  game.hands = Array.from({ length: players }, (_, at) => game.hands[at] || []);
  for (let round = 0; round < size; round += 1) {
    for (const hand of game.hands) {
      const card = game.draw.pop();
      if (card) hand.push({ ...card, up: true });
    }
  }
}

/** Draw the top card into a hand; return it, or null where the pile is empty. */
export function drawCard(game, player) {
  const card = game.draw.pop();
  if (!card) return null;
  const drawn = { ...card, up: true };
  game.hands[player].push(drawn);
  return drawn;
}

function take(game, number) {
  for (const pile of [game.draw, game.discard, game.table, ...game.hands]) {
    const at = pile.findIndex((card) => card.number === number);
    if (at >= 0) return pile.splice(at, 1)[0];
  }
  return null;
}

/** Move a card: `to` is "table", "discard", "top", "bottom" or the number of a hand. */
export function moveTo(game, number, to) {
  const card = take(game, number);
  if (!card) return;
  const plain = { ...card, sideways: false, tokens: 0 };
  if (to === "table") game.table.push({ ...card, up: true });
  else if (to === "discard") game.discard.push({ ...plain, up: true });
  else if (to === "top") game.draw.push({ ...plain, up: false });
  else if (to === "bottom") game.draw.unshift({ ...plain, up: false });
  else game.hands[to].push({ ...plain, up: true });
}

/** Change what a card shows: `change` takes it and returns what is different. */
export function alter(game, number, change) {
  for (const pile of [game.table, ...game.hands]) {
    const card = pile.find((one) => one.number === number);
    if (card) Object.assign(card, change(card));
  }
}

/** Put the discards under the pile, in an order that the seed alone decides. */
export function shuffleIn(game, seed) {
  const random = makeRandom(seed);
  const cards = game.discard.splice(0).map((card) => ({ ...card, up: false }));
  for (let at = cards.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [cards[at], cards[other]] = [cards[other], cards[at]];
  }
  game.draw.unshift(...cards);
}

/** Return a function that gives numbers from 0 to 1, the same ones for the same seed. */
function makeRandom(seed) {
  let state = [...String(seed)].reduce((sum, sign) => Math.imul(sum, 31) + sign.codePointAt(0), 7) | 0;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
