/** The token of a server that asks for one: kept by this tab, and gone when it is closed. */
const PLACE = "whet.token";

type Listener = () => void;
const listeners = new Set<Listener>();
let wanted = false;

function changed() {
  for (const listener of listeners) listener();
}

export const token = {
  get: (): string | null => sessionStorage.getItem(PLACE),
  /** Whether the server has refused what we had, or had nothing of. */
  isWanted: () => wanted,
  set(value: string) {
    sessionStorage.setItem(PLACE, value);
    wanted = false;
    changed();
  },
  refused() {
    sessionStorage.removeItem(PLACE);
    wanted = true;
    changed();
  },
  subscribe(listener: Listener) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

export function authorization(value: string | null): Record<string, string> {
  return value ? { authorization: `Bearer ${value}` } : {};
}
