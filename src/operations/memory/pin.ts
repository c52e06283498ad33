/** Pins: the few sentences that every pack begins with. */
import * as z from "zod";
import { matchByWords } from "../../decisions/search.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { nearest } from "../../kernel/text.ts";
import { LONGEST_TEXT } from "../../memory/remember.ts";
import {
  listedMemories,
  memoriesHere,
  savedMemory,
  savedOutput,
  saveMemory,
  saverOf,
  savingOutput,
} from "../../memory/save.ts";
import { withState } from "../../project/decisions.ts";
import { repositoryField } from "../../project/repository.ts";
import type { Memory } from "../../store/memories.ts";
import { defineOperation } from "../operation.ts";
import { limitField, offsetField } from "../shared/fields.ts";

export const filesField = z.array(z.string().max(4096)).max(50).default([]).describe("A file it is about");
export const textField = z.string().trim().min(1).max(LONGEST_TEXT);

export const pin = defineOperation({
  name: "dex_pin",
  verb: "pin",
  summary: "Pin a sentence to this project: every pack begins with its pins",
  positionals: ["text"],
  input: z.strictObject({
    text: textField.describe("What must not be forgotten"),
    global: z.boolean().default(false).describe("For all projects"),
    file: filesField,
    repository: repositoryField,
  }),
  output: savingOutput,
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: (dex, input, context) => saveMemory(dex, { ...input, kind: "pin" }, saverOf(dex, "current", context)),
});

export const listedOutput = z.object({ memories: z.array(savedOutput), total: z.number() });

export const pins = defineOperation({
  name: "dex_pins",
  verb: "pins",
  summary: "The pins of this project and of all projects, the latest first",
  positionals: ["query"],
  input: z.strictObject({
    query: z.string().max(1000).optional().describe("Words they have; all pins when absent"),
    repository: repositoryField,
    limit: limitField(50),
    offset: offsetField,
  }),
  output: listedOutput,
  readOnly: true,
  idempotent: true,
  fresh: false,
  run: (dex, input) => listMemories(dex, input, ({ kind }) => kind === "pin"),
  isEmpty: ({ memories }) => memories.length === 0,
});

export const unpin = defineOperation({
  name: "dex_unpin",
  verb: "unpin",
  summary: "Remove a pin",
  positionals: ["id"],
  input: z.strictObject({ id: idField("pin"), repository: repositoryField }),
  output: z.object({ removed: savedOutput }),
  readOnly: false,
  idempotent: false,
  fresh: false,
  run: (dex, input) => ({ removed: removeMemory(dex, input, ({ kind }) => kind === "pin", "pin") }),
});

export function idField(what: string) {
  return z.string().trim().min(1).max(100).describe(`The ${what}'s id, or its beginning`);
}

export interface Listing {
  query?: string | undefined;
  repository?: string | undefined;
  limit: number;
  offset: number;
}

export function listMemories(
  dex: Dex,
  { query, repository, limit, offset }: Listing,
  wanted: (memory: Memory) => boolean,
): z.output<typeof listedOutput> {
  const all = memoriesHere(dex, repository).filter(wanted);
  const found = query === undefined ? all : matchMemories(all, query);
  return { memories: listedMemories(dex, found.slice(offset, offset + limit)), total: found.length };
}

export function matchMemories(memories: readonly Memory[], query: string): Memory[] {
  return matchByWords(memories, query, ({ text, because, files }) => ({
    text,
    beside: [because ?? "", ...files].join(" "),
  }));
}

/** `mem_` alone begins all of them. */
const SHORTEST_ID = "mem_".length + 3;

/** By its id or the beginning of one; never a guess. */
export function removeMemory(
  dex: Dex,
  { id: typed, repository }: { id: string; repository?: string | undefined },
  wanted: (memory: Memory) => boolean,
  what: string,
): z.output<typeof savedOutput> {
  const all = memoriesHere(dex, repository).filter(wanted);
  const id = `mem_${typed.toLowerCase().replace(/^mem_/, "")}`;
  const found = id.length < SHORTEST_ID ? [] : all.filter((each) => each.id.startsWith(id));
  const [first] = found;
  const list = what === "pin" ? "`dex pins` lists them." : "`dex notes` lists them.";
  if (!first) {
    const meant = nearest(
      id,
      all.map((each) => each.id),
    );
    throw new DexError("unknown_memory", `There is no ${what} "${typed}" here.`, {
      hint: meant === undefined ? list : `Did you mean ${meant}? ${list}`,
    });
  }
  if (found.length > 1) {
    const shown = found.slice(0, 8).map((each) => `  ${each.id}  ${each.text.slice(0, 80)}`);
    throw new DexError("ambiguous_id", `"${typed}" could be any of these:\n${shown.join("\n")}`, {
      hint: "Give more characters of the id.",
    });
  }
  return withState(dex, (state) =>
    state.transaction(() => {
      const removed = savedMemory(first, state.memory.provenance(first));
      state.memory.remove(first.id);
      return removed;
    }),
  );
}
