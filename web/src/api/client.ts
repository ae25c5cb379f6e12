import createClient, { type Middleware } from "openapi-fetch";
import { asProblem, problemOf } from "./problem.ts";
import type { components, paths } from "./schema.d.ts";
import { authorization, token } from "./token.ts";

/** A shape of the contract by its name. */
export type Shape<Name extends keyof components["schemas"]> = components["schemas"][Name];

const access: Middleware = {
  onRequest({ request }) {
    // No page of another origin can send it.
    request.headers.set("x-whet", "1");
    for (const [name, value] of Object.entries(authorization(token.get()))) {
      request.headers.set(name, value);
    }
    return request;
  },
  onResponse({ response }) {
    if (response.status === 401) token.refused();
    return response;
  },
};

/** The API, typed by its contract: `api.GET("/v1/evals/{identity}", { params: … })`. */
export const api = createClient<paths>({ baseUrl: location.origin });
api.use(access);

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** What an answer brings; everything else is thrown as a Problem. */
export async function got<Data>(asked: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  let answer: Answer<Data>;
  try {
    answer = await asked;
  } catch (thrown) {
    throw asProblem(thrown);
  }
  if (!answer.response.ok || answer.data === undefined || answer.data === null) {
    throw problemOf(answer.response.status, answer.error);
  }
  return answer.data;
}
