/** A small PDF that unpacks to a large one is refused before PDF.js sees it; the text of ordinary ones is read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { makePdf } from "../../../../test/support/documents/pdf.ts";
import { parsePdf } from "./pdf.ts";
import { checkUnpackedSize } from "./unpacked_size.ts";

function withStream(dictionary: string, data: Uint8Array): Uint8Array {
  const objects = [
    "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    "3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj",
  ].join("\n");
  const head = `%PDF-1.4\n${objects}\n4 0 obj<</Length ${data.length}${dictionary}>>stream\n`;
  return Buffer.concat([Buffer.from(head), data, Buffer.from("\nendstream endobj\ntrailer<</Root 1 0 R>>")]);
}

test("streams that unpack to hundreds of megabytes are refused", async () => {
  const operators = Buffer.alloc(200 << 20, "0 0 Td (x) Tj ");
  const once = deflateSync(operators);
  assert.ok(once.length < 2 << 20);
  const refused = (error: { code?: string }): boolean => error.code === "pdf_too_long";
  await assert.rejects(parsePdf(withStream("/Filter/FlateDecode", once)), refused);
  await assert.rejects(parsePdf(withStream("/Filter[/Fl /Fl]", deflateSync(once))), refused);
});

test("other streams are not", async () => {
  checkUnpackedSize(withStream("/Filter/FlateDecode", deflateSync(Buffer.alloc(20 << 20, "0 0 Td "))));
  checkUnpackedSize(withStream("/Filter/FlateDecode", Buffer.alloc(1 << 20, "nothing that was packed")));
  checkUnpackedSize(Buffer.from("a stream without an end"));
  const document = await parsePdf(makePdf([["Otters chirp", "Marmots whistle"]]));
  assert.match(document?.text ?? "", /Otters chirp[\s\S]*Marmots whistle/);
});
