"""What opencode is made to tell us, by a plugin of ours inside it.

What the program prints by itself leaves out retries, which go on for a minute or for hours,
everything that subagents do, and calls that have not come back. The plugin prints these, one
JSON object a line. It can also hide tools, ask for a structured answer, and let somebody answer
requests; the program offers none of that on its command line.
"""

PLUGIN = r"""
import { readFile } from "node:fs/promises"

const UNASKED = new Set([
  "glob", "grep", "invalid", "list", "lsp", "question", "read", "skill", "StructuredOutput",
  "task", "todoread", "todowrite",
])
const pause = () => new Promise((done) => setTimeout(done, 50))
const tell = (type, data) =>
  process.stdout.write(JSON.stringify({ ...data, type: "whet." + type }) + "\n")

// The status of the last answer of a model; 0 if it was a good one, or none at all.
let status = 0
const fetched = globalThis.fetch
globalThis.fetch = Object.assign(async (...given) => {
  const posts = (given[1]?.method ?? given[0]?.method) === "POST"
  if (posts) status = 0
  const got = await fetched(...given)
  if (posts && !got.ok) status = got.status
  return got
}, fetched)

export const whet = async ({ client }, settings) => {
  const children = new Set()
  const begun = new Set()
  let requests = 0

  const answer = async (request) => {
    const id = String(++requests)
    tell("request", { id, ...request })
    for (;;) {
      try {
        return JSON.parse(await readFile(`${settings.replies}/${id}.json`, "utf8"))
      } catch {
        await pause()
      }
    }
  }

  const matters = (part) => {
    switch (part.type) {
      case "step-start":
      case "step-finish":
        return true
      case "text":
        return Boolean(part.time?.end)
      case "tool":
        if (part.state.status !== "running") return part.state.status !== "pending"
        if (part.tool !== "task" && begun.has(part.id)) return false
        begun.add(part.id)
        return true
      default:
        return false
    }
  }

  const questions = async ({ id, questions }) => {
    const reply = await answer({ kind: "question", tool: "question", params: { questions } })
    await client._client.post({
      url: `/question/${id}/reply`,
      body: { answers: reply.answers },
      headers: { "Content-Type": "application/json" },
    })
  }

  const seen = {
    "message.part.updated": ({ part }) => {
      if (matters(part)) tell("part", { part, child: children.has(part.sessionID) })
    },
    "message.updated": ({ info }) => {
      if (!children.has(info.sessionID) && info.structured !== undefined)
        tell("structured", { value: info.structured })
    },
    "session.created": ({ info }) => {
      if (info.parentID) children.add(info.id)
    },
    "session.error": ({ sessionID, error }) => {
      if (!children.has(sessionID)) tell("error", { error })
    },
    "session.status": ({ sessionID, status: state }) => {
      if (state.type === "retry") tell("retry", { ...state, http: status })
      if (state.type === "idle" && !children.has(sessionID)) tell("idle", {})
    },
    "question.asked": (properties) => settings.replies && questions(properties),
  }

  // The format must be an object of a class that only a request to the program makes. So one is
  // made for another session, in which no model is asked.
  let format
  const formatted = async () => {
    const { data } = await client.session.create({ body: { title: "format" } })
    children.add(data.id)
    await client.session.prompt({
      path: { id: data.id },
      body: {
        noReply: true,
        format: { type: "json_schema", schema: settings.schema },
        parts: [{ type: "text", text: "format" }],
      },
    })
    return format
  }

  return {
    event: async ({ event }) => seen[event.type]?.(event.properties),
    "chat.message": async ({ sessionID }, { message }) => {
      message.tools = Object.fromEntries(settings.hidden.map((tool) => [tool, false]))
      format ??= message.format
      if (children.has(sessionID)) return
      if (settings.schema) message.format = await formatted()
      if (settings.replies)
        await client.session.update({
          path: { id: sessionID },
          body: { permission: [{ permission: "question", pattern: "*", action: "allow" }] },
        })
    },
    "tool.execute.before": async ({ tool }, { args }) => {
      if (!settings.replies || UNASKED.has(tool)) return
      const reply = await answer({ kind: "permission", tool, params: args })
      if (!reply.allow) throw new Error(reply.reason || "The user does not want this.")
    },
  }
}
"""
