/** Runs a writing verb for a button: one at a time, with a sentence at the end, whether it worked or not. */
import { useState } from "preact/hooks";
import type { OperationInput, OperationName, OperationOutput } from "../../operations/by_name.ts";
import { ApiError, call } from "../api.ts";
import { say } from "../shell/say.ts";

export interface Action {
  busy: boolean;
  /** True if the verb succeeded. */
  run<Name extends OperationName>(
    verb: Name,
    input: OperationInput<Name>,
    done: string | ((output: OperationOutput<Name>) => string),
  ): Promise<boolean>;
}

export function useAction(after?: () => void): Action {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    run: async (verb, input, done) => {
      if (busy) return false;
      setBusy(true);
      try {
        const output = await call(verb, input);
        say(typeof done === "string" ? done : done(output));
        after?.();
        return true;
      } catch (error) {
        say(error instanceof ApiError ? [error.message, error.hint].filter(Boolean).join(" ") : String(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
