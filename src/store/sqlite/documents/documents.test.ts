import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { TextDigester } from "../../../collections/reading/digest.ts";
import { digestedDocument, digestJob } from "../../../collections/reading/texts.ts";
import { loadSettings } from "../../../config/settings.ts";
import type { Chunk, ParsedDocument, Section } from "../../../documents/model.ts";
import { modelPath } from "../../../embedding/locate.ts";
import { parseQuery } from "../../../search/query/query.ts";
import { type Mode, staticVectorOf } from "../../../search/query/vector.ts";
import { SMALL_CAPACITY } from "../../../text/terms/analyser.ts";
import type { DigestedDocument, DocumentReader, NewDocument } from "../../documents.ts";
import { openRebuildable } from "../rebuildable.ts";
import { SqliteDocumentReader } from "./reader.ts";
import { DOCUMENTS } from "./schema.ts";
import { SqliteDocumentWriter } from "./writer.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-documents-"));
after(() => rmSync(folder, { recursive: true }));
const settings = await loadSettings(join(folder, "none.yaml"), {});
let files = 0;

function newPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}

const digester = new TextDigester(modelPath(), SMALL_CAPACITY);

function digested(path: string, document: ParsedDocument, chunks: readonly Chunk[]): DigestedDocument {
  return digestedDocument(document, digester.digest(digestJob(path, document), chunks), digester.names);
}

function writer(path: string): SqliteDocumentWriter {
  return new SqliteDocumentWriter(openRebuildable(DOCUMENTS, path, "write").database, digester.model);
}

function reader(path: string, collections?: string[]): SqliteDocumentReader {
  const { database, state } = openRebuildable(DOCUMENTS, path, "read");
  assert.equal(state, "ready");
  return new SqliteDocumentReader(database, { collections });
}

interface Made extends NewDocument {
  parsed: ParsedDocument;
  chunks: Chunk[];
}

/** A document of a title and sections, each one chunk. */
function made(path: string, title: string, parts: Record<string, string>): Made {
  const lines: string[] = [];
  const sections: Section[] = [];
  const chunks: Chunk[] = [];
  for (const [heading, text] of Object.entries({ [title]: "", ...parts })) {
    const first_line = lines.length + 1;
    lines.push(`${heading === title ? "#" : "##"} ${heading}`, ...text.split("\n"));
    const index = sections.length;
    const last_line = lines.length;
    const place = { index, heading, first_line, last_line, text, anchors: [] };
    const path = heading === title ? [title] : [title, heading];
    sections.push({ ...place, level: path.length, path, slug: path.join("/").toLowerCase() });
    if (text !== "") chunks.push({ section: index, first_line: first_line + 1, last_line, text });
  }
  const parsed: ParsedDocument = { format: "markdown", title, text: lines.join("\n"), sections };
  return {
    path,
    location: `/docs/${path}`,
    hash: `hash of ${path}`,
    bytes: 100,
    updated: 1000,
    parsed,
    chunks,
    digested: digested(path, parsed, chunks),
  };
}

const STREAMING = made("guides/streaming.md", "Streaming", {
  Basics: "Call stream() to get tokens as they are generated.\nThe iterator ends by itself.",
  Errors: "A broken connection throws StreamError; retry with back-off.",
});
const INSTALL = made("install.md", "Installation", { Linux: "Unpack the archive and add it to PATH." });
const SECRET = made("plan.md", "Zebra plan", { Streaming: "The zebra project streams tokens to nobody." });

/** Every query on chunks, without the numbers of documents. */
function answers(from: DocumentReader, typed: string, mode: Mode = "lexical", limit = 10): unknown[] {
  const parsed = parseQuery(typed);
  assert.ok(parsed);
  const query = { ...parsed, vector: staticVectorOf(parsed, settings, mode) };
  const { hits, total } = from.searchChunks(query, {}, limit);
  const shown = hits.map(({ no, score, words, ...rest }) => ({
    ...rest,
    path: from.document(no)?.path,
    text: from.chunkText(no, rest.chunk),
    score: score.toFixed(9),
    words: words.toFixed(9),
    terms: from.explain(query, no, rest.chunk).map(({ term, messages, share }) => [term, messages, share.toFixed(9)]),
  }));
  return [total, ...shown];
}

test("documents are put, found, read by section and chunk, and removed", () => {
  const path = newPath();
  const store = writer(path);
  store.put("a", STREAMING);
  store.put("a", INSTALL);
  store.finish("a", "/docs", { at: 5, failed: 1, state: "{}" });
  store.commit();
  const [first] = store.searchChunks(parseQuery("how to retry a broken stream") ?? { terms: [] }, {}, 5).hits;
  assert.ok(first);
  assert.equal(store.document(first.no)?.path, "guides/streaming.md");
  assert.equal(store.sections(first.no)[first.section]?.heading, "Errors");
  assert.equal(store.chunkText(first.no, first.chunk), STREAMING.chunks[1]?.text);
  assert.equal(store.text(first.no), STREAMING.parsed.text);
  assert.deepEqual(
    store.collections().map(({ id, documents, failed, synced }) => [id, documents, failed, synced]),
    [["a", 2, 1, 5]],
  );
  assert.equal(store.sourceState("a"), "{}");
  assert.deepEqual([...store.hashes("a").keys()], ["guides/streaming.md", "install.md"]);
  for (const name of ["guides/streaming.md", "streaming.md", "Streaming", "guides/streaming", "STREAMING"]) {
    assert.deepEqual(
      store.findDocuments(name, {}, 9).map((row) => row.path),
      ["guides/streaming.md"],
      name,
    );
  }
  store.removeCollection("a");
  store.purge();
  assert.deepEqual([store.collections(), store.documents({}, 9, 0), store.hashes("a").size], [[], [], 0]);
  assert.equal(store.searchChunks({ terms: ["stream"] }, {}, 5).total, 0);
  store.close();
});

test("a heading weighs more than a mention, and words of the query near it more than either", () => {
  const store = writer(newPath());
  store.put("a", made("a.md", "Notes", { Various: "Something about caching and other things, at some length." }));
  store.put("a", made("b.md", "Notes", { Caching: "How long answers are kept, and other things, at some length." }));
  store.commit();
  const { hits } = store.searchChunks({ terms: ["cach"] }, {}, 5);
  assert.deepEqual(
    hits.map(({ no }) => store.document(no)?.path),
    ["b.md", "a.md"],
  );
  store.close();
});

test("a store that grew, changed and shrank gives the same answers as one built at once", () => {
  const grown = writer(newPath());
  grown.put("b", SECRET);
  grown.put("a", made("install.md", "Old", { Windows: "An older text that streams tokens." }));
  grown.commit();
  grown.put("a", made("gone.md", "Gone", { Streaming: "tokens tokens tokens" }));
  grown.put("a", STREAMING);
  grown.commit();
  grown.put("a", INSTALL);
  grown.put("a", INSTALL);
  grown.remove("a", "gone.md");
  grown.remove("a", "never.md");
  grown.removeCollection("b");
  grown.commit();
  const fresh = writer(newPath());
  for (const each of [INSTALL, STREAMING]) fresh.put("a", each);
  fresh.commit();
  for (const query of ["stream tokens", "archive PATH", "windows", "broken connection"]) {
    for (const mode of ["lexical", "vector", "hybrid"] as const) {
      assert.deepEqual(answers(grown, query, mode), answers(fresh, query, mode), `${query}, ${mode}`);
    }
  }
  grown.close();
  fresh.close();
});

test("documents outside the scope are invisible", () => {
  const path = newPath();
  const all = writer(path);
  for (const each of [STREAMING, INSTALL]) all.put("a", each);
  all.put("b", SECRET);
  all.put('a","b', made("odd.md", "Odd", { Odd: "zebra" }));
  for (const id of ["a", "b", 'a","b']) all.finish(id, `/${id}`, { at: 1, failed: 0, state: id });
  all.commit();
  const hidden = all.documents({ collections: ["b"] }, 9, 0)[0];
  assert.ok(hidden);
  const only = writer(newPath());
  for (const each of [STREAMING, INSTALL]) only.put("a", each);
  only.finish("a", "/a", { at: 1, failed: 0, state: "a" });
  only.commit();

  const scoped = reader(path, ["a"]);
  for (const query of ["stream tokens", "zebra", "zebra stream", "nobody", "plan archive"]) {
    for (const mode of ["lexical", "vector", "hybrid"] as const) {
      assert.deepEqual(answers(scoped, query, mode), answers(only, query, mode), `${query}, ${mode}`);
    }
  }
  assert.deepEqual(scoped.nearTerms("zebr"), [], "not even a word is known");
  assert.deepEqual(scoped.collections(), only.collections());
  const attempts: { collections?: string[]; no?: number; not?: number }[] = [
    { collections: ["b"] },
    { collections: ["a", "b"] },
    { collections: ["' OR 1=1 --", "%", "*", 'a","b'] },
    { no: hidden.no },
    { not: 0 },
    { collections: ["b"], no: hidden.no },
  ];
  for (const filter of attempts) {
    assert.ok(scoped.documents(filter, 99, 0).every((row) => row.collection === "a"));
    const inside = scoped.documents({}, 99, 0).filter(({ no }) => filter.no === undefined || no === filter.no);
    const asked = filter.collections?.includes("a") ?? true;
    assert.equal(scoped.countDocuments(filter), asked ? inside.length : 0);
    for (const { no } of scoped.searchChunks({ terms: ["stream", "zebra", "plan"] }, filter, 99).hits) {
      assert.equal(scoped.document(no)?.collection, "a");
    }
    for (const name of ["plan.md", "Zebra plan", "../b/plan.md", "%", "/docs/plan.md"]) {
      assert.deepEqual(scoped.findDocuments(name, filter, 9), [], name);
    }
  }
  assert.equal(scoped.document(hidden.no), undefined);
  assert.equal(scoped.text(hidden.no), "");
  assert.equal(scoped.chunkText(hidden.no, 0), "");
  assert.deepEqual([scoped.sections(hidden.no), scoped.chunks(hidden.no)], [[], []]);
  assert.deepEqual(scoped.explain({ terms: ["zebra"] }, hidden.no, 0), []);
  assert.deepEqual([scoped.hashes("b").size, scoped.sourceState("b")], [0, undefined]);
  const none = reader(path, []);
  assert.deepEqual([none.collections(), none.countDocuments({}), answers(none, "stream")], [[], 0, [0]]);
  // Documents that another process adds inside the scope are visible, those outside are not.
  all.put("a", made("new.md", "New", { Zebras: "zebra" }));
  all.put("b", made("more.md", "More", { Zebras: "zebra" }));
  all.commit();
  assert.deepEqual((answers(scoped, "zebra")[1] as { path: string }).path, "new.md");
  assert.equal(answers(scoped, "zebra")[0], 1);
  for (const each of [all, only, scoped, none]) each.close();
});

test("a chunk that the text does not contain verbatim, or that repeats, is stored as it is", () => {
  const store = writer(newPath());
  const line = "same words ".repeat(20).trimEnd();
  const one = {
    index: 0,
    heading: "",
    level: 0,
    path: [],
    slug: "",
    anchors: [],
    first_line: 1,
    last_line: 1,
    text: line,
  };
  const texts = ["same words", "same words", "made up"];
  const chunks = texts.map((text) => ({ section: 0, first_line: 1, last_line: 1, text }));
  const parsed: ParsedDocument = { format: "text", title: "", text: line, sections: [one] };
  store.put("a", { ...INSTALL, digested: digested(INSTALL.path, parsed, chunks) });
  store.commit();
  const [row] = store.documents({}, 1, 0);
  assert.ok(row);
  assert.deepEqual(
    store.chunks(row.no).map(({ chunk }) => store.chunkText(row.no, chunk)),
    texts,
  );
  store.rollback();
  store.close();
});

test("uncommitted changes are lost, committed ones complete", async () => {
  const path = newPath();
  const here = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href;
  const program = `
    import { openRebuildable } from ${JSON.stringify(here("../rebuildable.ts"))};
    import { DOCUMENTS } from ${JSON.stringify(here("schema.ts"))};
    import { SqliteDocumentWriter } from ${JSON.stringify(here("writer.ts"))};
    import { TextDigester } from ${JSON.stringify(here("../../../collections/reading/digest.ts"))};
    import { digestedDocument, digestJob } from ${JSON.stringify(here("../../../collections/reading/texts.ts"))};
    import { writeSync } from "node:fs";
    const store = new SqliteDocumentWriter(openRebuildable(DOCUMENTS, process.argv[1], "write").database, undefined);
    const document = JSON.parse(process.argv[2]);
    const digester = new TextDigester(undefined, 4096);
    const { path, parsed, chunks } = document;
    document.digested = digestedDocument(parsed, digester.digest(digestJob(path, parsed), chunks), digester.names);
    for (let i = 0; ; i += 1) {
      for (const half of ["left", "right"]) store.put("a", { ...document, path: i + "/" + half + ".md" });
      if (i % 5 !== 4) continue;
      store.commit();
      // A stream may keep what it cannot write at once until the loop ends, which it never does.
      writeSync(1, i + "\\n");
    }`;
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", program, path, JSON.stringify({ ...STREAMING, digested: undefined })],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = once(child, "exit");
  let commits = "";
  for await (const part of child.stdout) {
    commits += String(part);
    if (commits.split("\n").length > 2) child.kill("SIGKILL");
  }
  await ended;
  const store = writer(path);
  const count = store.countDocuments({});
  assert.ok(count > 0 && count % 10 === 0, `${count} documents`);
  assert.equal(store.integrity(), "ok");
  assert.equal(store.searchChunks({ terms: ["retri"] }, {}, count * 2).total, count);
  store.put("a", INSTALL);
  store.commit();
  assert.equal(store.countDocuments({}), count + 1);
  store.close();
});
