/** `dex feedback`: whether a suggestion was used or dismissed. */
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import { type FeedbackRow, WHOLE } from "../../store/state/suggestions.ts";
import { storedItems } from "../../suggest/feedback/implicit_feedback.ts";
import { SUGGESTION_STATUSES } from "../../suggest/model.ts";
import { defineOperation } from "../operation.ts";

export const feedback = defineOperation({
  name: "suggestion_feedback",
  verb: "feedback",
  summary: "Report whether a suggestion helped; this adjusts the ranking of its type",
  positionals: ["suggestion", "action"],
  input: z.strictObject({
    suggestion: z.string().min(1).max(100).describe("The id from context_suggest: sug_…"),
    action: z.enum(["used", "dismissed"]).describe("Whether it was used"),
    item: z
      .int("must be a whole number")
      .min(0, "must not be negative")
      .max(1000)
      .optional()
      .describe("Index of the item, from 0 (default: all items)"),
  }),
  output: z.object({
    suggestionId: z.string(),
    action: z.enum(["used", "dismissed"]),
    /** The items that were judged; empty when only the suggestion as a whole was. */
    items: z.array(z.object({ index: z.number(), entityId: z.string(), type: z.string() })),
    status: z.enum(SUGGESTION_STATUSES),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  toolset: "context",
  aliases: { suggestion: ["suggestionId"], item: ["itemIndex"] },
  run: (dex, { suggestion: suggestionId, action, item: itemIndex }) =>
    dex.withState(({ suggestions }) => {
      const row = suggestions.get(suggestionId);
      if (!row) {
        throw new DexError("unknown_suggestion", `There is no suggestion "${suggestionId}".`, {
          hint: "`dex suggest` prints the id; suggestions are deleted after 180 days.",
        });
      }
      const items = storedItems(row);
      if (itemIndex !== undefined && itemIndex >= items.length) {
        throw new DexError(
          "no_item",
          `${suggestionId} has ${plural(items.length, "item")}; there is no item ${itemIndex}.`,
          {
            hint: "Items are counted from 0.",
          },
        );
      }
      // A dismissal applies to every item. A use applies to an item only when there is just one.
      const indices =
        itemIndex !== undefined ? [itemIndex] : action === "dismissed" || items.length === 1 ? [...items.keys()] : [];
      const note = { suggestion_id: row.id, project_id: row.project_id, action, how: "explicit" } as const;
      const at = new Date(dex.now()).toISOString();
      const rows = indices.flatMap((index): FeedbackRow[] => {
        const item = items[index];
        return item ? [{ ...note, item_index: index, type: item.type, score: item.score, base: item.base, at }] : [];
      });
      const whole = { ...note, item_index: WHOLE, type: "", score: 0, base: 0, at };
      suggestions.judge(rows.length > 0 ? rows : [whole]);
      const status = suggestions.get(row.id)?.status;
      return {
        suggestionId: row.id,
        action,
        items: indices.flatMap((index) => {
          const item = items[index];
          return item ? [{ index, entityId: item.entityId, type: item.type }] : [];
        }),
        status: SUGGESTION_STATUSES.find((each) => each === status) ?? "pending",
      };
    }),
});
