/** Reads a stream of server-sent events piece by piece. */
export interface Message {
  id: string;
  event: string;
  data: string;
}

export class SseReader {
  /** The id of the newest event, also of one without data. */
  lastId: string | null = null;
  private rest = "";
  private event = "";
  private data: string[] = [];

  /** The events that a piece of text completes. */
  push(piece: string): Message[] {
    const lines = (this.rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.take(line));
  }

  private take(line: string): Message[] {
    if (line === "") return this.dispatch();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id" && !value.includes("\0")) this.lastId = value;
    else if (field === "event") this.event = value;
    else if (field === "data") this.data.push(value);
    return [];
  }

  private dispatch(): Message[] {
    const { event, data } = this;
    this.event = "";
    this.data = [];
    if (data.length === 0) return [];
    return [{ id: this.lastId ?? "", event: event || "message", data: data.join("\n") }];
  }
}
