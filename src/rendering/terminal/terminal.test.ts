import assert from "node:assert/strict";
import { test } from "node:test";
import { WriteStream } from "node:tty";
import { guardTerminal, paint, type Terminal, table, terminalOf } from "./terminal.ts";
import { textWidth } from "./width.ts";

const NOW = Date.UTC(2026, 2, 1);
const PLAIN: Terminal = { width: 40, color: false, now: NOW };

function stream(isTTY: boolean, columns?: number): WriteStream {
  return Object.assign(Object.create(WriteStream.prototype) as WriteStream, { isTTY, columns });
}

test("width and colour of a terminal, of a pipe, and as the variables want it", () => {
  assert.deepEqual(terminalOf(stream(true, 100), {}, NOW), { width: 100, color: true, now: NOW, boxes: true });
  assert.deepEqual(terminalOf(stream(false), {}, NOW), { width: 160, color: false, now: NOW });
  assert.equal(terminalOf(stream(true, 5), {}, NOW).width, 40);
  assert.equal(terminalOf(stream(false), { FORCE_COLOR: "1" }, NOW).color, true);
  assert.equal(terminalOf(stream(true), { FORCE_COLOR: "1", NO_COLOR: "1" }, NOW).color, false);
  assert.equal(terminalOf(stream(true), { TERM: "dumb" }, NOW).color, false);
});

test("only dex's own colours pass, and only where there is colour", () => {
  const painted = paint({ ...PLAIN, color: true }, "red", "no");
  assert.equal(guardTerminal(`${painted}\u001b[2J\u001b]0;owned\u0007`, true).includes("\u001b[2J"), false);
  assert.ok(guardTerminal(painted, true).includes(painted));
  assert.equal(guardTerminal(painted, false).includes("\u001b"), false);
  assert.equal(paint(PLAIN, "red", "no"), "no");
});

test("a table fits the width: the flexible column shrinks first, then others are dropped", () => {
  const columns = [{ title: "id" }, { title: "title", flexible: true }, { title: "project", drop: 1 }, { title: "n" }];
  const rows = [["a1", "日本語のタイトル that goes on and on", "somewhere-far", "12"]];
  const text = table(PLAIN, columns, rows);
  for (const line of text.split("\n")) assert.ok(textWidth(line) <= 40, line);
  assert.match(text, /^id {2}title/);
  assert.match(text, /…/);
  const narrow = table({ ...PLAIN, width: 24 }, columns, rows);
  assert.doesNotMatch(narrow, /project/);
  for (const line of narrow.split("\n")) assert.ok(textWidth(line) <= 24, line);
});

test("an agent gets tabs and no padding; a cell is one clean line", () => {
  const columns = [{ title: "a" }, { title: "b", align: "right" as const }];
  assert.equal(table({ ...PLAIN, compact: true }, columns, [["x\ny", "\u001b[31mred"]]), "a\tb\nx y\tred");
});
