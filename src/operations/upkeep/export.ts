/** `dex export`: conversations as Markdown, one HTML file, or JSON Lines. */
import * as z from "zod";
import { exportHiveMind, exportJsonl, exportMarkdown, type Indexed } from "../../conversations/export.ts";
import type { ConversationMeta } from "../../conversations/model.ts";
import { parseIndices } from "../../conversations/ranges.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { resolveConversation } from "../../search/filters/resolve.ts";
import { loadMessages, loadMessagesAt } from "../../search/messages.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { defineOperation } from "../operation.ts";

export const exportConversations = defineOperation({
  name: "dex_export",
  verb: "export",
  summary: "Write conversations as Markdown, as one HTML file to share, or as JSON Lines that dex import reads back",
  positionals: ["ids"],
  input: z.strictObject({
    ids: z
      .array(z.string())
      .min(1, "needs at least one id")
      .max(10_000, "takes at most 10,000 ids")
      .describe("Conversation ids or unique prefixes"),
    format: z
      .enum(["md", "html", "jsonl", "hive-mind"])
      .default("md")
      .describe(
        "md; html, one self-contained file, redacted again; jsonl, which dex import reads back without loss; or hive-mind's format",
      ),
    messages: z
      .string()
      .max(10_000)
      .optional()
      .describe("Only these messages of the conversation: 5, 5-10 or 1,5,10-15"),
  }),
  output: z.object({
    exports: z.array(z.object({ id: z.string(), source: z.string(), format: z.string(), content: z.string() })),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  run: async (dex, input) => {
    if (input.ids.length > 1) checkSeveral(input);
    const exports = [];
    for (const id of input.ids) {
      const row = resolveConversation(dex, id);
      const messages = chosenMessages(dex, row, input.messages);
      const content = await contentOf(dex, row, messages, input.format);
      exports.push({ id: row.id, source: row.source, format: input.format, content });
    }
    return { exports };
  },
});

type Format = "md" | "html" | "jsonl" | "hive-mind";

function checkSeveral({ format, messages }: { format: Format; messages?: string | undefined }): void {
  if (format === "html") {
    throw new DexError("bad_input", "An HTML file holds one conversation, and several were named.", {
      hint: "Run dex export once for each of them.",
    });
  }
  if (messages === undefined) return;
  throw new DexError("bad_input", "--messages chooses from one conversation, and several were named.", {
    hint: "Run dex export once for each of them.",
  });
}

function chosenMessages(dex: Dex, row: ConversationRow, indices: string | undefined): Indexed[] {
  if (indices === undefined) return loadMessages(dex, row);
  return [...loadMessagesAt(dex, row, parseIndices(indices, row.messages))];
}

async function contentOf(dex: Dex, row: ConversationRow, messages: Indexed[], format: Format): Promise<string> {
  const meta: ConversationMeta = {
    id: row.id,
    source: row.source,
    title: row.title,
    project: row.project ?? undefined,
    parent: row.parent ?? undefined,
    updated: new Date(row.updated).toISOString(),
    created: new Date(row.created).toISOString(),
  };
  if (format === "md") return exportMarkdown(meta, messages);
  // The archived metadata: fields that exist only in the index are derived from it.
  if (format === "jsonl") return exportJsonl(dex.store.storedMeta(row.no) ?? meta, messages);
  if (format === "hive-mind") return exportHiveMind(meta, messages, dex.now());
  const { sharedPage } = await import("./shared_page.ts");
  return sharedPage(meta, messages);
}
