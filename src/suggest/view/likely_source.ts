/** Finds the conversations and files that are likely to matter, each at most once per answer, as far as time allows. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FILE_NAMES_KEY, type FileNames, readFileNames } from "../../code/answers/file_names.ts";
import type { Dex } from "../../dex.ts";
import { CommitLinks } from "../../history/links.ts";
import type { Repository } from "../../history/repository.ts";
import { commitChanges, conversationChanges } from "../../project/changes.ts";
import type { OpenRepository } from "../../project/repository.ts";
import type { TextHit } from "../../ranking/hits.ts";
import type { CodeReader } from "../../store/code.ts";
import type { FileRow } from "../../store/ports.ts";
import type { Focus, LikelyFiles, ProjectView } from "../evidence.ts";
import { type LikelyFile, type LikelyInput, likelyFiles } from "../files/likely.ts";
import { hasNeighbours, preparedNeighbours } from "../files/prepared_neighbours.ts";
import { promptFiles } from "../files/prompt/prompt_files.ts";
import type { Affords } from "./time_budget.ts";

/** Linking commits to conversations reads all of them, so the links are cached until the index changes. */
const linked = new WeakMap<Dex["store"], { key: string; links: CommitLinks }>();

export function linksOf({ store }: Dex, repository: Repository): CommitLinks {
  // Conversations of the team come and go without a sync.
  if (store.home) return new CommitLinks(repository, store);
  const key = `${repository.gitDir} ${repository.roots.join(" ")} ${store.getValue("last_sync") ?? ""}`;
  const known = linked.get(store);
  if (known?.key === key) return known.links;
  const links = new CommitLinks(repository, store);
  linked.set(store, { key, links });
  return links;
}

interface LikelyOptions {
  /** The caller's own session, which is left out. */
  session: string | undefined;
  affords: Affords;
  /** Whether the lists from the last refresh are sufficient. */
  isPrepared: boolean;
  filesIn: ProjectView["filesIn"];
}

export function filesOnce(store: Dex["store"]): ProjectView["filesIn"] {
  const known = new Map<number, readonly FileRow[]>();
  return (no) => {
    const files = known.get(no) ?? store.files(no);
    known.set(no, files);
    return files;
  };
}

export function likelySource(
  dex: Dex,
  { repository, history }: OpenRepository,
  code: CodeReader | undefined,
  { session, affords, isPrepared, filesIn }: LikelyOptions,
): LikelyFiles {
  const exists = (path: string): boolean => existsSync(join(repository.root, path));
  // Both methods read the same changes.
  let known: Pick<LikelyInput, "code" | "commits" | "conversations" | "exists"> | undefined;
  const trail = { conversationsIn: (_: unknown, limit: number) => linksOf(dex, repository).latestBelow(limit) };
  const sources = () =>
    (known ??= {
      ...(code ? { code } : {}),
      commits: commitChanges(history),
      conversations: conversationChanges(repository, { trail, files: filesIn }, session),
      exists,
    });
  const names = (): FileNames | undefined => (code ? undefined : readFileNames(history.getValue(FILE_NAMES_KEY)));
  const prepared = (files: readonly string[]): LikelyFile[] | undefined =>
    isPrepared && files.length === 1 ? preparedNeighbours(history, files[0] ?? "", exists) : undefined;
  // Ranking the whole graph of the code takes a hook longer than everything else it does.
  const withoutGraph = () => isPrepared && hasNeighbours(history);
  const found = (files: readonly string[]): LikelyFile[] => {
    if (files.length === 0 || !affords("likelyWith")) return [];
    const { code: graph, ...changes } = sources();
    return likelyFiles({ files, ...changes, ...(graph && !withoutGraph() ? { code: graph } : {}) });
  };
  return {
    with: (files) => prepared(files) ?? found(files),
    // A hook pushes only items that reach the gate, which these never do.
    withNamed: (file) => (isPrepared ? [] : found([file])),
    for: (prompt, near) => (affords("likelyFor") ? promptFiles({ prompt, near, names: names(), ...sources() }) : []),
  };
}

const MAX_NEAR_CONVERSATIONS = 8;

export function nearTo({ store }: Dex, { question, own }: Focus, affords: Affords): ProjectView["near"] {
  let known: readonly TextHit[] | undefined;
  return () => {
    if (!question || (!known && !affords("similarConversations"))) return [];
    known ??= store
      .bestTexts(question, {}, MAX_NEAR_CONVERSATIONS + own.size)
      .filter(({ no }) => !own.has(no))
      .slice(0, MAX_NEAR_CONVERSATIONS);
    return known;
  };
}
