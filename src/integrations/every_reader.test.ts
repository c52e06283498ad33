/**
 * The readers that are made from the common forms, or from the reader of another agent: each reads a small conversation
 * whole, reads a growing one to the same end, and survives damage.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, it } from "node:test";
import { rounds } from "../../test/support/program/limits.ts";
import { between, seeded } from "../../test/support/random.ts";
import { type Fields, WRITERS } from "../../test/support/sources/every_source.ts";
import { MORE_WRITERS } from "../../test/support/sources/more_sources.ts";
import { CollectingSink, readAll, testEnv } from "../../test/support/sources/sink.ts";
import type { Part } from "../conversations/model.ts";
import { listDir } from "./history/reading/files.ts";
import type { Source, SourceEnv } from "./history/source.ts";
import { integrationById, loadSource, loadSources, SOURCE_IDS } from "./registry.ts";

const FIELDS: Fields = {
  id: "0195c2d0-1111-4222-8333-444455556666",
  parent: "",
  title: "Tide tables",
  prompt: "draw the tide table",
  answer: "The table is drawn.",
  thinking: "first the harbour",
  tool: "run_shell",
  call: "call-1",
  command: "make table",
  output: "42 tides",
  file: "/srv/tides/table.ts",
  project: "/srv/tides",
  branch: "main",
  model: "coder-1",
  link: "https://example.org/1",
  uid: "u",
  time: "2026-03-02T09:15:00.000Z",
};
const DAMAGES = rounds(4, 12);
const WRITTEN = new Date("2026-01-02T10:00:00Z");

/** Agents whose form has no place for a field of its own. */
const WITHOUT_CALLS = new Set(["gptme", "jetbrains_ai", "lingma"]);
const WITHOUT_PROJECT = new Set(["astrbot", "forgecode", "gptme", "lingma", "letta", "qwenpaw", "swe_agent"]);
const WITHOUT_TITLE = new Set([
  "amazon_q",
  "auggie",
  "deep_agents",
  "gptme",
  "iflow",
  "lingma",
  "openclaude",
  "prime_agent",
  "qwenpaw",
  "swe_agent",
  "trae_cli",
  "windsurf",
  "zencoder",
]);

/** How agents whose form names a tool by a number, or not at all, call that of a command. */
const OWN_NAMES: Readonly<Record<string, string>> = { swe_agent: "bash", warp: "run_shell_command" };

interface Laid {
  env: SourceEnv;
  source: Source;
  home: string;
}

async function laid(id: string): Promise<Laid> {
  const home = mkdtempSync(join(tmpdir(), `dex-${id}-`));
  MORE_WRITERS[id]?.(home, FIELDS);
  const source = await loadSource(id);
  assert.ok(source, id);
  return { env: testEnv(home, {}, [join(home, "crushed")]), source, home };
}

function readWhole({ source, env }: Laid): CollectingSink {
  const sink = new CollectingSink();
  readAll(source, env, sink);
  return sink;
}

function texts(parts: readonly Part[], type: Part["type"]): string {
  return parts.map((part) => (part.type === type ? JSON.stringify(part) : "")).join(" ");
}

for (const id of Object.keys(MORE_WRITERS)) {
  describe(integrationById(id)?.name ?? id, () => {
    it("is read whole", async () => {
      const home = await laid(id);
      const sink = readWhole(home);
      const { meta, messages } = sink.only();
      const parts = messages.flatMap((message) => message.parts);
      assert.deepEqual(sink.malformedLines, []);
      assert.equal(meta.source, id);
      assert.ok(meta.id.includes(FIELDS.id), meta.id);
      if (!WITHOUT_TITLE.has(id)) assert.equal(meta.title, FIELDS.title);
      if (!WITHOUT_PROJECT.has(id)) assert.match(meta.project ?? "", /tides$|crushed$/);
      const [first] = messages;
      assert.equal(first?.role, "user");
      assert.deepEqual(first?.parts, [{ type: "text", text: FIELDS.prompt }]);
      assert.match(texts(parts, "text"), /The table is drawn\./);
      if (!WITHOUT_CALLS.has(id)) {
        const call = texts(parts, "tool_call");
        assert.match(call, new RegExp(OWN_NAMES[id] ?? FIELDS.tool));
        assert.match(call, /make table/);
        assert.match(texts(parts, "tool_result"), /42 tides/);
      }
      assert.match(JSON.stringify(parts), /first the harbour/);
      rmSync(home.home, { recursive: true });
    });

    it("is read to the same end while it grows, and again only when it changed", async () => {
      const home = await laid(id);
      // A form without times takes those of the file, which `utimes` cannot set as exactly as a write does.
      for (const file of filesIn(home.home)) utimesSync(join(home.home, file), WRITTEN, WRITTEN);
      const whole = readWhole(home);
      for (const file of filesIn(home.home).filter((name) => name.endsWith(".jsonl"))) growing(home, file, whole);
      const again = new CollectingSink();
      const states = readAll(home.source, home.env, again);
      const delivered = again.delivered;
      readAll(home.source, home.env, again, states);
      assert.ok(again.delivered - delivered <= 2, `${again.delivered - delivered} messages delivered without a change`);
      rmSync(home.home, { recursive: true });
    });

    it("survives damage", async () => {
      const home = await laid(id);
      const random = seeded(20261116);
      for (const file of filesIn(home.home)) {
        const path = join(home.home, file);
        const intact = readFileSync(path);
        for (let round = 0; round < DAMAGES; round += 1) {
          const bytes = Buffer.from(intact);
          for (let flips = between(random, 1, 8); flips > 0; flips -= 1) {
            bytes[between(random, 0, bytes.length - 1)] = between(random, 0, 255);
          }
          writeFileSync(path, random() < 0.5 ? bytes : bytes.subarray(0, between(random, 0, bytes.length)));
          readWhole(home);
        }
        writeFileSync(path, intact);
      }
      rmSync(home.home, { recursive: true });
    });
  });
}

/** Also those in folders whose name begins with a dot, which a glob passes over. */
function filesIn(home: string): string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(home, join(parentPath, name)));
}

/** Cuts the file within and after each line, reads it, completes it and reads on. */
function growing(home: Laid, file: string, whole: CollectingSink): void {
  const path = join(home.home, file);
  const content = readFileSync(path, "utf8");
  const lay = (text: string): void => {
    writeFileSync(path, text);
    utimesSync(path, WRITTEN, WRITTEN);
  };
  for (let end = content.indexOf("\n") + 1; end > 0 && end < content.length; end = content.indexOf("\n", end) + 1) {
    for (const cut of [end, end + 5]) {
      lay(content.slice(0, cut));
      const sink = new CollectingSink();
      const states = readAll(home.source, home.env, sink);
      lay(content);
      readAll(home.source, home.env, sink, states);
      assert.deepEqual([...sink.conversations.values()], [...whole.conversations.values()], `${file} cut at ${cut}`);
    }
  }
}

it("every reader has a conversation to be tested with", () => {
  assert.deepEqual([...Object.keys(WRITERS), ...Object.keys(MORE_WRITERS)].toSorted(), [...SOURCE_IDS].toSorted());
});

it("a reader is loaded only if a folder of its agent exists", async () => {
  const loaded = async (home: string): Promise<string[]> => {
    const roots = ["crushed", "aider", "specstory"].map((name) => join(home, name));
    const inside = roots.flatMap((root) => listDir(root).map(({ name }) => join(root, name)));
    return (await loadSources(SOURCE_IDS, testEnv(home, {}, [...roots, ...inside]))).map(({ id }) => id);
  };
  const two = mkdtempSync(join(tmpdir(), "dex-folders-"));
  WRITERS.claude_code?.(two, FIELDS);
  WRITERS.codex?.(two, FIELDS);
  assert.deepEqual(await loaded(two), ["claude_code", "codex"]);
  rmSync(two, { recursive: true });
  for (const [id, write] of Object.entries({ ...WRITERS, ...MORE_WRITERS })) {
    const home = mkdtempSync(join(tmpdir(), "dex-folders-"));
    assert.deepEqual(await loaded(home), []);
    write(home, FIELDS);
    assert.ok((await loaded(home)).includes(id), id);
    rmSync(home, { recursive: true });
  }
});
