/**
 * No secret reaches the disk or an answer, whatever field of whatever agent's transcript it stands in, and wherever a
 * text is cut: tokens are planted so that they begin at every place where titles, names, heads or queries might be
 * shortened. Then every byte that dex wrote, and every answer it gave, is searched for any 12 characters of any of them.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { redactText } from "../../src/redact/redact.ts";
import { program, TestHome } from "../support/program/dex.ts";
import { between, pick, type Random, seeded } from "../support/random.ts";
import { type Fields, plainFields, WRITERS } from "../support/sources/every_source.ts";

const WINDOW = 12;
const OFFSETS = [0, 20, 40, 50, 80, 110, 130, 145, 160, 190, 240, 280, 310, 390, 490, 990, 1980, 3980];
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
const CAPITALS = "ABCDEFGHJKLMNPQRSTUVWXYZ234567";

const home = new TestHome();

function letters(random: Random, count: number, of = LETTERS): string {
  return Array.from({ length: count }, () => pick(random, [...of])).join("");
}

/** The text that holds a secret, and the secret itself. */
const KINDS: readonly ((random: Random) => [text: string, secret: string])[] = [
  (random) => whole(`ghp_${letters(random, 36)}`),
  (random) => whole(`sk-ant-api03-${letters(random, 93)}AA`),
  (random) => whole(`AKIA${letters(random, 16, CAPITALS)}`),
  (random) => whole(`glpat-${letters(random, 20)}`),
  (random) =>
    whole(
      `xoxb-${between(random, 10 ** 11, 10 ** 12 - 1)}-${between(random, 10 ** 11, 10 ** 12 - 1)}-${letters(random, 24)}`,
    ),
  (random) => {
    const secret = letters(random, 22);
    return [`https://deploy:${secret}@git.example/demo`, secret];
  },
];

/** Those that can be part of a file's name. */
const TOKENS = KINDS.slice(0, -1);

function whole(token: string): [string, string] {
  return [token, token];
}

const planted: string[] = [];

function plant(random: Random, kinds = KINDS): string {
  const [text, secret] = pick(random, kinds)(random);
  planted.push(secret);
  return text;
}

const WORDS = "sort the notes by their date and show the newest of them first in every list ".repeat(40);

/** Exactly so many characters of words, with a space at the end. */
function words(count: number): string {
  return count === 0
    ? ""
    : `${WORDS.slice(0, count - 1)
        .trimEnd()
        .padEnd(count - 1, "x")} `;
}

/** Fields with a secret of its own in each, that begins at the offset. */
function leaky(random: Random, id: string, offset: number): Fields {
  const at = (): string => `${words(offset)}${plant(random)} and then the rest`;
  const plain = plainFields(id);
  // Addresses and names have no spaces: there the secret follows a separator.
  const name = (before: string): string => `${before.padEnd(offset, "a")}/${plant(random)}`;
  return {
    ...plain,
    title: at(),
    prompt: at(),
    answer: at(),
    thinking: at(),
    command: `echo ${at()}`,
    output: at(),
    parent: offset % 80 === 0 ? `p/${plant(random)}` : "",
    tool: name("mcp"),
    call: name("call"),
    file: name("/srv/demo/src"),
    project: name("/srv/demo"),
    branch: name("feature"),
    model: name("model"),
    link: name("https://git.example/demo/pull"),
    uid: `${id}${name("uid")}`,
  };
}

/** Every file below a folder, archives unpacked frame by frame. */
function everything(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    found.set(name, `${name}\n${bytes.toString("latin1")}`);
    if (name.endsWith(".zst")) found.set(`${name} (unpacked)`, unpacked(bytes));
  }
  return found;
}

const FRAME = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function unpacked(bytes: Buffer): string {
  let text = "";
  for (let at = bytes.indexOf(FRAME); at >= 0; at = bytes.indexOf(FRAME, at + 4)) {
    const next = bytes.indexOf(FRAME, at + 4);
    text += zstdDecompressSync(bytes.subarray(at, next < 0 ? undefined : next)).toString("latin1");
  }
  return text;
}

/** Letters are compared without case: what is searched is kept in small letters. */
function leaks(texts: ReadonlyMap<string, string>): string[] {
  const windows = new Map<string, string>();
  for (const secret of planted) {
    const small = secret.toLowerCase();
    for (let at = 0; at + WINDOW <= small.length; at += 1) windows.set(small.slice(at, at + WINDOW), secret);
  }
  const found: string[] = [];
  for (const [name, text] of texts) {
    const small = text.toLowerCase();
    for (let at = 0; at + WINDOW <= small.length; at += 1) {
      const secret = windows.get(small.slice(at, at + WINDOW));
      if (secret === undefined) continue;
      found.push(`${name}: …${small.slice(Math.max(0, at - 60), at + 40).replace(/[^ -~]+/g, "·")}… (of ${secret})`);
      break;
    }
  }
  return found;
}

const answers = new Map<string, string>();

function dex(...args: string[]): string {
  const { stdout, stderr } = home.run(...args);
  answers.set(`dex ${args.join(" ").slice(0, 80)} #${answers.size}`, stdout + stderr);
  return stdout;
}

function hook(host: string, event: object): void {
  const options = { cwd: home.cwd, env: home.env, input: JSON.stringify(event), encoding: "utf8" } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [program, "hook", host], options);
  answers.set(`hook #${answers.size}`, stdout + stderr);
}

/** A file in the plain form, with a secret in every field. */
function importFile(random: Random): void {
  const lines = OFFSETS.map((offset) => ({
    conversation: `imported ${offset % 80 === 0 ? plant(random, TOKENS) : offset}`.slice(0, 200),
    role: "assistant",
    time: "2026-03-02T09:15:00Z",
    text: `${words(offset)}${plant(random)}`,
    title: `${words(offset)}${plant(random)}`,
    project: `/srv/${"a".repeat(offset)}/${plant(random)}`,
    tool: `t/${plant(random)}`,
    input: { key: `${words(offset)}${plant(random)}` },
  }));
  const path = join(home.home, "plain.jsonl");
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  assert.equal((JSON.parse(dex("import", path, "--json")) as { new: number }).new, OFFSETS.length);
}

test("a secret of each kind is one that redaction knows", () => {
  const random = seeded(3);
  for (const kind of KINDS) {
    const [text] = kind(random);
    assert.notEqual(redactText(`use ${text} for it`).count, 0, text);
  }
});

test("no 12 characters of a secret are stored or shown, wherever a field is cut", () => {
  const random = seeded(20260302);
  for (const [source, write] of Object.entries(WRITERS)) {
    for (const offset of OFFSETS) write(home.home, leaky(random, `${source.slice(0, 5)}-${offset}`, offset));
    // Ids and names of files may be secrets, too.
    write(home.home, {
      ...plainFields(plant(random, TOKENS)),
      title: "An id that is a secret",
    });
  }
  const sync = JSON.parse(dex("sync", "--json")) as { new: number; failed: unknown[] };
  assert.deepEqual(sync.failed, []);
  assert.ok(sync.new >= OFFSETS.length * Object.keys(WRITERS).length, `${sync.new} conversations were read`);
  const { conversations } = JSON.parse(dex("list", "--limit", "1000", "--json")) as {
    conversations: { id: string; source: string }[];
  };
  assert.deepEqual(new Set(conversations.map(({ source }) => source)), new Set(Object.keys(WRITERS)));
  dex("list", "--limit", "300");
  dex("index", "--limit", "300");
  dex("search", "sort the notes newest", "--limit", "50");
  dex("search", "sort the notes newest", "--limit", "50", "--json");
  dex("stats", "--json");
  const first = Object.keys(WRITERS).map((source) => {
    const id = conversations.find((each) => each.source === source)?.id;
    return `${source}:${id}`;
  });
  dex("show", ...first, "--json");
  for (const address of first.slice(0, 3)) dex("handoff", address);
  dex("pack");
  dex("suggest", "--file", "src/notes.ts", "--json");
  dex("export", "--format", "jsonl", conversations[0]?.id ?? "");
  for (const offset of [60, 110, 290, 490, 2980]) dex("search", `${words(offset)}${plant(random)}`);
  dex("search", `<private>${words(19_900)}</private> ${words(40)}${plant(random)}`);
  dex("fix", `Error: ${words(290)}${plant(random)}`);
  dex("how", `npm test ${plant(random)}`);
  dex("traces", "--json");
  for (const offset of [0, 480, 19_980]) {
    const session_id = "hooked";
    const common = { session_id, cwd: home.home, transcript_path: "/none.jsonl" };
    hook("claude", { ...common, hook_event_name: "UserPromptSubmit", prompt: `${words(offset)}${plant(random)}` });
  }
  hook("claude", {
    session_id: `x ${plant(random)}`,
    cwd: join(home.home, plant(random)),
    hook_event_name: "SessionStart",
  });
  importFile(random);
  // The file grows, so its reader continues from the state that it kept.
  WRITERS.aider?.(home.home, leaky(random, "aider-130", 130));
  dex("sync");
  dex("doctor", "--json");
  assert.deepEqual([...leaks(answers), ...leaks(everything(home.dexHome))], []);
});
