/** What the rest of dex may ask of memories: what people and agents asked dex to remember. */

export const MEMORY_KINDS = ["pin", "note", "preference", "gotcha"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** The project of what holds in all of them. */
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
  /** When it was first saved, and last. */
  time: number;
  updated: number;
}

/** Who saved something, from where, and when. */
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
  /** Notes that it was saved, perhaps once more. */
  saved(subject: Subject, by: string, place: string, at: number): void;
  /** Who saved it, the earliest first. */
  provenance(subject: Subject): Provenance[];
}
