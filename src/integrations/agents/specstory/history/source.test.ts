import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { CLAUDE, CURSOR, OLDEST, SESSION, SpecstoryProject } from "../../../../../test/support/histories/specstory.ts";
import { rounds } from "../../../../../test/support/program/limits.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { Json } from "../../../../kernel/json.ts";
import { specstoryHistory } from "./source.ts";

let project: SpecstoryProject;
before(() => {
  project = new SpecstoryProject();
});
after(() => project.remove());
beforeEach(() => project.empty());

describe("where SpecStory's files are", () => {
  it("are the markdown files of a root's history, and nothing else", () => {
    project.put("b.md", OLDEST);
    project.put("a.md", CURSOR);
    project.put("note.txt", "x");
    mkdirSync(join(project.history, "folder.md"));
    assert.deepEqual(
      specstoryHistory.discover(project.env).map(({ path }) => path),
      [join(project.history, "a.md"), join(project.history, "b.md")],
    );
    assert.deepEqual(
      specstoryHistory.places(project.env).map(({ path }) => path),
      [project.history],
    );
    assert.deepEqual(specstoryHistory.discover(testEnv(project.root)), []);
  });
});

describe("copies of one session", () => {
  it("are read once, the fullest one", () => {
    const short = CLAUDE.slice(0, CLAUDE.indexOf("_**User (2026-03-04 10:02:00Z)**_"));
    project.put("2026-03-04_10-00-00Z.md", CLAUDE);
    project.put("2026-03-04_10-00-00Z-why-does-the-export.md", CLAUDE);
    project.put("2026-03-04_10-00-00Z-command-name-model.md", short);
    const sink = new CollectingSink();
    readAll(specstoryHistory, project.env, sink);
    assert.deepEqual([...sink.conversations.keys()].sort(), [SESSION, `sidechain-${SESSION}`]);
    assert.equal(sink.conversations.get(SESSION)?.messages.length, 17);
    assert.equal(sink.delivered, 17 + 3);
  });

  it("that only share a second are both read", () => {
    const other = CLAUDE.replaceAll(SESSION, "33333333-2222-4333-8444-555555555555");
    const found = project.read({ "2026-03-04_10-00-00Z.md": CLAUDE, "2026-03-04_10-00-00Z-other.md": other });
    assert.equal(found.size, 4);
  });
});

describe("a file that changes", () => {
  const NAME = "2026-03-04_10-00-00Z.md";

  it("gives the same conversations as when read whole, wherever it was cut", () => {
    const part = CLAUDE.slice(0, CLAUDE.indexOf("_**Agent (acme-large-4 2026-03-04 10:01:30Z)**_"));
    const whole = [...project.read({ [NAME]: part })].sort();
    const bytes = Buffer.from(part);
    const cuts = new Set<number>([0, bytes.length]);
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) cuts.add(at + 1);
    for (let at = 11; at < bytes.length; at += 97) cuts.add(at);
    for (const cut of cuts) {
      const sink = new CollectingSink();
      const states = new Map<string, Json | undefined>();
      project.put(NAME, bytes.subarray(0, cut));
      readAll(specstoryHistory, project.env, sink, states);
      project.put(NAME, bytes);
      readAll(specstoryHistory, project.env, sink, states);
      assert.deepEqual([...sink.conversations].sort(), whole, `cut at ${cut}`);
    }
  });

  it("is not read again when unchanged", () => {
    project.put(NAME, CLAUDE);
    const sink = new CollectingSink();
    const states = readAll(specstoryHistory, project.env, sink);
    const before = sink.delivered;
    readAll(specstoryHistory, project.env, sink, states);
    assert.equal(sink.delivered, before);
    assert.ok(JSON.stringify(states.get(join(project.history, NAME))).length < 100);
  });

  it("survives any damage", () => {
    let seed = 11;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const states: (Json | undefined)[] = [undefined, null, 5, [], { stamp: 4 }];
    for (let round = 0; round < rounds(30, 100); round += 1) {
      const content = [CLAUDE, CURSOR, OLDEST][round % 3] ?? "";
      const bytes = Buffer.from(content).subarray(0, random(content.length + 1));
      for (let flips = random(60); flips > 0 && bytes.length > 0; flips -= 1) bytes[random(bytes.length)] = random(256);
      project.put(NAME, bytes);
      const sink = new CollectingSink();
      readAll(
        specstoryHistory,
        project.env,
        sink,
        new Map([[join(project.history, NAME), states[round % states.length]]]),
      );
      for (const { messages } of sink.conversations.values()) assert.ok(messages.length > 0);
    }
  });

  it("loses no word", () => {
    const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
    const kept = new Set<string>();
    for (const { messages } of project.read({ [NAME]: CLAUDE }).values())
      for (const word of words(JSON.stringify(messages).replace(/\\n/g, " "))) kept.add(word);
    const body = CLAUDE.slice(CLAUDE.indexOf("Why does"))
      .replace(/^_\*\*.*\*\*_$/gm, "")
      .replace(/<tool-use [^>]*>|<\/?[a-z-]+>|Tool use:|Thought Process|^\\?```[a-z]*$/gm, " ");
    const lost = words(body).filter((word) => !kept.has(word) && word !== "Answer" && word !== "Error");
    assert.deepEqual(lost, []);
  });
});
