/** The gate redacts messages of other rules again, and cleans those of today's rules of homes and the team's patterns. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Message } from "../../conversations/model.ts";
import { type SegmentEnd, SegmentWriter } from "../../store/archive/archive.ts";
import { decodeFrame, encodeFrame, framesIn } from "../../store/archive/frames.ts";
import type { GateRules } from "./cleaning.ts";
import { passGate } from "./gate.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-gate-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const TOKEN = "ghp_RcY5HhGmzwHsLjMqgqAu9r1gXu5tbKNm4x7Q";
const META = { id: "one", source: "codex" };
const RULES: GateRules = { homes: ["/home/ada"], patterns: [], redaction: "today" };

function said(text: string): Message {
  return { role: "user", parts: [{ type: "text", text }] };
}

/** Writes an archive with a segment for each entry. */
function write(path: string, segments: readonly { messages: readonly Message[]; redactedWith?: string }[]): void {
  let start = 0;
  let from = 0;
  for (const { messages, redactedWith } of segments) {
    const writer = new SegmentWriter(folder, path, start, { dex: 1, from, conversation: META });
    const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    writer.messages(encodeFrame("messages", lines, messages.length));
    start = writer.end(META, redactedWith);
    from += messages.length;
  }
}

/** The bytes and lines that leave, and how many secrets were found in them. */
function leaving(path: string, rules: GateRules): { bytes: Buffer; text: string; redactions: number } {
  const result = passGate({ folder, path, from: 0, tail: "", chain: "", rules });
  if (!("pieces" in result)) throw new Error(JSON.stringify(result));
  const bytes = Buffer.concat(result.pieces.map(({ data }) => data));
  const text = framesIn(bytes)
    .map(({ offset, length }) => decodeFrame(bytes.subarray(offset, offset + length)))
    .join("");
  return { bytes, text, redactions: result.redactions };
}

test("messages are redacted again, unless today's rules have redacted all of their segment", () => {
  const messages = [said(`the token is ${TOKEN}`)];
  for (const redactedWith of [undefined, "yesterday", ""]) {
    write("older", [redactedWith === undefined ? { messages } : { messages, redactedWith }]);
    const { text, redactions } = leaving("older", RULES);
    assert.ok(!text.includes(TOKEN) && redactions === 1, String(redactedWith));
  }
  // Rules of no name, as in a dex that is run from source, may be any.
  write("unnamed", [{ messages, redactedWith: "today" }]);
  for (const redaction of [undefined, "tomorrow"]) {
    assert.ok(!leaving("unnamed", { ...RULES, redaction }).text.includes(TOKEN));
  }
});

test("each segment counts by itself", () => {
  write("mixed", [
    { messages: [said("first")], redactedWith: "today" },
    { messages: [said(`second ${TOKEN}`)], redactedWith: "yesterday" },
    { messages: [said(`third ${TOKEN}`)] },
    { messages: [said("fourth")], redactedWith: "today" },
  ]);
  const { text, redactions } = leaving("mixed", RULES);
  assert.ok(!text.includes(TOKEN));
  assert.equal(redactions, 2);
  for (const word of ["first", "second", "third", "fourth"]) assert.ok(text.includes(word));
});

test("redacted messages leave as they are stored, without the name of the rules", () => {
  write("clean", [{ messages: [said("nothing of mine"), said("nor of others")], redactedWith: "today" }]);
  const stored = readFileSync(join(folder, "clean"));
  const frame = framesIn(stored).find(({ kind }) => kind === "messages");
  assert.ok(frame);
  const { bytes, text } = leaving("clean", RULES);
  assert.ok(bytes.includes(stored.subarray(frame.offset, frame.offset + frame.length)));
  const end = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as SegmentEnd;
  assert.deepEqual(Object.keys(end), ["end", "conversation"]);
});

test("homes and the team's patterns are removed from redacted messages, too", () => {
  const paths = said("see /home/ada/notes, -home-ada-notes and the Falcon project");
  write("homes", [{ messages: [paths], redactedWith: "today" }]);
  const { text } = leaving("homes", RULES);
  assert.ok(text.includes("see ~/notes, ~-notes and the Falcon project"), text);
  const { text: by, redactions } = leaving("homes", { ...RULES, patterns: ["Falcon\\w*"] });
  assert.ok(by.includes("see ~/notes, ~-notes and the [REDACTED:team] project"), by);
  assert.equal(redactions, 1);
});

test("a pattern of the team matches through unseen characters", () => {
  write("parted", [{ messages: [said("ask about PROJ\u200bECT-\u001b[1m77 soon")], redactedWith: "today" }]);
  const { text, redactions } = leaving("parted", { ...RULES, patterns: ["PROJECT-\\d+"] });
  assert.match(text, /ask about \[REDACTED:team\] soon/);
  assert.equal(redactions, 1);
});
