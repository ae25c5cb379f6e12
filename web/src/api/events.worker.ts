/** Holds the one stream of events for all tabs. */
import { type Asked, Hub, open } from "./hub.ts";

const hub = new Hub(open);

(globalThis as unknown as SharedWorkerGlobalScope).onconnect = (event) => {
  const port = event.ports[0];
  if (!port) return;
  port.onmessage = (message: MessageEvent<Asked>) => hub.hear(port, message.data);
};
