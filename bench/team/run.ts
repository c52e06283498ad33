/**
 * `npm run bench:team -- [--home DIR] [--messages N] [--quick] [--members N] [--write]`: pushes and searches of a team,
 * against a real PostgreSQL server that this starts and removes. `--messages` is how many messages the largest project has
 * (a million); the corpus is repeated in further buckets until it has them. `--write` updates
 * docs/internals/performance/watching.md. With `--members`, so many members share one project, and nothing else is measured.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openCorpus } from "../lib/corpus.ts";
import { type Library, loadLibrary, openDex } from "../lib/library.ts";
import { copyPackage, type Program } from "../lib/program.ts";
import { corpusQueries } from "../lib/queries.ts";
import { markdownTable, megabytes, type Row, writeBetweenMarkers } from "../lib/table.ts";
import { manyMembers } from "./members.ts";
import { bigPush, manyPushers, nothingNew } from "./pushing.ts";
import { besideLocal, coldAndWarm, sizeRow } from "./searching.ts";
import { BenchTeam, run } from "./server.ts";
import { idleWatcher } from "./watching.ts";

const { values } = parseArgs({
  options: {
    home: { type: "string" },
    members: { type: "string" },
    messages: { type: "string", default: "1000000" },
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const rounds = values.quick ? 5 : 11;
const questions = values.quick ? 20 : 60;
const root = join(import.meta.dirname, "../..");
const temp = realpathSync(mkdtempSync(join(tmpdir(), "dex-team-bench-")));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));

const corpus = await openCorpus(values.home, temp, values.quick);
const cwd = join(temp, "cwd");
mkdirSync(cwd);
const ada: Program = {
  dist: copyPackage(root, join(temp, "package")),
  cwd,
  home: corpus.home,
  dexHome: join(temp, "dex"),
};
say("the sync of the corpus");
run(ada, "sync");
const team = await BenchTeam.start(temp, ada);
const rows: Row[] = [];
try {
  if (values.members) await measureMembers(Number(values.members));
  else await measureTeam();
} finally {
  await team.stop();
}
const model = cpus()[0]?.model.trim() || "unknown CPU";
const machine = `${model}, ${availableParallelism()} cores, ${process.platform}, Node ${process.versions.node}`;
const table = `${markdownTable(rows)}\n\nMachine: ${machine}. Corpus: ${corpus.name}, ${megabytes(corpus.bytes)}.`;
process.stdout.write(`${table}\n`);
if (values.write && !values.members)
  writeBetweenMarkers(join(root, "docs/internals/performance/watching.md"), table, "team");

async function measureTeam(): Promise<void> {
  say("pushes");
  rows.push(...(await bigPush(team, ada)), ...(await nothingNew(ada, rounds)));
  rows.push(...(await manyPushers(team, temp)));
  await team.indexed();
  say("an idle watcher");
  rows.push(...(await idleWatcher(ada, values.quick ? 20_000 : 60_000)));
  const { library, queries } = await typedQueries();
  const ben = team.join("ben", undefined, "reader");
  say("searches beside local ones");
  rows.push(...(await besideLocal(library, ada, ben, await team.messages(), queries, values.quick ? 2 : 3)));
  say("searches in a large project");
  await team.growTo(Number(values.messages));
  const messages = await team.messages();
  rows.push(...(await coldAndWarm(library, ben, messages, queries)), sizeRow(messages, await team.size()));
}

async function measureMembers(members: number): Promise<void> {
  say(`pushes of ${members} members`);
  rows.push(...(await manyMembers(team, temp, corpus, members, values.quick ? 2 : 5)));
  const { library, queries } = await typedQueries();
  const ben = team.join("ben", undefined, "reader");
  say("searches in their project");
  rows.push(...(await coldAndWarm(library, ben, await team.messages(), queries)));
}

async function typedQueries(): Promise<{ library: Library; queries: string[] }> {
  const library = await loadLibrary(ada);
  const dex = await openDex(library, ada);
  const queries = await corpusQueries(library, dex, questions);
  dex.close();
  return { library, queries };
}

function say(what: string): void {
  process.stderr.write(`measuring: ${what}\n`);
}
