/** MENTIONS: the latest conversations, commits and decisions that speak of a symbol or its file. */

import { renderMessage } from "../../conversations/render.ts";
import type { Dex } from "../../dex.ts";
import { compareText } from "../../kernel/text.ts";
import { decisionsOf } from "../../project/decisions.ts";
import { type OpenRepository, withRepository } from "../../project/repository.ts";
import { loadMessages } from "../../search/messages.ts";
import { parseQuery } from "../../search/query/query.ts";
import type { OperationContext } from "../operation.ts";
import type { Mention } from "../shared/mention.ts";

/** Shown of each kind. */
const MOST = 5;
const MOST_COMMITS = 5000;
const MOST_HITS = 50;
/** Messages whose text is read to see whether the name stands there as it is. */
const MOST_READ = 200;
const LONGEST = 200;

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
    return [...conversations(dex, open, subject), ...commits(open, subject), ...decisions.sort(latest).slice(0, MOST)];
  });
}

/** What names the symbol comes before what only touches its file; each the latest first. */
function latest(a: Mention, b: Mention): number {
  return compareText(b.of, a.of) || compareText(b.time, a.time) || compareText(a.ref, b.ref);
}

function row(kind: Mention["kind"], ref: string, text: string, time: number, named: boolean): Mention {
  const of = named ? "symbol" : "file";
  return { kind, ref, text: text.slice(0, LONGEST), time: new Date(time).toISOString(), of };
}

function commits({ history }: OpenRepository, { name, files }: Subject): Mention[] {
  const word = name === undefined ? undefined : wordOf(name);
  const found = new Map<string, Mention>();
  for (const file of files) {
    for (const { sha, subject, time } of history.commitsOf(file, MOST))
      found.set(sha, row("commit", sha, subject, time, false));
  }
  for (const { sha, subject, body, time } of word ? history.recent(MOST_COMMITS) : []) {
    if (word?.test(subject) || word?.test(body)) found.set(sha, row("commit", sha, subject, time, true));
  }
  return [...found.values()].sort(latest).slice(0, MOST);
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
    const speaks = (no: number, index: number): boolean => {
      const conversation = here.has(no) && read < MOST_READ ? dex.store.byNo(no) : undefined;
      if (!conversation) return false;
      read += 1;
      const message = loadMessages(dex, conversation, index, index + 1)[0]?.message;
      return message !== undefined && word.test(renderMessage(message, "full") ?? "");
    };
    const { hits } = dex.store.searchTexts({ ...query, required: query.terms }, {}, MOST_HITS, 0, speaks);
    for (const { no, index } of hits) {
      const each = dex.store.byNo(no);
      if (each) found.set(no, row("conversation", `${each.id}#${index ?? 0}`, each.title, each.updated, true));
    }
  }
  return [...found.values()].sort(latest).slice(0, MOST);
}

/** The name by itself, not as a part of a longer one. */
function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replaceAll(/[^\w]/g, "\\$&")}(?![\\w$])`);
}
