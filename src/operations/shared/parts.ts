/** The schema of the parts of a message. */
import * as z from "zod";

const place = { index: z.number(), part: z.number() };
/** `chars`: the length of the whole text, when some of it is left out. */
const text = { text: z.string(), chars: z.number().optional() };
const resultFacts = {
  /** interrupted: the user stopped or rejected it, or it was killed. */
  status: z.enum(["passed", "failed", "interrupted"]),
  exit_code: z.number().optional(),
  lines: z.number(),
  /** The subagent conversation that did the work. */
  agent: z.string().optional(),
};

export const PART_TYPES = ["text", "thinking", "tool_call", "tool_result"] as const;

export const partOutput = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), ...text }),
  z.object({ type: z.literal("thinking"), ...text }),
  z.object({
    type: z.literal("tool_call"),
    name: z.string(),
    /** The file, the command or the pattern, on one line. */
    gist: z.string(),
    /** Its input, as JSON unless it is a text. */
    ...text,
    /** Changes of files that it states: two texts, or the lines of a patch. */
    edits: z
      .array(
        z.object({
          path: z.string(),
          old: z.string().optional(),
          new: z.string().optional(),
          patch: z.string().optional(),
        }),
      )
      .optional(),
    /** Where its result is, and how it ended. */
    result: z.object({ ...place, ...resultFacts }).optional(),
  }),
  z.object({
    type: z.literal("tool_result"),
    name: z.string().optional(),
    ...resultFacts,
    ...text,
    /** Where the call is. */
    call: z.object(place).optional(),
  }),
]);
