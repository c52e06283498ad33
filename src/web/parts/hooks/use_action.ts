/** Runs a writing verb for a button: one at a time, with a sentence at the end, whether it worked or not. */
import { useState } from "preact/hooks";
import type { OperationInput, OperationName, OperationOutput } from "../../../operations/by_name.ts";
import { ApiError, call, callLong } from "../../api.ts";
import { say } from "../../shell/say.ts";

/** They run for a while: in threads of their own, with their progress in the status line. */
const LONG: ReadonlySet<string> = new Set(["sync", "refresh", "doctor"]);

export interface Action {
  busy: boolean;
  /** Why the last run failed. The status line says it, too, but nobody hears that behind a dialog. */
  problem: string;
  /** True if the verb succeeded. */
  run<Name extends OperationName>(
    verb: Name,
    input: OperationInput<Name>,
    done: string | ((output: OperationOutput<Name>) => string),
  ): Promise<boolean>;
}

export function useAction(after?: () => void): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  return {
    busy,
    problem,
    run: async (verb, input, done) => {
      if (busy) return false;
      setBusy(true);
      setProblem("");
      try {
        const output = LONG.has(verb)
          ? await callLong(verb, input, ({ done: at, total, label }) => say(`${label}: ${shareOf(at, total)}`))
          : await call(verb, input);
        say(typeof done === "string" ? done : done(output));
        after?.();
        return true;
      } catch (error) {
        const why = error instanceof ApiError ? [error.message, error.hint].filter(Boolean).join(" ") : String(error);
        setProblem(why);
        say(why);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

function shareOf(done: number, total: number): string {
  return total > 0 ? `${Math.round((done / total) * 100)} %` : "…";
}
