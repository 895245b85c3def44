// The switches of how a deck is shown: target, look, language, printer.
import { make } from "./dom.js";
import { nameTarget } from "./german.js";
import { choose, getShown, state, tell } from "./store.js";
import { say } from "./strings.js";

const LISTS = { target: "targets", look: "looks", language: "languages" };

/** Return the choices of a switch as [value, title], without those that choose nothing. */
export function listChoices(key) {
  if (key === "printer") return listPrinters();
  const choices = (state.deck?.switches?.[LISTS[key]] || []).map((one) => (typeof one === "string"
    ? [one, one] : [one.name, nameTarget(one.title || one.name)]));
  return key === "look" && choices.length ? [["", say("look_own")], ...choices] : choices;
}

function listPrinters() {
  const known = state.project?.printers || [];
  if (!known.length) return [];
  return [["", say("printer_usual")], ...known.map((name) => [name, name]), ["none", say("printer_none")]];
}

/** Return selects for those switches that have something to choose. */
export function makeSwitches(keys, onChange = () => tell("view")) {
  return keys.map((key) => {
    const choices = listChoices(key);
    if (choices.length < 2) return null;
    return make("label", { class: "inline" }, make("span", { class: "label" }, say(key)),
      makeSelect(choices, getShown(state.view, key), (value) => {
        state.view = choose(state.view, key, value);
        onChange();
      }, key));
  });
}

export function makeSelect(choices, chosen, onChange, part = null) {
  return make("select", { class: "select", data: part ? { part } : {},
    on: { change: (event) => onChange(event.target.value) } },
  choices.map(([value, title]) => make("option", { value, selected: value === chosen }, title)));
}
