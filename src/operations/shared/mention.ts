/** The shape of what speaks of a symbol or file. */
import * as z from "zod";

export const mention = z.object({
  kind: z.enum(["conversation", "commit", "decision"]),
  /** id#index of the conversation, the commit, or the decision's id. */
  ref: z.string(),
  text: z.string(),
  time: z.string(),
  /** What is spoken of: the symbol by its name, or its file. */
  of: z.enum(["symbol", "file"]),
});
export type Mention = z.output<typeof mention>;
