/** `dex import`: reads conversations from JSON Lines, and from exports of ChatGPT and Claude.ai. */
import { readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import {
  isChatExportFile,
  looksLikeChatExport,
  readChatExport,
  readChatExportFile,
  readChatExportFolder,
} from "../../integrations/history/imports/chat_export.ts";
import { readDescribed } from "../../integrations/history/imports/described.ts";
import { isExported, readExported } from "../../integrations/history/imports/exported.ts";
import {
  type PlainConversation,
  type PlainProblem,
  readPlainLines,
  refuseAbove,
} from "../../integrations/history/imports/plain.ts";
import { DexError, systemCode } from "../../kernel/errors.ts";
import { bufferLines, type Line, readLines } from "../../kernel/files/lines.ts";
import { importConversations } from "../../sync/import.ts";
import { policyOf } from "../../sync/service.ts";
import { busyError } from "../../sync/writing.ts";
import { defineOperation } from "../operation.ts";

const MAX_SHOWN_PROBLEMS = 100;
const STANDARD_INPUT = "-";

export const importFile = defineOperation({
  name: "dex_import",
  verb: "import",
  summary: "Import conversations: an export of dex, ChatGPT or Claude.ai, or another tool's history as JSON Lines",
  positionals: ["file"],
  input: z.strictObject({
    file: z
      .string()
      .default(STANDARD_INPUT)
      .describe(
        "Output of dex export --format jsonl, conversations.json of ChatGPT or Claude.ai or its folder, or one message per line; - is stdin",
      ),
    format: z
      .string()
      .max(4096)
      .optional()
      .describe("A JSON file that describes the records of another agent: lines, a document or an SQLite query"),
  }),
  output: z.object({
    new: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    /** Forgotten earlier, or of an excluded project. */
    refused: z.number(),
    messages: z.number(),
    redactions: z.number(),
    malformed: z.number(),
    problems: z.array(z.object({ line: z.number(), field: z.string().optional(), message: z.string() })),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input) => {
    const path = input.file === STANDARD_INPUT ? STANDARD_INPUT : resolve(dex.cwd, input.file);
    const { conversations, problems } = input.format
      ? readDescribed(path, resolve(dex.cwd, input.format))
      : readInputFile(path);
    if (conversations.length === 0) {
      const first = problems[0];
      throw new DexError(
        "nothing_to_import",
        `${path === STANDARD_INPUT ? "Standard input" : path} contains no line that can be imported.`,
        {
          hint: first ? `Line ${first.line}: ${first.sentence}` : "docs/guide/sources.md describes the format.",
        },
      );
    }
    const totals = await importConversations(
      {
        places: dex.places,
        waitMs: 30_000,
        now: dex.now,
        policy: { ...policyOf(dex.syncContext), headless: true },
        path,
      },
      conversations,
    );
    if (!totals) throw busyError();
    dex.reopen();
    return {
      ...totals,
      messages: conversations.reduce((sum, { messages }) => sum + messages.length, 0),
      malformed: problems.length,
      problems: problems
        .slice(0, MAX_SHOWN_PROBLEMS)
        .map(({ line, field, sentence }) => ({ line, ...(field ? { field } : {}), message: sentence })),
    };
  },
});

interface ImportedLines {
  conversations: PlainConversation[];
  problems: PlainProblem[];
}

/** Reads standard input for `-`, so that `dex export … | dex import` works. */
function readInputFile(path: string): ImportedLines {
  try {
    if (path === STANDARD_INPUT) {
      const bytes = readStandardInput();
      if (looksLikeChatExport(bytes)) return readChatExport(bytes.toString("utf8"));
      return parseLines(() => bufferLines(bytes));
    }
    const stats = statSync(path);
    if (stats.isDirectory()) return readChatExportFolder(path);
    refuseAbove(stats.size);
    return isChatExportFile(path) ? readChatExportFile(path) : parseLines(() => readLines(path));
  } catch (error) {
    const code = systemCode(error);
    if (!code) throw error;
    const why = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new DexError("unreadable_file", `${path} ${why}.`, {
      hint: "Name a JSON Lines file, or the unpacked export of ChatGPT or Claude.ai.",
      cause: error,
    });
  }
}

/** Kept in memory, because unredacted text must not be written to disk. */
function readStandardInput(): Buffer {
  if (process.stdin.isTTY) {
    throw new DexError("missing_argument", "No file was given, and nothing was piped in.", {
      hint: "For example: dex import history.jsonl.",
    });
  }
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 20);
    const got = readInput(chunk);
    if (got === 0) return Buffer.concat(chunks);
    total += got;
    refuseAbove(total);
    chunks.push(chunk.subarray(0, got));
  }
}

/** Polls a non-blocking pipe until it has data. */
function readInput(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      const code = systemCode(error);
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** Detects the format from the first line. */
function parseLines(open: () => Iterable<Line>): ImportedLines {
  for (const { text } of open()) {
    if (text.trim() === "") continue;
    return isExported(text) ? readExported(open()) : readPlainLines(open());
  }
  return { conversations: [], problems: [] };
}
