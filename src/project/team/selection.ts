/** Which conversations of this machine may go to the team. */
import type { Dex } from "../../dex.ts";
import { remotesOf } from "../../history/copies/names.ts";
import { foldersWithCopies } from "../../history/copies/stored.ts";
import { findRepository } from "../../history/repository.ts";
import { matchesGlob } from "../../kernel/files/glob.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import { openIndex } from "../../store/engine/index.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { guessRoot } from "../../store/shared/placing.ts";
import type { Share, TeamNotes } from "../../store/state/team.ts";
import type { Candidate } from "../../team/sending.ts";

/** More than a home has. */
const MAX_CONVERSATIONS = 1_000_000;

export interface PushCandidate {
  candidate: Candidate;
  row: ConversationRow;
  share: Share;
}

export interface Selection {
  /** The candidates of shared projects, whether or not their time of review is over. */
  leaving: PushCandidate[];
  objected: number;
  excluded: number;
  headless: number;
}

/** Conversations of shared projects, without those that must stay: excluded, of programs, or held back by a person. */
export function selectConversations(dex: Dex, notes: TeamNotes): Selection {
  const shares = notes.shares();
  const selection: Selection = { leaving: [], objected: 0, excluded: 0, headless: 0 };
  if (shares.length === 0) return selection;
  const objections = new Set(notes.objections().map(({ source, id }) => `${source}\0${id}`));
  const exclude = [...dex.settings.sync.exclude, ...dex.settings.team.exclude];
  const shareOf = shareFinder(shares.map((share) => ({ share, folders: foldersOf(dex, share) })));
  // The index of this machine alone, also where a team's conversations are searched with it.
  const { store } = openIndex(dex.paths.index);
  try {
    const archived = new Map(store.archivedConversations().map((each) => [each.no, each]));
    for (const row of store.list({}, MAX_CONVERSATIONS, 0)) {
      const { project } = row;
      const placed = project === null ? undefined : shareOf(project);
      if (project === null || !placed) continue;
      const { share, folder } = placed;
      const { origin = null, headless } = archived.get(row.no) ?? {};
      const paths = [project, origin].filter((path) => path !== null);
      if (headless) selection.headless += 1;
      else if (exclude.some((glob) => paths.some((path) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`))))
        selection.excluded += 1;
      else if (objections.has(`${row.source}\0${row.id}`)) selection.objected += 1;
      else {
        const { source, id, archive: path, archive_bytes: bytes } = row;
        const root = (): string | undefined => unguessedRoot(project, share.scope, folder);
        selection.leaving.push({ candidate: { source, id, scope: share.scope, root, path, bytes }, row, share });
      }
    }
  } finally {
    store.close();
  }
  return selection;
}

/** The folders of a shared project: its working trees and its copies. */
function foldersOf(dex: Dex, { root }: Share): readonly string[] {
  const repository = findRepository(root);
  return repository ? [root, ...foldersWithCopies(repository, dex)] : [root];
}

/** The share that a conversation's folder belongs to, and the folder of the project around it, if it is known. */
interface Placed {
  share: Share;
  folder: string | undefined;
}

/** By folder first; any other clone of the same remote is the same project. */
function shareFinder(
  shared: readonly { share: Share; folders: readonly string[] }[],
): (project: string) => Placed | undefined {
  const byScope = new Map(shared.map(({ share }) => [share.scope, share]));
  const places = shared
    .flatMap(({ share, folders }) => folders.map((folder) => ({ share, folder })))
    .sort((a, b) => b.folder.length - a.folder.length);
  const known = new Map<string, Placed | undefined>();
  const find = (project: string): Placed | undefined => {
    const around = places.find(({ folder }) => isBelow(folder, project));
    if (around) return around;
    const repository = findRepository(project);
    const share = repository && remotesOf(repository).flatMap((remote) => byScope.get(remote) ?? [])[0];
    return share && { share, folder: undefined };
  };
  return (project) => {
    if (!known.has(project)) known.set(project, find(project));
    return known.get(project);
  };
}

/**
 * The root of the conversation's project, if it cannot be derived from the path: a clone or a worktree has its own root.
 * A folder that no longer exists belongs to the shared folder or copy around it.
 */
function unguessedRoot(project: string, scope: string, around: string | undefined): string | undefined {
  const repository = findRepository(project);
  const own = repository && remotesOf(repository).includes(scope) ? [repository.root] : [];
  const root = [...own, ...(around === undefined ? [] : [around])].find((each) => isBelow(each, project));
  return root === guessRoot(project, scope) ? undefined : root;
}
