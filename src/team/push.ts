/**
 * Pushes conversations to the team: finished parts of their archives, after the gate, each conversation from where its
 * ledger row ends. Safe to kill at any point and to run twice: the server appends a piece only at the end of what it has,
 * and says so where it has the same piece already.
 */
import { createHash } from "node:crypto";
import type { ConversationMeta } from "../conversations/model.ts";
import { DexError } from "../kernel/errors.ts";
import type { Call, Row, TeamLink } from "../store/postgres/statements.ts";
import type { PushedConversation, TeamNotes } from "../store/team.ts";
import type { Hello } from "./access.ts";
import type { GateRules } from "./cleaning.ts";
import { type GateResult, rulesHash } from "./gate.ts";
import { Gates } from "./gates.ts";

/** A conversation of this machine that may leave it. */
export interface Candidate {
  source: string;
  id: string;
  scope: string;
  /** Its archive file, and how long it is. */
  path: string;
  bytes: number;
}

export interface PushReport {
  conversations: number;
  bytes: number;
  redactions: number;
  /** Conversations that stay here, with the reason. */
  held: { source: string; id: string; why: string }[];
}

export interface PushContext {
  link: TeamLink;
  hello: Hello;
  notes: TeamNotes;
  archive: string;
  rules: GateRules;
  version: string;
  signal?: AbortSignal | undefined;
  progress?(done: number, total: number): void;
}

/** Of one transaction. */
const MAX_BATCH_BYTES = 4 << 20;
const MAX_BATCH_CALLS = 64;
/** A conversation that never agrees with the server is given up for this run. */
const MAX_TRIES = 4;
/** Conversations that are cleaned or sent at once, for each that the gate can clean: sending waits for the server. */
const IN_FLIGHT = 4;
/** The server refuses it: another machine of the member forgot it. */
const FORGOTTEN = "forgotten";

/** The candidates that the ledger does not have in full. */
export function pending(candidates: readonly Candidate[], notes: TeamNotes, rules: string): Candidate[] {
  const ledger = new Map(notes.pushed().map((row) => [keyOf(row), row]));
  return candidates.filter((each) => {
    const row = ledger.get(keyOf(each));
    if (!row) return true;
    if (row.held === FORGOTTEN) return false;
    return row.localBytes !== each.bytes || row.rules !== rules || row.scope !== each.scope;
  });
}

export async function push(context: PushContext, candidates: readonly Candidate[]): Promise<PushReport> {
  const { notes, hello } = context;
  const rules = rulesHash(context.version, context.rules);
  if (notes.value("epoch") !== hello.epoch) await reconcile(context);
  const todo = pending(candidates, notes, rules);
  const report: PushReport = { conversations: 0, bytes: 0, redactions: 0, held: [] };
  if (todo.length === 0) return report;
  const ledger = new Map(notes.pushed().map((row) => [keyOf(row), row]));
  const gates = new Gates(
    todo.reduce((sum, { bytes }) => sum + bytes, 0),
    context.rules.patterns.length > 0,
  );
  const sender = new Sender(context, report, rules);
  try {
    // One project after another: a transaction then locks one of them.
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
    await gates.close();
  }
  return report;
}

/** After a restore of the server: whatever it lost is pushed again. */
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
  // Its project is another one now: it must not stay where others see it.
  if (known && !row) await context.link.call("withdraw", known.scope, known.source, known.id);
  let before: PushedConversation | undefined;
  if (row && row.rules !== rules) {
    // Other rules: everything is cleaned anew, and replaced where that makes a difference.
    before = row;
    row = { ...row, localBytes: 0, tail: "", teamBytes: 0, chain: "" };
  }
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const start = row ?? first(candidate, rules);
    const result = await gates.pass({
      folder: context.archive,
      path: candidate.path,
      from: start.localBytes,
      tail: start.tail,
      rules: context.rules,
    });
    if ("held" in result) return sender.hold(candidate, start, result.held);
    if ("rewritten" in result) {
      row = { ...start, generation: start.generation + 1, localBytes: 0, tail: "", teamBytes: 0, chain: "" };
      continue;
    }
    const whole = afterPieces(start, result, rules);
    if (before && before.chain === whole.chain && before.localBytes === whole.localBytes) {
      context.notes.setPushed([whole]);
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

type Gated = Extract<GateResult, { pieces: unknown }>;

function afterPieces(row: PushedConversation, gated: Gated, rules: string): PushedConversation {
  const chain = gated.pieces.reduce(
    (hash, { data }) => createHash("sha256").update(hash).update(data).digest("hex"),
    row.chain,
  );
  const teamBytes = row.teamBytes + gated.pieces.reduce((sum, { data }) => sum + data.length, 0);
  return { ...row, rules, chain, teamBytes, localBytes: gated.bytes, tail: gated.tail, held: null };
}

interface Waiting {
  candidate: Candidate;
  row: PushedConversation;
  gated: Gated;
  calls: Call[];
  bytes: number;
  settle(answer: "done" | PushedConversation): void;
  fail(error: unknown): void;
}

/**
 * Sends conversations, and writes the ledger after each transaction. Whatever becomes ready while one runs goes with the
 * next: fewer of them wait for a disk.
 */
class Sender {
  readonly #context: PushContext;
  readonly #report: PushReport;
  readonly #rules: string;
  readonly #waiting: Waiting[] = [];
  #isSending = false;

  constructor(context: PushContext, report: PushReport, rules: string) {
    this.#context = context;
    this.#report = report;
    this.#rules = rules;
  }

  hold(candidate: Candidate, row: PushedConversation, why: string): void {
    this.#report.held.push({ source: candidate.source, id: candidate.id, why });
    if (why === FORGOTTEN) this.#context.notes.setPushed([{ ...row, held: why }]);
  }

  /** Resolves with `done`, or with the place from which to begin again. */
  send(candidate: Candidate, row: PushedConversation, gated: Gated): Promise<"done" | PushedConversation> {
    const calls: Call[] = [];
    let at = row.teamBytes;
    for (const { data, complete } of gated.pieces) {
      const { scope, source, id } = candidate;
      const place = [scope, source, id, row.branch, row.generation, at] as const;
      calls.push({ name: "append", parameters: [...place, data, complete, gated.messages, shownMeta(gated.meta)] });
      at += data.length;
    }
    return new Promise((settle, fail) => {
      this.#waiting.push({ candidate, row, gated, calls, bytes: at - row.teamBytes, settle, fail });
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting.length > 0) await this.#transact(this.#next());
    this.#isSending = false;
  }

  /** The next conversations of one project: a transaction locks one. */
  #next(): Waiting[] {
    const batch: Waiting[] = [];
    let bytes = 0;
    while (this.#waiting[0] && batch.length < MAX_BATCH_CALLS && bytes < MAX_BATCH_BYTES) {
      if (batch[0] && batch[0].candidate.scope !== this.#waiting[0].candidate.scope) break;
      const next = this.#waiting.shift() as Waiting;
      bytes += next.bytes;
      batch.push(next);
    }
    return batch;
  }

  async #transact(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#context.link.batch(batch.flatMap(({ calls }) => calls));
      let at = 0;
      const rows: PushedConversation[] = [];
      const settled: (() => void)[] = [];
      for (const each of batch) {
        const own = answers.slice(at, at + each.calls.length).map(([row]) => row ?? {});
        at += each.calls.length;
        const answer = this.#judge(each, own);
        if (answer.done) rows.push(answer.done);
        settled.push(() => each.settle(answer.next ?? "done"));
      }
      this.#context.notes.setPushed(rows);
      for (const settle of settled) settle();
    } catch (error) {
      if (error instanceof DexError && error.code === "team_scope") {
        for (const { candidate, row, settle } of batch) {
          this.hold(candidate, row, "the project is not shared with you");
          settle("done");
        }
      } else for (const { fail } of batch) fail(error);
    }
  }

  #judge(each: Waiting, answers: readonly Row[]): { done?: PushedConversation; next?: PushedConversation } {
    const { row, gated, candidate } = each;
    const wrong = answers.find(({ status }) => status !== "appended" && status !== "had");
    if (!wrong) {
      this.#report.conversations += 1;
      this.#report.bytes += each.bytes;
      this.#report.redactions += gated.redactions;
      return { done: afterPieces(row, gated, this.#rules) };
    }
    if (wrong.status === FORGOTTEN) {
      this.hold(candidate, row, FORGOTTEN);
      return {};
    }
    const again = { ...row, localBytes: 0, tail: "", teamBytes: 0, chain: "" };
    const mine = Number(wrong.device) === this.#context.hello.device;
    if (mine) return { next: { ...again, generation: Number(wrong.generation) + 1 } };
    if (row.branch !== "") throw new DexError("team_index", "The branch of this machine belongs to another.");
    return { next: { ...again, branch: `machine-${this.#context.hello.device}`, generation: 1 } };
  }
}

/** What lists of conversations show, without reading a frame. */
function shownMeta(meta: ConversationMeta): object {
  const { title, project, branch, model, created, updated, parent, parent_kind, prs, family } = meta;
  return { title, project, branch, model, created, updated, parent, parent_kind, prs: prs?.slice(0, 50), family };
}

function keyOf({ source, id }: { source: string; id: string }): string {
  return `${source}\0${id}`;
}
