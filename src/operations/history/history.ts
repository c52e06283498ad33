/** `dex history`: commits, conversations and decisions about a file, a folder, a symbol or the project, on one timeline. */
import * as z from "zod";
import { coChanges, type Partner } from "../../history/cochange/cochange.ts";
import { symbolsPerCommit } from "../../history/symbols.ts";
import { codeGraph, locateIn, symbolsIn } from "../../project/code.ts";
import { listedCopies } from "../../project/copies.ts";
import { decisionsOf } from "../../project/decisions.ts";
import { folderIn, type OpenRepository, withRepository } from "../../project/repository.ts";
import { originIn } from "../../search/results/describe.ts";
import { defineOperation } from "../operation.ts";
import { choiceFields, filterFields, limitField, offsetField, projectFolderField } from "../shared/fields.ts";
import { type Chosen, withChosen } from "./chosen.ts";
import {
  commitEvent,
  decisionEvent,
  type HistoryEvent,
  historyEvent,
  isWithin,
  latestFirst,
  spanOf,
} from "./events.ts";
import { commitLink, copyOf, copyOutput, type linkOutput } from "./fields.ts";
import { projectHistory } from "./project_history.ts";
import { subjectOf } from "./subject.ts";

const MAX_PARTNERS = 5;

export const history = defineOperation({
  name: "dex_history",
  verb: "history",
  summary:
    "Show the history of a file, a folder, a symbol or the project: commits, conversations and decisions on one timeline",
  positionals: ["target"],
  input: z.strictObject({
    target: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe(
        "A file or part of its path, a folder, or the name of a function or class (default: the whole project)",
      ),
    project: projectFolderField,
    ...choiceFields,
    from: filterFields.from.describe("On or after: 2026-01-31, today, 7d"),
    to: filterFields.to.describe("On or before"),
    limit: limitField(20),
    offset: offsetField,
  }),
  output: z.object({
    target: z.string(),
    kind: z.enum(["file", "folder", "symbol", "project"]),
    /** The definitions of a symbol, as file:line. */
    places: z.array(z.string()).optional(),
    events: z.array(historyEvent),
    total: z.number(),
    /** Files that usually change with it. */
    partners: z.array(z.object({ path: z.string(), support: z.number(), confidence: z.number() })),
    /** Other folders whose conversations count as the repository's own. */
    copies: z.array(copyOutput),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  queryField: "target",
  toolset: "code",
  aliases: { target: ["file", "symbol"] },
  unlisted: ["from", "to", "offset", "team", "local", "by"],
  run: (dex, { target, ...input }, context) =>
    withRepository(dex, input.project, context, async (open) => {
      const span = spanOf(dex, input);
      const decided = await decisionsOf(dex, open, context);
      const copies = listedCopies(dex, open.repository, open.history)
        .filter(({ state, conversations }) => state === "joined" && conversations > 0)
        .map(copyOf);
      if (target === undefined || folderIn(open, target) === "") {
        const about = await withChosen(dex, open, input, context, (chosen, heard) =>
          projectHistory(chosen, decided, { ...input, span }, heard),
        );
        return { target: open.repository.root, kind: "project" as const, ...about, partners: [], copies };
      }
      const graph = await codeGraph(dex, open.repository, context);
      const subject = await subjectOf(open, target, locateIn(graph), context);
      const { kind, path, places, names } = subject;
      const commits = subject.commits.filter(({ time }) => isWithin(span, time));
      const decisions = decided.filter((each) => each.shown && subject.isOf(each)).map(decisionEvent);
      const events = await withChosen(dex, open, input, context, (chosen) => {
        const { home } = chosen.dex.store;
        const links = new Map(
          commits.slice(0, input.offset + input.limit).map((commit) => [commit.sha, commitLink(chosen, commit, home)]),
        );
        return latestFirst([
          ...commits.map((commit) => commitEvent(commit, links.get(commit.sha))),
          ...[...conversationEvents(chosen, names, links), ...decisions].filter(({ time }) =>
            isWithin(span, Date.parse(time)),
          ),
        ]);
      });
      if (events.length === 0 && subject.commits.length === 0) {
        const { unknownTarget } = await import("../../project/unknown_target.ts");
        throw unknownTarget(open, target, path, graph);
      }
      const shown = events.slice(input.offset, input.offset + input.limit);
      const shas = shown.filter((each) => each.kind === "commit").map(({ ref }) => ref);
      const within = graph && symbolsIn(graph, open.repository, path);
      const symbols =
        kind === "file" ? await symbolsPerCommit(open.repository, shas, names, within) : new Map<string, string[]>();
      context.trace?.({
        query: target,
        inputs: { commits: commits.length, events: events.length },
        budgets: { limit: input.limit },
        truncation: { results: events.length - shown.length },
        ranking: shown.map(({ ref, kind }) => ({ id: ref, source: kind })),
      });
      return {
        target: subject.target,
        kind,
        ...(places ? { places: places.map((place) => `${place.file}:${place.first}`) } : {}),
        events: shown.map((each) => withSymbols(each, symbols.get(each.ref))),
        total: events.length,
        partners: usualPartners(open, path).map(({ path: partner, support, confidence }) => ({
          path: partner,
          support,
          confidence: Math.round(confidence * 100) / 100,
        })),
        copies,
      };
    }),
  isEmpty: (output) => output.events.length === 0,
});

/** Files that changed with it more than once. */
function usualPartners(open: OpenRepository, file: string): Partner[] {
  return coChanges(open.history, file, 20)
    .filter(({ support }) => support > 1)
    .slice(0, MAX_PARTNERS);
}

/** Leaves out conversations that are already shown with the commit they made. */
function conversationEvents(
  chosen: Chosen,
  names: readonly string[],
  links: ReadonlyMap<string, z.output<typeof linkOutput> | undefined>,
): HistoryEvent[] {
  const shown = new Set([...links.values()].map((link) => link && `${link.source}:${link.id}`));
  return chosen.links.touching(names).flatMap(({ row, how, first }): HistoryEvent[] => {
    const { id, source, title, updated } = row;
    if (how === "mentioned" || shown.has(`${source}:${id}`)) return [];
    const time = new Date(updated).toISOString();
    const origin = originIn(chosen.dex.store.home, row);
    return [{ kind: "conversation", time, ref: `${id}#${first}`, text: title, how, source, ...origin }];
  });
}

function withSymbols(each: HistoryEvent, symbols: string[] | undefined): HistoryEvent {
  return symbols && symbols.length > 0 ? { ...each, symbols } : each;
}
