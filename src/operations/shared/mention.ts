/** A conversation, commit or decision that mentions a symbol or file. */
import * as z from "zod";

export const mention = z.object({
  kind: z.enum(["conversation", "commit", "decision"]),
  /** The message as id#index, the commit, or the decision's id. */
  ref: z.string(),
  text: z.string(),
  time: z.string(),
  /** Whether it names the symbol or only its file. */
  of: z.enum(["symbol", "file"]),
});
export type Mention = z.output<typeof mention>;
