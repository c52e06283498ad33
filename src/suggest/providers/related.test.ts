/** The provider of files, on a small code graph: definitions come before callers, and summaries say what is there. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { temporaryFolder } from "../../../test/support/repository.ts";
import { indexProject } from "../../code/indexing/indexer.ts";
import { findCodeProject, openCode } from "../../code/project.ts";
import { choose } from "../combine.ts";
import type { ProjectView } from "../evidence.ts";
import type { LikelyFile } from "../files/likely.ts";
import { ITEM_TYPES, type SuggestionItem } from "../model.ts";
import { relatedCode } from "./related.ts";

describe("files as suggestions", async () => {
  const folder = temporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const host of ["north", "south", "east", "west"]) {
    write(`src/${host}/tray.ts`, "export function openTray(): number {\n  return 1;\n}\n");
    write(
      `src/${host}/desk.ts`,
      'import { openTray } from "./tray.ts";\nexport function desk(): number {\n  return openTray();\n}\n',
    );
  }
  write("src/north/tray.test.ts", 'import { openTray } from "./tray.ts";\ntest("opens twice", () => openTray());\n');
  write("src/north/plain.ts", "const hidden = () => 1;\nhidden();\n");
  write("notes/tray.md", "# 3. Trays of the north. And others\n");
  const project = findCodeProject(join(folder, "code"), folder);
  await indexProject(project, { now: 1 });
  const { store } = openCode(project);
  after(() => store.close());

  const itemsFor = (
    likely: readonly LikelyFile[],
    symbol?: string,
    named?: { path: string; partners: readonly LikelyFile[] },
  ): SuggestionItem[] => {
    const symbols = symbol === undefined ? [] : store.named(symbol).filter(({ kind }) => kind === "function");
    const files = named ? [{ path: named.path, share: 0.95, how: "named" as const }] : [];
    const focus = { files, symbols, names: [], question: undefined, own: new Set<number>() };
    const activity = { folder, recent: [], prompt: "how does openTray work?" };
    const sources = { with: () => [], withNamed: () => named?.partners ?? [], for: () => likely };
    const view = { activity, focus, graph: store, near: () => [], likely: sources, shifts: {} } as Partial<ProjectView>;
    const cut = { gate: 0, maxItems: 30, maxTokens: undefined, types: new Set(ITEM_TYPES), without: new Set<string>() };
    return choose(relatedCode(view as ProjectView), { ...cut, kindShifts: {}, shift: () => 0 }).items;
  };

  test("every definition of a named symbol comes before the files that call it", () => {
    const likely = [{ path: "src/north/desk.ts", probability: 0.7, reasons: ["is changed often here"] }];
    const items = itemsFor(likely, "openTray");
    const score = new Map(items.map(({ entityId, relevanceScore }) => [entityId, relevanceScore]));
    for (const host of ["north", "south", "east", "west"]) {
      const [definition, caller] = [score.get(`file:src/${host}/tray.ts`), score.get(`file:src/${host}/desk.ts`)];
      assert.ok(definition !== undefined && caller !== undefined && definition >= caller, `${definition} ${caller}`);
    }
  });

  test("partners of a file that a prompt names are listed, below the gate for pushed items", () => {
    const [path, partner] = ["src/north/tray.ts", "src/north/tray.test.ts"];
    const partners = [{ path: partner, probability: 0.9, reasons: ["also changed in all 9 commits that changed it"] }];
    const ranked = [{ path, probability: 0.7, reasons: ["the prompt names it"] }];
    const [first, second, ...rest] = itemsFor(ranked, undefined, { path, partners });
    assert.equal(first?.entityId, `file:${path}`);
    assert.equal(second?.entityId, `file:${partner}`);
    assert.equal(second?.reason, `the prompt names ${path}: also changed in all 9 commits that changed it`);
    assert.ok((second?.relevanceScore ?? 1) < 0.5, String(second?.relevanceScore));
    assert.deepEqual(rest, []);
  });

  test("a summary says what the graph has of the file", () => {
    const paths = ["src/north/tray.test.ts", "src/north/plain.ts", "src/north/desk.ts", "notes/tray.md", "gone.yaml"];
    const items = itemsFor(paths.map((path) => ({ path, probability: 0.6, reasons: ["the prompt names it"] })));
    const summary = new Map(items.map((item) => [item.entityId.slice("file:".length), item.summary]));
    assert.deepEqual(
      paths.map((path) => summary.get(path)),
      ["1 test: opens twice", "Defines hidden", "Exports desk", "3. Trays of the north.", ""],
    );
  });
});
