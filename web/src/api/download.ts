import { problemOf } from "./problem.ts";
import { authorization, token } from "./token.ts";

/** Fetch a file with the token, which a plain link cannot send, and save it. */
export async function download(address: string, name: string): Promise<void> {
  const answer = await fetch(address, { headers: authorization(token.get()) });
  if (!answer.ok) throw problemOf(answer.status, await answer.json().catch(() => null));
  const place = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = place;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(place), 60_000);
}
