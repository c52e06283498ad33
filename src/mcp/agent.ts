/**
 * `dex mcp agent`: a server with one tool. The start command fixes what it searches, which collections it sees and
 * which model it uses; a call can narrow the collections and change nothing else.
 */
import * as z from "zod";
import type { AskIn } from "../ask/sources.ts";
import type { LibraryScope } from "../collections/library.ts";
import { ask, askFields } from "../operations/ask/ask.ts";
import { defineOperation, type Operation } from "../operations/operation.ts";
import { LazyTools } from "./lazy_tools.ts";
import { checkScope, EXIT_GRACE_MS, endSignal, surviveStrayErrors } from "./serve.ts";

const SUBJECTS: Readonly<Record<AskIn, string>> = {
  documents: "documentation",
  conversations: "earlier conversations with agents",
  code: "the code of this project",
  all: "documentation, code and earlier conversations",
};

const SYNC_BEFORE: Readonly<Record<AskIn, Operation["syncBefore"]>> = {
  documents: "documents",
  conversations: "conversations",
  // The code index is refreshed where it is read.
  code: "none",
  all: "all",
};

const instructions = (where: AskIn): string =>
  `ask_documents answers questions from ${SUBJECTS[where]}, with sources. Give the question and what the answer is for; the answer is all that comes back.`;

export interface AgentInput {
  collections: readonly string[];
  no_global: boolean;
  in: AskIn;
  model?: string | undefined;
  no_model: boolean;
}

export async function serveAgent(input: AgentInput): Promise<number> {
  const scope: LibraryScope = {
    ...(input.collections.length > 0 ? { collections: [...input.collections] } : {}),
    ...(input.no_global ? { global: false } : {}),
  };
  if (scope.collections) await checkScope(scope);
  const ended = endSignal();
  surviveStrayErrors();
  if (process.stdin.isTTY) process.stderr.write("dex: an MCP client is expected on stdin; see docs/guide/ask.md\n");
  const tools = new LazyTools(async () => {
    const [{ toolsOf }, { CallRunner }] = await Promise.all([
      import("./tools.ts"),
      import("../serving/call_runner.ts"),
    ]);
    return toolsOf([askDocuments(input)], new CallRunner(process.env, scope));
  });
  const { serveStdio } = await import("./stdio.ts");
  await serveStdio(tools, ended, instructions(input.in));
  await tools.close();
  setTimeout(() => process.exit(0), EXIT_GRACE_MS).unref();
  return 0;
}

/** The verb with everything but the question fixed. */
function askDocuments({ model, no_model, in: where }: AgentInput): Operation {
  const { name, verb, output, readOnly, idempotent, isEmpty } = ask;
  return defineOperation({
    name,
    verb,
    summary: `Answer a question from ${SUBJECTS[where]} with an agent of its own. Returns only the answer, its sources and how sure it is`,
    positionals: ["query"],
    input: z.strictObject(askFields),
    output,
    readOnly,
    idempotent,
    syncBefore: SYNC_BEFORE[where],
    traced: true,
    waits: true,
    ...(isEmpty ? { isEmpty } : {}),
    run: (dex, input, context) =>
      ask.run(
        dex,
        ask.input.parse({ ...input, in: where, no_model, ...(model === undefined ? {} : { model }) }),
        context,
      ),
  });
}
