/** Collects the decisions of an opened project, and resolves one by its id. */
import type { Decision } from "../decisions/decision.ts";
import { knownDecisions } from "../decisions/known.ts";
import { projectDecisions } from "../decisions/project.ts";
import type { Dex } from "../dex.ts";
import { projectKey } from "../history/repository.ts";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import type { RunContext } from "../run_context.ts";
import type { OwnDecision, Verdict } from "../store/state/recorded.ts";
import { withKnownSymbols } from "./code.ts";
import { conversationLoader } from "./loading.ts";
import type { OpenRepository } from "./repository.ts";
import { teamNotesOf } from "./team/notes.ts";

/** The saver in a provenance if no agent was one. */
const PERSON = "person";

export async function decisionsOf(dex: Dex, open: OpenRepository, context: RunContext): Promise<Decision[]> {
  return withKnownSymbols(dex, open.repository, (symbol, stamp) =>
    projectDecisions({
      repository: open.repository,
      folder: dex.paths.history,
      conversations: open.links.conversations,
      load: conversationLoader(dex),
      ...notesOf(dex, open),
      progress: (done, total) => context.progress?.(done, total, "decisions in conversations"),
      notice: (text) => context.notice?.(text),
      ...(symbol ? { symbol } : {}),
      ...(stamp === undefined ? {} : { symbolsStamp: stamp }),
    }),
  );
}

/** The decisions that are available at once, without reading conversations or files that dex has not read yet. */
export function knownDecisionsOf(dex: Dex, open: OpenRepository): Decision[] {
  return knownDecisions(open.repository, open.history, notesOf(dex, open));
}

function notesOf(dex: Dex, open: OpenRepository): { own: OwnDecision[]; verdicts: Map<string, Verdict> } {
  const project = projectKey(open.repository);
  const { own, verdicts } = savedHere(dex, project);
  // A person's own decision comes first; the same decision of a colleague adds nothing.
  const known = new Set(own.map(({ id }) => id));
  const team = teamNotesOf(dex, open.repository).decisions.filter(({ id }) => !known.has(id) && known.add(id));
  return { own: [...own, ...team], verdicts };
}

function savedHere(dex: Dex, project: string): { own: OwnDecision[]; verdicts: Map<string, Verdict> } {
  if (!dex.hasState) return { own: [], verdicts: new Map() };
  return dex.withState((state) => ({
    own: state.decisions.own(project).map((each) => {
      const origins = state.memory.provenance({ id: each.id, project });
      const place = origins.find((origin) => origin.place !== "")?.place;
      if (place !== undefined) return { ...each, place };
      const by = origins[0]?.by ?? PERSON;
      return by === PERSON ? each : { ...each, by };
    }),
    verdicts: state.decisions.verdicts(project),
  }));
}

/** Resolves an id or a unique prefix of one. */
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
