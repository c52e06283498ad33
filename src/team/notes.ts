/** Decisions, pins and notes of shared projects that go to the team. Every push loads this file, and few have such notes. */
import { projectKey, repositoryOrFolder } from "../history/repository.ts";
import type { Json } from "../kernel/json.ts";
import type { MemoryKind } from "../store/state/memories.ts";
import type { StateStore } from "../store/state/state.ts";
import type { Share } from "../store/state/team.ts";

/** Without preferences: these are about the person, so they are not shared. */
export const SHARED_KINDS: readonly MemoryKind[] = ["pin", "note", "gotcha"];
export const DECISION = "decision";
const MAX_NOTES = 2000;
/** The name in the ledger under which dex keeps a hash of each note that the server has. */
const LEDGER = "notes";

export interface LeavingNote {
  scope: string;
  kind: string;
  id: string;
  body: Record<string, Json>;
}

/** `leaves`: whether a conversation is pushed. A note that was saved only in others is not pushed, either. */
export function leavingNotes(
  state: StateStore,
  shares: readonly Share[],
  leaves: (id: string) => boolean,
): LeavingNote[] {
  return shares.flatMap(({ scope, root }) => {
    const project = projectKey(repositoryOrFolder(root));
    const mayLeave = ({ id }: { id: string }): boolean => {
      const origins = state.memory.provenance({ id, project });
      return origins.length === 0 || origins.some(({ place }) => place === "" || leaves(place.split("#")[0] ?? ""));
    };
    const memories = state.memory.all([project]).filter(({ kind }) => SHARED_KINDS.includes(kind));
    return [
      ...state.decisions
        .own(project)
        .filter(mayLeave)
        .map(({ id, text, because, alternatives, files, symbols, time }) => ({
          scope,
          kind: DECISION,
          id,
          body: { text, because, alternatives, files, symbols, time },
        })),
      ...memories
        .filter(mayLeave)
        .map(({ id, kind, text, because, files, time }) => ({ scope, kind, id, body: { text, because, files, time } })),
    ].slice(0, MAX_NOTES);
  });
}

export function keyOf({ scope, kind, id }: LeavingNote): string {
  return JSON.stringify([scope, kind, id]);
}

/** Whether there are notes to compare with the server's. */
export function hasNotes(state: StateStore, shares: readonly Share[]): boolean {
  return ledgerOf(state).size > 0 || leavingNotes(state, shares, () => true).length > 0;
}

/** The hashes of the notes that the server has. */
export function ledgerOf(state: StateStore): Map<string, string> {
  return new Map(JSON.parse(state.team.value(LEDGER) ?? "[]") as [string, string][]);
}

export function writeLedger(state: StateStore, ledger: ReadonlyMap<string, string>): void {
  state.team.setValue(LEDGER, JSON.stringify([...ledger]));
}

/** Call it after a restore of the server: all notes are sent again. */
export function forgetPushedNotes(state: StateStore): void {
  if (state.team.value(LEDGER) !== undefined) state.team.setValue(LEDGER, "[]");
}
