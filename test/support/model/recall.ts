/** The scripted model of the client tests: it looks something up with dex's tools and answers with their results. */
import { type ModelScript, offeredTools, toolResults } from "./model_server.ts";

/** The sample conversation that the question is about, and words that only its messages have. */
export const SLOW_NOTES = {
  question: "Why was the notes list slow for some tags?",
  query: "notes list slow by tag",
  id: "ses_d00b19010000M05EGukSm0zozL",
  fact: /throws nine out of ten away/,
} as const;

/** Calls `dex_search`, then `dex_get` with the id it found, then answers with the first line that contains the fact. */
export const recall: ModelScript = (request) => {
  const tools = offeredTools(request);
  const results = toolResults(request);
  const tool = (name: string): string => tools.find((offered) => offered.endsWith(name)) ?? name;
  // A request without tools asks for a title.
  if (tools.length === 0) return { text: "Notes by tag" };
  const [found, got] = results;
  if (found === undefined) {
    return { toolCalls: [{ name: tool("dex_search"), arguments: { query: SLOW_NOTES.query } }], usage: USAGE };
  }
  if (got === undefined) {
    // Not simply the first: the agent's own conversation, which asks the same, may be found as well.
    const address = found.match(/\w[\w-]{7,}/g)?.find((word) => SLOW_NOTES.id.startsWith(word));
    const id = address !== undefined && !SLOW_NOTES.fact.test(found) ? address : "nothing found";
    return { toolCalls: [{ name: tool("dex_get"), arguments: { ids: [id], max_tokens: 3000 } }], usage: USAGE };
  }
  const line =
    got.split("\n").find((each) => SLOW_NOTES.fact.test(each)) ??
    `not told in ${got.slice(0, 200)}; the search gave: ${found.slice(0, 2000)}`;
  return { text: `It says: ${line.trim()}`, usage: USAGE };
};

export const USAGE = { input: 100, output: 10 } as const;
