/** Sends pieces of conversations in transactions, and writes the ledger. */
import type { ConversationMeta } from "../conversations/model.ts";
import { DexError } from "../kernel/errors.ts";
import type { Row, TeamLink } from "../store/postgres/statements.ts";
import type { PushedConversation, TeamNotes } from "../store/state/team.ts";
import type { Hello } from "./access.ts";
import type { GateRules } from "./gate/cleaning.ts";
import type { GateResult } from "./gate/gate.ts";

/** A conversation of this machine that may leave it. */
export interface Candidate {
  source: string;
  id: string;
  scope: string;
  /**
   * The root of its project, if it cannot be derived from the folder. It needs a look at the disk, so it is only
   * computed for conversations that are sent.
   */
  root: () => string | undefined;
  /** Its archive file and the file's length. */
  path: string;
  bytes: number;
}

export interface PushReport {
  conversations: number;
  bytes: number;
  redactions: number;
  /** Conversations that are held back, with the reason. */
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

/** The most bytes of one transaction; a larger conversation takes several. */
const MAX_BATCH_BYTES = 4 << 20;
const MAX_BATCH_CALLS = 64;
const MAX_CALL_BYTES = 16 << 20;
/** Concurrent transactions: when the server has finished one, the next one is already there. */
const MAX_TRANSACTIONS = 2;
/** A smaller second transaction waits for the first, and grows meanwhile: each one waits for the server's disk. */
const MIN_SECOND_BYTES = 512 << 10;
/** The longest delay of writes to the ledger. */
const LEDGER_MS = 1000;
/** The server refuses it: another machine of the member forgot it. */
export const FORGOTTEN = "forgotten";

export type Gated = Extract<GateResult, { pieces: unknown }>;

export function afterPieces(row: PushedConversation, gated: Gated, rules: string): PushedConversation {
  const teamBytes = row.teamBytes + gated.pieces.reduce((sum, { data }) => sum + data.length, 0);
  return { ...row, rules, chain: gated.chain, teamBytes, localBytes: gated.bytes, tail: gated.tail, held: null };
}

/** One piece, and its place on the server. */
interface Append {
  place: number;
  data: Uint8Array;
  complete: boolean;
}

interface Waiting {
  candidate: Candidate;
  row: PushedConversation;
  gated: Gated;
  calls: Append[];
  bytes: number;
  settle(answer: "done" | PushedConversation): void;
  fail(error: unknown): void;
}

/**
 * Sends conversations. Those that become ready while transactions run are sent together in the next one, because every
 * transaction waits for a disk. For the same reason the ledger is written with a short delay: after a kill, a
 * conversation that is missing from it is sent again, and the server says that it already has it.
 */
export class Sender {
  readonly #context: PushContext;
  readonly #report: PushReport;
  readonly #rules: string;
  readonly #waiting: Waiting[] = [];
  readonly #sent: PushedConversation[] = [];
  #written = performance.now();
  #transactions = 0;

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
    const calls: Append[] = [];
    let at = row.teamBytes;
    for (const { data, complete } of gated.pieces) {
      calls.push({ place: at, data, complete });
      at += data.length;
    }
    return new Promise((settle, fail) => {
      this.#waiting.push({ candidate, row, gated, calls, bytes: at - row.teamBytes, settle, fail });
      this.#work();
    });
  }

  #work(): void {
    while (this.#isNextDue()) {
      this.#transactions += 1;
      void this.#transact(this.#next()).finally(() => {
        this.#transactions -= 1;
        this.#work();
      });
    }
  }

  #isNextDue(): boolean {
    if (this.#waiting.length === 0 || this.#transactions >= MAX_TRANSACTIONS) return false;
    return this.#transactions === 0 || this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0) >= MIN_SECOND_BYTES;
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
      const answers: Row[] = [];
      for (const some of inCalls(batch.flatMap(piecesOf))) {
        answers.push(...(await this.#context.link.call("appendAll", directoryOf(some), dataOf(some))));
      }
      let at = 0;
      const rows: PushedConversation[] = [];
      const settled: (() => void)[] = [];
      for (const each of batch) {
        const own = answers.slice(at, at + each.calls.length);
        at += each.calls.length;
        const answer = this.#judge(each, own);
        if (answer.done) rows.push(answer.done);
        settled.push(() => each.settle(answer.next ?? "done"));
      }
      this.record(rows);
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

  /** Records conversations that the server has. */
  record(rows: readonly PushedConversation[]): void {
    this.#sent.push(...rows);
    if (performance.now() - this.#written > LEDGER_MS) this.writeLedger();
  }

  writeLedger(): void {
    if (this.#sent.length > 0) this.#context.notes.setPushed(this.#sent.splice(0));
    this.#written = performance.now();
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
    if (row.branch !== "") {
      const { source, id } = candidate;
      throw new DexError("team_index", `Another machine has pushed ${source}:${id} under the name of this one.`, {
        hint: "This home may be a copy of that machine's: run `dex team leave`, then `dex team join` with a new invitation.",
      });
    }
    return { next: { ...again, branch: `machine-${this.#context.hello.device}`, generation: 1 } };
  }
}

/** A piece with everything that the server needs to know of it. */
interface Addressed {
  data: Uint8Array;
  entry: object;
}

function piecesOf({ candidate, row, gated, calls }: Waiting): Addressed[] {
  const { scope, source, id } = candidate;
  const { branch, generation } = row;
  const meta = shownMeta(gated.meta);
  return calls.map(({ place, data, complete }) => ({
    data,
    entry: { scope, source, id, branch, generation, place, complete, messages: gated.messages, meta },
  }));
}

/** Usually one call; a long conversation takes several. */
function* inCalls(pieces: readonly Addressed[]): Generator<Addressed[]> {
  let some: Addressed[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (some.length > 0 && bytes + piece.data.length > MAX_CALL_BYTES) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(piece);
    bytes += piece.data.length;
  }
  if (some.length > 0) yield some;
}

function directoryOf(pieces: readonly Addressed[]): object[] {
  let start = 0;
  return pieces.map(({ data, entry }) => {
    start += data.length;
    return { ...entry, start: start - data.length, length: data.length };
  });
}

function dataOf(pieces: readonly Addressed[]): Uint8Array {
  return Buffer.concat(pieces.map(({ data }) => data));
}

/** The fields that lists of conversations show, without reading a frame. */
function shownMeta(meta: ConversationMeta): object {
  const { title, project, branch, model, created, updated, parent, parent_kind, prs, family } = meta;
  return { title, project, branch, model, created, updated, parent, parent_kind, prs: prs?.slice(0, 50), family };
}
