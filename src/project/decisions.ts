/** Where the decisions of a project come from, as an operation has them at hand. */

import type { Message } from "../conversations/model.ts";
import type { Decision } from "../decisions/decision.ts";
import { projectDecisions } from "../decisions/project.ts";
import type { Dex } from "../dex.ts";
import type { LoadConversation } from "../history/scan.ts";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import type { RunContext } from "../run_context.ts";
import { readMessages } from "../store/archive.ts";
import type { OwnDecision, TrailConversation, Verdict } from "../store/history.ts";
import { withKnownSymbols } from "./code.ts";
import type { OpenRepository } from "./repository.ts";

/** All worktrees of a repository share what people decided. */
export function notesKey({ repository }: Pick<OpenRepository, "repository">): string {
  return repository.commonDir;
}

export async function decisionsOf(dex: Dex, open: OpenRepository, context: RunContext): Promise<Decision[]> {
  return withKnownSymbols(dex, open.repository, (symbol) =>
    projectDecisions({
      repository: open.repository,
      folder: dex.paths.history,
      conversations: open.links.conversations,
      load: loader(dex),
      ...notesOf(dex, open),
      progress: (done, total) => context.progress?.(done, total, "conversations"),
      ...(symbol ? { symbol } : {}),
    }),
  );
}

/** A conversation whose archive cannot be read tells nothing here; `dex doctor` says so of it. */
export function loader(dex: Dex): LoadConversation {
  return function* (row: TrailConversation): Generator<{ index: number; message: Message }> {
    try {
      yield* readMessages(dex.archive, row.archive, dex.store.blocks(row.no));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  };
}

function notesOf(dex: Dex, open: OpenRepository): { own: OwnDecision[]; verdicts: Map<string, Verdict> } {
  if (!dex.hasState) return { own: [], verdicts: new Map() };
  const project = notesKey(open);
  return dex.withState((state) => ({
    own: state.decisions.own(project).map((each) => {
      const place = state.memory.provenance({ id: each.id, project }).find((origin) => origin.place !== "")?.place;
      return place === undefined ? each : { ...each, place };
    }),
    verdicts: state.decisions.verdicts(project),
  }));
}

/** By its id or the beginning of one. */
export function resolveDecision(decisions: readonly Decision[], typed: string): Decision {
  const found = decisions.filter(({ id }) => id.startsWith(typed.toLowerCase()));
  const [first] = found;
  if (first && (found.length === 1 || first.id === typed)) return first;
  if (first) {
    const shown = found.slice(0, 8).map(({ id, text }) => `  ${id}  ${text}`);
    throw new DexError("ambiguous_id", `"${typed}" could be any of these:\n${shown.join("\n")}`, {
      hint: "Give more characters of the id.",
    });
  }
  throw unknownName({
    code: "unknown_decision",
    sentence: `There is no decision "${typed}" here.`,
    typed,
    names: decisions.map(({ id }) => id),
    hint: "`dex decisions` lists them.",
    alwaysHint: true,
  });
}
