/** An operation as a tool of the loop: its listed parameters and no other, small answers, and no look for changes. */
import * as z from "zod";
import type { AskTool, ToolFound } from "../../../ask/tools.ts";
import type { Dex } from "../../../dex.ts";
import { DexError } from "../../../kernel/errors.ts";
import { issueText } from "../../../kernel/issue_text.ts";
import { asObject, type JsonObject } from "../../../kernel/json.ts";
import { nearest } from "../../../kernel/text.ts";
import type { Operation } from "../../operation.ts";
import { runOperation } from "../../run.ts";

/** Of one result, whatever is asked for. */
export const MOST_TOKENS = 4000;
const MOST_RESULTS = 10;

export interface ToolShape<In extends z.ZodObject> {
  /** In place of the operation's own. */
  name?: string;
  description?: string;
  /** What the model does not choose. */
  fixed?: JsonObject;
  /** Parameters that would lead out of what the question is about. */
  without?: readonly (keyof z.input<In> & string)[];
}

export function tool<In extends z.ZodObject, Out extends z.ZodType>(
  dex: Dex,
  operation: Operation<In, Out>,
  found: (output: z.output<Out>) => ToolFound | Promise<ToolFound>,
  { name = operation.name, description = operation.summary, fixed = {}, without = [] }: ToolShape<In> = {},
): AskTool {
  const { properties, required = [] } = z.toJSONSchema(operation.input, { io: "input" });
  const ours = new Set<string>([...Object.keys(fixed), "max_tokens", "tokens"]);
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
      if (!parsed.success) throw argumentProblem(parsed.error);
      const { output } = await runOperation(dex, operation, parsed.data, { sync: false, signal });
      return found(output);
    },
  };
}

/** What a model asks for is made small enough to be read. */
function bounded(operation: Operation, given: JsonObject): JsonObject {
  const names = Object.keys(operation.input.shape);
  const limit = typeof given.limit === "number" ? { limit: Math.min(given.limit, MOST_RESULTS) } : {};
  const budget = ["max_tokens", "tokens"].filter((name) => names.includes(name)).map((name) => [name, MOST_TOKENS]);
  const asked = Object.entries(given).filter(([name]) => names.includes(name));
  return { ...Object.fromEntries(asked), ...limit, ...Object.fromEntries(budget) };
}

export function unknownParameter(name: string, unknown: string, known: readonly string[]): DexError {
  const meant = nearest(unknown.slice(0, 60), known);
  return new DexError(
    "unknown_parameter",
    `${name} has no parameter "${unknown.slice(0, 60)}"; ${meant ? `did you mean ${meant}?` : `it takes ${known.join(", ")}.`}`,
  );
}

export function argumentProblem(error: z.ZodError): DexError {
  const issue = error.issues[0];
  return new DexError("bad_parameter", `${issue?.path.join(".") || "The call"}: ${issueText(issue)}.`);
}
