/** The sheet of a view stays when another view opens, so what one view styles must not be a name of another. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const web = join(import.meta.dirname, "..");

/** The classes with which selectors of the sheet begin. */
function classesIn(sheet: string): string[] {
  const rules = readFileSync(join(web, sheet), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const selectors = [...rules.matchAll(/([^{}]+)\{/g)].flatMap(([, text = ""]) => text.split(","));
  return selectors.flatMap((selector) => /^\s*\.([\w-]+)/.exec(selector)?.[1] ?? []);
}

test("no class is styled by two views; shared classes are in `styles`", () => {
  const shared = new Set(globSync("styles/*.css", { cwd: web }).flatMap(classesIn));
  const owners = new Map<string, Set<string>>();
  for (const sheet of globSync("views/*/*.css", { cwd: web })) {
    const view = sheet.split("/")[1] ?? "";
    for (const name of classesIn(sheet)) {
      if (!shared.has(name)) owners.set(name, (owners.get(name) ?? new Set()).add(view));
    }
  }
  assert.ok(owners.size > 50);
  const several = [...owners].filter(([, views]) => views.size > 1).map(([name, views]) => `${name}: ${[...views]}`);
  assert.deepEqual(several, []);
});
