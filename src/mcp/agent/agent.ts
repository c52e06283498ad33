/**
 * `dex mcp agent`: a server with one tool. The start command fixes what it searches, which collections it sees and
 * which model it uses; a call can narrow the collections and change nothing else.
 */
import type { LibraryScope } from "../../collections/library.ts";
import { endSignal, exitSoon, surviveStrayErrors } from "../../serving/lifetime.ts";
import { offerOf } from "../offer.ts";
import { checkScope } from "../serve.ts";
import { serveStdio } from "../transport/stdio.ts";
import { type AgentInput, subjectOf } from "./input.ts";

const instructions = (input: AgentInput): string =>
  `ask_documents answers questions from ${subjectOf(input)}, with sources. Give the question and what the answer is for; the answer is all that comes back.`;

export async function serveAgent(input: AgentInput): Promise<number> {
  const scope: LibraryScope = {
    ...(input.collections.length > 0 ? { collections: [...input.collections] } : {}),
    ...(input.no_global ? { global: false } : {}),
  };
  if (scope.collections) await checkScope(scope);
  const ended = endSignal();
  surviveStrayErrors();
  if (process.stdin.isTTY) process.stderr.write("dex: an MCP client is expected on stdin; see docs/guide/ask.md\n");
  const setup = { vars: { ...process.env }, scope, sets: [], structured: "lines" as const, agent: input };
  await serveStdio({ setup, offer: offerOf(new Set(), instructions(input), undefined) }, ended);
  exitSoon();
  return 0;
}
