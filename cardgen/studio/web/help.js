// The keys, and the settings of the page.
import { fill, make, openDialog } from "./dom.js";
import { keepSetting, settings, state } from "./store.js";
import { LANGUAGES, say } from "./strings.js";

const KEYS = [
  [["1", "2", "3", "4"], "key_views"],
  [["←", "↑", "→", "↓", "Home", "End"], "key_arrows"],
  [["Enter"], "key_enter"],
  [["Esc"], "key_escape"],
  [["/"], "key_filter"],
  [["F"], "key_flip"],
  [["+", "−"], "key_size"],
  [["J", "K"], "key_next"],
  [["B"], "key_before"],
  [["P"], "key_problems"],
  [["Ctrl B", "Ctrl I"], "key_emphasis"],
  [["Ctrl S"], "key_save"],
  [["Ctrl Z", "Ctrl ⇧ Z"], "key_undo"],
  [["Ctrl P"], "key_print"],
  [["?"], "key_help"],
];

export function openHelp() {
  openDialog({ title: say("help"), closeLabel: say("close") },
    make("div", { class: "dialog-body" },
      make("dl", { class: "keys" }, KEYS.map(([keys, words]) => [
        make("dt", {}, keys.map((one) => make("kbd", {}, one))), make("dd", {}, say(words))]))));
}

export function openSettings() {
  const body = make("div", { class: "dialog-body" });
  openDialog({ title: say("settings"), closeLabel: say("close") }, body);
  draw();

  function draw() {
    fill(body,
      choose("theme", say("theme"), [["auto", say("theme_auto")], ["light", say("theme_light")], ["dark", say("theme_dark")]]),
      choose("words", say("words"), [["", say("theme_auto")], ...LANGUAGES]),
      state.project?.editors?.length ? choose("editor", say("editor"),
        [["", say("editor_usual")], ...state.project.editors.filter(({ id }) => id).map(({ id, title }) => [id, title])]) : null,
      make("label", { class: "choice" }, make("input", { type: "checkbox", checked: settings.singleKeys,
        on: { change: (event) => keepSetting("singleKeys", event.target.checked) } }), say("single_keys")));
  }

  function choose(key, words, options) {
    return make("label", {}, make("span", { class: "label" }, words),
      make("select", { class: "select", data: { part: key }, on: { change: (event) => {
        keepSetting(key, event.target.value);
        draw();
        body.querySelector(`[data-part="${key}"]`)?.focus();
      } } }, options.map(([value, text]) => make("option", { value, selected: settings[key] === value }, text))));
  }
}
