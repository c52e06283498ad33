/** Threads keep the compiled code of what they load, where nobody else can plant any. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { CallThreads } from "./call_threads.ts";

// With it, a thread would use that folder from its start.
delete process.env.NODE_COMPILE_CACHE;
const program = new URL("../../../test/support/servers/call_thread.ts", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "dex-threads-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The files of compiled code that a thread with this home has left behind. */
async function keptIn(home: string): Promise<string[]> {
  const file = join(folder, "loaded.mjs");
  writeFileSync(file, "export const double = (value) => 2 * value;\nexport default double(2);\n");
  const threads = new CallThreads<string>(program, { DEX_HOME: home });
  try {
    // It writes after an answer, before it begins the call after the next.
    for (let call = 0; call < 3; call += 1) await threads.run(pathToFileURL(file).href);
  } finally {
    await threads.close();
  }
  return readdirSync(join(home, "compile-cache"), { recursive: true }).map(String);
}

test("a thread keeps compiled code in the private folder of its home", async () => {
  const home = join(folder, "private");
  mkdirSync(home, { mode: 0o700 });
  assert.ok((await keptIn(home)).length > 1);
});

test("a thread neither uses nor fills a folder that others can write", {
  skip: process.getuid === undefined,
}, async () => {
  const home = join(folder, "open");
  mkdirSync(join(home, "compile-cache"), { recursive: true, mode: 0o700 });
  chmodSync(join(home, "compile-cache"), 0o777);
  assert.deepEqual(await keptIn(home), []);
});
