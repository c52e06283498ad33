/** Packages of all kinds, honest and not. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { makeTar, makeZip, type TarEntry } from "../../../test/support/documents/packages.ts";
import { DexError } from "../../kernel/errors.ts";
import type { UnpackLimits } from "./entry.ts";
import { readTar } from "./tar.ts";
import { readZip } from "./zip.ts";

const LIMITS: UnpackLimits = { maxFile: 1 << 20, maxTotal: 64 << 20, maxEntries: 100 };

interface Got {
  files: Record<string, string>;
  failed: string[];
  skipped: string[];
}

function sinkInto(got: Got) {
  return {
    wants: (path: string) => !path.endsWith(".bin"),
    file: (path: string, bytes: Buffer) => {
      got.files[path] = bytes.toString("utf8");
    },
    failed: (path: string) => void got.failed.push(path),
    skipped: (path: string) => void got.skipped.push(path),
  };
}

/** In small pieces, so that headers fall apart between them. */
function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function untar(bytes: Buffer, limits = LIMITS, size = 777): Promise<Got> {
  const got: Got = { files: {}, failed: [], skipped: [] };
  await readTar(Readable.from(pieces(bytes, size)), "x.tar.gz", limits, sinkInto(got));
  return got;
}

async function unzip(bytes: Buffer, limits = LIMITS): Promise<Got> {
  const got: Got = { files: {}, failed: [], skipped: [] };
  await readZip(bytes, "x.zip", limits, sinkInto(got));
  return got;
}

function refuses(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof DexError);
    assert.match(error.message, pattern);
    return true;
  };
}

test("a tar gives its files, packed or not, however it comes in", async () => {
  const entries: TarEntry[] = [
    { name: "docs/", type: "5" },
    { name: "./docs/a.md", content: "# A\n" },
    { name: "docs/b.bin", content: "x".repeat(5000) },
    { name: "docs/c.md", content: "c".repeat(1025) },
    { name: "empty.md" },
  ];
  for (const bytes of [makeTar(entries), gzipSync(makeTar(entries))]) {
    for (const size of [1, 512, 100_000]) {
      const { files } = await untar(bytes, LIMITS, size);
      assert.deepEqual(files, { "docs/a.md": "# A\n", "docs/c.md": "c".repeat(1025), "empty.md": "" });
    }
  }
});

test("a packed tar of many pieces leaves no listener behind", async () => {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", note);
  // Incompressible, so that the stream is full after most pieces.
  const content = randomBytes(2 << 20).toString("base64");
  await untar(gzipSync(makeTar([{ name: "a.bin", content }])), { ...LIMITS, maxFile: 8 << 20 }, 16_384);
  await new Promise(setImmediate);
  process.off("warning", note);
  assert.deepEqual(warnings, []);
});

/** The length in front of a record counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return `${length}${rest}`;
}

test("long names, as GNU and POSIX write them", async () => {
  const long = `${"folder/".repeat(30)}page.md`;
  const { files } = await untar(
    makeTar([
      { name: "././@LongLink", type: "L", content: `${long}\0` },
      { name: "cut.md", content: "gnu" },
      { name: "PaxHeader", type: "x", content: paxRecord("path", long) },
      { name: "cut.md", content: "pax" },
      { name: "last.md", content: "own" },
    ]),
  );
  assert.deepEqual(files, { [long]: "pax", "last.md": "own" });
});

test("a tar that leaves its folder, links out of it or holds a device is refused whole", async () => {
  const bad: [TarEntry, RegExp][] = [
    [{ name: "../evil.md", content: "x" }, /leaves the package/],
    [{ name: "a/../../evil.md", content: "x" }, /leaves the package/],
    [{ name: "/etc/evil.md", content: "x" }, /leaves the package/],
    [{ name: "C:\\evil.md", content: "x" }, /leaves the package/],
    [{ name: "..\\evil.md", content: "x" }, /leaves the package/],
    [{ name: "link.md", type: "2", link: "/etc/passwd" }, /outside the package/],
    [{ name: "a/link.md", type: "2", link: "../../secret.md" }, /outside the package/],
    [{ name: "link.md", type: "1", link: "../secret.md" }, /outside the package/],
    [{ name: "dev.md", type: "3" }, /device/],
    [{ name: "fifo.md", type: "6" }, /device/],
  ];
  for (const [entry, pattern] of bad) {
    await assert.rejects(untar(makeTar([{ name: "ok.md", content: "ok" }, entry])), refuses(pattern), entry.name);
  }
  const { skipped, files } = await untar(
    makeTar([
      { name: "a/link.md", type: "2", link: "../ok.md" },
      { name: "ok.md", content: "ok" },
    ]),
  );
  assert.deepEqual(skipped, ["a/link.md"]);
  assert.deepEqual(files, { "ok.md": "ok" });
});

test("bombs, floods and torn tars are refused with a sentence", async () => {
  const bomb = gzipSync(makeTar([{ name: "a.bin", content: Buffer.alloc(40 << 20) }]));
  await assert.rejects(untar(bomb, LIMITS, 1000), refuses(/more than 200 times its size/));
  await assert.rejects(untar(bomb, { ...LIMITS, maxTotal: 1 << 20 }), refuses(/unpacks to more than/));
  const many = makeTar(Array.from({ length: 200 }, (_, i) => ({ name: `${i}.md` })));
  await assert.rejects(untar(many), refuses(/more than 100 files/));
  const whole = makeTar([{ name: "a.md", content: "x".repeat(3000) }]);
  await assert.rejects(untar(whole.subarray(0, 1500)), refuses(/ends in the middle/));
  await assert.rejects(untar(gzipSync(whole).subarray(0, 40)), refuses(/cannot be unpacked/));
  await assert.rejects(untar(Buffer.from("no tar at all".repeat(100))), refuses(/not a tar/));
  const { failed } = await untar(makeTar([{ name: "big.md", content: Buffer.alloc(2 << 20, 32) }]));
  assert.deepEqual(failed, ["big.md"]);
});

test("a tar with a global header of many fields before many extended headers is read at once", async () => {
  const fields = Array.from({ length: 60_000 }, (_, i) => paxRecord(`field${i}`, "x")).join("");
  const extended = Array.from({ length: 300 }, () => ({ name: "x", type: "x", content: paxRecord("comment", "x") }));
  const { files } = await untar(
    makeTar([{ name: "g", type: "g", content: fields.slice(0, 1 << 20) }, ...extended, { name: "a.md", content: "a" }]),
    { ...LIMITS, maxEntries: 1000 },
    65_536,
  );
  assert.deepEqual(files, { "a.md": "a" });
});

test("a zip gives its files; links inside it are passed over", async () => {
  const { files, skipped } = await unzip(
    makeZip([
      { name: "docs/a.md", content: "# A\n" },
      { name: "docs/", content: "" },
      { name: "docs/b.bin", content: "x" },
      { name: "docs/link.md", content: "a.md", mode: 0o120777 },
    ]),
  );
  assert.deepEqual(files, { "docs/a.md": "# A\n" });
  assert.deepEqual(skipped, ["docs/link.md"]);
});

test("a zip that leaves its folder, lies about sizes or holds a device is refused", async () => {
  await assert.rejects(unzip(makeZip([{ name: "../x.md", content: "x" }])), refuses(/leaves the package/));
  await assert.rejects(unzip(makeZip([{ name: "/x.md", content: "x" }])), refuses(/leaves the package/));
  await assert.rejects(unzip(makeZip([{ name: "x.md", content: "/etc/passwd", mode: 0o120777 }])), refuses(/outside/));
  await assert.rejects(unzip(makeZip([{ name: "x.md", content: "x", mode: 0o020644 }])), refuses(/device/));
  const lying = makeZip([{ name: "x.md", content: Buffer.alloc(1 << 20), statedSize: 10 }]);
  await assert.rejects(unzip(lying), refuses(/larger than it states/));
  const large = makeZip(Array.from({ length: 70 }, (_, i) => ({ name: `${i}.md`, content: Buffer.alloc(1 << 20) })));
  await assert.rejects(unzip(large), refuses(/unpacks to more than|times its size/));
  const whole = makeZip([{ name: "x.md", content: "x".repeat(2000) }]);
  await assert.rejects(unzip(whole.subarray(0, whole.length - 30)), refuses(/cannot be unpacked/));
  const flipped = Buffer.from(whole);
  flipped.writeUInt32LE(1, 14 + 26 + whole.indexOf("PK\u0001\u0002") - 14 - 26 + 16);
  await assert.rejects(unzip(flipped), refuses(/is damaged/));
});

test("two files of a zip on the same bytes are refused", async () => {
  const zip = makeZip([
    { name: "a.md", content: "a".repeat(100) },
    { name: "b.md", content: "b".repeat(100) },
  ]);
  const second = zip.indexOf("PK\u0001\u0002", zip.indexOf("PK\u0001\u0002") + 4);
  zip.writeUInt32LE(1, second + 42);
  await assert.rejects(unzip(zip), refuses(/has overlapping files/));
});

test("a zip64 gives its files, and a broken one says so", async () => {
  const entries = [
    { name: "a.md", content: "# A\n" },
    { name: "docs/b.md", content: "b".repeat(3000) },
  ];
  const bytes = makeZip(entries, true);
  assert.deepEqual((await unzip(bytes)).files, { "a.md": "# A\n", "docs/b.md": "b".repeat(3000) });
  const endless = Buffer.from(bytes);
  endless.writeBigUInt64LE(2n ** 60n, bytes.length - 22 - 20 - 56 + 48);
  await assert.rejects(unzip(endless), refuses(/too large/));
  const beyond = Buffer.from(bytes);
  beyond.writeBigUInt64LE(2n ** 40n, bytes.length - 22 - 20 - 56 + 48);
  await assert.rejects(unzip(beyond), refuses(/directory is broken/));
  const lost = Buffer.from(bytes);
  lost.writeBigUInt64LE(2n ** 40n, bytes.length - 22 - 20 + 8);
  await assert.rejects(unzip(lost), refuses(/its end is broken/));
});
