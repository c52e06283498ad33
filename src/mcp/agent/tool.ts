/** The tool of `dex mcp agent`, for the thread that runs it. */
import * as z from "zod";
import { ask, askFields } from "../../operations/ask/ask.ts";
import { defineOperation, type Operation, SYNC_BEFORE } from "../../operations/operation.ts";
import { type AgentInput, subjectOf } from "./input.ts";

/** The verb with everything but the question fixed. */
export function askDocuments(agent: AgentInput): Operation {
  const { model, no_model, in: where } = agent;
  const { name, verb, output, readOnly, idempotent, isEmpty } = ask;
  return defineOperation({
    name,
    verb,
    summary: `Answer a question from ${subjectOf(agent)} with an agent of its own. Returns only the answer, its sources and how sure it is`,
    positionals: ["query"],
    input: z.strictObject(askFields),
    output,
    readOnly,
    idempotent,
    syncBefore: SYNC_BEFORE[where ?? "all"],
    documentsFirst: () => where === undefined,
    traced: true,
    waits: true,
    ...(isEmpty ? { isEmpty } : {}),
    run: (dex, input, context) =>
      ask.run(
        dex,
        ask.input.parse({
          ...input,
          ...(where === undefined ? {} : { in: where }),
          no_model,
          ...(model === undefined ? {} : { model }),
        }),
        context,
      ),
  });
}
