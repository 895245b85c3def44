// Pictures of faces and pages: asked for when they come near the screen, as sharp as the screen
// is, and faded over when there is a newer one.
import { addDpi } from "./api.js";
import { make, makeShape } from "./dom.js";
import { tell } from "./store.js";
import { say } from "./strings.js";

const STEPS = [36, 48, 64, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600];
const INCH = 25.4;
// A picture that cannot be had is asked for again so often, after so many milliseconds each; then it is
// asked anew which picture is to be shown, and in the end said that there is none.
const TRIES = 3;
const PAUSE = 700;

/** Return the dots per inch for something of so many millimetres that is shown so large. */
export function chooseDpi(millimetres, shown) {
  const wanted = (shown * (window.devicePixelRatio || 1) * INCH) / millimetres;
  return STEPS.find((step) => step >= wanted * 0.97) || STEPS.at(-1);
}

/**
 * Return an observer that fills pictures within a scrolling element: those near its window are
 * loaded, those far away let go, so that memory does not grow with the deck. `onSeen` is called
 * when other pictures than before are on screen.
 */
export function watchPictures(root, onSeen = () => {}) {
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) entry.target.picture.near(entry.isIntersecting);
  }, { root, rootMargin: "500px" });
  const all = new Set();
  const seen = new Set();
  const onScreen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) seen.add(target.picture);
      else seen.delete(target.picture);
    }
    onSeen([...seen]);
  }, { root });
  return {
    add: (picture) => {
      all.add(picture);
      near.observe(picture.element);
      onScreen.observe(picture.element);
    },
    drop: (picture) => {
      all.delete(picture);
      near.unobserve(picture.element);
      onScreen.unobserve(picture.element);
      seen.delete(picture);
    },
    /** End it. What is on its way would keep what is asked for next waiting. */
    end: () => {
      near.disconnect();
      onScreen.disconnect();
      all.forEach((picture) => picture.near(false));
    },
  };
}

/** A place that shows a picture and fades over to the next. */
export class Picture {
  constructor({ tag = "span", className = "face", isNear = false } = {}) {
    this.cut = make("span", { class: "cut" });
    this.element = make(tag, { class: className }, this.cut);
    this.element.picture = this;
    this.isNear = isNear;
    this.address = null; // what is to be shown
    this.shown = null; // what is shown, or on its way
    this.coming = null; // the picture that is on its way
    this.turn = 0; // counts what is asked for, so that only the last is taken
  }

  /** Show a face, at a width in pixels. */
  showFace(face, width, name) {
    this.element.classList.toggle("blank", !face);
    if (!face) return this.clear();
    const { bleed } = face;
    setShape(this, face);
    this.#show(addDpi(face.url, chooseDpi(face.width, width)), name, {
      "--x": `${(-100 * bleed.left) / face.width}%`,
      "--y": `${(-100 * bleed.top) / face.height}%`,
      "--wide": `${(100 * (face.width + bleed.left + bleed.right)) / face.width}%`,
      "--high": `${(100 * (face.height + bleed.top + bleed.bottom)) / face.height}%`,
    });
    return this;
  }

  /** Show a whole sheet, at a width in pixels. */
  showPage(page, width, name) {
    this.element.style.setProperty("--ratio", page.width / page.height);
    this.#show(addDpi(page.url, Math.min(300, chooseDpi(page.width, width))), name, {});
    return this;
  }

  clear() {
    this.address = null;
    this.#letGo();
    return this;
  }

  near(isNear) {
    this.isNear = isNear;
    if (isNear) this.#load();
    else this.#letGo();
  }

  #show(address, name, vars) {
    this.address = address;
    this.name = name;
    this.vars = vars;
    if (this.isNear) this.#load();
  }

  #list() {
    return [...this.cut.querySelectorAll("img")];
  }

  async #load() {
    const { address, vars } = this;
    if (!address || address === this.shown) return;
    this.shown = address;
    const turn = ++this.turn;
    const image = await this.#open(address, vars, turn);
    if (this.turn !== turn) return;
    if (image?.getAttribute("src") === address) this.#find(address);
    else this.#miss(address, Boolean(image));
    if (!image) {
      // A newer one came meanwhile, or none can be drawn: the last one stays.
      this.shown = null;
      return;
    }
    const old = this.#list();
    old.forEach((one) => { one.alt = ""; });
    if (old.length) image.classList.add("coming");
    this.cut.append(image);
    if (old.length) setTimeout(() => old.forEach((one) => one.remove()), 260);
    this.element.dispatchEvent(new CustomEvent("shown", { bubbles: true }));
  }

  /** Ask once more later for what was asked for in vain, as long as nothing else is to be shown. */
  #miss(address, isCoarse) {
    if (!this.element.isConnected) return;
    const now = Date.now();
    if (!misses.has(address)) misses.set(address, { until: now + TRIES * PAUSE, isTold: false });
    const miss = misses.get(address);
    if (now >= miss.until) {
      if (miss.isTold) { this.#giveUp(isCoarse); return; }
      // The page may know a version that is no longer there.
      Object.assign(miss, { until: now + PAUSE, isTold: true });
      tell("anew");
    }
    setTimeout(() => { if (this.address === address && this.isNear) this.tryAgain(); }, PAUSE);
  }

  tryAgain() {
    this.shown = null;
    this.#load();
  }

  /** Say that there is no picture; one that is only coarse is seen nevertheless. */
  #giveUp(isCoarse) {
    missed.add(this);
    if (!isCoarse && !this.words) {
      this.words = make("span", { class: "missed" }, say("picture_missed"));
      this.element.append(this.words);
    }
    tell("missed");
  }

  #find(address) {
    misses.delete(address);
    this.#takeBack();
  }

  #takeBack() {
    this.words?.remove();
    this.words = null;
    if (missed.delete(this)) tell("missed");
  }

  /** Return the loaded picture; of a version that is gone, one that was shown before in any size. */
  async #open(address, vars, turn) {
    const version = address.replace(/[?&]dpi=\d+$/, "");
    for (const one of [address, loaded.get(version)]) {
      if (!one) continue;
      const image = make("img", { alt: this.name || "", draggable: false, vars });
      this.#stop();
      this.coming = image;
      image.src = one;
      try {
        await image.decode();
        keepLoaded(version, one);
        return image;
      } catch {
        if (this.turn !== turn) return null;
      } finally {
        if (this.coming === image) this.coming = null;
      }
    }
    return null;
  }

  /** Ask no more for a picture that is on its way, so that others come sooner. */
  #stop() {
    this.coming?.removeAttribute("src");
    this.coming = null;
  }

  #letGo() {
    this.#stop();
    this.turn += 1;
    this.shown = null;
    this.#takeBack();
    this.#list().forEach((image) => image.remove());
  }
}

const misses = new Map(); // by address: until when it is asked for again, and whether that was told
const missed = new Set(); // places whose picture did not come

/** Return how many pictures within an element did not come. */
export function countMissed(root) {
  for (const picture of missed) if (!picture.element.isConnected) missed.delete(picture);
  return [...missed].filter(({ element }) => root.contains(element)).length;
}

/** Ask once more for all that did not come, and anew which pictures they are. */
export function tryMissed() {
  for (const { address } of missed) misses.set(address, { until: Date.now() + PAUSE, isTold: true });
  for (const picture of [...missed]) picture.tryAgain();
  tell("anew");
}

const loaded = new Map(); // by version, the address that was loaded last: the browser keeps it
const MOST_LOADED = 3000;

function keepLoaded(version, address) {
  loaded.delete(version);
  loaded.set(version, address);
  if (loaded.size > MOST_LOADED) loaded.delete(loaded.keys().next().value);
}

const shapes = new Map();

/** Cut the picture as the card is cut: most are rectangles, others follow their outline. */
function setShape(picture, face) {
  const key = `${face.width} ${face.height} ${face.shape} ${face.outline}`;
  if (picture.shape === key) return;
  picture.shape = key;
  picture.element.style.setProperty("--ratio", face.width / face.height);
  const plain = face.shape === "rectangle" || !face.outline;
  picture.element.classList.toggle("shaped", !plain);
  picture.cut.style.clipPath = plain ? "" : `url(#${findShape(face)})`;
}

function findShape({ outline, width, height }) {
  const key = `${width} ${height} ${outline}`;
  if (!shapes.has(key)) {
    const id = `shape-${shapes.size}`;
    getShapes().append(makeShape("clipPath", { id, clipPathUnits: "objectBoundingBox" },
      makeShape("path", { d: outline, transform: `scale(${1 / width} ${1 / height})` })));
    shapes.set(key, id);
  }
  return shapes.get(key);
}

function getShapes() {
  let svg = document.getElementById("shapes");
  if (!svg) {
    svg = makeShape("svg", { id: "shapes", class: "unseen", "aria-hidden": "true" });
    document.body.append(svg);
  }
  return svg;
}
