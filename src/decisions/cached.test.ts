/** Decisions are cached while nothing changes, and found again after every change that they depend on. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TestRepository, temporaryFolder } from "../../test/support/repository.ts";
import { historyPath } from "../history/place.ts";
import { repositoryOrFolder } from "../history/repository.ts";
import { updateHistory, withHistoryWriter } from "../history/update.ts";
import { openHistory } from "../store/engine/history.ts";
import { CACHED_DECISIONS } from "../store/history.ts";
import type { Verdict } from "../store/state/recorded.ts";
import type { Decision } from "./decision.ts";
import { type DecisionSources, projectDecisions } from "./project.ts";

const MARK = "// DECISION: amounts are whole cents, because floats drift.\n";

test("cached decisions are those of a fresh look after every change", async () => {
  const repo = new TestRepository();
  repo.commit("start", {
    "src/money.ts": `${MARK}export const cents = 1;\n`,
    "docs/adr/0001-log.md":
      "# 1. Append-only log\n\n## Status\n\nAccepted\n\n## Decision\n\nWe keep `cents` in a log.\n",
  });
  const folder = temporaryFolder();
  const notes: Pick<DecisionSources, "own" | "verdicts"> = { own: [], verdicts: new Map() };
  const decisions = async (place: string): Promise<Decision[]> => {
    const repository = repositoryOrFolder(repo.root);
    await updateHistory(repository, place);
    return projectDecisions({ repository, folder: place, conversations: [], load: () => [], ...notes });
  };
  const same = async (change: string): Promise<Decision[]> => {
    const found = await decisions(folder);
    assert.deepEqual(found, await decisions(temporaryFolder()), change);
    assert.deepEqual(await decisions(folder), found, `${change}, asked again`);
    return found;
  };
  const [first] = await same("nothing");
  assert.ok(first);

  const repository = repositoryOrFolder(repo.root);
  await withHistoryWriter(repository, folder, (writer) => {
    writer.setValue(CACHED_DECISIONS, "[]");
    writer.commit();
  });
  assert.deepEqual(await decisions(folder), [], "the list is cached");

  // An edit of the same length.
  repo.write("src/money.ts", `${MARK.replace("floats", "people")}export const cents = 1;\n`);
  assert.ok((await same("an edited file")).some(({ because }) => because?.includes("people")));
  repo.write("src/new.ts", "// DECISION: no retries here, because the caller has its own.\n");
  await same("a new file");
  rmSync(join(repo.root, "docs/adr/0001-log.md"));
  await same("a deleted record");
  repo.commit("Use ULIDs instead of UUIDs so that rows sort by time");
  await same("a commit");
  const verdict: Verdict = { id: first.id, repository: "", status: "rejected", by: null, time: 1 };
  notes.verdicts = new Map([[first.id, verdict]]);
  await same("a verdict");

  await withHistoryWriter(repository, folder, (writer) => {
    writer.forgetKept((text) => text.includes("retries"));
    writer.commit();
  });
  const history = openHistory(historyPath(folder, repository));
  assert.ok(!history.getValue(CACHED_DECISIONS)?.includes("retries"), "forgotten words are not cached");
  history.close();
});

test("decisions found before the code graph existed are judged again with it", async () => {
  const repo = new TestRepository();
  repo.commit("feat: a pool\n\nWe decided to use openPool in every client.", {
    "a.ts": "export function openPool() {}\n",
  });
  const repository = repositoryOrFolder(repo.root);
  const found = async (place: string, symbol?: (name: string) => boolean): Promise<Decision[]> => {
    await updateHistory(repository, place);
    const sources = { repository, folder: place, conversations: [], load: () => [], own: [], verdicts: new Map() };
    return projectDecisions(symbol ? { ...sources, symbol, symbolsStamp: "1" } : sources);
  };
  const isKnown = (name: string): boolean => name === "openPool";
  const folder = temporaryFolder();
  const [without] = await found(folder);
  const [later] = await found(folder, isKnown);
  assert.deepEqual(await found(temporaryFolder(), isKnown), [later]);
  assert.deepEqual([without?.shown, later?.shown], [false, true]);
});
