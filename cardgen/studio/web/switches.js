// The switches of how a deck is shown: target, look, language, printer.
import { make } from "./dom.js";
import { nameTarget } from "./german.js";
import { choose, getShown, state, tell } from "./store.js";
import { say } from "./strings.js";

const LISTS = { target: "targets", look: "looks", language: "languages" };

/** Return the choices of a switch as [value, title, more], without those that choose nothing. */
export function listChoices(key) {
  if (key === "printer") return listPrinters();
  const known = state.deck?.switches?.[LISTS[key]] || [];
  if (key === "target") return splitTitles(known.map(({ name, title }) => [name, nameTarget(title || name)]));
  const choices = known.map((one) => [one, one]);
  return key === "look" && choices.length ? [["", say("look_own")], ...choices] : choices;
}

/** Part each title from what it says beyond a colon, or a comma, which a closed select has no room for. */
function splitTitles(choices) {
  const split = choices.map(([value, title]) => {
    const at = title.search(title.includes(": ") ? /: / : /, /);
    return at < 0 ? [value, title, ""] : [value, title.slice(0, at), title.slice(at + 2)];
  });
  const count = (head) => split.filter(([, other]) => other === head).length;
  return split.map(([value, head, more], at) => (count(head) > 1 ? choices[at] : [value, head, more]));
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
  const tell = (value) => choices.find(([one]) => one === value)?.[2] || null;
  return make("select", { class: "select", data: part ? { part } : {}, title: tell(chosen),
    on: { change: (event) => { event.target.title = tell(event.target.value) || ""; onChange(event.target.value); } } },
  choices.map(([value, title, more]) => make("option", { value, title: more || null, selected: value === chosen }, title)));
}
