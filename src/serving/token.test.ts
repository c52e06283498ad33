import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { presentsToken, readOrMakeToken } from "./token.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-token-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("the token is made once, for its owner alone, and leaves nothing beside it", () => {
  const path = join(folder, "made");
  const token = readOrMakeToken(path);
  assert.match(token, /^[\w-]{40,}$/);
  assert.equal(readOrMakeToken(path), token);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ["made"]);
  chmodSync(path, 0o644);
  readOrMakeToken(path);
  assert.equal(statSync(path).mode & 0o777, 0o600, "a file that others could read is closed");
});

test("a file without a usable token is refused", () => {
  for (const text of ["", "short", "with spaces in it, and long enough"]) {
    const path = join(folder, "bad");
    writeFileSync(path, text);
    assert.throws(() => readOrMakeToken(path), { code: "bad_token", hint: /Delete the file/ });
  }
});

test("only the whole token as a bearer is let in", () => {
  assert.equal(presentsToken("Bearer abc", "abc"), true);
  assert.equal(presentsToken("bearer  abc", "abc"), true);
  for (const header of [undefined, "", "abc", "Basic abc", "Bearer ab", "Bearer abcd", "Bearer abc d"]) {
    assert.equal(presentsToken(header, "abc"), false, header);
  }
});
