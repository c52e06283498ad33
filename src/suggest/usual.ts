/**
 * How often recent work of the project met given files: the base rate of a chance. In a small project nearly every
 * session edits the same few files, in a large one hardly any two do.
 */
import { insidePath } from "../history/repository.ts";
import type { Touch } from "../store/history.ts";
import type { ProjectView } from "./evidence.ts";

const MAX_COMMITS = 50;
const MAX_COMMIT_FILES = 30;
const MAX_CONVERSATIONS = 20;
/** Conversations looked at to find those that used files. */
const MAX_LOOKED_AT = 60;
/** Pseudo-observations without a meeting. */
const PRIOR = 2;

interface UsedFiles {
  no: number;
  edited: ReadonlySet<string>;
  opened: ReadonlySet<string>;
}

const commits = new WeakMap<ProjectView, readonly Touch[]>();
const conversations = new WeakMap<ProjectView, readonly UsedFiles[]>();

/** The share of the latest commits that changed one of the files. */
export function usualInCommits(view: ProjectView, files: Iterable<string>): number {
  const latest = commits.get(view) ?? view.history.latestTouches(MAX_COMMIT_FILES, MAX_COMMITS);
  commits.set(view, latest);
  const wanted = new Set(files);
  const met = latest.filter((touch) => touch.files.some((path) => wanted.has(path))).length;
  return met / (latest.length + PRIOR);
}

/** The share of the latest conversations, except one, that edited (or used) one of the files. */
export function usualInConversations(
  view: ProjectView,
  files: Iterable<string>,
  except: number,
  how: "edited" | "opened",
): number {
  const latest = (conversations.get(view) ?? latestUses(view)).filter(({ no }) => no !== except);
  const wanted = [...new Set(files)];
  const met = latest.filter((each) => wanted.some((path) => each[how].has(path))).length;
  return met / (latest.length + PRIOR);
}

function latestUses(view: ProjectView): readonly UsedFiles[] {
  const { links, index, repository, focus } = view;
  const found: UsedFiles[] = [];
  const latest = links.conversations.toSorted((a, b) => b.updated - a.updated).slice(0, MAX_LOOKED_AT);
  for (const { no, project } of latest) {
    if (found.length >= MAX_CONVERSATIONS) break;
    if (focus.own.has(no)) continue;
    const uses = index.files(no).flatMap(({ path, how }) => {
      const inside = how === "mentioned" ? undefined : insidePath(repository, path, project);
      return inside === undefined ? [] : [{ inside, how }];
    });
    if (uses.length === 0) continue;
    const edited = uses.filter(({ how }) => how === "edited").map(({ inside }) => inside);
    found.push({ no, edited: new Set(edited), opened: new Set(uses.map(({ inside }) => inside)) });
  }
  conversations.set(view, found);
  return found;
}
