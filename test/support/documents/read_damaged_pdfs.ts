/** Reads damaged PDFs in a process of its own, which must not end by a failure that nobody waits for; prints what was read. */
import type { ParsedDocument } from "../../../src/documents/model.ts";
import { parseDocument } from "../../../src/documents/parse.ts";
import { between, seeded } from "../random.ts";
import { makePdf } from "./pdf.ts";

const random = seeded(7);
const whole = makePdf([["One", { code: "text" }], ["Two words"]], [{ title: "Two", page: 1 }]);
const read: ParsedDocument[] = [];
for (let round = 0; round < Number(process.argv[2]); round += 1) {
  const bytes = Uint8Array.from(whole);
  for (let i = 0; i < between(random, 1, 20); i += 1)
    bytes[between(random, 8, bytes.length - 1)] = between(random, 32, 126);
  const result = await parseDocument("a.pdf", bytes);
  if ("document" in result) read.push(result.document);
}
process.stdout.write(JSON.stringify(read));
