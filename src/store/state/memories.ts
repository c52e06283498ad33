/** The port of memories: facts that people and agents asked dex to remember. */

export const MEMORY_KINDS = ["pin", "note", "preference", "gotcha"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** The project key of memories that apply to all projects. */
export const EVERYWHERE = "";

export interface Memory {
  /** `mem_` and 12 hexadecimal digits. */
  id: string;
  /** The repository's common folder, or the project's; empty: all projects. */
  project: string;
  kind: MemoryKind;
  text: string;
  because: string | null;
  files: string[];
  /** First and last time it was saved. */
  time: number;
  updated: number;
  /** The member of the team who shares it; undefined: it is saved here. */
  author?: string;
}

/** The saver of an item, its origin, and the time. */
export interface Provenance {
  /** `person`, or the agent. */
  by: string;
  /** Where it was said: `id#index`, `id`; empty: not in a conversation. */
  place: string;
  first: number;
  last: number;
  times: number;
}

/** Something that was saved: a memory or a decision. */
export interface Subject {
  id: string;
  project: string;
}

export interface MemoryNotes {
  /** The memories of these projects, the latest first. */
  all(projects: readonly string[]): Memory[];
  get(id: string): Memory | undefined;
  count(project: string, kind: MemoryKind): number;
  put(memory: Memory): void;
  remove(id: string): void;
  /** Records that it was saved, perhaps once more. */
  saved(subject: Subject, by: string, place: string, at: number): void;
  /** The savers, the earliest first. */
  provenance(subject: Subject): Provenance[];
}
