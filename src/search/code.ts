/** `search --in code`: definitions of the project in the current folder, as search results. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { countWords, type FoundEntity, searchCode as findEntities, MAX_COUNTED } from "../code/answers/search.ts";
import { indexUnasked, openFresh } from "../code/open.ts";
import { type CodeProject, findCodeProject } from "../code/project.ts";
import { SourceLines } from "../code/source_lines.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { bareRepositoryError } from "../kernel/git/git_folder.ts";
import { redactText } from "../redact/redact.ts";
import type { RunContext } from "../run_context.ts";
import type { EntityRow } from "../store/code.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { type ParsedQuery, parseQuery } from "./query/query.ts";
import { textsNote } from "./results/coverage.ts";
import { bodyOf, snippetOf } from "./results/definition_text.ts";
import type { SearchResult } from "./results/result_schema.ts";
import { rounded } from "./results/rounded.ts";

/** The project of the current folder, if its code is indexed. A small repository without an index gets one, if there is time. */
export async function indexedProject(
  dex: Dex,
  { progress, stale, draft }: RunContext,
): Promise<CodeProject | undefined> {
  const project = findCodeProject(dex.paths.code, dex.cwd);
  const isIndexed = stale || draft ? existsSync(project.path) : await indexUnasked(project, { now: dex.now, progress });
  return isIndexed ? project : undefined;
}

export async function searchProjectCode(
  dex: Dex,
  asked: { query: string; limit: number; file?: string },
  context: RunContext,
): Promise<{ results: SearchResult[]; total: number; total_complete?: boolean; note?: string }> {
  const started = performance.now();
  const project = findCodeProject(dex.paths.code, dex.cwd);
  if (!project.git && !existsSync(project.path)) {
    const bare = bareRepositoryError(project.root);
    if (bare) throw bare;
    throw new DexError(
      "no_code",
      `The code in ${project.root} is not indexed, and the folder is not a git repository.`,
      {
        hint: "Change to a project folder, or run `dex code index` here first.",
      },
    );
  }
  const query = parseQuery(asked.query);
  if (!query) {
    throw new DexError("empty_query", "There is no word in the query to search for.", {
      hint: "Type a few words or a name; `dex code map` browses without a query.",
    });
  }
  const { store, notice } = await openFresh(dex.caches, project, {
    now: dex.now,
    progress: context.progress,
    stale: context.stale || context.draft,
  });
  if (notice) context.notice?.(notice);
  const path = asked.file ?? query.fields.file;
  const filter = path === undefined ? {} : { path };
  const { found: shown, count } = findEntities(store, query.text, filter, asked.limit);
  context.trace?.({
    query: asked.query,
    inputs: { definitions: count },
    ranking: shown.map(({ entity, score }) => ({ id: addressOf(entity), source: "code", score: rounded(score) })),
    stages: [{ name: "code", ms: performance.now() - started, out: count }],
  });
  const sources = new SourceLines(project);
  const bodies = shown.map(({ entity }) => bodyOf(entity, sources));
  const note = textsNote(
    query,
    (terms) => countWords(store, terms),
    shown.map(({ entity: { path: file, qualified, signature, doc } }, at) =>
      [file, qualified, signature, doc, ...(bodies[at] ?? [])].join("\n"),
    ),
    { whole: "definition", part: "match" },
    (text) => redactText(text).text,
  );
  const results = shown.map((found, at) => described(project, found, bodies[at] ?? [], query));
  return {
    results,
    total: count,
    ...(count >= MAX_COUNTED ? { total_complete: false } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

function addressOf({ path, first_line }: EntityRow): string {
  return `${path}:${first_line}`;
}

function described(
  project: CodeProject,
  { entity, score }: FoundEntity,
  body: readonly string[],
  query: ParsedQuery,
): SearchResult {
  const { kind, qualified, path, signature, first_line, last_line } = entity;
  const file = join(project.root, path);
  const own = rounded(score);
  return {
    kind: "code",
    id: addressOf(entity),
    title: kind === "file" ? path : qualified,
    project: project.root,
    source: "code",
    date: new Date(statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).toISOString(),
    snippet: snippetOf(entity, body, query),
    message_index: 0,
    estimated_tokens: estimateTokens(body.join("\n")),
    rank_source: "lexical",
    score_lex: own,
    score_vec: null,
    score_final: own,
    definition: kind,
    path,
    signature,
    first_line,
    last_line,
  };
}
