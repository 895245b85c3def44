// The deck as a spreadsheet: a row for each card, a column for each field.
import { announce, drawIcon, fill, make, makeButton, renew } from "./dom.js";
import { addCard, formatValue, readValue, write } from "./editing.js";
import { showBanner } from "./problems.js";
import { canWrite, hear, makeRoute, state, waitUntil } from "./store.js";
import { say } from "./strings.js";

export function openTable(host) {
  const tools = make("div", { class: "toolbar" });
  const grid = make("table", { class: "grid", role: "grid", "aria-label": say("view_table"),
    "aria-multiselectable": "true", "aria-readonly": canWrite() ? null : "true" });
  const scroll = make("div", { class: "grid-scroll" }, grid);
  let columns = [];
  let rows = []; // cards, in order
  let cells = []; // by row, by column; the last row is of the next new card
  let at = [0, 0];
  let from = null; // the other corner of what is chosen
  let editing = null;
  let isBehind = false; // whether something was told while a cell was edited
  let adding = Promise.resolve(); // ends when the cards are there that were added last
  let all = false;
  fill(host, make("h1", { class: "unseen" }, `${state.deck.title}: ${say("view_table")}`), tools, scroll);
  drawTools();
  draw();
  const end = hear("deck", (news) => {
    if (editing) { isBehind = true; return; }
    const same = !news.all && rows.length === state.deck.cards.length
      && rows.every((id, i) => id === state.deck.cards[i].id) && columns.length === listColumns().length;
    if (same) refill();
    else draw();
  });

  function drawTools() {
    const n = listColumns(true).length - listColumns(false).length;
    renew(tools, make("span", { class: canWrite() ? "tally of-keys" : "tally" },
      say(canWrite() ? "table_help" : "read_only")),
      make("span", { class: "spacer" }),
      n > 0 && makeButton({ part: "all-fields", text: say("more_columns", { n }), pressed: all, onClick: () => {
        all = !all;
        drawTools();
        draw();
      } }),
      makeButton({ part: "add", icon: "plus", text: say("add_card"), disabled: !canWrite(), onClick: () => addCard(null) }));
  }

  /** Return the columns: those that any card fills, or those too that only a template knows. */
  function listColumns(withEmpty = all) {
    const own = [{ name: "name", type: "text" }, { name: "count", type: "number" }];
    const isFilled = ({ name }) => state.deck.cards.some((card) => (card.fields[name] ?? null) !== null);
    return [...own, ...(state.deck.fields || []).filter((field) => !["name", "count"].includes(field.name)
      && (withEmpty || isFilled(field)))];
  }

  function getValue(id, column) {
    const card = state.deck.cards.find((one) => one.id === id);
    if (!card) return null;
    return column in { name: 1, count: 1 } ? card[column] : card.fields[column] ?? null;
  }

  function draw() {
    const held = grid.contains(document.activeElement);
    columns = listColumns();
    rows = state.deck.cards.map((card) => card.id);
    const shown = canWrite() ? [...rows, null] : rows;
    cells = shown.map((id, r) => columns.map(({ name, type }, c) => {
      const text = formatValue(getValue(id, name));
      return make("td", { role: "gridcell", tabindex: -1, class: "", data: { r, c } },
        make("div", { class: `cell ${type === "number" ? "number" : ""}` }, text));
    }));
    fill(grid,
      make("thead", {}, make("tr", { role: "row" }, make("th", { scope: "col" }, make("span", { class: "unseen" }, say("row"))),
        columns.map(({ name }) => make("th", { scope: "col" },
          { name: say("name"), count: say("count") }[name] || name)))),
      make("tbody", {}, shown.map((id, r) => make("tr", { role: "row", class: id === null ? "fresh" : null },
        make("th", { scope: "row" }, id === null ? make("span", { title: say("new_row") }, drawIcon("plus"), make("span", { class: "unseen" }, say("new_row")))
          : make("a", { href: makeRoute("card", id), tabindex: -1, "aria-label": state.deck.cards[r].name }, String(r + 1))),
        cells[r]))));
    const keep = ([r, c]) => [Math.min(r, Math.max(0, cells.length - 1)), Math.min(c, columns.length - 1)];
    at = keep(at);
    if (from) from = keep(from);
    const cell = getCell(at);
    if (cell) cell.tabIndex = 0;
    if (held) cell?.focus();
    drawChosen();
  }

  function refill() {
    rows.forEach((id, r) => columns.forEach(({ name }, c) => {
      const text = formatValue(getValue(id, name));
      const inner = cells[r][c].firstChild;
      if (inner.textContent !== text) fill(inner, text);
    }));
  }

  function getCell([r, c]) {
    return cells[r]?.[c];
  }

  function goTo(r, c, extend = false) {
    const to = [Math.min(cells.length - 1, Math.max(0, r)), Math.min(columns.length - 1, Math.max(0, c))];
    if (extend) from ??= at;
    else from = null;
    const old = getCell(at);
    if (old) old.tabIndex = -1;
    at = to;
    const cell = getCell(at);
    cell.tabIndex = 0;
    cell.focus();
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    drawChosen();
  }

  function getRange() {
    const other = from || at;
    return [Math.min(at[0], other[0]), Math.min(at[1], other[1]), Math.max(at[0], other[0]), Math.max(at[1], other[1])];
  }

  function drawChosen() {
    grid.querySelectorAll("td.chosen").forEach((cell) => {
      cell.classList.remove("chosen");
      cell.removeAttribute("aria-selected");
    });
    if (!from) return;
    const [top, left, bottom, right] = getRange();
    for (let r = top; r <= bottom; r += 1) {
      for (let c = left; c <= right; c += 1) {
        cells[r][c].classList.add("chosen");
        cells[r][c].setAttribute("aria-selected", "true");
      }
    }
  }

  // One cell, edited in its place

  function edit(start = null) {
    if (!canWrite()) return;
    const cell = getCell(at);
    const [r, c] = at;
    const was = getValue(rows[r], columns[c].name);
    const area = make("textarea", { rows: 1, value: start ?? formatValue(was),
      "aria-label": `${columns[c].name}, ${state.deck.cards[r]?.name ?? say("new_row")}` });
    editing = { area, r, c, was };
    cell.classList.add("editing");
    fill(cell, area);
    area.style.height = `${Math.min(240, Math.max(32, area.scrollHeight))}px`;
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
    area.addEventListener("input", () => {
      area.style.height = "auto";
      area.style.height = `${Math.min(240, Math.max(32, area.scrollHeight))}px`;
    });
    area.addEventListener("blur", () => { if (editing?.area === area) finish(true); });
  }

  function finish(keep) {
    const { area, r, c, was } = editing;
    editing = null;
    const cell = cells[r][c];
    const changed = keep && area.value !== formatValue(was);
    const text = keep ? area.value : formatValue(was);
    cell.classList.remove("editing");
    fill(cell, make("div", { class: `cell ${columns[c].type === "number" ? "number" : ""}` }, text));
    if (isBehind) { isBehind = false; draw(); }
    if (changed) put([[r, c, text]]);
  }

  /**
   * Write texts into cells; those that are no value of their field are refused. A row below the last
   * becomes a card if it has a name. `leftOut` says what else is written nowhere.
   */
  async function put(texts, leftOut = []) {
    if (!canWrite()) return;
    const { deck } = state;
    await adding;
    if (state.deck !== deck) return;
    const edits = [];
    const wrong = [];
    const fresh = new Map(); // by row, what new cards say
    for (const [r, c, text] of texts) {
      const { name, type } = columns[c];
      const was = getValue(rows[r], name);
      if (text === formatValue(was)) continue;
      try {
        const value = readValue(text, type, was);
        if (r >= rows.length) fresh.set(r, { ...fresh.get(r), [name]: value });
        else edits.push({ kind: "set", card: rows[r], field: name, value, was });
        cells[r]?.[c].classList.add("dirty");
      } catch (error) {
        wrong.push([r, c, error.message]);
      }
    }
    if (wrong.length) announce(say("some_refused", { n: wrong.length, why: wrong[0][2] }));
    wrong.forEach(([r, c]) => cells[r]?.[c].classList.add("wrong"));
    const named = [...fresh.values()].filter(({ name }) => name);
    edits.push(...named.map((values) => ({ kind: "add", after: null, values })));
    const nameless = fresh.size - named.length;
    if (nameless) { leftOut.push(say("rows_without_name", { n: nameless })); clearFresh(); }
    const tellLeftOut = () => leftOut.length && showBanner({ refused: [], words: leftOut.join(" ") });
    if (!edits.length) { tellLeftOut(); return; }
    const writing = write(edits);
    const n = rows.length + named.length;
    if (named.length) adding = writing.then((done) => done && waitUntil(() => state.deck !== deck || deck.cards.length >= n));
    const done = await writing;
    if (state.deck !== deck) return; // whoever wrote has left it meanwhile
    if (done) adding.then(tellLeftOut); // what is told of the change has been taken up by then
    grid.querySelectorAll("td.dirty").forEach((cell) => cell.classList.remove("dirty"));
    if (done && !done.kept) {
      for (const { card: id, field, value } of edits.filter(({ kind }) => kind === "set")) {
        const card = deck.cards.find((one) => one.id === id);
        if (card && field in { name: 1, count: 1 }) card[field] = value;
        else if (card) card.fields[field] = value;
      }
    }
    refill();
  }

  function clearFresh() {
    cells[rows.length]?.forEach((cell) => { cell.classList.remove("dirty"); fill(cell.firstChild); });
  }

  grid.addEventListener("click", (event) => {
    const cell = event.target.closest("td");
    if (!cell || editing) return;
    goTo(Number(cell.dataset.r), Number(cell.dataset.c), event.shiftKey);
  });
  grid.addEventListener("dblclick", (event) => { if (event.target.closest("td") && !editing) edit(); });

  grid.addEventListener("keydown", (event) => {
    if (editing) {
      if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); finish(false); getCell(at).focus(); }
      if (event.key === "Enter" && !event.shiftKey && !event.altKey) { event.preventDefault(); finish(true); goTo(at[0] + 1, at[1]); }
      if (event.key === "Tab") { event.preventDefault(); finish(true); goTo(at[0], at[1] + (event.shiftKey ? -1 : 1)); }
      event.stopPropagation();
      return;
    }
    if (!event.target.closest("td")) return;
    const [r, c] = at;
    const page = Math.max(1, Math.floor(scroll.clientHeight / 33) - 2);
    const control = event.ctrlKey || event.metaKey;
    const to = { ArrowUp: [r - 1, c], ArrowDown: [r + 1, c], ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1],
      Home: [control ? 0 : r, 0], End: [control ? rows.length - 1 : r, columns.length - 1],
      PageUp: [r - page, c], PageDown: [r + page, c] }[event.key];
    if (to) { event.preventDefault(); goTo(...to, event.shiftKey); return; }
    if (control && event.key.toLowerCase() === "a") {
      event.preventDefault();
      goTo(0, 0);
      goTo(rows.length - 1, columns.length - 1, true);
      return;
    }
    if (control || event.altKey) return;
    if (event.key === "Enter" || event.key === "F2") { event.preventDefault(); edit(); return; }
    if (event.key === "Delete" || event.key === "Backspace") { event.preventDefault(); clearChosen(); return; }
    if (event.key === "Escape" && from) { from = null; drawChosen(); event.stopPropagation(); return; }
    if (event.key.length === 1) { event.preventDefault(); event.stopPropagation(); edit(event.key); }
  });

  function clearChosen() {
    const [top, left, bottom, right] = getRange();
    const texts = [];
    for (let r = top; r <= Math.min(bottom, rows.length - 1); r += 1) {
      for (let c = left; c <= right; c += 1) if (columns[c].name !== "name") texts.push([r, c, ""]);
    }
    put(texts);
  }

  const onCopy = (event) => {
    if (editing || !grid.contains(document.activeElement)) return;
    const [top, left, bottom, right] = getRange();
    const lines = [];
    for (let r = top; r <= Math.min(bottom, rows.length - 1); r += 1) {
      lines.push(columns.slice(left, right + 1).map(({ name }) => quote(formatValue(getValue(rows[r], name)))).join("\t"));
    }
    event.clipboardData.setData("text/plain", lines.join("\n"));
    event.preventDefault();
  };
  const onCut = (event) => {
    if (editing || !grid.contains(document.activeElement) || !canWrite()) return;
    onCopy(event);
    clearChosen();
  };
  const onPaste = (event) => {
    if (editing || !grid.contains(document.activeElement)) return;
    event.preventDefault();
    const block = readRange(event.clipboardData.getData("text/plain"));
    const [top, left, bottom, right] = getRange();
    const one = block.length === 1 && block[0].length === 1;
    const texts = [];
    const leftOut = [];
    if (one) {
      for (let r = top; r <= bottom; r += 1) for (let c = left; c <= right; c += 1) texts.push([r, c, block[0][0]]);
    } else {
      block.forEach((line, i) => line.forEach((text, j) => {
        if (left + j < columns.length) texts.push([top + i, left + j, text]);
      }));
      const beyond = Math.max(...block.map((line) => line.length)) + left - columns.length;
      if (beyond > 0) leftOut.push(say("columns_beyond", { n: beyond }));
    }
    announce(say("pasted", { n: texts.length }));
    put(texts, leftOut);
  };
  document.addEventListener("copy", onCopy);
  document.addEventListener("cut", onCut);
  document.addEventListener("paste", onPaste);

  return { leave: () => {
    end();
    document.removeEventListener("copy", onCopy);
    document.removeEventListener("cut", onCut);
    document.removeEventListener("paste", onPaste);
  } };
}

const quote = (text) => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Read what a spreadsheet copies: cells parted by tabs, in quotes where they hold tabs or lines. */
export function readRange(text) {
  const rows = [[]];
  const plain = text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  let at = 0;
  for (;;) {
    let cell = "";
    if (plain[at] === '"') {
      at += 1;
      while (at < plain.length && !(plain[at] === '"' && plain[at + 1] !== '"')) {
        if (plain[at] === '"') at += 1;
        cell += plain[at];
        at += 1;
      }
      at += 1;
    }
    while (at < plain.length && plain[at] !== "\t" && plain[at] !== "\n") {
      cell += plain[at];
      at += 1;
    }
    rows.at(-1).push(cell);
    if (at >= plain.length) return rows;
    if (plain[at] === "\n") rows.push([]);
    at += 1;
  }
}
