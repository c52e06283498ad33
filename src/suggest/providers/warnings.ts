/** What to look out for: tests that fail, deprecated code in use, a file that usually changes too and has not. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { plural } from "../../kernel/text.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { SeenOutcome } from "../../store/history.ts";
import type { Candidate, FocusFile, Ground } from "../evidence.ts";
import { ageInWords } from "../text.ts";

/** A failure so old may have been mended where dex does not look. */
const FORGOTTEN = 30 * 86_400_000;
const MOST_TESTS = 5;
const MOST_DEPRECATED = 5;
const MOST_GAPS = 5;
/** Fewer commits are no custom. */
const LEAST_SUPPORT = 3;

export function warningsAbout(ground: Ground): Candidate[] {
  return [...failing(ground), ...deprecatedUses(ground), ...gaps(ground)];
}

function failing(ground: Ground): Candidate[] {
  const { focus, now } = ground;
  if (focus.files.length === 0) return [];
  const wanted = testFiles(ground);
  const alone = focus.files.every(({ how }) => how === "changed");
  return ground
    .failing()
    .flatMap((test): Candidate[] => {
      const share = test.file === null ? 0 : (wanted.get(test.file) ?? (alone ? 0.5 : 0));
      return share === 0 ? [] : [failure(test, share, now)];
    })
    .slice(0, MOST_TESTS);
}

function failure(test: SeenOutcome, share: number, now: number): Candidate {
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
    time: test.time,
    evidence: [
      {
        kind: "failing_test",
        strength: 1 - Math.min(1, Math.max(0, now - test.time) / FORGOTTEN),
        share,
        reason: `its last known run failed, ${age}`,
      },
    ],
  };
}

/** The focus itself where it is a test, and the tests of what is worked on. */
function testFiles({ focus, graph }: Ground): Map<string, number> {
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

function deprecatedUses(ground: Ground): Candidate[] {
  const { focus } = ground;
  const files = new Map(focus.files.map((file) => [file.path, file]));
  if (files.size === 0) return [];
  return ground
    .deprecated()
    .flatMap((each): Candidate[] => {
      const user = each.users.map((path) => files.get(path)).find((file) => file !== undefined);
      return user ? [deprecatedUse(each, user)] : [];
    })
    .slice(0, MOST_DEPRECATED);
}

function deprecatedUse(each: ReturnType<Ground["deprecated"]>[number], user: FocusFile): Candidate {
  const said = each.message === "" ? "" : `: ${each.message}`;
  return {
    type: "warning",
    entityId: `deprecated:${each.file}#${each.symbol}`,
    title: `Deprecated: ${each.symbol}`,
    summary: quoteLine(`${user.path} uses ${each.symbol} of ${each.file}, which is marked deprecated${said}`, 300),
    actionUrl: `${each.file}:${each.line}`,
    time: null,
    evidence: [
      { kind: "deprecated_use", strength: each.sure ? 1 : 0.5, share: user.share, reason: `${user.path} uses it` },
    ],
  };
}

/** Only about what is changed now; where that is not known, nothing is missing. */
function gaps(ground: Ground): Candidate[] {
  const { repository, changed, focus } = ground;
  if (changed === undefined || changed.length === 0) return [];
  const here = new Set(changed);
  const found = focus.files
    .filter(({ path }) => here.has(path))
    .flatMap(({ path }) => ground.partners(path).map((partner) => ({ file: path, partner })))
    .filter(({ partner }) => partner.support >= LEAST_SUPPORT && !here.has(partner.path))
    .filter(({ partner }) => existsSync(join(repository.root, partner.path)))
    .sort((a, b) => b.partner.confidence - a.partner.confidence || b.partner.support - a.partner.support);
  return found.slice(0, MOST_GAPS).map(({ file, partner: { path, support, confidence } }) => {
    const often = `${plural(support, "commit")} changed both, ${Math.round(confidence * 100)}% of those of ${file}`;
    return {
      type: "warning",
      entityId: `gap:${path}`,
      title: `Not changed yet: ${path}`,
      summary: `${file} is changed and ${path} is not; ${often}`,
      actionUrl: path,
      time: null,
      evidence: [{ kind: "missing_change", strength: confidence, share: 1, reason: `usually changes with ${file}` }],
    };
  });
}
