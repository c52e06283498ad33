/**
 * Asks questions about a project in its folder, without a model: about its documents, manifests, code and conversations.
 *
 *   node bench/documents/project.ts --repositories <folder> --home <folder of DEX_HOME> [--set project|past|code] [--half tuning|held] [--list]
 *
 * `--repositories` has clones in folders whose names end in the repository's name. The questions were written before
 * anything was asked; those without `gold` have no answer in the project. Those of the set `project` (the default) ask
 * what documents and manifests say, those of `past` for reasons that only messages of commits give, those of `code` how
 * the code does something. An answer is right if one of the first two sources is a file or a commit of `gold` and the
 * answer contains a text of `fact`. Run `dex ask` once in each clone beforehand, with the same HOME and DEX_HOME: it syncs
 * the index and reads the code and the documents.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Dex } from "../../src/dex.ts";
import { ask } from "../../src/operations/ask/ask.ts";
import { runOperation } from "../../src/operations/run.ts";

interface ProjectQuestion {
  repository: string;
  half: "tuning" | "held";
  query: string;
  /** Files with the answer, or the first characters of commits. */
  gold?: readonly string[];
  fact?: readonly string[];
}

const MAX_RIGHT_PLACE = 2;

const { values } = parseArgs({
  options: {
    repositories: { type: "string" },
    home: { type: "string" },
    half: { type: "string" },
    set: { type: "string", default: "project" },
    list: { type: "boolean" },
  },
});
if (!values.repositories || !values.home)
  throw new Error("--repositories and --home are needed: see the head of the file.");
const folder = values.repositories;
const vars = { HOME: process.env.HOME ?? values.home, DEX_HOME: values.home, TZ: "UTC" };
const questions = JSON.parse(
  readFileSync(join(import.meta.dirname, `${values.set}_questions.json`), "utf8"),
) as ProjectQuestion[];
const wanted = questions.filter(({ half }) => values.half === undefined || half === values.half);
const outcomes: { question: ProjectQuestion; outcome: string; confidence: string }[] = [];
for (const [repository, asked] of Map.groupBy(wanted, (question) => question.repository)) {
  const clone = readdirSync(folder).find((name) => name === repository || name.endsWith(`__${repository}`));
  if (!clone) throw new Error(`There is no clone of ${repository} in ${folder}.`);
  const dex = await Dex.open({ vars, cwd: join(folder, clone) });
  for (const question of asked) outcomes.push(await put(dex, question));
  dex.close();
}
const known = outcomes.filter(({ question }) => question.gold);
const unknown = outcomes.filter(({ question }) => !question.gold);
const count = (list: typeof outcomes, outcome: string): number =>
  list.filter((each) => each.outcome === outcome).length;
const high = outcomes.filter(({ confidence, outcome }) => confidence === "high" && outcome !== "refused");
process.stdout.write(
  `${known.length} answerable: ${count(known, "right")} right, ${count(known, "wrong")} wrong, ${count(known, "refused")} refused; ` +
    `${unknown.length} unanswerable: ${count(unknown, "refused")} refused; "high" right in ${count(high, "right")} of ${high.length}\n`,
);

async function put(dex: Dex, question: ProjectQuestion): Promise<(typeof outcomes)[number]> {
  const given = ask.input.parse({ query: question.query, no_model: true });
  const {
    answer,
    sources,
    confidence,
    nearest = [],
  } = ask.output.parse((await runOperation(dex, ask, given, { sync: false })).output);
  const cited = sources
    .slice(0, MAX_RIGHT_PLACE)
    .some(({ document }) => question.gold?.some((each) => document.startsWith(each)));
  const said = question.fact?.some((fact) => answer.toLowerCase().includes(fact.toLowerCase())) ?? false;
  const outcome = sources.length === 0 ? "refused" : cited && said ? "right" : "wrong";
  if (values.list) {
    const places = (sources.length > 0 ? sources : nearest).map(
      ({ document, section = "" }) => `${document}#${section}`,
    );
    process.stdout.write(
      `${outcome.padEnd(8)} ${confidence.padEnd(6)} ${question.gold ? "" : "(no answer) "}${question.repository}: ${question.query}\n    ${places.join("; ")}\n`,
    );
  }
  return { question, outcome, confidence };
}
