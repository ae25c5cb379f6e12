import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Problem } from "@/api/problem.ts";
import { begin, speak } from "@/i18n/index.ts";
import { useDeeds } from "./Actions.tsx";

beforeAll(async () => {
  await begin();
  await speak("en-US");
});
afterEach(cleanup);

function Doer({ deed }: { deed: (confirmed: boolean) => Promise<unknown> }) {
  const { run, busy, dialog } = useDeeds();
  return (
    <MantineProvider env="test">
      <button type="button" disabled={busy !== null} onClick={() => void run("do", deed)}>
        Do it
      </button>
      {dialog}
    </MantineProvider>
  );
}

const needs = new Problem(409, "confirmation_needed", "12 runs, about $3.00: agree");

describe("something that may cost money", () => {
  it("is done once a person has read what it costs and agrees", async () => {
    const deed = vi.fn((confirmed: boolean) =>
      confirmed ? Promise.resolve() : Promise.reject(needs),
    );
    render(<Doer deed={deed} />);
    fireEvent.click(screen.getByText("Do it"));
    expect(await screen.findByText("12 runs, about $3.00: agree")).toBeDefined();
    expect(deed.mock.calls).toEqual([[false]]);
    fireEvent.click(screen.getByText("Agree and go on"));
    await waitFor(() => expect(deed.mock.calls).toEqual([[false], [true]]));
    await waitFor(() => expect(screen.queryByText("Agree and go on")).toBeNull());
  });

  it("is not done where a person does not agree", async () => {
    const deed = vi.fn(() => Promise.reject(needs));
    render(<Doer deed={deed} />);
    fireEvent.click(screen.getByText("Do it"));
    fireEvent.click(await screen.findByText("Not now"));
    await waitFor(() => expect(screen.queryByText("Agree and go on")).toBeNull());
    expect(deed.mock.calls).toEqual([[false]]);
  });
});
