/**
 * Writes a memory to the store. The same words, ignoring case and whitespace, are the same memory with another origin.
 * Limits are hard: saving beyond them is an error.
 */
import { DexError } from "../kernel/errors.ts";
import { contentId } from "../kernel/ids.ts";
import { formatCount } from "../kernel/text.ts";
import { joinReasons, type Saver } from "../project/saving.ts";
import type { MemoryNotes } from "../store/state/memories.ts";
import { EVERYWHERE, type Memory, type MemoryKind } from "../store/state/memories.ts";

/** Every pack contains all pins, so there are few of them; notes are only searched. */
const MAX_MEMORIES: Readonly<Record<MemoryKind, number>> = { pin: 200, note: 5000, preference: 1000, gotcha: 5000 };
const MAX_CHARS: Readonly<Record<MemoryKind, number>> = { pin: 1000, note: 8000, preference: 2000, gotcha: 8000 };
export const MAX_TEXT_CHARS = 8000;
const MAX_FILES = 50;
const ID_DIGITS = 12;

export interface NewMemory {
  project: string;
  kind: MemoryKind;
  /** Redacted. */
  text: string;
  because: string | null;
  files: readonly string[];
}

export function memoryId({ project, kind, text }: Pick<NewMemory, "project" | "kind" | "text">): string {
  const same = text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  return `mem_${contentId([project, kind, same].join("\0"), ID_DIGITS)}`;
}

/** `merged`: the memory existed already. */
export function storeMemory(
  notes: MemoryNotes,
  given: NewMemory,
  saver: Saver,
  now: number,
): { memory: Memory; merged: boolean } {
  const { project, kind } = given;
  const text = given.text.trim();
  if (text.length > MAX_CHARS[kind]) {
    throw new DexError("too_long", `A ${kind} can have at most ${formatCount(MAX_CHARS[kind])} characters.`, {
      hint:
        kind === "pin" ? "Pin one sentence, and keep the rest with `dex note`." : "Shorten it, or save it in parts.",
    });
  }
  const id = memoryId({ ...given, text });
  const before = notes.get(id);
  if (!before && notes.count(project, kind) >= MAX_MEMORIES[kind]) throw memoryFull(project, kind);
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
  if (memory.files.length > MAX_FILES) {
    throw new DexError("too_many_files", `A ${kind} can be about at most ${MAX_FILES} files.`, {
      hint: "Name the folder in its text.",
    });
  }
  notes.put(memory);
  notes.saved(memory, saver.by, saver.place, now);
  return { memory, merged: before !== undefined };
}

function memoryFull(project: string, kind: MemoryKind): DexError {
  const where = project === EVERYWHERE ? "for all projects" : "of this project";
  const command =
    kind === "pin" ? "`dex pins` lists them, `dex unpin <id>`" : "`dex notes` lists them, `dex notes rm <id>`";
  return new DexError(
    "memory_full",
    `There are ${formatCount(MAX_MEMORIES[kind])} ${kind}s ${where} already, which is the maximum.`,
    {
      hint: `${command} removes one.`,
    },
  );
}
