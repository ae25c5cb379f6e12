import { describe, expect, it, vi } from "vitest";
import { patient } from "./patient.ts";

const gone = () => Promise.reject(new Error("gone"));

/** A server that answers so, one time after the other. */
function world(...answers: boolean[]) {
  return {
    isThere: vi.fn(() => Promise.resolve(answers.shift() ?? true)),
    pause: vi.fn(() => Promise.resolve()),
    reload: vi.fn(),
  };
}

describe("a part of the program", () => {
  it("is waited for while the server is away", async () => {
    const tries = [gone, gone, () => Promise.resolve("page")];
    const around = world(false, false);
    await expect(patient(() => (tries.shift() ?? gone)(), around)()).resolves.toBe("page");
    expect(around.pause).toHaveBeenCalledTimes(2);
    expect(around.reload).not.toHaveBeenCalled();
  });

  it("comes with a new page where the browser remembers that it was not there", async () => {
    const around = world(false, true);
    void patient(gone, around)();
    await vi.waitFor(() => expect(around.reload).toHaveBeenCalledTimes(1));
  });

  it("that the server does not have is not waited for", async () => {
    const around = world(true);
    await expect(patient(gone, around)()).rejects.toThrow("gone");
    expect(around.reload).not.toHaveBeenCalled();
  });
});
