/**
 * The base rate of a chance: how often recent work of the project was related to given files. In a small project nearly
 * every session edits the same few files, in a large one hardly any two do.
 */
import type { Touch } from "../store/history_records.ts";
import type { ProjectView } from "./evidence.ts";
import { editedBy, readBy } from "./past_work.ts";

const MAX_COMMITS = 50;
const MAX_COMMIT_FILES = 30;
const MAX_CONVERSATIONS = 20;
/** So many conversations are searched for those that used files of the project. */
const MAX_LOOKED_AT = 60;
/** Pseudo-observations: one without related work, and others at the rate of all conversations. */
const PRIOR = 1;
const PRIOR_OF_SOME = 3;
/** Work on many files shares one with any other work by chance, so it must share this part of them. */
const MIN_MET_SHARE = 0.1;

/** Whether work on the files `later` is related to these files, apart from the file that both are about. */
export function isRelatedWork(
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
export function commitBaseRate(view: ProjectView, files: readonly string[]): number {
  const { commits, about } = recentOf(view);
  return commits.filter((touch) => isRelatedWork(files, new Set(touch.files), about)).length / (commits.length + PRIOR);
}

/**
 * The share of the latest conversations, except one, that edited (or opened) some of the files. `among`: conversations
 * about the subject of the current work, which say more than the others.
 */
export function conversationBaseRate(
  view: ProjectView,
  files: readonly string[],
  except: number,
  how: keyof Uses,
  among: readonly number[],
): number {
  const past = recentOf(view);
  const met = (nos: readonly number[]): { met: number; all: number } => {
    const others = nos.filter((no) => no !== except);
    return {
      met: others.filter((no) => isRelatedWork(files, past.uses(no)[how], past.about)).length,
      all: others.length,
    };
  };
  const every = met(past.conversations);
  const rate = every.met / (every.all + PRIOR);
  const some = met(among.slice(0, MAX_CONVERSATIONS));
  return (some.met + PRIOR_OF_SOME * rate) / (some.all + PRIOR_OF_SOME);
}
