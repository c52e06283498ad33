/** Runs a verb for a client of the API. */
import { DexError } from "../kernel/errors.ts";
import { namesProjectFolder } from "../operations/aliases.ts";
import { checkedInput, loadOperation } from "../operations/by_name.ts";
import { isOnWeb, type Operation } from "../operations/operation.ts";
import { type Caller, CallRunner, StaleFailure } from "../serving/calls/call_runner.ts";
import { jsonText } from "../text/clean.ts";
import { checkProject } from "./known_projects.ts";
import type { ApiAnswer } from "./requests.ts";

export class VerbRunner {
  readonly #runner: CallRunner;
  readonly #vars: NodeJS.ProcessEnv;

  constructor(vars: NodeJS.ProcessEnv) {
    this.#vars = vars;
    this.#runner = new CallRunner(vars);
  }

  async run(verb: string, given: unknown, caller: Caller): Promise<ApiAnswer> {
    const operation = await webOperation(verb);
    const input = checkedInput(operation, given ?? {});
    await this.#checkFolders(operation, input);
    try {
      const { output, notice } = await this.#runner.run(operation, input, caller);
      return { text: `${jsonText(output)}\n`, notice };
    } catch (error) {
      throw error instanceof StaleFailure ? error.cause : error;
    }
  }

  async #checkFolders(operation: Operation, input: Record<string, unknown>): Promise<void> {
    const { projectFields = [], fileFields = [], verb } = operation;
    for (const field of fileFields) {
      if (input[field] === undefined) continue;
      throw new DexError("not_on_web", `"${field}" names a file of this machine, which the API does not accept.`, {
        hint: `Use \`dex ${verb}\` on the command line.`,
      });
    }
    for (const field of [...(namesProjectFolder(operation.input) ? ["project"] : []), ...projectFields]) {
      const folder = input[field];
      if (typeof folder === "string") await checkProject(folder, this.#vars);
    }
  }
}

async function webOperation(verb: string): Promise<Operation> {
  const operation = await loadOperation(verb);
  if (isOnWeb(operation)) return operation;
  throw new DexError("not_on_web", `The API does not offer "${verb}".`, {
    hint: `Use \`dex ${verb}\` on the command line.`,
  });
}
