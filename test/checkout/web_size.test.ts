/** The page stays small: the shell, each view and the fonts have a budget, and the whole page has one in the package. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { WebManifest } from "../../scripts/build/web.ts";

const KB = 1000;
const BUDGETS_KB: Readonly<Record<string, number>> = { shell: 25, reader: 70, fonts: 105 };
const VIEW_BUDGET_KB = 20;
const MAX_PAGE_KB = 1000;

const folder = join(import.meta.dirname, "../../dist/web");
const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as WebManifest;

/** Fonts are compressed already. */
function sentBytes(name: string): number {
  const bytes = readFileSync(join(folder, name));
  return name.endsWith(".woff2") ? bytes.length : gzipSync(bytes).length;
}

test("the shell, every view and the fonts keep their budgets", () => {
  assert.ok(Object.hasOwn(manifest.loads, "reader") && Object.hasOwn(manifest.loads, "search"), "the views were found");
  const sizes = Object.entries(manifest.loads).map(([name, files]) => {
    const size = files.reduce((sum, file) => sum + sentBytes(file), 0) / KB;
    return { name, size, budget: BUDGETS_KB[name] ?? VIEW_BUDGET_KB };
  });
  const over = sizes.filter(({ size, budget }) => size === 0 || size > budget);
  assert.deepEqual(over, [], JSON.stringify(sizes));
});

test("the whole page is small, and the manifest lists every file of it", () => {
  const files = readdirSync(folder).filter((name) => name !== "manifest.json");
  assert.deepEqual(files.sort(), [...manifest.files].sort());
  const total = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / KB;
  assert.ok(total < MAX_PAGE_KB, `${total} kB`);
});

test("the page loads nothing from elsewhere", () => {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const sheets = manifest.files.filter((name) => name.endsWith(".css"));
  const linked = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
  for (const sheet of sheets) {
    const text = readFileSync(join(folder, sheet), "utf8");
    for (const [, address = ""] of text.matchAll(/url\(["']?([^"')]+)|@import\s+["']([^"']+)/g)) linked.push(address);
  }
  assert.ok(linked.length > 5, "the addresses were found");
  for (const address of linked) assert.match(address, /^\/assets\/[\w.-]+$/);
  for (const address of linked) assert.ok(manifest.files.includes(address.replace("/assets/", "")), address);
});
