/** Search through the built program: what is asked for, exactly, and nothing that was not. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { before, test } from "node:test";
import { random, sentence } from "../support/histories/generate.ts";
import { TestHome } from "../support/program/dex.ts";

interface Found {
  results: {
    id: string;
    snippet: string;
    message_index: number;
    score_lex: number;
    score_final: number;
    rank_source: string;
    explain?: {
      best_messages: { index: number | null; words: number; likeness: number | null; part: number }[];
      terms: { term: string; share: number }[];
      evidence: { name: string; value: number; part: number }[];
    };
  }[];
  total: number;
  total_any?: number;
  matches?: string;
  note?: string;
  facets?: Record<string, { name: string; conversations: number }[]>;
  did_you_mean?: string[];
}

const home = new TestHome();
const search = (...args: string[]): Found => home.json<Found>("search", ...args, "--no-sync");
const ids = (...args: string[]): string[] => search(...args).results.map(({ id }) => id);

before(() => {
  const say = (conversation: string, text: string, more: object = {}): string =>
    JSON.stringify({ conversation, role: "user", time: "2026-03-01T10:00:00Z", text, ...more });
  const next = random(3);
  const haystack = Array.from({ length: 20_000 }, () => sentence(next, 8)).join("\n");
  writeFileSync(
    join(home.home, "corpus.jsonl"),
    [
      say("order-one", "the rate limit was exceeded in staging", { project: "/p/alpha" }),
      say("order-two", "limit the rate of retries", { project: "/p/beta", time: "2026-04-01T10:00:00Z" }),
      say("camel-case", "call getUserById before anything else"),
      say("whole-name", "it calls toHaveURL once", { project: "/p/alpha" }),
      say("pieces", "to have url, have url, to have a url: have to url the url to have", { project: "/p/beta" }),
      say("other-case", "it calls toHaveUrl and TOHAVEURL", { role: "assistant" }),
      say("snake", "reads brass_lamp_holder from the table", { time: "2026-05-01T10:00:00Z" }),
      say("snake-pieces", "holder of a brass lamp, lamp holder, brass holder, lamp of brass", { role: "assistant" }),
      say("flag", "the hook went away after git commit --skip-lint, which is not what we want in the long run"),
      say("flag-pieces", "skip lint, lint skip, skip the lint", { time: "2026-05-01T10:00:00Z" }),
      say("dotted", "somewhere in the middle it calls quartz.valve.open and then nothing happens for a while"),
      say("dotted-pieces", "open the valve of quartz, quartz valve open", { time: "2026-05-01T10:00:00Z" }),
      say("form-typed", "we are gargling after supper"),
      say("form-stem", "we had gargled after supper", { time: "2026-05-01T10:00:00Z" }),
      say("command", "then we ran tar -xzf walnut.tgz, and flush() was called", { time: "2026-02-02T10:00:00Z" }),
      say("command-pieces", "walnut.tgz: a tar of walnut.tgz; flush, Flush() and flush(walnut) do the same"),
      say("hostile", `${"b".repeat(60)}! regexbait`),
      say("accents", "un naïve café déjà vu"),
      say("cjk-text", "ログイン認証エラーが発生しました"),
      say("tool-talk", "npm run build", { role: "assistant", tool: "Bash", input: { command: "npm run zanzibar" } }),
      say(
        "huge",
        `${haystack.slice(0, 500_000)} needleatfivehundred ${haystack.slice(500_000, 1_000_000)} needleattheend`,
      ),
      say("tie-a", "quokka", { time: "2026-01-01T00:00:00Z" }),
      say("tie-b", "quokka", { time: "2026-02-01T00:00:00Z" }),
      say("tie-c", "quokka", { time: "2026-02-01T00:00:00Z" }),
    ].join("\n"),
  );
  assert.equal(home.run("import", "corpus.jsonl").status, 0);
});

test("a phrase stands as typed; without quotes the words may stand anywhere", () => {
  assert.deepEqual(ids('"rate limit"'), ["order-one"]);
  assert.deepEqual(ids("rate limit").sort(), ["order-one", "order-two"]);
  const nowhere = home.json<Found & { note?: string }>("search", '"limit rate"', "--no-sync");
  assert.match(nowhere.note ?? "", /No message contains "limit rate" as typed/);
  assert.equal(nowhere.total, 2);
});

test("a name in quotes is found with its case, and counted in the text", () => {
  const quoted = search('"toHaveURL"');
  assert.deepEqual(
    quoted.results.map(({ id }) => id),
    ["whole-name"],
  );
  assert.deepEqual([quoted.total, quoted.matches], [1, "exact"]);
  assert.deepEqual(ids('"brass_lamp_holder"'), ["snake"]);
  assert.deepEqual(ids('"認証"'), ["cjk-text"]);
  const nowhere = search('"toHaveURLs"');
  assert.match(nowhere.note ?? "", /No message contains "toHaveURLs" as typed/);
});

test("a name typed whole comes before its pieces; where it is nowhere, dex says so", () => {
  assert.equal(ids("toHaveURL")[0], "whole-name");
  assert.ok(ids("toHaveURL").includes("pieces"));
  assert.equal(ids("brass_lamp_holder")[0], "snake");
  const nowhere = search("brass_lamp_shade");
  assert.match(
    nowhere.note ?? "",
    /No message contains "brass_lamp_shade" as typed; these match its parts: brass, lamp, shade/,
  );
  assert.match(home.run("search", "brassHolderShade").stdout, /\d conversations? with parts of the word\n*$/);
});

test("a flag and a dotted name typed whole come before their pieces, and are counted as one word", () => {
  const flag = search(" --skip-lint", "--mode", "lexical");
  assert.equal(flag.results[0]?.id, "flag");
  assert.deepEqual([flag.total, flag.matches, flag.total_any], [1, "all", 2]);
  assert.equal(ids("quartz.valve.open", "--mode", "lexical")[0], "dotted");
  assert.deepEqual(ids('"--skip-lint"'), ["flag"]);
  assert.deepEqual(ids('"valve.open"'), ["dotted"], "a longer name contains it");
});

test("a word in the form as typed ranks before another form of its stem", () => {
  assert.deepEqual(ids("gargling", "--mode", "lexical"), ["form-typed", "form-stem"]);
  assert.deepEqual(ids("gargled", "--mode", "lexical"), ["form-stem", "form-typed"]);
});

test("a minus excludes, unless messages contain it as typed: then it is a flag", () => {
  const flag = search("tar -xzf walnut.tgz");
  assert.equal(flag.results[0]?.id, "command");
  assert.match(flag.note ?? "", /because messages contain "tar -xzf"/);
  assert.deepEqual(ids("walnut.tgz -xzf", "--mode", "lexical"), ["command-pieces"]);
  assert.ok(ids("tar -x", "--mode", "lexical").includes("command"), "a single letter is not excluded");
});

test("the call of a plain word is found with its parentheses and its case", () => {
  assert.equal(ids("flush()")[0], "command");
  assert.deepEqual(ids('"flush()"'), ["command"]);
});

test("before the first sync, dex does not say that words occur nowhere", () => {
  const empty = new TestHome();
  for (const query of ["gargling", '"gargling"'])
    assert.equal(empty.run("search", query, "--no-sync").stdout, "Nothing found. Nothing is indexed yet.\n");
  empty.remove();
});

test("dex says which words occur nowhere, and when the best message has few of them", () => {
  const absent = search("gargling frobnicator quuxify", "--mode", "lexical");
  assert.equal(absent.note, "No conversation contains: frobnicator, quuxify.");
  assert.deepEqual([absent.total, absent.matches], [2, "any"]);
  const spread = search("gargling zanzibar", "--mode", "lexical");
  assert.match(spread.note ?? "", /^The best message lacks 1 of the 2 words: \w+\.$/);
  assert.equal(search("gargling after supper").note, undefined);
  const text = home.run("search", "gargling frobnicator", "--no-sync").stdout;
  assert.match(text, /No conversation contains: frobnicator\./);
});

test("the total counts conversations with all words, and says how many have any", () => {
  const found = search("rate exceeded staging", "--mode", "lexical");
  assert.deepEqual([found.total, found.matches, found.total_any], [1, "all", 2]);
  const any = search("rate zanzibar", "--mode", "lexical");
  assert.deepEqual([any.total, any.matches], [3, "any"]);
  assert.match(
    home.run("search", "rate exceeded staging", "--mode", "lexical", "--no-sync").stdout,
    /1 conversation with all of the words, 2 with any/,
  );
});

test("facets count the matches by agent, project, month and role", () => {
  const { facets } = search("rate", "--mode", "lexical", "--facets");
  assert.deepEqual(facets?.projects, [
    { name: "/p/alpha", conversations: 1 },
    { name: "/p/beta", conversations: 1 },
  ]);
  assert.deepEqual(facets?.months, [
    { name: "2026-04", conversations: 1 },
    { name: "2026-03", conversations: 1 },
  ]);
  assert.deepEqual(facets?.roles, [{ name: "user", conversations: 2 }]);
  assert.equal(facets?.agents?.[0]?.conversations, 2);
  assert.match(home.run("search", "rate", "--facets", "--no-sync").stdout, /months: 2026-04 1, 2026-03 1/);
});

test("a regular expression is searched in the text, with the filters, within its time", () => {
  const found = search("to[Hh]aveU(RL|rl)\\b", "--regex");
  assert.deepEqual(found.results.map(({ id }) => id).sort(), ["other-case", "whole-name"]);
  assert.deepEqual([found.total, found.matches], [2, "exact"]);
  assert.deepEqual(ids("to[Hh]aveU(RL|rl)\\b", "--regex", "--role", "user"), ["whole-name"]);
  assert.deepEqual(ids("calls toHave\\w+ once", "--regex", "--project", "alpha"), ["whole-name"]);
  assert.deepEqual(ids("(?i)TOHAVEURL (?=once)", "--regex"), ["whole-name"]);
  assert.deepEqual(ids("quartz\\.valve|gargl(ing|es)", "--regex").sort(), ["dotted", "form-typed"]);
  assert.match(search("toHaveURL project:alpha", "--regex").note ?? "", /"project:alpha" is a part of the pattern/);
  const hostile = search("^(b+)+$", "--regex");
  assert.match(hostile.note ?? "", /The pattern took too long for 1 message/);
  assert.equal(home.run("search", "(a", "--regex", "--no-sync").status, 2);
});

test("excluded words, filters in the text and their flags", () => {
  assert.deepEqual(ids("rate -retries"), ["order-one"]);
  assert.deepEqual(ids("rate project:beta"), ["order-two"]);
  assert.deepEqual(ids("rate after:2026-03-15"), ["order-two"]);
  assert.deepEqual(ids("rate before:2026-03-15"), ["order-one"]);
  assert.deepEqual(ids("zanzibar tool:bash"), ["tool-talk"]);
  assert.deepEqual(ids("zanzibar", "--tool", "Read"), []);
  assert.equal(home.run("search", "rate after:someday").status, 2);
});

test("identifiers by their parts, accents, CJK, and any place in a message of a megabyte", () => {
  assert.equal(ids("user by id")[0], "camel-case");
  assert.deepEqual(ids("naive cafe"), ["accents"]);
  assert.deepEqual(ids("認証"), ["cjk-text"]);
  assert.deepEqual(ids("needleatfivehundred"), ["huge"]);
  const end = search("needleattheend").results[0];
  assert.equal(end?.id, "huge");
  assert.match(end?.snippet ?? "", /needleattheend/);
});

test("ties are broken by time, then by id, and the same call gives the same answer", () => {
  const first = home.run("search", "quokka", "--json", "--no-sync").stdout;
  assert.deepEqual(ids("quokka"), ["tie-b", "tie-c", "tie-a"]);
  assert.equal(home.run("search", "quokka", "--json", "--no-sync").stdout, first);
});

test("scores are explained, and the explanation adds up", () => {
  const hit = search("rate limit", "--explain").results[0];
  assert.equal(hit?.rank_source, "hybrid");
  const sum = (list: readonly number[] = []): number => list.reduce((total, each) => total + each, 0);
  const best = hit?.explain?.best_messages ?? [];
  const evidence = hit?.explain?.evidence ?? [];
  const parts = [...best, ...evidence].map(({ part }) => part);
  assert.ok(Math.abs(sum(parts) - (hit?.score_final ?? 0)) < 0.01);
  assert.deepEqual(evidence.find(({ name }) => name === "together")?.value, 1);
  assert.ok(Math.abs(sum(best.map(({ words }) => words)) - (hit?.score_lex ?? 0)) < 0.01);
  const shares = sum(hit?.explain?.terms.map(({ share }) => share));
  assert.ok(Math.abs(shares - (best[0]?.words ?? 0)) < 0.01);
});

test("words that stand together rank before the same words apart", () => {
  const told = new TestHome();
  const say = (conversation: string, text: string): string =>
    JSON.stringify({ conversation, role: "user", time: "2026-03-01T10:00:00Z", text });
  writeFileSync(
    join(told.home, "corpus.jsonl"),
    [
      say("apart", "a lease of boats in the harbour, force of the wind, the push of a wave, and a rejected claim"),
      say("together", "the force push of a branch was rejected by the lease, in spite of wind, boats and harbour"),
    ].join("\n"),
  );
  assert.equal(told.run("import", "corpus.jsonl").status, 0);
  const [first] = told.json<Found>("search", "force push rejected", "--no-sync", "--explain").results;
  assert.equal(first?.id, "together");
  assert.equal(first?.explain?.evidence.find(({ name }) => name === "together")?.value, 1);
});

test("the current project counts, as much as the setting says", () => {
  const told = new TestHome();
  const folders = ["here", "there"].map((name) => join(told.home, name));
  for (const folder of folders) {
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), "{}");
  }
  writeFileSync(
    join(told.home, "corpus.jsonl"),
    folders
      .map((project) =>
        JSON.stringify({
          conversation: `in-${basename(project)}`,
          role: "user",
          time: project.endsWith("/here") ? "2026-03-01T10:00:00Z" : "2026-03-02T10:00:00Z",
          text: "the mooring rope is too short",
          project,
        }),
      )
      .join("\n"),
  );
  assert.equal(told.run("import", "corpus.jsonl").status, 0);
  told.cwd = folders[0] ?? "";
  const ask = (vars: Record<string, string>): Found["results"] =>
    told.withVars(vars).json<Found>("search", "mooring rope", "--no-sync", "--explain").results;
  const [first] = ask({});
  assert.equal(first?.id, "in-here");
  assert.ok((first?.explain?.evidence.find(({ name }) => name === "here")?.part ?? 0) > 0);
  assert.equal(ask({ DEX_SEARCH_PROJECT_BOOST: "0" })[0]?.id, "in-there", "the later one, all else being equal");
  const [other, own] = ask({ DEX_SESSION: "in-here" });
  assert.equal(other?.id, "in-there", "the conversation that asks is not the first");
  assert.ok((own?.explain?.evidence.find(({ name }) => name === "own")?.part ?? 0) < 0);
});

test("nothing found offers near words, and never answers for them", () => {
  const found = search("exceded");
  assert.equal(found.total, 0);
  assert.deepEqual(found.did_you_mean, ["exceeded"]);
});

test("results for the other words offer near words of a misspelt one", () => {
  const found = search("exceded staging");
  assert.ok((found.total_any ?? 0) > 0);
  assert.deepEqual(found.did_you_mean, ["exceeded"]);
  assert.match(
    home.run("search", "exceded staging").stdout,
    /^No conversation contains: exceded\. Did you mean: exceeded\?\n/,
  );
});

test("a short word, and a part of a path, is not taken for a misspelling beside results", () => {
  assert.equal(search("exceded staging").did_you_mean?.[0], "exceeded");
  for (const query of ["stag staging", "src/exceded/staging.ts", "exceded9 staging"]) {
    const found = search(query);
    assert.ok((found.total_any ?? 0) > 0, query);
    assert.equal(found.did_you_mean, undefined, query);
  }
});

test("filters that leave nothing are named as the reason, and a word that occurs is not taken for a misspelling", () => {
  const found = search("exceeded", "--from", "2099-01-01");
  assert.equal(found.total, 0);
  assert.equal(found.did_you_mean, undefined);
  assert.equal(found.note, "The words occur, but not with the filter from.");
  assert.equal(search("exceeded", "--tool", "Nosuch").note, 'No message here uses a tool called "Nosuch".');
});

test("whatever is typed gets an answer or a sentence", () => {
  for (const query of [
    '"',
    "NEAR(a b)",
    "* OR ^",
    "a AND (b",
    "'; DROP TABLE messages; --",
    "🙂",
    "\u0001\u0002 x",
    "x".repeat(100_000),
  ]) {
    const answer = home.run("search", "--no-sync", "--json", "--", query);
    assert.ok([0, 1, 2].includes(answer.status ?? -1), query.slice(0, 40));
    assert.doesNotMatch(answer.stderr, /unexpected failure/, query.slice(0, 40));
    assert.doesNotThrow(() => JSON.parse(answer.stdout));
  }
});

test("an error is found by its signature, with what was done next; a command by how it worked", () => {
  const told = new TestHome({ samples: true });
  told.run("sync");
  interface Fixes {
    results: { match: string; error: string; next: { head: string }[] }[];
  }
  const migration = told.json<Fixes>("search", "migration failed", "--limit", "1");
  assert.ok(migration.results.length > 0);
  const shown = told.run("show", "019cbebc", "--format", "full").stdout;
  const line = shown.split("\n").find((each) => /error/i.test(each)) ?? "";
  const elsewhere = line.replace(/\d/g, "7");
  const { results } = told.json<Fixes>("fix", elsewhere);
  assert.equal(results[0]?.match, "same", `${elsewhere} ${JSON.stringify(results[0])}`);
  assert.ok((results[0]?.next.length ?? 0) > 0);
  interface Calls {
    invocations: { command: string; exit_code: number | null }[];
  }
  const { invocations } = told.json<Calls>("how", "npm run migrate");
  assert.match(invocations[0]?.command ?? "", /npm run migrate/);
  assert.ok(invocations.every(({ exit_code }) => exit_code === 0 || exit_code === null));
});

test("with no index at all the archive is searched, and that is said", () => {
  const bare = new TestHome({ samples: true });
  bare.run("sync");
  const indexed = bare.json<Found>("search", "migration", "--no-sync").results[0]?.id;
  for (const name of ["index.db", "index.db-wal", "index.db-shm"]) rmSync(join(bare.dexHome, name), { force: true });
  const answer = bare.run("search", "migration", "--no-sync", "--json");
  assert.equal(answer.status, 0, answer.stderr);
  assert.match(answer.stderr, /The index is missing/);
  assert.ok((JSON.parse(answer.stdout) as Found).results.some(({ id }) => id === indexed));
  assert.equal(bare.run("gc").status, 0);
  assert.equal(bare.json<Found>("search", "migration", "--no-sync").results[0]?.id, indexed);
});
