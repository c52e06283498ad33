/** `dex scan`: a whole conversation, shortened to a budget of tokens. */
import * as z from "zod";
import { MAX_TITLE_CHARS, type Measure, minutesOf, printedTokens, scanWithin } from "../../conversations/scan/scan.ts";
import { windowAround } from "../../conversations/window.ts";
import { DexError } from "../../kernel/errors.ts";
import { formatCount, plural } from "../../kernel/text.ts";
import { resolveAddress } from "../../search/filters/resolve.ts";
import { loadMessages } from "../../search/messages.ts";
import { clip } from "../../text/clip.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { defineOperation } from "../operation.ts";

/** Reserved for the line that states the size. */
const NOTE_TOKENS = 25;
/** Messages shown on each side when the address names a message. */
const WINDOW_MESSAGES = 20;

export const scan = defineOperation({
  name: "dex_scan",
  verb: "scan",
  summary: "Skim a whole conversation, shortened to fit",
  positionals: ["id"],
  input: z.strictObject({
    id: z.string().describe("Conversation id or prefix, or id#12"),
    tokens_per_msg: z
      .number()
      .min(1, "must be at least 1")
      .max(100_000, "must be at most 100,000")
      .default(50)
      .describe("Average tokens per message"),
    target: z
      .int("must be a whole number")
      .min(1, "must be positive")
      .optional()
      .describe("Fit everything into this many tokens"),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    source: z.string(),
    project: z.string(),
    message_count: z.number().optional(),
    /** The average that was reached, as printed. */
    tokens_per_msg: z.number(),
    /** One line for each message or range of messages. */
    lines: z.array(z.string()),
    /** The time of the first line, in UTC, and the minutes from there to the first message of each line. */
    start: z.string().optional(),
    minutes: z.array(z.number().nullable()).optional(),
    /** As printed. */
    total_tokens: z.number(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  toolset: "conversations",
  aliases: { target: ["max_tokens"] },
  run: (dex, input) => {
    const { row, index } = resolveAddress(dex, input.id);
    const window =
      index === undefined ? undefined : windowAround(row.messages, index, WINDOW_MESSAGES, WINDOW_MESSAGES);
    const messages = loadMessages(dex, row, window?.start, window?.end);
    const head = {
      id: row.id,
      title: clip(row.title, MAX_TITLE_CHARS),
      source: row.source,
      project: row.project ?? "",
      message_count: messages.length,
    };
    const frameTokens = estimateTokens(head.title) + NOTE_TOKENS;
    const printed: Measure = (lines, times) => printedTokens(lines, times) + frameTokens;
    const answer = (lines: readonly string[], times: readonly (string | null)[]) => {
      const total = printed(lines, times);
      const average = Math.round((total / Math.max(1, messages.length)) * 10) / 10;
      return { ...head, tokens_per_msg: average, lines: [...lines], ...minutesOf(times), total_tokens: total };
    };
    const structured: Measure = (lines, times) => estimateTokens(JSON.stringify(answer(lines, times)));
    const wanted = input.tokens_per_msg * messages.length;
    // A target is a hard limit for both forms of the answer, so the error margin of the estimate is subtracted; an
    // average is only approximated.
    const { lines, times, tokens, fits } =
      input.target === undefined
        ? scanWithin(messages, Math.max(wanted, wanted / 2 + frameTokens), row.project ?? undefined, [printed])
        : scanWithin(messages, Math.floor(input.target / BUDGET_MARGIN), row.project ?? undefined, [
            printed,
            structured,
          ]);
    if (!fits && input.target !== undefined) {
      const smallest = Math.ceil((tokens + 1) * BUDGET_MARGIN);
      throw new DexError(
        "target_too_small",
        `${plural(messages.length, "message")} do not fit ${plural(input.target, "token")}; the smallest possible target is ${formatCount(smallest)}.`,
        { hint: `Use --target ${smallest} or more.` },
      );
    }
    return answer(lines, times);
  },
});
