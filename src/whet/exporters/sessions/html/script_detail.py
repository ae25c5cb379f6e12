"""The script of the page, third part: one call with all its texts, and those within it."""

SCRIPT = r"""
const SHORT = 140;
const pre = (text, cls) => {
  const made = make("pre", cls || "", text);
  made.tabIndex = 0;
  return made;
};
const value = (text, cls) =>
  text.length <= SHORT && !text.includes("\n") ? make("code", cls || "", text) : pre(text, cls);
const note = text => make("p", "note", text);
const CHANGES = {old_string: "removed", new_string: "added"};

const partsOf = (detail, kind) => detail.parts.filter(part => part[0] === kind);
const section = (detail, kind, build) => {
  const found = partsOf(detail, kind);
  if (!found.length) return null;
  const made = put(make("section"), make("h4", "", word(kind)));
  found.forEach(part => {
    put(made, build(part));
    if (part[3]) put(made, note("✂ " + word("cut", {n: number(part[3])})));
  });
  return made;
};
const params = detail => {
  const found = partsOf(detail, "params");
  if (!found.length) return null;
  const names = make("dl", "params");
  found.forEach(([, name, text, cut]) => {
    const side = make("dd");
    put(side, value(text, CHANGES[name]), cut ? note("✂ " + word("cut", {n: number(cut)})) : null);
    put(names, make("dt", "", name), side);
  });
  return put(make("section"), make("h4", "", word("params")), names);
};
const named = part => {
  const made = make("div");
  if (part[1]) put(made, make("span", "name", part[1]));
  return put(made, value(part[2]));
};
const subagent = (detail, place, level) => {
  const info = detail.subagent, within = inner.get(place) || [];
  if (!info && !within.length) return null;
  const made = put(make("section", "subagent"), make("h4", "", word("subagent")));
  if (info) {
    const line = put(make("p"), make("b", "", info.type));
    put(line, make("span", "chip", word("subagent_uses", {n: number(info.uses)})));
    if (info.tokens !== null) {
      put(line, make("span", "chip", word("subagent_tokens", {n: number(info.tokens)})));
    }
    info.counts.forEach(([name, count]) => put(line, make("span", "chip", `${name} × ${count}`)));
    put(made, line);
  }
  if (within.length) put(made, make("h4", "", `${word("inner")} (${number(within.length)})`));
  const nested = make("div", "nested");
  more(nested, within, 20, child => innerCall(child, level));
  return put(made, nested);
};
const innerCall = (place, level) => {
  const made = make("details", calls.failed[place] ? "is-failed" : "");
  const head = make("summary");
  const dot = make("i", `dot c-${data.categories[calls.category[place]]}`);
  put(head, dot, make("b", "", data.tools[calls.tool[place]]));
  put(head, make("span", "text", calls.line[place]));
  put(head, make("span", "took", length(calls.took[place])));
  made.append(head);
  made.addEventListener("toggle", async () => {
    if (made.open && made.children.length === 1) {
      put(made, body(await detailOf(place), place, level + 1));
    }
  });
  return made;
};
const more = (parent, all, step, build) => {
  let done = 0;
  const button = make("button", "more", "");
  button.type = "button";
  const next = () => {
    const upto = Math.min(all.length, done + step);
    for (; done < upto; done += 1) parent.insertBefore(build(all[done], done), button);
    button.hidden = done >= all.length;
    button.textContent = `${word("show_more")} (${number(all.length - done)})`;
  };
  parent.append(button);
  button.addEventListener("click", next);
  next();
};

const body = (detail, place, level) => {
  const made = make("div", "body");
  put(
    made,
    section(detail, "description", part => make("p", "", part[2])),
    section(detail, "command", part => pre(part[2], "command")),
    params(detail),
    section(detail, "error", part => pre(part[2], "failure")),
    section(detail, "result", named),
    section(detail, "output", named),
    detail.truncated ? note("✂ " + word("truncated")) : null,
    section(detail, "context", part => put(make("p"), make("span", "chip", part[1]), part[2])),
    section(detail, "content", part => pre(part[2])));
  if (level < 6) put(made, subagent(detail, place, level));
  if (!made.children.length) put(made, note(word("no_output")));
  return made;
};
const headOf = place => {
  const head = make("div", "head");
  const title = put(make("h3"), make("span", "", data.tools[calls.tool[place]]));
  const chips = make("p", "chips");
  const category = data.categories[calls.category[place]];
  const status = calls.failed[place] ? "failed" : "success";
  put(chips, make("span", `chip s-${status}`, word(status)));
  put(chips, put(make("span", "chip"), make("i", `dot c-${category}`), word(category)));
  if (calls.phase[place] !== null) {
    const type = data.phases[calls.phase[place]].type;
    put(chips, put(make("span", "chip"), make("i", `dot p-${type}`), word(type)));
  }
  const when = `${clock(calls.start[place])} · ${length(calls.took[place])}`;
  put(head, make("p", "kicker", `${word("call", {n: number(place + 1)})} · ${when}`), title, chips);
  if (calls.parent[place] !== null) {
    const parent = calls.parent[place];
    const link = make("button", "link", word("parent", {n: number(parent + 1)}));
    link.type = "button";
    link.addEventListener("click", () => choose(parent));
    put(head, link);
  }
  return head;
};
let wanted = -1;
const showDetail = async () => {
  const place = state.at, panel = byId("detail");
  wanted = place;
  if (place < 0) {
    panel.replaceChildren(note(total ? word("choose") : word("nothing")));
    return;
  }
  const detail = await detailOf(place);
  if (wanted !== place) return;
  panel.replaceChildren(headOf(place), body(detail, place, 0));
  panel.scrollTop = 0;
};

const showSaid = () => {
  const said = read("said"), place = byId("said-list");
  if (!place) return;
  place.replaceChildren();
  more(place, said, 30, ([by, at, text, cut]) => {
    const made = make("div", `said by-${by}`);
    put(made, make("p", "kicker", [by === "user" ? word("prompt") : word("agent"), at].join(" ")));
    put(made, make("div", "prose", text));
    return put(made, cut ? note("✂ " + word("cut", {n: number(cut)})) : null);
  });
};
"""
