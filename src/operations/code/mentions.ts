/** The latest conversations, commits and decisions that mention a symbol or its file. */
import { renderMessage } from "../../conversations/render.ts";
import type { Dex } from "../../dex.ts";
import { compareText } from "../../kernel/text.ts";
import { decisionsOf } from "../../project/decisions.ts";
import { type OpenRepository, withRepository } from "../../project/repository.ts";
import { loadMessages, unlessDamaged } from "../../search/messages.ts";
import { parseQuery } from "../../search/query/query.ts";
import type { OperationContext } from "../operation.ts";
import type { Mention } from "../shared/mention.ts";

/** For each kind: conversations, commits, decisions. */
const MAX_MENTIONS = 5;
const MAX_COMMITS_SEARCHED = 5000;
const MAX_HITS = 50;
/** Messages that are read to check that they contain the exact name. */
const MAX_MESSAGES_READ = 200;
const MAX_TEXT_CHARS = 200;

interface Subject {
  /** Undefined: a whole file. */
  name: string | undefined;
  files: readonly string[];
}

export function mentionsOf(dex: Dex, root: string, subject: Subject, context: OperationContext): Promise<Mention[]> {
  return withRepository(dex, root, context, async (open) => {
    const decided = (await decisionsOf(dex, open, context)).filter(({ shown }) => shown);
    const decisions = decided.flatMap(({ id, text, time, symbols, files }) => {
      const named = subject.name !== undefined && symbols.includes(subject.name);
      if (!named && !files.some((file) => subject.files.includes(file))) return [];
      return [row("decision", id, text, time, named)];
    });
    return [
      ...conversations(dex, open, subject),
      ...commits(open, subject),
      ...decisions.sort(latestFirst).slice(0, MAX_MENTIONS),
    ];
  });
}

/** Mentions of the symbol before mentions of its file, each latest first. */
function latestFirst(a: Mention, b: Mention): number {
  return compareText(b.of, a.of) || compareText(b.time, a.time) || compareText(a.ref, b.ref);
}

function row(kind: Mention["kind"], ref: string, text: string, time: number, named: boolean): Mention {
  const of = named ? "symbol" : "file";
  return { kind, ref, text: text.slice(0, MAX_TEXT_CHARS), time: new Date(time).toISOString(), of };
}

function commits({ history }: OpenRepository, { name, files }: Subject): Mention[] {
  const word = name === undefined ? undefined : wordOf(name);
  const found = new Map<string, Mention>();
  for (const file of files) {
    for (const { sha, subject, time } of history.commitsOf(file, MAX_MENTIONS))
      found.set(sha, row("commit", sha, subject, time, false));
  }
  for (const { sha, subject, body, time } of word ? history.recent(MAX_COMMITS_SEARCHED) : []) {
    if (word?.test(subject) || word?.test(body)) found.set(sha, row("commit", sha, subject, time, true));
  }
  return [...found.values()].sort(latestFirst).slice(0, MAX_MENTIONS);
}

function conversations(dex: Dex, open: OpenRepository, { name, files }: Subject): Mention[] {
  const found = new Map<number, Mention>();
  for (const { row: each, how, first } of open.links.touching(files)) {
    if (how !== "mentioned")
      found.set(each.no, row("conversation", `${each.id}#${first}`, each.title, each.updated, false));
  }
  const query = name === undefined || dex.indexState !== "ready" ? undefined : parseQuery(name);
  if (query && name !== undefined) {
    const here = new Set(open.links.conversations.map(({ no }) => no));
    const word = wordOf(name);
    let read = 0;
    const mentionsName = (no: number, index: number | null): boolean => {
      if (index === null) return false;
      const conversation = here.has(no) && read < MAX_MESSAGES_READ ? dex.store.byNo(no) : undefined;
      if (!conversation) return false;
      read += 1;
      const message = unlessDamaged(dex, () => loadMessages(dex, conversation, index, index + 1), [])[0]?.message;
      return message !== undefined && word.test(renderMessage(message, "full") ?? "");
    };
    const { hits } = dex.store.searchTexts({ ...query, required: query.terms }, {}, MAX_HITS, 0, mentionsName);
    for (const { no, index } of hits) {
      const each = dex.store.byNo(no);
      if (each) found.set(no, row("conversation", `${each.id}#${index ?? 0}`, each.title, each.updated, true));
    }
  }
  return [...found.values()].sort(latestFirst).slice(0, MAX_MENTIONS);
}

/** Matches the name as a whole word. */
function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`);
}
