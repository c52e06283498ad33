/**
 * SpecStory: markdown that its extensions and command write into a project, from the sessions of several agents.
 *
 * There is no central store. SpecStory rewrites a file as its session grows, and the same session may exist under
 * several names (with and without words of the first prompt). dex reads it whole when it changes, and only the fullest
 * of its copies.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Message, Part, ToolResultPart } from "../../../../conversations/model.ts";
import { SUMMARY_START } from "../../../../conversations/texts/program_text.ts";
import { defined } from "../../../../kernel/defined.ts";
import { readLines } from "../../../../kernel/files/lines.ts";
import { asObject } from "../../../../kernel/json.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { ConversationWriter } from "../../../history/building/writer.ts";
import { cleanPrompt } from "../../../history/claude_prompts.ts";
import { entryPath, fileContainer, listDir } from "../../../history/reading/files.ts";
import { isReadable } from "../../../history/reading/tail.ts";
import type { Container, ReadRequest, Sink, Source } from "../../../history/source.ts";
import { specstoryFolders } from "../integration.ts";
import { type MarkdownBlock, parseBlocks, parseTime, type Turn } from "./markdown.ts";
import { toolParts } from "./tools.ts";

const ID = "specstory";

export const specstoryHistory: Source = {
  id: ID,
  places(env) {
    return specstoryFolders(env).map((path) => ({ path, what: "exported sessions of the project (*.md)" }));
  },
  discover(env) {
    return specstoryFolders(env).flatMap((folder) =>
      listDir(folder)
        .filter((entry) => entry.name.endsWith(".md"))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .flatMap((entry) => fileContainer(ID, entryPath(folder, entry)) ?? []),
    );
  },
  besideCode({ path }) {
    return { project: projectOf(path), history: dirname(path) };
  },
  read(request) {
    const { container, state, sink } = request;
    if (asObject(state).stamp === container.stamp) return state;
    if (!isReadable(container.path, sink)) return state;
    const refused = isFullestCopy(container) && readFile(request);
    return refused ? undefined : { stamp: container.stamp };
  },
};

/** The history is in `.specstory/history` of the project. */
function projectOf(path: string): string {
  return dirname(dirname(dirname(path)));
}

/** Returns true if the user excluded the conversation. */
function readFile({ container, sink }: ReadRequest): boolean {
  const { path } = container;
  const header = headerOf(path);
  const id = header.id ?? stemOf(path);
  const project = projectOf(path);
  const meta = { source: ID, project, created: header.time ?? nameTime(path) };
  const escaped = header.agent === undefined || /cursor/i.test(header.agent);

  const main = new ConversationWriter(sink, { id, ...meta });
  const delivered = deliver(parseBlocks(textLines(path, sink)), main, { sidechain: false, escaped });
  if (main.refused) return true;
  const title = titleOf(path, header.heading, delivered.prompt);
  main.close({ title, model: delivered.model });
  if (!delivered.otherChain) return false;

  // Subagents share one chain without names: together they are one conversation below the session's own. Its id does
  // not begin with the session's, which keeps a short form of the session's id unique.
  const side = new ConversationWriter(sink, {
    id: `sidechain-${id}`,
    ...meta,
    parent: id,
    parent_kind: "subagent",
  });
  const below = deliver(parseBlocks(textLines(path)), side, { sidechain: true, escaped });
  side.close({ title: titleFrom(below.prompt), model: below.model });
  return false;
}

interface Delivery {
  sidechain: boolean;
  escaped: boolean;
}

interface Delivered {
  prompt?: string;
  model?: string;
  /** Turns of the other chain were skipped. */
  otherChain: boolean;
}

function deliver(blocks: Iterable<MarkdownBlock>, writer: ConversationWriter, delivery: Delivery): Delivered {
  const chain = new ChainWriter(writer, delivery);
  for (const block of blocks) {
    if (writer.refused) break;
    chain.add(block);
  }
  chain.flush();
  return chain.delivered;
}

/** Writes the turns of one chain, the session's own or that of its subagents. */
class ChainWriter {
  readonly delivered: Delivered = { otherChain: false };
  readonly #writer: ConversationWriter;
  readonly #delivery: Delivery;
  #turn: Turn | undefined;
  /** Text before the first turn. */
  #preamble: string | undefined;
  #parts: Part[] = [];
  #results: ToolResultPart[] = [];

  constructor(writer: ConversationWriter, delivery: Delivery) {
    this.#writer = writer;
    this.#delivery = delivery;
  }

  add(block: MarkdownBlock): void {
    const turn = this.#turn;
    if (block.type === "turn") this.#open(block);
    else if (!turn) {
      const isBefore = !this.delivered.otherChain && this.#writer.index === 0;
      if (block.type === "text" && isBefore) this.#preamble = block.text;
    } else if (block.type === "text" && turn.role === "user") this.#typed(block.text, turn);
    else if (block.type === "tool") {
      const { call, result } = toolParts(block, this.#delivery.escaped);
      this.#parts.push(call);
      if (result) this.#results.push(result);
    } else if (block.type === "text" || block.type === "thinking") {
      // Text after a tool result is later: a message of its own keeps the order.
      if (this.#results.length > 0) this.flush();
      this.#parts.push({ type: block.type, text: block.text });
    }
  }

  flush(): void {
    const { time, model, uid } = this.#turn ?? {};
    if (this.#parts.length > 0) this.#send({ role: "assistant", parts: this.#parts, uid, time, model });
    if (this.#results.length > 0) this.#send({ role: "tool", parts: this.#results, time });
    this.#parts = [];
    this.#results = [];
  }

  #open(turn: Turn): void {
    this.flush();
    const preamble = this.#preamble;
    this.#preamble = undefined;
    this.#turn = turn.sidechain === this.#delivery.sidechain ? turn : undefined;
    if (!this.#turn) this.delivered.otherChain = true;
    this.delivered.model = this.#turn?.model ?? this.delivered.model;
    if (this.#turn && preamble !== undefined && !this.#delivery.sidechain)
      this.#send({ role: "system", parts: [{ type: "text", text: preamble }] });
  }

  #typed(text: string, turn: Turn): void {
    const message = userMessage(text, turn);
    if (!message) return;
    const [first] = message.parts;
    if (message.role === "user" && first?.type === "text") this.delivered.prompt ??= first.text;
    this.#send(message);
  }

  #send(message: Message): void {
    this.#writer.message(defined(message));
  }
}

function userMessage(text: string, turn: Turn): Message | undefined {
  const about = { time: turn.time, uid: turn.uid };
  if (text.startsWith(SUMMARY_START))
    return { role: "system", kind: "summary", parts: [{ type: "text", text }], ...about };
  const prompt = cleanPrompt(text);
  return prompt === "" ? undefined : { role: "user", parts: [{ type: "text", text: prompt }], ...about };
}

function* textLines(path: string, sink?: Pick<Sink, "malformed">): Generator<string> {
  for (const line of readLines(path)) {
    if (line.oversized) sink?.malformed(path, `line at byte ${line.offset} is too long`);
    yield line.text;
  }
}

interface Header {
  id?: string;
  agent?: string;
  time?: string;
  heading?: string;
}

const HEAD_BYTES = 4096;

/** The text before the first turn. */
function headerOf(path: string): Header {
  const header: Header = {};
  for (const block of parseBlocks(headLines(path))) {
    if (block.type === "turn") break;
    if (block.type === "heading" && block.text !== "SpecStory") header.heading ??= block.text;
    if (block.type !== "session") continue;
    header.id ??= block.id;
    header.agent ??= block.agent;
    header.time ??= block.time;
  }
  return header;
}

/** The whole lines at the head of a file; none if it cannot be read. */
function headLines(path: string): string[] {
  const bytes = Buffer.alloc(HEAD_BYTES);
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return [];
  }
  try {
    const got = readSync(fd, bytes, 0, HEAD_BYTES, 0);
    const lines = bytes.toString("utf8", 0, got).split(/\r?\n/);
    return got === HEAD_BYTES ? lines.slice(0, -1) : lines;
  } catch {
    return [];
  } finally {
    closeSync(fd);
  }
}

const NAME = /^(\d{4}-\d\d-\d\d_\d\d-\d\d(?:-\d\d)?Z?)(?:-(.*))?$/;

function stemOf(path: string): string {
  return basename(path, ".md");
}

function nameTime(path: string): string | undefined {
  return parseTime(NAME.exec(stemOf(path))?.[1] ?? "");
}

/** The words of the file name, if they are words of a title or a prompt. */
function slugOf(path: string): string {
  const stem = stemOf(path);
  const slug = NAME.test(stem) ? (NAME.exec(stem)?.[2] ?? "") : stem;
  if (/^command-(?:name|message)\b|^untitled$/.test(slug)) return "";
  // A token with dashes in it is only recognised, and redacted, if the dashes stay.
  return slug.split("-").some((word) => LIKE_A_TOKEN.test(word)) ? slug : slug.replaceAll("-", " ").trim();
}

const LIKE_A_TOKEN = /^(?=.*\d)(?=.*[A-Za-z]).{12,}$/;

const MOMENT = /^\d{4}-\d\d-\d\d[T_ ][\d:.-]+ ?(?:Z|[+-]\d\d:?\d\d)?$/;

/** The heading, or the words in the file name; if these are the beginning of the first prompt, the prompt. */
function titleOf(path: string, heading: string | undefined, prompt: string | undefined): string | undefined {
  const given = heading?.replace(/\s*\(\d[^()]*\)$/, "").trim() ?? "";
  if (given !== "" && given !== "Untitled" && !MOMENT.test(given)) return given;
  const asked = titleFrom(prompt);
  const words = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const slug = slugOf(path);
  return slug === "" || words(asked ?? "").startsWith(words(slug)) ? asked : slug;
}

/**
 * Whether this is the file to read, if several contain the session: the longest one, then the one with the most
 * descriptive name.
 */
function isFullestCopy(container: Container): boolean {
  const stamp = NAME.exec(stemOf(container.path))?.[1];
  const id = stamp === undefined ? undefined : headerOf(container.path).id;
  if (stamp === undefined || id === undefined) return true;
  const folder = dirname(container.path);
  for (const { name } of listDir(folder)) {
    if (!name.startsWith(stamp) || !name.endsWith(".md") || name === basename(container.path)) continue;
    const other = fileContainer(ID, join(folder, name));
    if (other && headerOf(other.path).id === id && isFuller(other, container)) return false;
  }
  return true;
}

function isFuller(a: Container, b: Container): boolean {
  if (a.bytes !== b.bytes) return a.bytes > b.bytes;
  const [left, right] = [slugOf(a.path), slugOf(b.path)];
  return left.length === right.length ? a.path < b.path : left.length > right.length;
}
