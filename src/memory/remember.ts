/**
 * Saving a memory. The same words again, whatever their case and spaces, are the same memory: it then knows two origins.
 * Nothing is dropped: what does not fit is refused with a sentence.
 */
import { DexError } from "../kernel/errors.ts";
import { contentId } from "../kernel/ids.ts";
import { formatCount } from "../kernel/text.ts";
import { joinReasons, type Saver } from "../project/saving.ts";
import { EVERYWHERE, type Memory, type MemoryKind } from "../store/memories.ts";
import type { MemoryNotes } from "../store/sqlite/state/memory.ts";

/** Pins stand in every pack, so that there cannot be many; notes are looked for. */
const MOST: Readonly<Record<MemoryKind, number>> = { pin: 200, note: 5000, preference: 1000, gotcha: 5000 };
const LONGEST: Readonly<Record<MemoryKind, number>> = { pin: 1000, note: 8000, preference: 2000, gotcha: 8000 };
export const LONGEST_TEXT = 8000;
const MOST_FILES = 50;
const ID_DIGITS = 12;

export interface NewMemory {
  project: string;
  kind: MemoryKind;
  /** Without secrets. */
  text: string;
  because: string | null;
  files: readonly string[];
}

export function memoryId({ project, kind, text }: Pick<NewMemory, "project" | "kind" | "text">): string {
  const same = text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  return `mem_${contentId([project, kind, same].join("\0"), ID_DIGITS)}`;
}

/** `merged`: it was there already. */
export function remember(
  notes: MemoryNotes,
  given: NewMemory,
  saver: Saver,
  now: number,
): { memory: Memory; merged: boolean } {
  const { project, kind } = given;
  const text = given.text.trim();
  if (text.length > LONGEST[kind]) {
    throw new DexError("too_long", `A ${kind} has at most ${formatCount(LONGEST[kind])} characters.`, {
      hint:
        kind === "pin" ? "Pin one sentence, and keep the rest with `dex note`." : "Shorten it, or save it in parts.",
    });
  }
  const id = memoryId({ ...given, text });
  const before = notes.get(id);
  if (!before && notes.count(project, kind) >= MOST[kind]) throw full(project, kind);
  const memory: Memory = {
    id,
    project,
    kind,
    text: before?.text ?? text,
    because: joinReasons(before?.because ?? null, given.because),
    files: [...new Set([...(before?.files ?? []), ...given.files])],
    time: before?.time ?? now,
    updated: now,
  };
  if (memory.files.length > MOST_FILES) {
    throw new DexError("too_many_files", `A ${kind} is about at most ${MOST_FILES} files.`, {
      hint: "Name the folder in its text.",
    });
  }
  notes.put(memory);
  notes.saved(memory, saver.by, saver.place, now);
  return { memory, merged: before !== undefined };
}

function full(project: string, kind: MemoryKind): DexError {
  const where = project === EVERYWHERE ? "for all projects" : "of this project";
  const command =
    kind === "pin" ? "`dex pins` lists them, `dex unpin <id>`" : "`dex notes` lists them, `dex notes rm <id>`";
  return new DexError(
    "memory_full",
    `There are ${formatCount(MOST[kind])} ${kind}s ${where} already, the most there can be.`,
    {
      hint: `${command} removes one.`,
    },
  );
}
