// Elements made and changed. Whatever comes from a deck goes in as text or as the value of an
// attribute, so none of it becomes markup: nothing here or elsewhere writes HTML.

/**
 * Return a new element.
 *
 * props: `class`, `on` (listeners by event), `data`, `vars` (custom properties), properties that
 * are no attributes (`value`, `checked`, …), else attributes; null and false leave one out
 * children: elements and texts; null, false and undefined are left out
 */
export function make(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  setProps(element, props);
  element.append(...flatten(children));
  return element;
}

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "open", "selected",
  "indeterminate", "inert", "draggable", "readOnly", "htmlFor", "multiple"]);

export function setProps(element, props) {
  for (const [key, value] of Object.entries(props)) {
    if (key === "on") {
      for (const [event, listen] of Object.entries(value)) element.addEventListener(event, listen);
    } else if (key === "data") {
      for (const [name, text] of Object.entries(value)) element.dataset[name] = text;
    } else if (key === "vars") {
      for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
    } else if (key === "class") {
      element.className = value || "";
    } else if (PROPERTIES.has(key)) {
      element[key] = value;
    } else if (value === null || value === undefined || value === false) {
      element.removeAttribute(key);
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
}

function flatten(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined
    && child !== false);
}

export function fill(element, ...children) {
  element.replaceChildren(...flatten(children));
  return element;
}

/**
 * Give an element new children, but keep those that stay as they were, so that neither the focus
 * nor a click that is under way is lost. What can be operated stays if its `data-part` does.
 */
export function renew(parent, ...children) {
  const wanted = flatten(children);
  wanted.forEach((child, at) => {
    const old = parent.childNodes[at];
    if (!old) parent.append(child);
    else if (old !== child) keepOrReplace(old, child);
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild.remove();
}

const OPERATED = new Set(["BUTTON", "SELECT", "INPUT", "TEXTAREA", "A"]);

function keepOrReplace(old, child) {
  if (!(child instanceof Element) || old.nodeName !== child.nodeName
    || (OPERATED.has(old.nodeName) && (!child.dataset.part || child.dataset.part !== old.dataset.part))) {
    old.replaceWith(child);
    return;
  }
  for (const { name } of [...old.attributes]) if (!child.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of child.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const value = "value" in child && old !== document.activeElement ? child.value : null;
  renew(old, [...child.childNodes]);
  if (value !== null && old.value !== value) old.value = value;
  if ("checked" in child) old.checked = child.checked;
}

/** Return a function that waits until calls stop for so many milliseconds, then makes the last. */
export function debounce(call, wait) {
  let timer = 0;
  const later = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...args), wait);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

/** Say something to screen readers without moving the focus. */
export function announce(text) {
  const status = document.getElementById("status");
  status.textContent = "";
  // An empty turn between, so that the same words are read a second time.
  requestAnimationFrame(() => { status.textContent = text; });
}

/** Whether keys belong to the text that somebody types. */
export function isTyping(target) {
  return target instanceof HTMLElement
    && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
    && !["range", "checkbox", "radio", "button"].includes(target.type);
}

/** Show an open dialogue that closes with Escape or its button; return its element. */
export function openDialog({ title, closeLabel, wide = false, onClose = () => {} }, ...children) {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const dialog = make("dialog", { class: wide ? "dialog wide" : "dialog", tabindex: -1, "aria-labelledby": id },
    make("header", { class: "dialog-head" },
      make("h2", { id }, title),
      makeButton({ icon: "close", label: closeLabel, bare: true,
        onClick: () => dialog.close() })),
    children);
  dialog.addEventListener("close", () => { dialog.remove(); onClose(); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  dialog.focus();
  return dialog;
}

/** Return a button with an icon, a text, or both; `label` names it where it has no text. */
export function makeButton({ icon, text, label, onClick, kind = "", bare = false, pressed,
  disabled = false, key, describe, part, type = "button" }) {
  const hint = label && key ? `${label} (${key})` : label;
  return make("button", {
    type,
    class: ["button", bare && "bare", !text && "square", kind].filter(Boolean).join(" "),
    "aria-label": text ? null : label,
    title: text ? (key ? `${text} (${key})` : null) : hint,
    "aria-pressed": pressed === undefined ? null : String(pressed),
    "aria-describedby": describe,
    "data-part": part,
    disabled,
    on: onClick ? { click: onClick } : {},
  }, icon && drawIcon(icon), text && make("span", {}, text));
}

const SVG = "http://www.w3.org/2000/svg";

/** Return an element of SVG. */
export function makeShape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Return one of the studio's own signs, drawn on a grid of 20 by 20. */
export function drawIcon(name) {
  return makeShape("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" },
    makeShape("path", { d: SIGNS[name] }));
}

const SIGNS = {
  close: "M5 5l10 10M15 5L5 15",
  search: "M9 4a5 5 0 1 0 0 10a5 5 0 0 0 0-10zM12.7 12.7L17 17",
  undo: "M7 4L3.5 7.5L7 11M4 7.5h7.5a4.5 4.5 0 0 1 0 9H8",
  redo: "M13 4l3.5 3.5L13 11M16 7.5H8.5a4.5 4.5 0 0 0 0 9H12",
  print: "M6 7.5V3h8v4.5M6 14H3.5V7.5h13V14H14M6 11.5h8V17H6z",
  download: "M10 3v9.5M6 9l4 4l4-4M4 16.5h12",
  flip: "M10 2.5v15M7.5 5H3.5v10h4M12.5 5h4v10h-4",
  left: "M12.5 4.5L7 10l5.5 5.5",
  right: "M7.5 4.5L13 10l-5.5 5.5",
  earlier: "M16.5 10H4M8.5 5.5L4 10l4.5 4.5",
  later: "M3.5 10H16M11.5 5.5L16 10l-4.5 4.5",
  up: "M4.5 12.5L10 7l5.5 5.5",
  down: "M4.5 7.5L10 13l5.5-5.5",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  copy: "M7 7h9v9H7zM4 12.5V4h8.5",
  trash: "M4 6h12M8 6V3.5h4V6M5.5 6l.8 10.5h7.4L14.5 6M8.5 9v5M11.5 9v5",
  warning: "M10 3.5L17.5 16.5h-15zM10 8.5v4M10 14.2v.3",
  error: "M6.9 2.5h6.2L17.5 6.9v6.2L13.1 17.5H6.9L2.5 13.1V6.9zM10 6v5M10 13.7v.3",
  check: "M4 10.5l4 4l8-9",
  sun: "M10 6.8a3.2 3.2 0 1 0 0 6.4a3.2 3.2 0 0 0 0-6.4M10 2v1.8M10 16.2V18M2 10h1.8"
    + "M16.2 10H18M4.3 4.3l1.3 1.3M14.4 14.4l1.3 1.3M4.3 15.7l1.3-1.3"
    + "M14.4 5.6l1.3-1.3",
  moon: "M16.5 12A7 7 0 1 1 8 3.5A5.6 5.6 0 0 0 16.5 12z",
  help: "M7.2 7.4a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.2M10 15.2v.3",
  note: "M10 2.5a7.5 7.5 0 1 0 0 15a7.5 7.5 0 0 0 0-15M10 9v5M10 6.2v.3",
  cards: "M3.5 3.5h5.5v5.5H3.5zM11 3.5h5.5v5.5H11zM3.5 11h5.5v5.5H3.5zM11 11h5.5v5.5H11z",
  sheets: "M5 2.5h10v15H5zM8 2.5v15M12 2.5v15M5 7.5h10M5 12.5h10",
  table: "M3 4h14v12H3zM3 8h14M3 12h14M8 4v12",
  deal: "M3 7.5L9.5 5.2L13 14.8L6.5 17.1zM11 5h6v10.2h-2.5",
  tray: "M3 11.5l2-7h10l2 7V16H3zM3 11.5h4l1 2h4l1-2h4",
  settings: "M4 6h6M14 6h2M12 4.2v3.6M4 14h2M10 14h6M8 12.2v3.6",
  shuffle: "M3 6h3l7 8h4M14.5 11.5L17 14l-2.5 2.5M3 14h3l2-2.3M11 8.3L13 6h4M14.5 3.5L17 6l-2.5 2.5",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  compare: "M10 2.5v15M3.5 5h4v10h-4zM12.5 5h4v10h-4z",
  external: "M8 4.5H4v11.5h11.5V12M11 3.5h5.5V9M16 4l-7.5 7.5",
};
