/** Another thread makes the same digests as this one. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { modelPath } from "../../embedding/locate.ts";
import { ReadQueue } from "./queue.ts";
import { Readers, type ReadJob, type ReadResult } from "./readers.ts";

const root = join(import.meta.dirname, "../../..");
const cleanups: (() => Promise<void>)[] = [];
after(async () => {
  for (const clean of cleanups) await clean();
});

function readers(bytes: number): Readers {
  const made = new Readers(modelPath());
  cleanups.push(() => made.close());
  made.expect(bytes);
  return made;
}

/** With the terms by name: their numbers are each analyser's own. */
function plainly(read: ReadResult): unknown {
  if (!("digested" in read)) return read;
  const { chunks, names, text, ...rest } = read.digested;
  const named = chunks.map(({ digest, ...chunk }) => {
    const terms = Array.from({ length: digest.terms.length / 2 }, (_, i) => [
      names[digest.terms[i * 2] as number],
      digest.terms[i * 2 + 1],
    ]);
    return { ...chunk, length: digest.length, terms, vectors: digest.vectors && [...digest.vectors] };
  });
  return { ...read, digested: { ...rest, text: [...text], chunks: named } };
}

const jobs: ReadJob[] = [
  "docs/guide/ask.md",
  "docs/guide/getting-started.md",
  "docs/guide/documents.md",
  "README.md",
  "package.json",
].flatMap((path) => {
  const bytes = readFileSync(join(root, path));
  return [
    { path, bytes },
    { path: `kept/${path}`, bytes, kept: { text: true } },
  ];
});
jobs.push({ path: "empty.md", bytes: Buffer.alloc(0) }, { path: "image.png", bytes: Buffer.from([0, 1, 2, 0]) });

test("many are digested by another thread, and delivered in their order, with the same result", async () => {
  const one = readers(0);
  const many = readers(Number.MAX_SAFE_INTEGER);
  assert.deepEqual(many.model, one.model);
  const read = async (by: Readers, times = 1): Promise<unknown[]> => {
    const found: unknown[] = [];
    const queue = new ReadQueue(by);
    const fail = (error: unknown): void => assert.fail(String(error));
    let areGiven = false;
    for (const job of Array.from({ length: times }, () => jobs).flat()) {
      await queue.add(job, (each) => found.push(plainly(each)), fail);
      areGiven ||= by.areGiven;
    }
    await queue.end();
    assert.equal(areGiven, by === many && availableParallelism() > 1);
    assert.ok(!by.areGiven);
    return found;
  };
  const expected = await read(one);
  assert.equal(expected.length, jobs.length);
  assert.deepEqual(await read(many), expected);
  // Again, when it already has the terms.
  assert.deepEqual(await read(many), expected);
  // More than the other thread may hold: this one makes some of the digests.
  const again = await read(many, 24);
  for (const [i, each] of again.entries()) assert.deepEqual(each, expected[i % jobs.length]);
  assert.equal(again.length, jobs.length * 24);
});

test("an error while writing fails the sync, an error while reading fails the document", async () => {
  const queue = new ReadQueue(readers(0));
  const job = jobs[0] as ReadJob;
  await assert.rejects(async () => {
    await queue.add(
      job,
      () => {
        throw new Error("the disk is full");
      },
      () => assert.fail("it was read"),
    );
    await queue.end();
  }, /the disk is full/);
});
