/** Wraps an operation as a tool of the ask loop: only its listed parameters, bounded answers, no sync. */
import * as z from "zod";
import type { AskTool, ToolFound } from "../../../ask/model/tools.ts";
import type { Dex } from "../../../dex.ts";
import { didYouMean } from "../../../kernel/did_you_mean.ts";
import { DexError } from "../../../kernel/errors.ts";
import { asObject, type JsonObject } from "../../../kernel/json.ts";
import { issueText } from "../../../kernel/schema/issue_text.ts";
import type { Operation } from "../../operation.ts";
import { runOperation } from "../../run.ts";

/** Limits one result, whatever the model requests. */
export const MAX_RESULT_TOKENS = 4000;
const MAX_RESULTS = 10;

export interface ToolShape<In extends z.ZodObject> {
  /** Overrides the operation's name. */
  name?: string;
  description?: string;
  /** Parameters set by dex, not by the model. */
  fixed?: JsonObject;
  /** Parameters that would leave the scope of the question. */
  without?: readonly (keyof z.input<In> & string)[];
}

export function tool<In extends z.ZodObject, Out extends z.ZodType>(
  dex: Dex,
  operation: Operation<In, Out>,
  found: (output: z.output<Out>) => ToolFound | Promise<ToolFound>,
  { name = operation.name, description = operation.summary, fixed = {}, without = [] }: ToolShape<In> = {},
): AskTool {
  const { properties, required = [] } = z.toJSONSchema(operation.input, { io: "input" });
  const ours = new Set<string>([...Object.keys(fixed), "max_tokens"]);
  const hidden = new Set<string>([...(operation.unlisted ?? []), ...without, ...ours]);
  const listed = Object.entries(properties ?? {}).filter(([each]) => !hidden.has(each));
  const known = listed.map(([each]) => each);
  const parameters = asObject({ type: "object", properties: Object.fromEntries(listed), required });
  return {
    name,
    description,
    parameters,
    run: async (given, signal) => {
      signal.throwIfAborted();
      const foreign = Object.keys(given).find((each) => !known.includes(each) && !ours.has(each));
      if (foreign !== undefined) throw unknownParameter(name, foreign, known);
      const parsed = operation.input.safeParse({ ...bounded(operation, given), ...fixed }, { reportInput: true });
      if (!parsed.success) throw parameterError(parsed.error);
      const { output } = await runOperation(dex, operation, parsed.data, { sync: false, signal });
      return found(output);
    },
  };
}

/** Limits the size of the result that the model requests. */
function bounded(operation: Operation, given: JsonObject): JsonObject {
  const names = Object.keys(operation.input.shape);
  const limit = typeof given.limit === "number" ? { limit: Math.min(given.limit, MAX_RESULTS) } : {};
  const budget = names.includes("max_tokens") ? { max_tokens: MAX_RESULT_TOKENS } : {};
  const asked = Object.entries(given).filter(([name]) => names.includes(name));
  return { ...Object.fromEntries(asked), ...limit, ...budget };
}

export function unknownParameter(name: string, unknown: string, known: readonly string[]): DexError {
  const shown = unknown.slice(0, 60);
  const hint = didYouMean(shown, known) ?? `It takes ${known.join(", ")}.`;
  // The model reads the message alone.
  return new DexError("unknown_parameter", `${name} has no parameter "${shown}". ${hint}`);
}

export function parameterError(error: z.ZodError): DexError {
  const issue = error.issues[0];
  return new DexError("bad_parameter", `${issue?.path.join(".") || "The call"}: ${issueText(issue)}.`);
}
