/**
 * Lists the decisions that dex finds in repositories, one JSON line each, including those it does not show. It then
 * lists those of conversations whose projects are not on this machine; for these, nothing tells whether they still hold.
 * Usage: `HOME=… DEX_HOME=… node bench/decisions/collect.ts <repository>... > found.jsonl`
 */
import { basename, resolve } from "node:path";
import type { Decision } from "../../src/decisions/decision.ts";
import { storedDecision } from "../../src/decisions/known.ts";
import { conversationDecisions } from "../../src/decisions/sources/conversations.ts";
import { Dex } from "../../src/dex.ts";
import { decisionsOf } from "../../src/project/decisions.ts";
import { conversationLoader } from "../../src/project/loading.ts";
import { withRepository } from "../../src/project/repository.ts";
import type { TrailConversation } from "../../src/store/trails.ts";

const ALL = 1_000_000;

const repositories = process.argv.slice(2).map((each) => resolve(each));
const dex = await Dex.open();
try {
  for (const repository of repositories) {
    const found = await withRepository(dex, repository, {}, (open) => decisionsOf(dex, open, {}));
    for (const each of found) print(basename(repository), each);
  }
  const elsewhere = dex.store.trail
    .conversationsIn(projectsElsewhere(), ALL)
    .filter(({ project }) => !repositories.some((root) => project === root || project.startsWith(`${root}/`)));
  for (const row of elsewhere)
    for (const each of decisionsOfConversation(row)) print(`~${basename(row.project)}`, each);
} finally {
  dex.close();
}

function projectsElsewhere(): string[] {
  return dex.store.projects(ALL).map(({ project }) => project);
}

function decisionsOfConversation(row: TrailConversation): Decision[] {
  const found = conversationDecisions(row, conversationLoader(dex)(row), { file: () => undefined });
  return [...new Map(found.map((each) => [each.id, storedDecision(each)])).values()];
}

function print(repository: string, decision: Decision): void {
  process.stdout.write(`${JSON.stringify({ repository, ...decision })}\n`);
}
