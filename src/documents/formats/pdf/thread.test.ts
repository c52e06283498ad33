/** A PDF that takes too much is given up whatever hides it, and the next one is read. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { deflateRawSync, constants as zlib } from "node:zlib";
import { makePdf } from "../../../../test/support/documents/pdf.ts";
import { readPdf } from "./thread.ts";
import { checkUnpackedSize } from "./unpacked_size.ts";

/** Of section 7.6.4.3.2 of the PDF standard, for an empty password. */
const PADDING = Buffer.from("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A", "hex");

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  const swap = (i: number, j: number): void => {
    [state[i], state[j]] = [state[j] as number, state[i] as number];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  const mixed = data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + (state[i] as number)) & 255;
    swap(i, j);
    return byte ^ (state[((state[i] as number) + (state[j] as number)) & 255] as number);
  });
  return Buffer.from(mixed);
}

const md5 = (...parts: Uint8Array[]): Buffer => createHash("md5").update(Buffer.concat(parts)).digest();

/** Encrypted with an empty password, as a file is that may be read but not printed. */
function encrypted(filter: string, content: Uint8Array): Uint8Array {
  const owner = Buffer.alloc(32, 7);
  const id = Buffer.alloc(16, 9);
  const permissions = Buffer.alloc(4, 0xff);
  const key = md5(PADDING, owner, permissions, id).subarray(0, 5);
  const data = rc4(md5(key, Uint8Array.of(4, 0, 0, 0, 0)).subarray(0, 10), content);
  const hex = (bytes: Buffer): string => `<${bytes.toString("hex")}>`;
  const objects = [
    "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    "3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 600 800]>>endobj",
    `5 0 obj<</Filter/Standard/V 1/R 2/P -1/O ${hex(owner)}/U ${hex(rc4(key, PADDING))}>>endobj`,
    `4 0 obj<</Length ${data.length}/Filter${filter}>>stream\n`,
  ];
  const end = `\nendstream endobj\ntrailer<</Root 1 0 R/Encrypt 5 0 R/ID[${hex(id)}${hex(id)}]>>`;
  return Buffer.concat([Buffer.from(`%PDF-1.4\n${objects.join("\n")}`), data, Buffer.from(end)]);
}

/** A zlib stream that unpacks to `times` times the text. */
function repeated(text: string, times: number): Buffer {
  const piece = deflateRawSync(text, { finishFlush: zlib.Z_FULL_FLUSH });
  const pieces = Array.from({ length: times }, () => piece);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...pieces, Buffer.from([3, 0])]);
}

test("an encrypted stream that unpacks to gigabytes is given up, and other files are read", async () => {
  const bomb = encrypted("/FlateDecode", repeated("q Q ".repeat(4 << 20), 200));
  assert.ok(bomb.length < 8 << 20);
  // It cannot be measured from outside.
  checkUnpackedSize(bomb);
  const [refused, read] = await Promise.allSettled([readPdf(bomb), readPdf(makePdf([["Otters chirp"]]))]);
  assert.equal(refused.status === "rejected" && refused.reason.code, "pdf_too_long");
  assert.match((read.status === "fulfilled" && read.value?.text) || "", /Otters chirp/);
});

test("an encrypted file that is small is read", async () => {
  const bytes = encrypted("/FlateDecode", repeated("BT /F1 12 Tf 72 72 Td (Marmots whistle) Tj ET ", 1));
  assert.match((await readPdf(bytes))?.text ?? "", /Marmots/);
});
