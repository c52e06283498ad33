/** Pushes decisions, pins and notes of shared projects, after the gate. */
import { createHash } from "node:crypto";
import { DexError } from "../kernel/errors.ts";
import { asObject, asString, type Json } from "../kernel/json.ts";
import type { TeamLink } from "../store/postgres/statements.ts";
import type { StateStore } from "../store/state/state.ts";
import type { Share } from "../store/state/team.ts";
import { Cleaner, type GateRules } from "./gate/cleaning.ts";
import { isSlowPattern } from "./gate/slow_patterns.ts";
import { keyOf, type LeavingNote, leavingNotes, ledgerOf, writeLedger } from "./notes.ts";

/** Sends new and changed notes, and removes those that were removed here. Returns how many changed on the server. */
export async function pushNotes(
  state: StateStore,
  link: TeamLink,
  shares: readonly Share[],
  leaves: (id: string) => boolean,
  rules: GateRules,
): Promise<number> {
  const known = ledgerOf(state);
  // Notes are cleaned in this thread, which cannot be stopped, so none is pushed while a pattern is slow.
  if (rules.patterns.some(isSlowPattern)) return 0;
  const cleaner = new Cleaner(rules);
  const now = new Map<string, string>();
  let changed = 0;
  const refused = new Set<string>();
  for (const note of leavingNotes(state, shares, leaves)) {
    const { body, hash } = cleanedNote(cleaner, note);
    if (refused.has(note.scope)) continue;
    if (known.get(keyOf(note)) !== hash) {
      if (!(await put(link, note.scope, note.kind, note.id, body))) {
        refused.add(note.scope);
        continue;
      }
      changed += 1;
    }
    now.set(keyOf(note), hash);
  }
  const shared = new Set(shares.map(({ scope }) => scope));
  for (const key of known.keys()) {
    const [scope = "", kind = "", id = ""] = JSON.parse(key) as string[];
    if (now.has(key) || !shared.has(scope) || refused.has(scope)) continue;
    if (await put(link, scope, kind, id, null)) changed += 1;
  }
  if (JSON.stringify([...now]) !== JSON.stringify([...known])) writeLedger(state, now);
  return changed;
}

/** A decision or note that the next push would send, with its text as it would leave. */
export interface PendingNote {
  scope: string;
  kind: string;
  id: string;
  text: string;
}

/** New and changed notes that the server does not have. */
export function pendingNotes(
  state: StateStore,
  shares: readonly Share[],
  leaves: (id: string) => boolean,
  rules: GateRules,
): PendingNote[] {
  if (rules.patterns.some(isSlowPattern)) return [];
  const known = ledgerOf(state);
  const cleaner = new Cleaner(rules);
  return leavingNotes(state, shares, leaves).flatMap((note) => {
    const { body, hash } = cleanedNote(cleaner, note);
    if (known.get(keyOf(note)) === hash) return [];
    return [{ scope: note.scope, kind: note.kind, id: note.id, text: asString(asObject(body).text) ?? "" }];
  });
}

/** Whether a push of notes would change anything. */
export function hasPendingNotes(
  state: StateStore,
  shares: readonly Share[],
  leaves: (id: string) => boolean,
  rules: GateRules,
): boolean {
  const known = ledgerOf(state);
  if (rules.patterns.some(isSlowPattern)) return false;
  if (pendingNotes(state, shares, leaves, rules).length > 0) return true;
  const now = new Set(leavingNotes(state, shares, leaves).map(keyOf));
  const shared = new Set(shares.map(({ scope }) => scope));
  return [...known.keys()].some((key) => !now.has(key) && shared.has((JSON.parse(key) as string[])[0] ?? ""));
}

function cleanedNote(cleaner: Cleaner, note: LeavingNote): { body: Json; hash: string } {
  const body = cleaner.value(note.body);
  return { body, hash: createHash("sha256").update(JSON.stringify(body)).digest("hex").slice(0, 16) };
}

/** False: the project is not shared with this member. */
async function put(link: TeamLink, scope: string, kind: string, id: string, body: Json): Promise<boolean> {
  try {
    await link.call("note", scope, kind, id, body);
    return true;
  } catch (error) {
    if (error instanceof DexError && error.code === "team_scope") return false;
    throw error;
  }
}
