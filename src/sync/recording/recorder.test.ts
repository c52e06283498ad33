import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ConversationMeta, Message } from "../../conversations/model.ts";
import { archiveSize, readDirectory, readMessages, type SegmentEnd } from "../../store/archive/archive.ts";
import { readFrame, scanFrames, withFile } from "../../store/archive/frames.ts";
import type { IndexWriter } from "../../store/index_writer.ts";
import type { UsageReader } from "../../store/usage.ts";
import type { ReadEvent } from "../reading/events.ts";
import { Ingest } from "../reading/ingest.ts";
import { withWriter } from "../writing.ts";
import { Recorder, type Recording, type RecordingOutcome } from "./recorder.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-recorder-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const NOW = Date.UTC(2026, 2, 1);
const META: ConversationMeta = { id: "one", source: "codex", title: "First" };
const POLICY = { exclude: [], trusted: [], headless: true, forgotten: [] };

/** An archive and an index of its own for each test. */
class Kept {
  readonly archive: string;
  readonly #places: Parameters<typeof withWriter>[0]["places"];

  constructor(name: string) {
    const at = join(folder, name);
    this.archive = join(at, "archive");
    this.#places = {
      index: join(at, "index.db"),
      archive: this.archive,
      lock: join(at, "lock.db"),
      running: join(at, "running"),
    };
  }

  write<T>(use: (writer: IndexWriter) => T): Promise<T> {
    return withWriter({ places: this.#places, waitMs: 0, now: () => NOW }, use).then((result) => result as T);
  }

  /** Gives the conversation as a source would, from message `from` on. `fails`: the reading breaks off at its end. */
  give(
    texts: readonly (string | Message)[],
    more: { meta?: ConversationMeta; from?: number; fails?: boolean; redactedWith?: string } = {},
  ) {
    const { meta = META, from = 0, fails = false, redactedWith } = more;
    return this.write((writer) => {
      const recorder = new Recorder(writer, { ...this.#places, redactedWith });
      let recording: Recording | undefined;
      let outcome: RecordingOutcome | undefined;
      const emit = (event: ReadEvent): void => {
        if (event.type === "open") recording = recorder.open(event.meta, from, undefined, NOW);
        else if (event.type === "block") recording?.block(event);
        else if (event.type === "close" && fails) recording?.abandon();
        else if (event.type === "close") outcome = recording?.close(event.meta);
      };
      const ingest = new Ingest(0, { path: "x.jsonl", mtimeMs: NOW }, POLICY, emit);
      ingest.open(meta);
      for (const each of texts) ingest.message(typeof each === "string" ? said(each) : each);
      ingest.close();
      return { outcome, gap: recording?.gap };
    });
  }

  /** The conversation as the archive has it, and what the index says of it. */
  async kept(): Promise<{ texts: string[]; title: string | undefined; indexed: number | undefined; bytes: number }> {
    const row = await this.write((writer) => writer.find("codex", "one"));
    if (!row) return { texts: [], title: undefined, indexed: undefined, bytes: 0 };
    const archived = readDirectory(this.archive, row.archive);
    assert.ok(archived);
    const texts = [...readMessages(this.archive, row.archive, archived.blocks)].map(({ message }) =>
      message.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    );
    const bytes = archiveSize(this.archive, row.archive) ?? 0;
    assert.equal(row.archive_bytes, bytes, "the index knows how long the file is");
    return { texts, title: archived.meta.title, indexed: row.messages, bytes };
  }
}

function said(text: string, output?: number): Message {
  const message: Message = { role: "user", time: "2026-02-01T10:00:00.000Z", parts: [{ type: "text", text }] };
  return output === undefined ? message : { ...message, usage: [{ output }] };
}

test("a new conversation is written, an unchanged one not, and a grown one from its new messages on", async () => {
  const store = new Kept("grown");
  assert.equal((await store.give(["a", "b"])).outcome, "new");
  const first = await store.kept();
  assert.deepEqual([first.texts, first.indexed], [["a", "b"], 2]);
  assert.equal((await store.give(["a", "b"])).outcome, "unchanged");
  assert.equal((await store.kept()).bytes, first.bytes);
  assert.equal((await store.give(["a", "b", "c"])).outcome, "updated");
  const grown = await store.kept();
  assert.deepEqual([grown.texts, grown.indexed], [["a", "b", "c"], 3]);
  assert.ok(grown.bytes > first.bytes);
});

test("a conversation that comes back shorter keeps its archived end; one that differs is written from there on", async () => {
  const store = new Kept("shorter");
  await store.give(["a", "b", "c"]);
  assert.equal((await store.give(["a"])).outcome, "unchanged");
  assert.deepEqual((await store.kept()).texts, ["a", "b", "c"]);
  assert.equal((await store.give(["a", "x"])).outcome, "updated");
  const changed = await store.kept();
  assert.deepEqual([changed.texts, changed.indexed], [["a", "x"], 2]);
});

test("a conversation whose first messages the agent dropped keeps them, and what follows is added", async () => {
  const store = new Kept("dropped");
  await store.give(["a", "b", "c", "d"]);
  assert.equal((await store.give(["c", "d"])).outcome, "unchanged");
  assert.equal((await store.give(["c", "d", "e"])).outcome, "updated");
  assert.deepEqual((await store.kept()).texts, ["a", "b", "c", "d", "e"]);
  assert.equal((await store.give(["d", "e", "f"])).outcome, "updated");
  const kept = await store.kept();
  assert.deepEqual([kept.texts, kept.indexed], [["a", "b", "c", "d", "e", "f"], 6]);
  // One common message proves nothing, and neither does a common part that the source continues in another way.
  await store.give(["f", "x"]);
  assert.deepEqual((await store.kept()).texts, ["f", "x"]);
  await store.give(["a", "b", "c", "d"]);
  await store.give(["b", "c", "x"]);
  assert.deepEqual((await store.kept()).texts, ["b", "c", "x"]);
});

test("a new title alone is an update, and a title that is no longer given stays", async () => {
  const store = new Kept("title");
  await store.give(["a"]);
  assert.equal((await store.give(["a"], { meta: { ...META, title: "Second" } })).outcome, "updated");
  const { title: _, ...untitled } = META;
  assert.equal((await store.give(["a"], { meta: untitled })).outcome, "unchanged");
  assert.deepEqual([(await store.kept()).title, (await store.kept()).texts], ["Second", ["a"]]);
});

test("the recorder reports the gap to a source that continues past the stored messages", async () => {
  const store = new Kept("gap");
  assert.equal((await store.give(["c"], { from: 2, fails: true })).gap, true);
  await store.give(["a", "b"]);
  assert.equal((await store.give(["c"], { from: 2 })).gap, false);
  assert.deepEqual((await store.kept()).texts, ["a", "b", "c"]);
});

test("a segment names the rules that redacted it, unless it repeats archived messages, which others may have", async () => {
  const store = new Kept("rules");
  const ends = async (): Promise<(string | undefined)[]> => {
    const row = await store.write((writer) => writer.find("codex", "one"));
    return withFile(join(store.archive, row?.archive ?? ""), (fd) =>
      scanFrames(fd)
        .filter(({ kind }) => kind === "end")
        .map(({ offset, length }) => (JSON.parse(readFrame(fd, offset, length)) as SegmentEnd).redacted_with),
    );
  };
  await store.give([said("a"), said("b", 2), said("c")]);
  await store.give([said("a"), said("b", 2), said("c"), said("d")], { redactedWith: "new" });
  assert.deepEqual(await ends(), [undefined, "new"]);
  // The usage of the first message is new; the source no longer has that of the second, nor the last message.
  await store.give([said("a", 1), said("b"), said("c")], { redactedWith: "new" });
  assert.deepEqual((await store.kept()).texts, ["a", "b", "c", "d"]);
  assert.deepEqual(await ends(), [undefined, "new", undefined]);
  await store.give(["a", "b", "c", "d", "e"], { redactedWith: "newer" });
  assert.deepEqual(await ends(), [undefined, "new", undefined, "newer"]);
});

test("a failed read leaves nothing behind", async () => {
  const store = new Kept("failed");
  await store.give(["a", "b"], { fails: true });
  assert.equal((await store.kept()).indexed, undefined);
  await store.give(["a", "b"]);
  await store.give(["a", "x", "y"], { fails: true });
  const kept = await store.kept();
  assert.deepEqual([kept.texts, kept.indexed], [["a", "b"], 2]);
});

test("usage that becomes known later is added: no message is lost or doubled, and none loses its usage", async () => {
  const store = new Kept("usage");
  const outputs = (): Promise<(number | undefined)[]> =>
    store.write((writer) => {
      const row = writer.find("codex", "one");
      assert.ok(row);
      const lines = [...readMessages(store.archive, row.archive, writer.blocks(row.no))];
      const archived = lines.map(({ message }) => message.usage?.[0]?.output);
      const indexed = (writer as IndexWriter & UsageReader).requests({}).map(({ output }) => output);
      const known = archived.filter((output) => output !== undefined);
      assert.deepEqual(indexed.toSorted(), known.toSorted(), "the index has what the archive has");
      return archived;
    });
  await store.give(["a", "b", "c", "d"]);
  assert.deepEqual(await outputs(), [undefined, undefined, undefined, undefined]);
  // The source has lost its end since: the archive keeps it.
  assert.equal((await store.give(["a", said("b", 5), said("c", 7)])).outcome, "updated");
  assert.deepEqual((await store.kept()).texts, ["a", "b", "c", "d"]);
  assert.deepEqual(await outputs(), [undefined, 5, 7, undefined]);
  const { bytes } = await store.kept();
  assert.equal((await store.give(["a", said("b", 5), said("c", 7)])).outcome, "unchanged");
  assert.equal((await store.give(["a", "b", "c"])).outcome, "unchanged", "a usage that is no longer given stays");
  assert.equal((await store.kept()).bytes, bytes);
  assert.equal((await store.give([said("a", 1), "b", said("c", 8), "d", said("e", 2)])).outcome, "updated");
  assert.deepEqual((await store.kept()).texts, ["a", "b", "c", "d", "e"]);
  assert.deepEqual(await outputs(), [1, 5, 8, undefined, 2]);
});
