"""The script of the page, second part: the list of calls, of which only what is seen is drawn."""

SCRIPT = r"""
const HEIGHT = 44, AROUND = 8, MOST_PRINTED = 3000;
const list = byId("list"), rows = byId("rows");
let items = [], shown = [], rowOf = new Int32Array(total);

const matches = place =>
  (state.tool === "" || calls.tool[place] === Number(state.tool)) &&
  (state.status === "" || calls.failed[place] === Number(state.status));
const told = place =>
  `${data.tools[calls.tool[place]]}\n${calls.line[place]}\n${calls.outcome[place]}`.toLowerCase();
const within = async (place, query) =>
  (await detailOf(place)).parts.some(part => part[2].toLowerCase().includes(query));

let asked = 0;
const filter = async () => {
  const mine = ++asked, query = state.query.trim().toLowerCase(), found = [];
  for (let place = 0; place < total; place += 1) {
    if (!matches(place)) continue;
    if (!query || told(place).includes(query)) found.push(place);
    else if (state.deep && await within(place, query)) found.push(place);
    if (mine !== asked) return;
  }
  arrange(found);
};

const arrange = found => {
  shown = found;
  items = [];
  rowOf = new Int32Array(total).fill(-1);
  let header = null, phase;
  found.forEach(place => {
    if (data.phases.length && (header === null || calls.phase[place] !== phase)) {
      phase = calls.phase[place];
      header = {phase, count: 0};
      items.push(header);
    }
    if (header) header.count += 1;
    rowOf[place] = items.length;
    items.push(place);
  });
  rows.style.height = `${items.length * HEIGHT}px`;
  list.parentElement.style.setProperty("--tall", `${items.length * HEIGHT + 4}px`);
  const key = total === 0 ? "nothing" : found.length ? "" : "none_shown";
  byId("empty").textContent = key && word(key);
  byId("count").textContent = word("shown", {n: number(found.length), total: number(total)});
  scrub.max = Math.max(0, found.length - 1);
  draw();
  mark();
};

const headRow = item => {
  const phase = item.phase === null ? {type: "unclassified", text: ""} : data.phases[item.phase];
  const row = make("div", "row group");
  row.setAttribute("role", "presentation");
  put(row, make("i", `dot p-${phase.type}`), make("b", "", word(phase.type)));
  return put(row, make("span", "text", phase.text), make("span", "count", number(item.count)));
};
const callRow = place => {
  const row = make("div", `row call${calls.failed[place] ? " is-failed" : ""}`);
  row.id = `row-${place}`;
  row.dataset.place = place;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", String(place === state.at));
  row.setAttribute("aria-setsize", shown.length);
  row.setAttribute("aria-posinset", rowOf[place] + 1);
  if (state.replaying && place > state.at) row.classList.add("later");
  const bar = make("i", `bar c-${data.categories[calls.category[place]]}`);
  const tool = make("span", "tool", data.tools[calls.tool[place]]);
  tool.style.paddingInlineStart = `${depth(place) * 14}px`;
  const ended = make("span", "ended", calls.failed[place] ? "✕" : "✓");
  ended.title = word(calls.failed[place] ? "failed" : "success");
  return put(
    row, bar, make("span", "n", number(place + 1)), tool, make("span", "text", calls.line[place]),
    make("span", "outcome", calls.outcome[place]), make("span", "took", length(calls.took[place])),
    ended);
};

const draw = (all = false) => {
  const first = all ? 0 : Math.max(0, Math.floor(list.scrollTop / HEIGHT) - AROUND);
  const seen = Math.ceil(list.clientHeight / HEIGHT) + 2 * AROUND;
  const last = Math.min(items.length, all ? MOST_PRINTED : first + seen);
  const made = [];
  for (let at = first; at < last; at += 1) {
    const item = items[at], row = typeof item === "number" ? callRow(item) : headRow(item);
    row.style.top = `${at * HEIGHT}px`;
    made.push(row);
  }
  rows.replaceChildren(...made);
};
const reveal = place => {
  const row = rowOf[place];
  if (row < 0) return;
  const top = row * HEIGHT, high = list.scrollTop + list.clientHeight;
  if (top < list.scrollTop + HEIGHT) list.scrollTop = Math.max(0, top - HEIGHT * 2);
  else if (top + HEIGHT > high) list.scrollTop = top - list.clientHeight + HEIGHT * 3;
};

let drawing = false;
list.addEventListener("scroll", () => {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; draw(); });
});
list.addEventListener("click", event => {
  const row = event.target.closest("[data-place]");
  if (row) choose(Number(row.dataset.place));
});
addEventListener("resize", () => draw());
addEventListener("beforeprint", () => draw(true));
addEventListener("afterprint", () => draw());

data.tools.forEach((name, place) => {
  const count = calls.tool.reduce((sum, tool) => sum + (tool === place), 0);
  const option = make("option", "", `${name} (${number(count)})`);
  option.value = place;
  byId("tool").append(option);
});
const listen = (id, event, change) => byId(id).addEventListener(event, ({target}) => {
  change(target);
  filter();
});
listen("tool", "change", target => { state.tool = target.value; });
listen("status", "change", target => { state.status = target.value; });
listen("search", "input", target => { state.query = target.value; });
listen("deep", "change", target => { state.deep = target.checked; });
"""
