/** Lists saved memories, matches them by words, and removes one by its id. */
import { matchByWords } from "../decisions/search.ts";
import type { Dex } from "../dex.ts";
import { unknownName } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import type { Memory } from "../store/state/memories.ts";
import { listedMemories, memoriesHere, memoriesWithTeam, type Saved, savedMemory } from "./save.ts";

export interface ListOptions {
  query?: string | undefined;
  project?: string | undefined;
  limit: number;
  offset: number;
}

export function listMemories(
  dex: Dex,
  { query, project, limit, offset }: ListOptions,
  wanted: (memory: Memory) => boolean,
): { memories: Saved[]; total: number } {
  const all = memoriesWithTeam(dex, project).filter(wanted);
  const found = query === undefined ? all : matchMemories(all, query);
  return { memories: listedMemories(dex, found.slice(offset, offset + limit)), total: found.length };
}

export function matchMemories(memories: readonly Memory[], query: string): Memory[] {
  return matchByWords(memories, query, ({ text, because, files }) => ({
    text,
    details: [because ?? "", ...files].join(" "),
  }));
}

/** `mem_` alone is a prefix of every id. */
const MIN_ID_CHARS = "mem_".length + 3;

/** Removes a memory by its id or a unique prefix of it. */
export function removeMemory(
  dex: Dex,
  { id: typed, project }: { id: string; project?: string | undefined },
  wanted: (memory: Memory) => boolean,
  what: string,
): Saved {
  const all = memoriesHere(dex, project).filter(wanted);
  const id = `mem_${typed.toLowerCase().replace(/^mem_/, "")}`;
  const found = id.length < MIN_ID_CHARS ? [] : all.filter((each) => each.id.startsWith(id));
  const [first] = found;
  const list = what === "pin" ? "`dex pins` lists them." : "`dex notes` lists them.";
  if (!first) {
    const sentence = `There is no ${what} "${typed}" here.`;
    const names = all.map((each) => each.id);
    throw unknownName({ code: "unknown_memory", sentence, typed: id, names, hint: list, alwaysHint: true });
  }
  if (found.length > 1) {
    const shown = found.slice(0, 8).map((each) => `  ${each.id}  ${each.text.slice(0, 80)}`);
    throw new DexError("ambiguous_id", `"${typed}" could be any of these:\n${shown.join("\n")}`, {
      hint: "Give more characters of the id.",
    });
  }
  return dex.withState((state) =>
    state.transaction(() => {
      const removed = savedMemory(first, state.memory.provenance(first));
      state.memory.remove(first.id);
      return removed;
    }),
  );
}
