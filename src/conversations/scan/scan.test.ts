import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { assertLinear } from "../../../test/support/cost.ts";
import { rounds } from "../../../test/support/program/limits.ts";
import { between, pick, randomText, seeded } from "../../../test/support/random.ts";
import { BUDGET_MARGIN } from "../../tokens/estimate.ts";
import type { Message, Part, Role } from "../model.ts";
import { messagePieces, pieceAt, ScanContext } from "./pieces.ts";
import { type Measure, minutesOf, printedTokens, scanWithin, timedLines, timesFrom } from "./scan.ts";
import { actsOf, tallyOf, tallyText } from "./tally.ts";

function at(time: string | undefined, role: Role, ...parts: Part[]): Message {
  return { role, parts, ...(time === undefined ? {} : { time: `2026-01-04T${time}.000Z` }) };
}

function indexed(messages: readonly Message[]): { index: number; message: Message }[] {
  return messages.map((message, index) => ({ index, message }));
}

function shownAt(message: Message, detail: number, context = new ScanContext()): string {
  return messagePieces(message, context)
    .map((piece) => pieceAt(piece, detail))
    .join(" ");
}

const LOGIN: Message[] = [
  at("10:00:05", "user", { type: "text", text: "Help me implement the login\nfeature with OAuth" }),
  at(
    "10:00:12",
    "assistant",
    { type: "thinking", text: "The user wants OAuth; let me look at auth.ts." },
    { type: "text", text: "I'll help." },
    { type: "tool_call", id: "1", name: "Read", input: { file_path: "/p/src/auth.ts" } },
    { type: "tool_call", id: "2", name: "Bash", input: { command: "npm test" } },
  ),
  at("10:00:15", "tool", { type: "tool_result", id: "1", name: "Read", output: "line\n".repeat(156) }),
  at("10:00:18", "tool", {
    type: "tool_result",
    id: "2",
    name: "Bash",
    exit_code: 0,
    output: "Tests passed\n\n12 of 12\n",
  }),
  at("10:00:25", "assistant", {
    type: "tool_call",
    id: "3",
    name: "Edit",
    input: { file_path: "/p/src/auth.ts", old_string: "func a() {}", new_string: "async func a() {}" },
  }),
  at(undefined, "tool", { type: "tool_result", id: "3", output: "The file has been updated." }),
];

describe("lines", () => {
  test("one for each message where there is room, with little around the text", () => {
    assert.deepEqual(scanWithin(indexed(LOGIN), 1000, "/p").lines, [
      "#0 user: Help me implement the login feature with OAuth",
      '#1 assistant: [thinking:45c] The user wants OAuth; let me look at auth.ts. "I\'ll help." [Read: src/auth.ts] [Bash: npm test]',
      "#2 tool: [Read: src/auth.ts → 156 lines]",
      '#3 tool: [Bash: npm test → 0] "Tests passed 12 of 12"',
      '#4 assistant: [Edit: src/auth.ts] old:"func a() {}" new:"async func a() {}"',
      "#5 tool: [Edit: src/auth.ts → ok]",
    ]);
  });

  test("limits grow linearly with the detail; a beginning of a few characters is left out", () => {
    const long = "x".repeat(10_000);
    const shown = (part: Part, role: Role, detail: number) =>
      (/x+…?/.exec(shownAt(at(undefined, role, part), detail))?.[0] ?? "").length;
    const table: [Part, Role, number][] = [
      [{ type: "text", text: long }, "user", 200],
      [{ type: "text", text: long }, "assistant", 80],
      [{ type: "text", text: long }, "system", 80],
      [{ type: "thinking", text: long }, "assistant", 50],
      [{ type: "tool_call", name: "Bash", input: { command: long } }, "assistant", 60],
      [{ type: "tool_result", name: "Bash", output: long }, "tool", 150],
      [{ type: "tool_result", name: "Grep", output: long }, "tool", 100],
      [{ type: "tool_result", name: "WebFetch", output: long }, "tool", 100],
      [{ type: "tool_result", name: "Task", output: long }, "tool", 100],
      [{ type: "tool_result", name: "Read", output: long }, "tool", 0],
      [{ type: "tool_call", name: "Edit", input: { file_path: "a", old_string: long } }, "assistant", 80],
    ];
    for (const [part, role, base] of table) {
      for (const detail of [25, 50, 100])
        assert.equal(shown(part, role, detail), (base * detail) / 50, `${part.type} at ${detail}`);
      assert.equal(shown(part, role, 0), 0);
      assert.equal(shown(part, role, 2), 0);
    }
  });

  test("failures are shown with the text about them", () => {
    const context = new ScanContext();
    shownAt(
      at(undefined, "assistant", { type: "tool_call", id: "e", name: "Edit", input: { file_path: "a.ts" } }),
      50,
      context,
    );
    const failed = at(undefined, "tool", { type: "tool_result", id: "e", output: "String not found", is_error: true });
    assert.equal(shownAt(failed, 50, context), '[Edit: a.ts → error] "String not found"');
    const other = at(undefined, "tool", { type: "tool_result", id: "unknown", output: "1\n2", agent: "a7" });
    assert.equal(shownAt(other, 50, context), '[result → 2 lines, agent a7] "1 2"');
  });

  test("several edits in one call", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c", new_string: "d" },
    ];
    const part: Part = { type: "tool_call", name: "MultiEdit", input: { file_path: "a.ts", edits } };
    assert.match(shownAt(at(undefined, "assistant", part), 50), /\[MultiEdit: a\.ts\] old:"a" new:"b" \+1 more$/);
  });
});

describe("ranges", () => {
  const run = (command: string, exit_code: number): Message[] => [
    at(undefined, "assistant", { type: "tool_call", id: "r", name: "Bash", input: { command } }),
    at(undefined, "tool", { type: "tool_result", id: "r", name: "Bash", output: "", exit_code }),
  ];
  const said = (messages: Message[]): string => {
    const context = new ScanContext();
    return tallyText(tallyOf(messages.flatMap((message) => actsOf(message, context))));
  };

  test("count actions; an interrupted command has not failed", () => {
    const edit = (file_path: string): Message =>
      at(undefined, "assistant", { type: "tool_call", name: "Edit", input: { file_path } });
    const work = [edit("a.ts"), edit("b.ts"), edit("a.ts"), ...run("npm test", 1), ...run("npm test", 0)];
    assert.equal(said(work), "3 edits in 2 files, 2 commands (1 failed), tests failed, then passed");
    const again = [...run("npm test", 0), ...run("npm test", 1), ...run("npm test", 0)];
    assert.equal(said(again), "3 commands (1 failed), tests passed, failed between, passed at the end");
    assert.equal(said([...run("go test ./...", 137), ...run("sleep 9", 130)]), "2 commands");
    assert.equal(said([at(undefined, "assistant", { type: "text", text: "Hm" })]), "");
  });

  test("prompts stay apart and readable while the work between them is merged", () => {
    const messages = Array.from({ length: 6 }, (_, turn) => [
      at(undefined, "user", { type: "text", text: `Prompt ${turn} that asks for something` }),
      ...Array.from({ length: 40 }, () => run("make all the things", 0)).flat(),
    ]).flat();
    const { lines, fits } = scanWithin(indexed(messages), 500);
    assert.ok(fits);
    assert.equal(lines[0], "#0 user: Prompt 0 that asks for something");
    assert.match(lines[1] ?? "", /^#1-\d+ \d+ commands/);
    assert.equal(lines.filter((line) => /user: Prompt \d that asks/.test(line)).length, 6);
  });
});

function randomConversation(seed: number, length: number): Message[] {
  const random = seeded(seed);
  const start = Date.parse("2026-01-04T10:00:00.000Z");
  return Array.from({ length }, (_, i): Message => {
    const text = randomText(random, pick(random, [2, 30, 300]));
    const id = String(i);
    const time = new Date(start + i * between(random, 0, 1) * 3_600_000).toISOString();
    const message: Message = pick(random, [
      { role: "user" as const, parts: [{ type: "text" as const, text }] },
      {
        role: "assistant" as const,
        parts: [
          { type: "thinking" as const, text },
          { type: "tool_call" as const, id, name: pick(random, ["Bash", "Edit", "Grep"]), input: { command: text } },
        ],
      },
      { role: "assistant" as const, parts: [{ type: "text" as const, text }] },
      {
        role: "tool" as const,
        parts: [{ type: "tool_result" as const, id: String(i - 1), output: text, exit_code: between(random, 0, 1) }],
      },
    ]);
    return random() < 0.8 ? { ...message, time } : message;
  });
}

/** First and last message of each line. */
function rangesOf(lines: readonly string[]): [number, number][] {
  return lines.map((line) => {
    const match = /^#(\d+)(?:-(\d+))?(?: |$)/.exec(line);
    assert.ok(match, line);
    return [Number(match[1]), Number(match[2] ?? match[1])];
  });
}

describe("scanWithin", () => {
  test("any conversation, any target: within it by a real count, every message in one line, twice the same", () => {
    const random = seeded(5);
    const lengths = [
      1,
      2,
      rounds(1200, 5000),
      ...Array.from({ length: rounds(4, 17) }, () => between(random, 1, pick(random, [10, 120, 1500]))),
    ];
    for (const [round, length] of lengths.entries()) {
      const messages = indexed(randomConversation(round, length));
      for (const target of [between(random, 100, 600), between(random, 1000, 12_000)]) {
        const scan = scanWithin(messages, Math.floor(target / BUDGET_MARGIN));
        assert.ok(scan.fits, `${length} messages in ${target}`);
        const real = countTokens(timedLines(scan.lines, scan.times).join("\n"));
        assert.ok(real <= target, `${real} over ${target} with ${length} messages`);
        const ranges = rangesOf(scan.lines);
        assert.equal(ranges[0]?.[0], 0);
        assert.equal(ranges.at(-1)?.[1], length - 1);
        for (const [i, [first]] of ranges.entries()) if (i > 0) assert.equal(first, (ranges[i - 1]?.[1] ?? 0) + 1);
        assert.deepEqual(scanWithin(messages, Math.floor(target / BUDGET_MARGIN)), scan);
      }
    }
  });

  test("uses the budget if texts are long enough", () => {
    for (const [length, tokens] of [
      [200, 10_000],
      [1000, 20_000],
      [1000, 5000],
    ] as const) {
      const scan = scanWithin(indexed(randomConversation(length, length)), tokens);
      assert.ok(scan.tokens > tokens * 0.85, `${scan.tokens} of ${tokens}`);
    }
  });

  test("nothing to scan, everything fits, or not even one line does", () => {
    assert.deepEqual(scanWithin([], 10), { lines: [], times: [], tokens: 0, fits: true });
    assert.equal(scanWithin(indexed(LOGIN), 100_000).lines.length, LOGIN.length);
    const shortest = scanWithin(indexed(LOGIN), 5);
    assert.equal(shortest.fits, false);
    assert.equal(shortest.lines.length, 1);
    assert.equal(scanWithin(indexed(LOGIN), shortest.tokens).fits, true);
  });

  test("eight times as many messages take about eight times as long, not the square of it", () => {
    const conversation = randomConversation(1, 200);
    assertLinear("conversations of 200 messages", 16, (count) => {
      scanWithin(indexed(Array(count).fill(conversation).flat()), count * 2_000);
    });
  });
});

test("every form that is measured stays within the budget; times survive the short form", () => {
  const messages = indexed(randomConversation(3, 300));
  const doubled: Measure = (lines, times) => printedTokens(lines, times) * 2;
  const scan = scanWithin(messages, 2000, undefined, [printedTokens, doubled]);
  assert.ok(scan.fits && scan.tokens <= 2000 && scan.tokens === doubled(scan.lines, scan.times));
  const { start, minutes } = minutesOf(scan.times);
  assert.deepEqual(timesFrom(start, minutes), scan.times);
  assert.deepEqual(minutesOf([null, null]), {});
  assert.deepEqual(timesFrom(undefined), []);
});

test("a merged line says something: results stay with their calls, and a range of results counts them", () => {
  const call = (id: string): Part => ({ type: "tool_call", id, name: "Bash", input: { command: `make part-${id}` } });
  const result = (id: string): Message => at("10:00:00", "tool", { type: "tool_result", id, output: "x".repeat(400) });
  const steps = Array.from({ length: 40 }, (_, i) => [
    at("10:00:00", "assistant", call(`${i}a`), call(`${i}b`), call(`${i}c`)),
    ...["a", "b", "c"].map((part) => result(`${i}${part}`)),
  ]).flat();
  for (const tokens of [150, 300, 600, 1200]) {
    for (const line of scanWithin(indexed([at("09:00:00", "user", { type: "text", text: "Build" }), ...steps]), tokens)
      .lines)
      assert.match(line, /^#\d+(?:-\d+)? .*[a-z]{3}/, `${tokens}: ${line}`);
  }
  const loose = scanWithin(indexed(Array.from({ length: 30 }, () => result("z"))), 60);
  assert.match(loose.lines[0] ?? "", /^#0-\d+ \d+ results/);
});

test("between two prompts, few lines with a sentence each come before many with a few letters", () => {
  const steps = Array.from({ length: 60 }, (_, i): Message[] => [
    at(
      undefined,
      "assistant",
      { type: "text", text: `Step ${i} moves the tide table into its own module before the curve uses it.` },
      { type: "tool_call", id: `a${i}`, name: "Bash", input: { command: "grep -rn tide src" } },
      { type: "tool_call", id: `b${i}`, name: "Edit", input: { file_path: `/p/src/tide${i}.ts`, old_string: "a" } },
    ),
    at(undefined, "tool", { type: "tool_result", id: `a${i}`, name: "Bash", output: "", exit_code: 1 }),
    at(undefined, "tool", { type: "tool_result", id: `b${i}`, name: "Edit", output: "ok" }),
  ]).flat();
  const { lines } = scanWithin(
    indexed([at(undefined, "user", { type: "text", text: "Split it" }), ...steps]),
    800,
    "/p",
  );
  const work = lines.slice(1);
  assert.ok(work.length > 2 && work.length < 15, `${work.length} lines`);
  for (const line of work) {
    assert.match(line, /"Step \d+ moves the tide table into/);
    assert.match(line, /\[Edit: src\/tide\d+\.ts\]/);
    assert.doesNotMatch(line, /failed|grep/, "a search that finds nothing is not a failure, and an edit tells more");
  }
});

test("a date where a day begins, a time where some has passed", () => {
  const times = ["2026-01-04T10:00:00Z", "2026-01-04T10:01:00Z", null, "2026-01-04T10:30:00Z", "2026-01-06T10:30:00Z"];
  const lines = timedLines(["#0 user: a", "#1 tool: b", "#2", "#3-9 c", "#10 d"], times);
  const [firstDay, first, second, third, fourth, secondDay, last] = lines;
  assert.match(firstDay ?? "", /^2026-01-0\d \((?:UTC|[+-]\d\d:\d\d)\)$/);
  assert.match(first ?? "", /^#0 \d\d:\d\d user: a$/);
  assert.deepEqual([second, third], ["#1 tool: b", "#2"]);
  assert.match(fourth ?? "", /^#3-9 \d\d:\d\d c$/);
  assert.match(secondDay ?? "", /^2026-01-0\d \(/);
  assert.match(last ?? "", /^#10 \d\d:\d\d d$/);
});
