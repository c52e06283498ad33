import * as z from "zod";
import { chooseTokensPerMsg, ScanContext, scanLine } from "../conversations/scan.ts";
import { DexError } from "../kernel/errors.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import { defineOperation } from "./operation.ts";
import { loadMessages, resolveConversation } from "./resolve.ts";

export const scan = defineOperation({
  name: "dex_scan",
  verb: "scan",
  summary: "Skim a conversation: one shortened line per message",
  positionals: ["id"],
  input: z.strictObject({
    id: z.string().describe("Conversation id or unique prefix"),
    tokens_per_msg: z
      .number()
      .min(1, "must be at least 1")
      .max(100_000)
      .default(50)
      .describe("Detail: average tokens a message"),
    target: z
      .int("must be a whole number")
      .min(1, "must be positive")
      .optional()
      .describe("Choose the detail so that all fits this many tokens"),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    source: z.string(),
    project: z.string(),
    tokens_per_msg: z.number(),
    lines: z.array(z.string()),
    total_tokens: z.number(),
  }),
  readOnly: true,
  idempotent: true,
  fresh: true,
  toolset: "conversations",
  run: (dex, input) => {
    const row = resolveConversation(dex, input.id);
    const project = row.project ?? undefined;
    const messages = loadMessages(dex, row);
    const detail =
      input.target === undefined
        ? input.tokens_per_msg
        : chooseTokensPerMsg(
            messages.map(({ message }) => message),
            input.target,
            project,
          );
    if (detail === 0) {
      throw new DexError(
        "target_too_small",
        `${row.messages} messages do not fit ${input.target} tokens in any detail.`,
        {
          hint: "Raise --target, or read a part of it with `dex timeline` or `dex read`.",
        },
      );
    }
    const context = new ScanContext(project);
    const lines = messages.map(({ index, message }) => scanLine(index, message, detail, context));
    return {
      id: row.id,
      title: row.title,
      source: row.source,
      project: row.project ?? "",
      tokens_per_msg: detail,
      lines,
      total_tokens: estimateTokens(lines.join("\n")),
    };
  },
});
