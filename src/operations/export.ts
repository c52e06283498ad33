import * as z from "zod";
import { exportJsonl, exportMarkdown } from "../conversations/export.ts";
import { defineOperation } from "./operation.ts";
import { loadMessages, resolveConversation } from "./resolve.ts";

export const exportConversations = defineOperation({
  name: "dex_export",
  verb: "export",
  summary: "Write conversations as Markdown or JSON Lines",
  positionals: ["ids"],
  input: z.strictObject({
    ids: z
      .array(z.string())
      .min(1, "needs at least one id")
      .max(10_000)
      .describe("Conversation ids or unique prefixes"),
    format: z.enum(["md", "jsonl"]).default("md").describe("md, or jsonl (metadata first, then one message per line)"),
  }),
  output: z.object({
    exports: z.array(z.object({ id: z.string(), source: z.string(), format: z.string(), content: z.string() })),
  }),
  readOnly: true,
  idempotent: true,
  fresh: true,
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
      const content = input.format === "md" ? exportMarkdown(meta, messages) : exportJsonl(meta, messages, dex.now());
      return { id: row.id, source: row.source, format: input.format, content };
    }),
  }),
});
