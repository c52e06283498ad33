import assert from "node:assert/strict";
import { test } from "node:test";
import { boundedText, retryAfter, TooLarge } from "./http.ts";

test("Retry-After is seconds or a date", () => {
  const at = (value: string | undefined): number | undefined => retryAfter(value, 1_000_000_000_000);
  assert.equal(at("2"), 2000);
  assert.equal(at("1.5"), 1500);
  assert.equal(at(new Date(1_000_000_005_000).toUTCString()), 5000);
  assert.equal(at(new Date(999_999_995_000).toUTCString()), 0);
  assert.equal(at("soon"), undefined);
  assert.equal(at(" "), undefined);
  assert.equal(at(undefined), undefined);
});

test("a text is read up to its limit, including characters split across chunks", async () => {
  const bytes = new TextEncoder().encode("ä€");
  const answer = (): Response =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      }),
    );
  assert.equal(await read(answer(), bytes.length), "ä€");
  await assert.rejects(read(answer(), bytes.length - 1), TooLarge);
  assert.equal(await read(new Response(null), 1), "");
});

async function read(response: Response, maxBytes: number): Promise<string> {
  let text = "";
  for await (const chunk of boundedText(response, maxBytes)) text += chunk;
  return text;
}
