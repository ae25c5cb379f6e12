"""The script of the page, first part: the data, words, and elements that hold text only."""

SCRIPT = r"""
const byId = id => document.getElementById(id);
const read = id => JSON.parse(byId(id).textContent);
const data = read("index");
const calls = data.calls, total = calls.tool.length;
const state = {
  language: data.language, at: -1, tool: "", status: "", query: "", deep: false,
  playing: false, replaying: false, speed: 1, left: 0, last: 0, theme: 0,
};
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

// {n} is the value, {n:call|calls} the value with the noun that goes with it.
const word = (key, gaps = {}) =>
  (data.words[state.language][key] || key).replace(
    /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (all, name, one, many) => {
      if (!(name in gaps)) return all;
      const value = String(gaps[name]);
      return one === undefined ? value : `${value} ${value === "1" ? one : many}`;
    });
const number = value => Number(value).toLocaleString("en-US");

// Elements are made from text only: nothing in a session is ever read as HTML.
const make = (name, cls, text) => {
  const made = document.createElement(name);
  if (cls) made.className = cls;
  if (text !== undefined) made.textContent = text;
  return made;
};
const put = (parent, ...children) => {
  children.forEach(child => child && parent.append(child));
  return parent;
};

const length = ms => {
  if (ms < 1000) return Math.round(ms) + " ms";
  if (ms < 59950) return (ms / 1000).toFixed(1) + " s";
  const seconds = Math.round(ms / 1000);
  const two = value => String(value).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
  return `${Math.floor(minutes / 1440)} d ${two(Math.floor(minutes / 60) % 24)} h`;
};
const clock = ms => {
  const seconds = Math.floor(ms / 1000), two = value => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
};

// The texts of calls lie in blocks, which are read when they are looked at.
const blocks = new Map();
const unpacked = async text => {
  const bytes = Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};
const block = at => {
  if (!blocks.has(at)) {
    const text = byId("block-" + at).textContent;
    if (blocks.size > 40) blocks.delete(blocks.keys().next().value);
    blocks.set(at, data.packed ? unpacked(text) : Promise.resolve(JSON.parse(text)));
  }
  return blocks.get(at);
};
const detailOf = async place => (await block(Math.floor(place / data.block)))[place % data.block];

const inner = new Map();
calls.parent.forEach((parent, place) => {
  if (parent === null) return;
  if (!inner.has(parent)) inner.set(parent, []);
  inner.get(parent).push(place);
});
const depth = place => {
  let found = 0;
  for (let at = calls.parent[place]; at !== null && found < 8; at = calls.parent[at]) found += 1;
  return found;
};
"""
