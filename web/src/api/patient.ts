const PAUSE_MS = 1000;

/** What a program needs to know of the world while it waits. */
const world = {
  /** Whether anybody answers at our address, whatever they say. */
  isThere: () =>
    fetch("/v1/health", { cache: "no-store" }).then(
      () => true,
      () => false,
    ),
  pause: () => new Promise<void>((done) => setTimeout(done, PAUSE_MS)),
  reload: () => window.location.reload(),
};

/**
 * Loads a part of the program, and where the server is away waits until it is back: whoever loads
 * the page anew before that has none at all. Some browsers remember that a part could not be
 * loaded; then the page is loaded anew once it can be. What the server does not have is a failure.
 */
export function patient<Part>(
  load: () => Promise<Part>,
  { isThere, pause, reload } = world,
): () => Promise<Part> {
  return async () => {
    for (let wasAway = false; ; wasAway = true) {
      try {
        return await load();
      } catch (thrown) {
        if (await isThere()) {
          if (!wasAway) throw thrown;
          reload();
          return new Promise<Part>(() => {});
        }
        await pause();
      }
    }
  };
}
