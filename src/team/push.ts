/**
 * Pushes conversations to the team: finished parts of their archives, after the gate, each conversation from where its
 * ledger row ends. Safe to kill at any point and to run twice: the server appends a piece only at the end of what it has,
 * and says so where it has the same piece already.
 */
import { createHash } from "node:crypto";
import type { Row } from "../store/postgres/statements.ts";
import type { PushedConversation, TeamNotes } from "../store/state/team.ts";
import type { GateRules } from "./gate/cleaning.ts";
import type { Gates } from "./gate/gates.ts";
import { afterPieces, type Candidate, FORGOTTEN, type PushContext, type PushReport, Sender } from "./sending.ts";

/** A conversation that never agrees with the server is given up for this run. */
const MAX_TRIES = 4;
/**
 * How many conversations are cleaned or sent at once for each that the gate can clean, because sending waits for the
 * server.
 */
const IN_FLIGHT = 4;

/** The parts of each conversation that the server has. */
export type Ledger = ReadonlyMap<string, PushedConversation>;

export function readLedger(notes: TeamNotes): Ledger {
  return new Map(notes.pushed().map((row) => [keyOf(row), row]));
}

/** Named in the ledger: with other rules, everything is cleaned again. */
export function rulesHash(version: string, rules: GateRules): string {
  return createHash("sha256")
    .update(JSON.stringify([version, rules.homes, rules.patterns, rules.redaction ?? ""]))
    .digest("hex")
    .slice(0, 16);
}

/** The candidates that the ledger does not have in full. */
export function pending(candidates: readonly Candidate[], ledger: Ledger, rules: string): Candidate[] {
  return candidates.filter((each) => {
    const row = ledger.get(keyOf(each));
    if (!row) return true;
    if (row.held === FORGOTTEN) return false;
    return row.localBytes !== each.bytes || row.rules !== rules || row.scope !== each.scope;
  });
}

/** Conversations on the server that a person has objected to since they were pushed. */
export function objectedIn(notes: TeamNotes, ledger: Ledger): PushedConversation[] {
  const rows = notes.objections().flatMap((each) => ledger.get(keyOf(each)) ?? []);
  return rows.filter(({ held }) => held !== FORGOTTEN);
}

/** `known`: the ledger as it was read before the server answered. */
export async function push(context: PushContext, candidates: readonly Candidate[], known: Ledger): Promise<PushReport> {
  const { notes, hello } = context;
  const rules = rulesHash(context.version, context.rules);
  const isRestored = notes.value("epoch") !== hello.epoch;
  if (isRestored) await reconcile(context);
  const ledger = isRestored ? readLedger(notes) : known;
  const todo = pending(candidates, ledger, rules);
  const report: PushReport = { conversations: 0, bytes: 0, redactions: 0, held: [] };
  if (todo.length === 0) return report;
  // A push with nothing new needs no redaction.
  const { Gates } = await import("./gate/gates.ts");
  const gates = new Gates(
    todo.reduce((sum, { bytes }) => sum + bytes, 0),
    context.rules.patterns.length > 0,
  );
  const sender = new Sender(context, report, rules);
  try {
    // Sorted by project, because a transaction locks one project.
    const ordered = [...todo].sort((a, b) => (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : 0));
    let next = 0;
    let done = 0;
    const work = async (): Promise<void> => {
      while (next < ordered.length) {
        context.signal?.throwIfAborted();
        const candidate = ordered[next] as Candidate;
        next += 1;
        await pushOne(context, gates, sender, candidate, ledger.get(keyOf(candidate)), rules);
        done += 1;
        context.progress?.(done, ordered.length);
      }
    };
    await Promise.all(Array.from({ length: gates.width * IN_FLIGHT }, work));
  } finally {
    sender.writeLedger();
    await gates.close();
  }
  return report;
}

/** Handles a restore of the server: whatever it lost is pushed again. */
async function reconcile({ link, notes, hello }: PushContext): Promise<void> {
  const known = new Map<string, Row>();
  for (const row of await link.call("state")) known.set(`${row.source}\0${row.id}\0${row.branch}`, row);
  for (const row of notes.pushed()) {
    const there = known.get(`${keyOf(row)}\0${row.branch}`);
    const isWhole = there && Number(there.generation) === row.generation && Number(there.bytes) === row.teamBytes;
    if (!isWhole && row.held === null)
      notes.restart(row.source, row.id, there ? Number(there.generation) : row.generation);
  }
  notes.setValue("epoch", hello.epoch);
}

async function pushOne(
  context: PushContext,
  gates: Gates,
  sender: Sender,
  candidate: Candidate,
  known: PushedConversation | undefined,
  rules: string,
): Promise<void> {
  let row = known?.scope === candidate.scope ? known : undefined;
  // It belongs to another project now, so it must not stay where members of the old one see it.
  if (known && !row) await context.link.call("withdraw", known.scope, known.source, known.id);
  let before: PushedConversation | undefined;
  if (row && row.rules !== rules) {
    // With other rules, everything is cleaned again, and replaced if the result differs.
    before = row;
    row = { ...row, localBytes: 0, tail: "", teamBytes: 0, chain: "" };
  }
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const start = row ?? first(candidate, rules);
    const result = await gates.pass({
      folder: context.archive,
      path: candidate.path,
      root: candidate.root(),
      from: start.localBytes,
      tail: start.tail,
      chain: start.chain,
      rules: context.rules,
    });
    if ("held" in result) return sender.hold(candidate, start, result.held);
    if ("rewritten" in result) {
      row = { ...start, generation: start.generation + 1, localBytes: 0, tail: "", teamBytes: 0, chain: "" };
      continue;
    }
    if (before && before.chain === result.chain && before.localBytes === result.bytes) {
      sender.record([afterPieces(start, result, rules)]);
      return;
    }
    if (before) {
      row = { ...start, generation: before.generation + 1 };
      before = undefined;
      // The pieces are the same in the new generation; only their place on the server changes.
    }
    const answer = await sender.send(candidate, row ?? start, result);
    if (answer === "done") return;
    row = answer;
  }
  sender.hold(candidate, row ?? first(candidate, rules), "the server has another version of it");
}

function first({ source, id, scope }: Candidate, rules: string): PushedConversation {
  const nothing = { branch: "", generation: 1, localBytes: 0, tail: "", teamBytes: 0, chain: "", held: null };
  return { source, id, scope, rules, ...nothing };
}

function keyOf({ source, id }: { source: string; id: string }): string {
  return `${source}\0${id}`;
}
