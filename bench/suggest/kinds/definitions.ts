/**
 * Cases of definitions that a prompt names, and of their callers: the subjects of earlier commits than those that
 * `cases.ts` replays, because few prompts name a definition. A file was of use if the commit changed it.
 */
import { basename } from "node:path";
import { repositoryOrFolder } from "../../../src/history/repository.ts";
import type { HistoryReader } from "../../../src/store/history.ts";
import type { ConversationReader } from "../../../src/store/ports.ts";
import type { LikelyFiles, ProjectView } from "../../../src/suggest/evidence.ts";
import { promptFiles } from "../../../src/suggest/files/prompt/prompt_files.ts";
import { hasContent } from "../../../src/suggest/prompt_content.ts";
import { relatedCode } from "../../../src/suggest/providers/related.ts";
import { plainSubject } from "../../../src/suggest/replay/plain_subject.ts";
import { focusOf } from "../../../src/suggest/view/focus.ts";
import { replayHistory } from "../replay.ts";
import type { Case } from "./cases.ts";

/** Commits between two states of the code graph. */
const STEP = 60;

/** Files that a prompt leads to without naming a definition of theirs are measured by `run.ts`. */
export function isOfSymbol(evidence: Case["evidence"]): boolean {
  return evidence.some(({ kind }) => kind !== "likely_file");
}

/** `last`: the number of commits that are asked; `without`: the number of the latest that are left out. */
export async function definitionCases(root: string, last: number, without: number): Promise<Case[]> {
  const found: { at: number; cases: Case[] }[] = [];
  const repository = repositoryOrFolder(root);
  const { commits } = await replayHistory(root, { step: STEP, warm: STEP, most: last }, (question) => {
    const prompt = plainSubject(question.subject);
    if (!hasContent(prompt)) return;
    const activity = { folder: root, recent: [], prompt };
    // Focus and provider read nothing else without files and conversations.
    const history = {
      countOf: (path: string) => (question.exists(path) ? 1 : 0),
      recent: () => [],
    } as unknown as HistoryReader;
    const sources = { repository, history, graph: question.code, index: {} as ConversationReader, question: undefined };
    const times = { changed: undefined, now: 0, recentChangeDays: 0 };
    const { code, commits, exists } = question;
    const likely: LikelyFiles = {
      with: () => [],
      withNamed: () => [],
      for: (asked) => promptFiles({ prompt: asked, code, commits, exists }),
    };
    const view = {
      activity,
      focus: focusOf(activity, { ...sources, ...times }),
      graph: question.code,
      likely,
      shifts: {},
      near: () => [],
    } as unknown as ProjectView;
    const edited = new Set(question.known);
    const byFile = Map.groupBy(relatedCode(view), ({ entityId }) => entityId.slice("file:".length));
    const cases = [...byFile].flatMap(([path, candidates]): Case[] => {
      const evidence = candidates.flatMap((each) => each.evidence.map(({ reason: _, ...rest }) => rest));
      if (!isOfSymbol(evidence)) return [];
      const head = { set: basename(root), unit: question.sha, time: question.time, asked: "prompt" } as const;
      return [{ ...head, type: "related_code", evidence, useful: edited.has(path) }];
    });
    found.push({ at: question.commit, cases });
  });
  return found.flatMap(({ at, cases }) => (at < commits - without ? cases : []));
}
