/**
 * Runs a verb by its name, for programs that use dex as a library. The name decides the types of the input and of the
 * answer, and only the verb that is run is loaded.
 */
import type * as z from "zod";
import type { Dex } from "../dex.ts";
import { didYouMean, unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { issueText } from "../kernel/schema/issue_text.ts";
import { withoutAliases } from "./aliases.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS, type operations } from "./registry.ts";
import { type RunOperationOptions, type RunResult, runOperation as run } from "./run.ts";
import { errorForPrograms, forPrograms } from "./shared/for_programs.ts";

/** As on the command line: "search", "docs add". */
export type OperationName = keyof typeof operations;
type Loaded<Name extends OperationName> = Awaited<ReturnType<(typeof operations)[Name]>>;
/** The fields under their names in docs/reference/commands.md; those with a default may be left out. */
export type OperationInput<Name extends OperationName> = z.input<Loaded<Name>["input"]>;
/** The answer that `dex <name> --json` prints. */
export type OperationOutput<Name extends OperationName> = z.output<Loaded<Name>["output"]>;

/** Checks the input, brings the indexes up to date that the answer comes from, answers, and writes a trace. */
export async function runOperation<Name extends OperationName>(
  dex: Dex,
  name: Name,
  input: OperationInput<Name>,
  options: RunOperationOptions = {},
): Promise<RunResult<OperationOutput<Name>>> {
  const operation = await loadOperation(name);
  try {
    const { notice, ...ran } = await run(dex, operation, checkedInput(operation, input), options);
    const told = notice === undefined ? undefined : forPrograms(notice);
    return { ...ran, notice: told } as RunResult<OperationOutput<Name>>;
  } catch (error) {
    throw error instanceof DexError ? errorForPrograms(error) : error;
  }
}

/** With its defaults. Throws an error that names the field. */
export function checkedInput(operation: Operation, input: unknown): Record<string, unknown> {
  const parsed = operation.input.safeParse(withoutAliases(operation, input), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw inputError(operation.verb, parsed.error);
}

export function loadOperation(name: string): Promise<Operation> {
  const loader = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (loader) return loader();
  throw unknownName({
    code: "unknown_operation",
    sentence: `dex has no operation "${name}".`,
    typed: name,
    names: Object.keys(OPERATIONS),
    hint: "The keys of `operations` are the names of all operations.",
    show: (meant) => `"${meant}"`,
  });
}

function inputError(name: string, { issues }: z.ZodError): DexError {
  const [issue] = issues;
  const field = issue?.path.join(".") ?? "";
  const subject = field === "" ? "the input" : `"${field}"`;
  const meant =
    issue?.code === "invalid_value" && typeof issue.input === "string"
      ? didYouMean(issue.input, issue.values.map(String))
      : undefined;
  return new DexError("bad_input", `Operation "${name}": ${subject} ${issueText(issue)}.`, {
    hint: meant ?? `\`dex ${name} --help\` describes the fields.`,
  });
}
