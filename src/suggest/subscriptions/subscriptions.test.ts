import assert from "node:assert/strict";
import { test } from "node:test";
import type { WatchPattern } from "../../store/state/subscriptions.ts";
import { cooldownLeft, wasDelivered } from "./cooldown.ts";
import { type ChangeEvent, type IsAbout, matchPatterns } from "./match.ts";
import { checkPatterns, matchesFile } from "./patterns.ts";
import { PendingMatches } from "./pending_matches.ts";
import { symbolTest } from "./symbols.ts";
import { Topics } from "./topics.ts";

const pattern = (type: WatchPattern["type"], text: string, priority = 1): WatchPattern => ({
  type,
  pattern: text,
  priority,
});
const about: IsAbout = (text, topic) => text.includes(topic);
const event = (change: Partial<ChangeEvent>): ChangeEvent => ({
  files: [],
  symbols: () => [],
  textOf: () => undefined,
  ...change,
});

test("files match by glob, or by their folder", () => {
  assert.ok(matchesFile("src/auth/login.ts", "src/auth/**"));
  assert.ok(matchesFile("src/auth/deep/login.ts", "src/auth"));
  assert.ok(matchesFile("src/auth/login.ts", "src/*/login.{ts,js}"));
  assert.ok(!matchesFile("src/authority/login.ts", "src/auth/**"));
  assert.ok(!matchesFile("src/auth/loginXts", "src/auth/login.ts"));
});

test("patterns are normalised, or refused with the reason", () => {
  assert.deepEqual(
    checkPatterns([pattern("file", "./src/auth/"), pattern("file", "/"), pattern("topic", "a b")]).map(
      (each) => each.pattern,
    ),
    ["src/auth", "**", "a b"],
  );
  for (const glob of ["../x", "src/../../x", "{a,b}{a,b}{a,b}{a,b}{a,b}", "*".repeat(20), "@(a|b)", "{1..99999}"]) {
    assert.throws(() => checkPatterns([pattern("file", glob)]), { code: "bad_pattern" }, glob);
  }
});

test("symbols match by name, qualified name or regex", () => {
  assert.ok(symbolTest("validateToken")("validateToken", "Auth.validateToken"));
  assert.ok(symbolTest("Auth.validateToken")("validateToken", "src.Auth.validateToken"));
  assert.ok(!symbolTest("validate")("validateToken", "validateToken"));
  assert.ok(symbolTest("/^validate/")("validateToken", "Auth.validateToken"));
  assert.ok(symbolTest("/^VALIDATE\\w*$/i")("validateToken", "validateToken"));
  assert.ok(!symbolTest("/^validate$/")("validateToken", "validateToken"));
});

test("a regex that could take forever is refused; useful ones are not", () => {
  for (const regex of [
    "/(a+)+$/",
    "/(a|a)*b/",
    "/(a|aa)+$/",
    "/((a*))*b/",
    "/(a?){40}a{40}/",
    `/${"a?".repeat(30)}${"a".repeat(30)}/`,
    `/${"(a|a)".repeat(30)}b/`,
    "/a*a*a*a*a*b/",
    "/(?=a)b/",
    "/(a)\\1/",
    "/[/",
    "/(/",
  ]) {
    assert.throws(() => symbolTest(regex), { code: "bad_pattern" }, regex);
  }
  for (const regex of [
    "/^validate\\w*Token$/",
    "/^(get|set)[A-Z]\\w+$/",
    "/foo|bar|baz/",
    "/^use[A-Z]/",
    "/^(ab)+$/",
    "/[(|*+]x/",
    "/^\\w{2,8}_id$/",
  ]) {
    assert.ok(symbolTest(regex), regex);
  }
  // The worst accepted pattern still ends.
  const worst = symbolTest("/^\\w*\\w*x$/");
  assert.equal(worst("a".repeat(100), "a".repeat(100)), false);
  assert.equal(symbolTest("/a/")("a".repeat(5000), "a".repeat(5000)), false);
});

test("matches are sorted by priority, and their number is bounded", () => {
  const files = Array.from({ length: 10_000 }, (_, i) => `src/${i}.ts`);
  const found = matchPatterns(
    [pattern("file", "src/**", 2), pattern("entity", "file:src/7.ts", 1), pattern("symbol", "go", 3)],
    event({ files, symbols: () => [{ name: "go", qualified: "A.go", file: "src/1.ts" }] }),
    about,
  );
  assert.equal(found[0]?.source, "src/7.ts");
  assert.equal(found.filter((each) => each.pattern.type === "file").length, 20);
  assert.deepEqual(found.at(-1), {
    pattern: pattern("symbol", "go", 3),
    source: "A.go",
    file: "src/1.ts",
    symbol: "A.go",
  });
});

test("topics match texts of files and a prompt", () => {
  const texts: Record<string, string> = { "a.ts": "about tokens", "b.ts": "about tea" };
  const topics = [pattern("topic", "tokens")];
  const textOf = (file: string): string | undefined => texts[file];
  const found = matchPatterns(topics, event({ files: ["b.ts", "a.ts", "gone.ts"], textOf }), about);
  assert.deepEqual(
    found.map(({ source }) => source),
    ["a.ts"],
  );
  assert.equal(matchPatterns(topics, event({ prompt: "renew the tokens" }), about).length, 1);
  assert.deepEqual(matchPatterns(topics, event({ prompt: "make tea" }), about), []);
});

test("the built-in model tells texts on a topic from others", async () => {
  const topics = await Topics.open();
  const login = "src auth login ts\n/** Checks the password of a user and signs a session token. */";
  const tide = "src tide table ts\n/** When the water is high, by harbour and day. */";
  assert.ok(topics.isAbout(login, "user authentication and passwords"));
  assert.ok(!topics.isAbout(tide, "user authentication and passwords"));
  assert.ok(topics.isAbout("packages/AuthenticationService", "authentication"));
  assert.ok(!topics.isAbout("", "authentication"));
  topics.close();
});

test("cooldowns count from the last time; a last time in the future counts as now", () => {
  const of = (lastTriggeredAt: number | null, now: number): number =>
    cooldownLeft({ lastTriggeredAt, cooldownMs: 100 }, now);
  assert.equal(of(null, 1000), 0);
  assert.equal(of(950, 1000), 50);
  assert.equal(of(900, 1000), 0);
  assert.equal(of(10 ** 12, 1000), 100);
  const item = { entityId: "file:a", time: 5 };
  const told = (at: number, itemTime: number | null) => new Map([["file:a", { at, itemTime }]]);
  assert.equal(wasDelivered(item, new Map(), 100, 1000), false);
  assert.equal(wasDelivered(item, told(950, 5), 100, 1000), true);
  assert.equal(wasDelivered(item, told(850, 5), 100, 1000), false);
  // It has changed since.
  assert.equal(wasDelivered(item, told(950, 4), 100, 1000), false);
  assert.equal(wasDelivered({ ...item, time: null }, told(950, null), 100, 1000), true);
  assert.equal(wasDelivered(item, told(10 ** 12, 5), 100, 1000), true);
});

test("pending matches are bounded, deduplicated and sorted by importance", () => {
  const pending = new PendingMatches();
  const match = (source: string, priority: number) => ({ pattern: pattern("file", "**", priority), source });
  pending.add("sub_a", [match("late", 2), match("first", 1)]);
  pending.add("sub_a", [match("first", 1), ...Array.from({ length: 500 }, (_, i) => match(String(i), 3))]);
  const taken = pending.take("sub_a");
  assert.equal(taken.length, 100);
  assert.deepEqual(
    taken.slice(0, 2).map(({ source }) => source),
    ["first", "late"],
  );
  assert.deepEqual(pending.take("sub_a"), []);
});
