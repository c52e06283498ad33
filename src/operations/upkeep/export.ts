/** `dex export`: conversations as Markdown or JSON Lines. */
import * as z from "zod";
import { exportHiveMind, exportJsonl, exportMarkdown } from "../../conversations/export.ts";
import { resolveConversation } from "../../search/filters/resolve.ts";
import { loadMessages } from "../../search/messages.ts";
import { defineOperation } from "../operation.ts";

export const exportConversations = defineOperation({
  name: "dex_export",
  verb: "export",
  summary: "Write conversations as Markdown, or as JSON Lines that dex import reads back",
  positionals: ["ids"],
  input: z.strictObject({
    ids: z
      .array(z.string())
      .min(1, "needs at least one id")
      .max(10_000, "takes at most 10,000 ids")
      .describe("Conversation ids or unique prefixes"),
    format: z
      .enum(["md", "jsonl", "hive-mind"])
      .default("md")
      .describe("md; jsonl, which dex import reads back without loss; or hive-mind's format"),
  }),
  output: z.object({
    exports: z.array(z.object({ id: z.string(), source: z.string(), format: z.string(), content: z.string() })),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input) => ({
    exports: input.ids.map((id) => {
      const row = resolveConversation(dex, id);
      const meta = {
        id: row.id,
        source: row.source,
        title: row.title,
        project: row.project ?? undefined,
        parent: row.parent ?? undefined,
        updated: new Date(row.updated).toISOString(),
        created: new Date(row.created).toISOString(),
      };
      const messages = loadMessages(dex, row);
      const content = {
        md: () => exportMarkdown(meta, messages),
        // The archived metadata: fields that exist only in the index are derived from it.
        jsonl: () => exportJsonl(dex.store.storedMeta(row.no) ?? meta, messages),
        "hive-mind": () => exportHiveMind(meta, messages, dex.now()),
      }[input.format]();
      return { id: row.id, source: row.source, format: input.format, content };
    }),
  }),
});
