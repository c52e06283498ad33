/** Saves a memory: resolves its project, records who saved it, redacts secrets and reports near-duplicates. */
import * as z from "zod";
import { parseAddress } from "../conversations/address.ts";
import type { Dex } from "../dex.ts";
import { staticModel } from "../embedding/locate.ts";
import { StaticEmbedder } from "../embedding/static.ts";
import { insidePath, projectKey } from "../history/repository.ts";
import { currentAgent, currentSession } from "../integrations/session.ts";
import { DexError } from "../kernel/errors.ts";
import { outsideRepository, repositoryOf } from "../project/repository.ts";
import { redactForSaving, type Saver } from "../project/saving.ts";
import { teamNotesOf } from "../project/team/notes.ts";
import { redactText } from "../redact/redact.ts";
import type { RunContext } from "../run_context.ts";
import { resolveConversation } from "../search/filters/resolve.ts";
import { EVERYWHERE, MEMORY_KINDS, type Memory, type MemoryKind, type Provenance } from "../store/state/memories.ts";
import { nearTexts } from "./near.ts";
import { storeMemory } from "./remember.ts";

export const savedOutput = z.object({
  id: z.string(),
  kind: z.enum([...MEMORY_KINDS, "decision"]),
  text: z.string(),
  because: z.string().nullable(),
  files: z.array(z.string()),
  /** Applies to all projects. */
  global: z.boolean(),
  date: z.string(),
  /** The savers, the earliest first: an agent or `person`, and the message in which it was saved. */
  saved_by: z.array(z.object({ by: z.string(), place: z.string().optional(), date: z.string() })),
});

export const nearOutput = z.object({ id: z.string(), text: z.string(), likeness: z.number() });

export const savingOutput = z.object({
  saved: savedOutput,
  /** The memory existed already; this origin was added to it. */
  merged: z.boolean(),
  /** Near-duplicates. The memory is saved nevertheless. */
  near: z.array(nearOutput),
  /** The number of secrets and private blocks removed from it. */
  redactions: z.number(),
});

export type Saved = z.output<typeof savedOutput>;

const MAX_ORIGINS = 20;

export interface MemoryInput {
  kind: MemoryKind;
  text: string;
  because?: string | undefined;
  file?: readonly string[];
  global?: boolean;
  project?: string | undefined;
}

export function saveMemory(dex: Dex, input: MemoryInput, saver: Saver): z.output<typeof savingOutput> {
  const { project, files } = resolvePlace(dex, input);
  const clean = redactForSaving(input.text);
  const because = input.because === undefined ? undefined : redactText(input.because);
  const given = { project, kind: input.kind, text: clean.text, because: because?.text ?? null, files };
  return dex.withState((state) => {
    const notes = state.memory;
    const others = notes.all([project, EVERYWHERE]);
    const { memory, merged } = state.transaction(() => storeMemory(notes, given, saver, dex.now()));
    const like = others.filter(({ id }) => id !== memory.id);
    return {
      saved: savedMemory(memory, notes.provenance(memory)),
      merged,
      near: nearDuplicates(dex, memory.text, like),
      redactions: clean.count + (because?.count ?? 0),
    };
  });
}

export function nearDuplicates<T extends { id: string; text: string }>(
  dex: Dex,
  text: string,
  others: readonly T[],
): z.output<typeof nearOutput>[] {
  const path = others.length === 0 ? undefined : staticModel(dex.settings);
  const model = path === undefined ? undefined : new StaticEmbedder(path);
  try {
    const near = nearTexts(text, others, (each) => model?.embed(each));
    return near.map(({ of, likeness }) => ({ id: of.id, text: of.text, likeness }));
  } finally {
    model?.close();
  }
}

function resolvePlace(dex: Dex, input: MemoryInput): { project: string; files: string[] } {
  const typed = input.file ?? [];
  if (input.global) {
    if (typed.length === 0) return { project: EVERYWHERE, files: [] };
    throw new DexError("bad_input", "A memory for all projects cannot be about a file of one project.", {
      hint: "Leave out --file or --global.",
    });
  }
  const open = repositoryOf(dex, input.project);
  const files = typed.map((file) => {
    const inside = insidePath(open.repository, file, open.folder);
    if (inside !== undefined) return inside;
    throw outsideRepository(open, file);
  });
  return { project: projectKey(open.repository), files: [...new Set(files)] };
}

/** Memories of this project and of all projects, the latest first. */
export function memoriesHere(dex: Dex, folder: string | undefined): Memory[] {
  return memoriesOf(dex, [projectKey(repositoryOf(dex, folder).repository), EVERYWHERE]);
}

/** Creates no file if nothing was ever saved. */
export function memoriesOf(dex: Dex, projects: readonly string[]): Memory[] {
  return dex.hasState ? dex.withState(({ memory }) => memory.all(projects)) : [];
}

/** The user's own memories, then those of the team. */
export function memoriesWithTeam(dex: Dex, folder: string | undefined): Memory[] {
  const own = memoriesHere(dex, folder);
  const known = new Set(own.map(({ id }) => id));
  const team = teamNotesOf(dex, repositoryOf(dex, folder).repository).memories;
  return [...own, ...team.filter(({ id }) => !known.has(id) && known.add(id))];
}

export function listedMemories(dex: Dex, memories: readonly Memory[]): Saved[] {
  if (memories.length === 0) return [];
  return dex.withState(({ memory: notes }) => memories.map((each) => savedMemory(each, notes.provenance(each))));
}

export function savedMemory(memory: Memory, origins: readonly Provenance[]): Saved {
  const { id, kind, text, because, files, project, time } = memory;
  const date = new Date(time).toISOString();
  const saved_by = memory.author === undefined ? listedOrigins(origins) : [{ by: memory.author, date }];
  return { id, kind, text, because, files, global: project === EVERYWHERE, date, saved_by };
}

export function listedOrigins(origins: readonly Provenance[]): Saved["saved_by"] {
  return origins.slice(0, MAX_ORIGINS).map(({ by, place, first }) => ({
    by,
    ...(place === "" ? {} : { place }),
    date: new Date(first).toISOString(),
  }));
}

/**
 * The saver: the given conversation, or the caller's own. `current` without a known session is allowed here, because a
 * person is not in a session.
 */
export function saverOf(dex: Dex, session: string, context: RunContext): Saver {
  if (session !== "current") {
    const address = parseAddress(session);
    const row = resolveConversation(dex, address);
    return { by: row.source, place: address.index === undefined ? row.id : `${row.id}#${address.index}` };
  }
  const id = currentSession(dex.vars);
  const agent = currentAgent(dex.vars);
  if (id === undefined) return { by: agent ?? (context.agent ? "agent" : "person"), place: "" };
  const [row] = dex.store.byPrefix(id, undefined, 1);
  if (row?.id !== id) return { by: agent ?? "agent", place: id };
  return { by: row.source, place: row.messages === 0 ? id : `${id}#${row.messages - 1}` };
}
