/** Suggests warnings: failing tests, deprecated code in use, and a co-changed file that is not changed yet. */
import { coChangeGaps } from "../../history/cochange/gaps.ts";
import { plural } from "../../kernel/text.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { SeenOutcome } from "../../store/history_records.ts";
import type { Candidate, FocusFile, ProjectView } from "../evidence.ts";
import { originOf } from "../origins.ts";
import { ageInWords } from "../text.ts";

/** An older failure may have been fixed without dex noticing. */
const MAX_FAILURE_AGE_MS = 30 * 86_400_000;
const MAX_TESTS = 5;
const MAX_DEPRECATED = 5;
export const MAX_GAPS = 5;

export function warningsAbout(view: ProjectView): Candidate[] {
  return [...failing(view), ...deprecatedUses(view), ...gaps(view)];
}

function failing(view: ProjectView): Candidate[] {
  const { focus } = view;
  if (focus.files.length === 0) return [];
  const wanted = testFiles(view);
  const changesOnly = focus.files.every(({ how }) => how === "changed");
  return view
    .failing()
    .flatMap((test): Candidate[] => {
      const share = test.file === null ? 0 : (wanted.get(test.file) ?? (changesOnly ? 0.5 : 0));
      return share === 0 ? [] : [failure(view, test, share)];
    })
    .slice(0, MAX_TESTS);
}

function failure(view: ProjectView, test: SeenOutcome, share: number): Candidate {
  const { now } = view;
  const age = ageInWords(test.time, now);
  return {
    type: "warning",
    entityId: `test:${test.file ?? ""}#${test.name ?? ""}`,
    title: `Failing test: ${quoteLine(test.name ?? "", 80)}`,
    summary: quoteLine(
      `${test.file ?? "A test"} failed ${age} (${test.runner})${test.message ? `: ${test.message}` : ""}`,
      300,
    ),
    actionUrl: test.place.includes("#") ? test.place : (test.file ?? test.place),
    ...(test.place.includes("#") ? { origin: () => originOf(test, view) } : {}),
    time: test.time,
    evidence: [
      {
        kind: "failing_test",
        strength: 1 - Math.min(1, Math.max(0, now - test.time) / MAX_FAILURE_AGE_MS),
        share,
        reason: `its last known run failed, ${age}`,
      },
    ],
  };
}

/** The focus files themselves, and their tests. */
function testFiles({ focus, graph }: ProjectView): Map<string, number> {
  const wanted = new Map<string, number>();
  const add = (path: string, share: number): void => void wanted.set(path, Math.max(share, wanted.get(path) ?? 0));
  for (const { path, share } of focus.files) {
    add(path, share);
    const file = graph?.file(path);
    const root = file && graph?.entities(file.no)[0];
    if (!root || !graph) continue;
    for (const { entity, edge } of graph.incoming(root.no, ["TESTS"])) {
      if (edge.resolution !== "ambiguous") add(entity.path, share * Math.max(0.8, edge.confidence));
    }
  }
  return wanted;
}

function deprecatedUses(view: ProjectView): Candidate[] {
  const { focus } = view;
  const files = new Map(focus.files.map((file) => [file.path, file]));
  if (files.size === 0) return [];
  return view
    .deprecated()
    .flatMap((each): Candidate[] => {
      const user = each.users.map((path) => files.get(path)).find((file) => file !== undefined);
      return user ? [deprecatedUse(each, user)] : [];
    })
    .slice(0, MAX_DEPRECATED);
}

function deprecatedUse(each: ReturnType<ProjectView["deprecated"]>[number], user: FocusFile): Candidate {
  const note = each.message === "" ? "" : `: ${each.message}`;
  return {
    type: "warning",
    entityId: `deprecated:${each.file}#${each.symbol}`,
    title: `Deprecated: ${each.symbol}`,
    summary: quoteLine(`${user.path} uses ${each.symbol} of ${each.file}, which is marked deprecated${note}`, 300),
    actionUrl: `${each.file}:${each.line}`,
    time: null,
    evidence: [
      { kind: "deprecated_use", strength: each.sure ? 1 : 0.5, share: user.share, reason: `${user.path} uses it` },
    ],
  };
}

/** Only for uncommitted changes; without a git status there are no gaps. */
function gaps({ repository, history, changed, focus }: ProjectView): Candidate[] {
  if (changed === undefined || changed.length === 0) return [];
  const about = new Set(focus.files.map(({ path }) => path));
  const found = coChangeGaps(repository, history, changed).filter(({ file }) => about.has(file));
  return found.slice(0, MAX_GAPS).map(({ file, missing, support, confidence }) => ({
    type: "warning",
    entityId: `gap:${missing}`,
    title: `Not changed yet: ${missing}`,
    summary: `${file} is changed and ${missing} is not; ${plural(support, "commit")} changed both, ${Math.round(confidence * 100)}% of the last ones of ${file}`,
    actionUrl: missing,
    time: null,
    evidence: [{ kind: "missing_change", strength: 0, share: 1, reason: `nearly always changes with ${file}` }],
  }));
}
