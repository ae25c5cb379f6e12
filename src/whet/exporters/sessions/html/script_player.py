"""The script of the page, last part: playing, stepping, the keyboard, language and colours."""

SCRIPT = r"""
const scrub = byId("scrub"), play = byId("play"), head = byId("head");

const mark = () => {
  const at = state.at < 0 ? 0 : Math.max(0, shown.indexOf(state.at));
  scrub.value = at;
  const name = state.at < 0 ? "" : data.tools[calls.tool[state.at]];
  const when = state.at < 0 ? "–" : clock(calls.start[state.at]);
  byId("where").textContent = `${number(state.at + 1)} / ${number(total)} · ${when}`;
  scrub.setAttribute("aria-valuetext", `${word("call", {n: state.at + 1})} ${name}`);
  play.textContent = state.playing ? "❚❚" : "▶";
  const label = word(state.playing ? "pause_button" : "play");
  play.setAttribute("aria-label", label);
  play.title = label;
  if (!head) return;
  head.classList.toggle("on", state.at >= 0);
  const x = state.at < 0 ? "0%" : `${(calls.from[state.at] * 100).toFixed(3)}%`;
  head.setAttribute("x1", x);
  head.setAttribute("x2", x);
};
const select = place => {
  if (place === undefined || place < 0 || place >= total) return;
  state.at = place;
  list.setAttribute("aria-activedescendant", `row-${place}`);
  reveal(place);
  draw();
  mark();
  showDetail();
};
const choose = place => {
  state.replaying = state.playing;
  select(place);
  state.left = dwell(place);
  if (!state.playing) {
    try { history.replaceState(null, "", `#${place + 1}`); } catch (refused) { /* some files */ }
  }
};
const ahead = by => {
  const at = shown.indexOf(state.at);
  if (at >= 0) return shown[clamp(at + by, 0, shown.length - 1)];
  const later = shown.findIndex(place => place > state.at);
  return by > 0 ? shown[Math.max(0, later)] : shown[later < 0 ? shown.length - 1 : later - 1];
};
const step = by => { pause(); state.replaying = true; select(ahead(by)); };

const dwell = place => clamp(calls.took[place], 400, 3000);
const pause = () => { state.playing = false; mark(); };
const start = () => {
  if (!shown.length) return;
  if (state.at < 0 || state.at === shown[shown.length - 1]) select(shown[0]);
  state.playing = state.replaying = true;
  state.left = dwell(state.at);
  state.last = performance.now();
  draw();
  mark();
  requestAnimationFrame(tick);
};
const tick = now => {
  if (!state.playing) return;
  state.left -= (now - state.last) * state.speed;
  state.last = now;
  let at = shown.indexOf(state.at), moved = false;
  while (state.left <= 0 && at + 1 < shown.length) {
    at += 1;
    state.left += dwell(shown[at]);
    moved = true;
  }
  if (moved) select(shown[at]);
  if (state.left <= 0) { state.replaying = false; pause(); draw(); }
  else requestAnimationFrame(tick);
};
const toggle = () => (state.playing ? pause() : start());

play.addEventListener("click", toggle);
byId("back").addEventListener("click", () => step(-1));
byId("next").addEventListener("click", () => step(1));
byId("speed").addEventListener("change", ({target}) => { state.speed = Number(target.value); });
scrub.addEventListener("input", () => {
  state.replaying = true;
  select(shown[Number(scrub.value)]);
  state.left = dwell(state.at);
});
if (byId("timeline")) {
  byId("timeline").addEventListener("click", event => {
    const box = byId("timeline").getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const band = event.target.closest("[data-band]");
    let best = -1, least = Infinity;
    for (let place = 0; place < total; place += 1) {
      if (band && calls.phase[place] !== Number(band.dataset.band)) continue;
      const far = band ? place : Math.max(calls.from[place] - x, x - calls.to[place], 0);
      if (far < least) { least = far; best = place; }
    }
    if (best >= 0) choose(best);
  });
}
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const on = event.target, name = on.tagName;
  if (name === "INPUT" && event.key === "Escape") on.blur();
  if (name === "INPUT" || name === "SELECT" || name === "TEXTAREA") return;
  if (event.key === " " && (name === "BUTTON" || name === "SUMMARY")) return;
  const scrolls = name === "PRE" && event.key.startsWith("Arrow");
  const keys = {
    " ": toggle, ArrowRight: () => step(1), ArrowLeft: () => step(-1),
    Home: () => choose(shown[0]), End: () => choose(shown[shown.length - 1]),
    "/": () => byId("search").focus(),
    Escape: () => { pause(); state.replaying = false; draw(); },
  };
  if (on === list) {
    keys.ArrowDown = () => choose(ahead(1));
    keys.ArrowUp = () => choose(ahead(-1));
  }
  if (scrolls || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

const speak = language => {
  state.language = language;
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  const key = language === "zh" ? "Zh" : "En";
  const every = (what, change) => document.querySelectorAll(what).forEach(change);
  every("[data-en]", on => { on.textContent = on.dataset[language]; });
  every("[data-word]", on => { on.textContent = word(on.dataset.word); });
  every("[data-label-en]", on => {
    on.setAttribute("aria-label", on.dataset["label" + key]);
    if (on.placeholder) on.placeholder = on.dataset["label" + key];
  });
  every("[data-language]", on => {
    on.setAttribute("aria-pressed", String(on.dataset.language === language));
  });
  byId("player").title = word("keys");
  colour();
  showSaid();
  showDetail();
  filter();
};
const THEMES = ["auto", "light", "dark"];
const colour = () => {
  document.documentElement.dataset.theme = THEMES[state.theme];
  byId("theme").textContent = word("theme_" + THEMES[state.theme]);
};
document.querySelectorAll("[data-language]").forEach(on =>
  on.addEventListener("click", () => speak(on.dataset.language)));
byId("theme").addEventListener("click", () => {
  state.theme = (state.theme + 1) % THEMES.length;
  colour();
});

speak(state.language);
const follow = () => {
  const linked = Number(location.hash.slice(1));
  if (Number.isInteger(linked) && linked > 0 && linked <= total) choose(linked - 1);
};
addEventListener("hashchange", follow);
follow();
"""
