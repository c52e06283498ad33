/** Digests pushed messages into a segment that is being assembled. */
import type { Message } from "../../conversations/model.ts";
import type { SegmentAssembly } from "../../store/engine/shared.ts";
import type { MessageDigest } from "../../store/index_writer.ts";
import type { CommitRow, FileRow } from "../../store/ports.ts";
import { linesOf, type PushedPart } from "../../store/shared/pushed.ts";
import type { SharedEntry, SharedTotals } from "../../store/shared/segment.ts";
import type { Digester } from "../../sync/recording/digest.ts";

const NO_TOTALS: SharedTotals = {
  messages: 0,
  tokens: 0,
  tokens_stripped: 0,
  tokens_user: 0,
  first: null,
  last: null,
  prompt: null,
};

export interface Pushed {
  conv: number;
  generation: number;
  bytes: Buffer;
  /** Where the bytes begin in the pushed archive. */
  place: number;
  part: PushedPart;
  /** The entry of the messages that are indexed already; undefined: the conversation is indexed from its beginning. */
  before: SharedEntry | undefined;
}

/** Adds the messages of a conversation and returns what the index then knows about it. */
export function digestPushed(assembly: SegmentAssembly, digester: Digester, pushed: Pushed): SharedEntry {
  const { conv, generation, part, before, bytes, place } = pushed;
  const files = new Map<string, FileRow>();
  const commits: CommitRow[] = [];
  let totals = before?.totals ?? NO_TOTALS;
  const entry = {
    conv,
    generation,
    bytes: part.end,
    meta: part.meta,
    titled: !before || before.meta.title !== part.meta.title ? part.end : null,
    blocks: part.blocks,
  };
  for (const block of part.blocks) {
    const digests = linesOf(bytes, place, block).map((line) =>
      digester.digest(JSON.parse(line) as Message, Buffer.from(line)),
    );
    assembly.add({ conv, first: block.first }, digests, digester.analyser.terms);
    digester.analyser.trim();
    for (const [i, digest] of digests.entries()) {
      totals = withMessage(totals, digest);
      const index = block.first + i;
      for (const { path, how } of digest.files) {
        const key = `${how} ${path}`;
        if (!files.has(key)) files.set(key, { path, how, first: index });
      }
      for (const { sha, subject } of digest.commits) commits.push({ first: index, sha, subject });
    }
  }
  const described: SharedEntry = { ...entry, totals, files: [...files.values()], commits };
  assembly.describe(described, described.titled === null ? undefined : digester.title(part.meta.title));
  return described;
}

function withMessage(totals: SharedTotals, digest: MessageDigest): SharedTotals {
  const { time } = digest;
  const isPrompt = totals.prompt === null && digest.role === "user" && digest.head !== "";
  return {
    messages: totals.messages + 1,
    tokens: totals.tokens + digest.tokens,
    tokens_stripped: totals.tokens_stripped + digest.tokens_stripped,
    tokens_user: totals.tokens_user + digest.tokens_user,
    first: time === null ? totals.first : Math.min(time, totals.first ?? time),
    last: time === null ? totals.last : Math.max(time, totals.last ?? time),
    prompt: isPrompt ? digest.head : totals.prompt,
  };
}
