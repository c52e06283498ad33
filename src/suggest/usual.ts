/**
 * How often recent work of the project met given files: the base rate of a chance. In a small project nearly every
 * session edits the same few files, in a large one hardly any two do.
 */
import type { Touch } from "../store/history_records.ts";
import type { ProjectView } from "./evidence.ts";
import { editedBy, readBy } from "./past_work.ts";

const MAX_COMMITS = 50;
const MAX_COMMIT_FILES = 30;
const MAX_CONVERSATIONS = 20;
/** Conversations looked at to find those that used files. */
const MAX_LOOKED_AT = 60;
/** Pseudo-observations: without a meeting, and at the rate of all conversations. */
const PRIOR = 1;
const PRIOR_OF_SOME = 3;
/** Work on many files meets any other by chance, so a share of them counts. */
const MIN_MET_SHARE = 0.1;

/** Whether work on `later` has to do with these files, other than the one that both are about. */
export function meets(
  files: readonly string[],
  later: ReadonlySet<string>,
  about: ReadonlySet<string>,
  share = MIN_MET_SHARE,
): boolean {
  const met = files.filter((path) => !about.has(path) && later.has(path)).length;
  return met >= Math.max(1, share * files.length);
}

interface Uses {
  edited: ReadonlySet<string>;
  opened: ReadonlySet<string>;
}

class Recent {
  readonly #view: ProjectView;
  readonly #uses = new Map<number, Uses>();
  readonly about: ReadonlySet<string>;
  #commits: readonly Touch[] | undefined;
  #conversations: readonly number[] | undefined;

  constructor(view: ProjectView) {
    this.#view = view;
    this.about = new Set(view.focus.files.map(({ path }) => path));
  }

  get commits(): readonly Touch[] {
    this.#commits ??= this.#view.history.latestTouches(MAX_COMMIT_FILES, MAX_COMMITS);
    return this.#commits;
  }

  /** The latest conversations that used files of the project. */
  get conversations(): readonly number[] {
    const { links, focus } = this.#view;
    if (this.#conversations) return this.#conversations;
    const found: number[] = [];
    for (const row of links.latest(MAX_LOOKED_AT)) {
      if (found.length === MAX_CONVERSATIONS) break;
      if (!focus.own.has(row.no) && this.uses(row.no, row).opened.size > 0) found.push(row.no);
    }
    this.#conversations = found;
    return found;
  }

  /** `conversation`: its row, if the caller has it. */
  uses(no: number, conversation?: { no: number; project: string | null }): Uses {
    const known = this.#uses.get(no);
    if (known) return known;
    const row = conversation ?? this.#view.index.byNo(no);
    const edited = new Set(row ? editedBy(this.#view, row) : []);
    const uses = { edited, opened: new Set([...edited, ...(row ? readBy(this.#view, row) : [])]) };
    this.#uses.set(no, uses);
    return uses;
  }
}

const recent = new WeakMap<ProjectView, Recent>();

function recentOf(view: ProjectView): Recent {
  const known = recent.get(view) ?? new Recent(view);
  recent.set(view, known);
  return known;
}

/** The share of the latest commits that changed some of the files. */
export function usualInCommits(view: ProjectView, files: readonly string[]): number {
  const { commits, about } = recentOf(view);
  return commits.filter((touch) => meets(files, new Set(touch.files), about)).length / (commits.length + PRIOR);
}

/**
 * The share of the latest conversations, except one, that edited (or opened) some of the files. `among`: conversations
 * that worked on what the current work is about; they say more than the others.
 */
export function usualInConversations(
  view: ProjectView,
  files: readonly string[],
  except: number,
  how: keyof Uses,
  among: readonly number[] = [],
): number {
  const past = recentOf(view);
  const met = (nos: readonly number[]): { met: number; all: number } => {
    const others = nos.filter((no) => no !== except);
    return { met: others.filter((no) => meets(files, past.uses(no)[how], past.about)).length, all: others.length };
  };
  const every = met(past.conversations);
  const rate = every.met / (every.all + PRIOR);
  const some = met(among.slice(0, MAX_CONVERSATIONS));
  return (some.met + PRIOR_OF_SOME * rate) / (some.all + PRIOR_OF_SOME);
}
