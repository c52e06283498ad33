/** Saves a decision of a person or an agent. The same decision again is merged with the stored one. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Decision, decisionId } from "../decisions/decision.ts";
import type { Dex } from "../dex.ts";
import { projectKey } from "../history/repository.ts";
import { redactText } from "../redact/redact.ts";
import type { RunContext } from "../run_context.ts";
import type { Provenance } from "../store/state/memories.ts";
import { decisionsOf, resolveDecision } from "./decisions.ts";
import { resolveFile, withRepository } from "./repository.ts";
import { joinReasons, redactForSaving, type Saver } from "./saving.ts";

export interface DecisionInput {
  text: string;
  because?: string | undefined;
  instead_of: readonly string[];
  file: readonly string[];
  symbol: readonly string[];
  project?: string | undefined;
}

export interface SavedDecision {
  decision: Decision;
  merged: boolean;
  origins: Provenance[];
  redactions: number;
  /** The other decisions of the project. */
  others: Decision[];
}

export function saveDecision(
  dex: Dex,
  input: DecisionInput,
  saver: Saver,
  context: RunContext,
): Promise<SavedDecision> {
  return withRepository(dex, input.project, context, async (open) => {
    const clean = redactForSaving(input.text);
    const because = input.because === undefined ? undefined : redactText(input.because);
    const [repository, files] = [projectKey(open.repository), input.file.map((file) => resolveFile(open, file))];
    for (const file of files) {
      if (existsSync(join(open.repository.root, file)) || open.history.countOf(file) > 0) continue;
      context.notice?.(
        `There is no file ${file} in ${open.repository.root}; dex shows the decision with that file once there is one.`,
      );
    }
    const given = input.instead_of.map((each) => redactText(each).text);
    const id = decisionId(clean.text);
    const { merged, origins } = dex.withState((state) =>
      state.transaction(() => {
        const before = state.decisions.own(repository).find((each) => each.id === id);
        state.decisions.add({
          id,
          repository,
          text: before?.text ?? clean.text,
          because: joinReasons(before?.because ?? null, because?.text ?? null),
          alternatives: [...new Set([...(before?.alternatives ?? []), ...given])],
          files: [...new Set([...(before?.files ?? []), ...files])],
          symbols: [...new Set([...(before?.symbols ?? []), ...input.symbol])],
          time: dex.now(),
        });
        state.memory.saved({ id, project: repository }, saver.by, saver.place, dex.now());
        return { merged: before !== undefined, origins: state.memory.provenance({ id, project: repository }) };
      }),
    );
    const all = await decisionsOf(dex, open, context);
    const decision = resolveDecision(all, id);
    const others = all.filter((each) => each.id !== decision.id);
    return { decision, merged, origins, redactions: clean.count + (because?.count ?? 0), others };
  });
}
