import { resolve } from "node:path";
import * as z from "zod";
import { DexError, systemCode } from "../kernel/errors.ts";
import { type PlainConversation, type PlainProblem, readPlain } from "../sources/plain.ts";
import { importConversations } from "../sync/import.ts";
import { policyOf } from "../sync/service.ts";
import { busyError } from "../sync/sync.ts";
import { defineOperation } from "./operation.ts";

const SHOWN_PROBLEMS = 100;

export const importFile = defineOperation({
  name: "dex_import",
  verb: "import",
  summary: "Import another tool's history from a JSON Lines file",
  positionals: ["file"],
  input: z.strictObject({
    file: z
      .string()
      .describe("A file with one message per line: conversation, role, text, and optionally time, title, …"),
  }),
  output: z.object({
    new: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    messages: z.number(),
    redactions: z.number(),
    malformed: z.number(),
    problems: z.array(z.object({ line: z.number(), field: z.string().optional(), message: z.string() })),
  }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: async (dex, input) => {
    const path = resolve(dex.cwd, input.file);
    const { conversations, problems } = readFile(path);
    if (conversations.length === 0) {
      const first = problems[0];
      throw new DexError("nothing_to_import", `${path} has no line that can be imported.`, {
        hint: first ? `Line ${first.line}: ${first.sentence}` : "docs/sources.md shows the form.",
      });
    }
    const totals = await importConversations(
      { places: dex.places, waitMs: 30_000, now: dex.now, policy: policyOf(dex.syncContext), path },
      conversations,
    );
    if (!totals) throw busyError();
    dex.reopen();
    return {
      ...totals,
      messages: conversations.reduce((sum, { messages }) => sum + messages.length, 0),
      malformed: problems.length,
      problems: problems
        .slice(0, SHOWN_PROBLEMS)
        .map(({ line, field, sentence }) => ({ line, ...(field ? { field } : {}), message: sentence })),
    };
  },
});

function readFile(path: string): { conversations: PlainConversation[]; problems: PlainProblem[] } {
  try {
    return readPlain(path);
  } catch (error) {
    const code = systemCode(error);
    if (!code) throw error;
    const why = code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
    throw new DexError("unreadable_file", `${path} ${why}.`, { hint: "Name a JSON Lines file.", cause: error });
  }
}
