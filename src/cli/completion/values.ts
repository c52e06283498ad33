/**
 * Values that only the index knows, for the shell to complete: one a line, a tab, and what it is. Nothing is synced,
 * and whatever goes wrong, nothing is said: a person is typing.
 */

import { basename } from "node:path";
import { Dex } from "../../dex.ts";
import { dayOf } from "../../kernel/time.ts";
import { cleanLine } from "../../text/clean.ts";

export const ASKED_VALUES = ["projects", "conversations", "collections"] as const;
export type AskedValues = (typeof ASKED_VALUES)[number];

/** More than fit a screen help nobody. */
const MAX_VALUES = 60;
const MAX_PROJECTS = 2000;
const MAX_TEXT = 70;
const ID_LENGTH = 8;

interface Value {
  value: string;
  text: string;
}

export async function printValues(what: string, typed: string): Promise<void> {
  try {
    const dex = await Dex.open();
    try {
      const values = (await valuesOf(dex, what, typed)).filter(({ value }) => value.startsWith(typed));
      const lines = values
        .slice(0, MAX_VALUES)
        .map(({ value, text }) => `${cleanLine(value)}\t${cleanLine(text).slice(0, MAX_TEXT)}\n`);
      process.stdout.write(lines.join(""));
    } finally {
      dex.close();
    }
  } catch {
    // No index, a damaged one, broken settings: there is nothing to offer.
  }
}

async function valuesOf(dex: Dex, what: string, typed: string): Promise<Value[]> {
  if (what === "projects") return projects(dex, typed);
  if (what === "conversations") return conversations(dex, typed);
  if (what === "collections") {
    return (await dex.collections()).map(({ name, origin }) => ({ value: name, text: `${origin} collection` }));
  }
  return [];
}

/** Any part of the path is understood: its last folder is the shortest to read, unless a path is being typed. */
function projects(dex: Dex, typed: string): Value[] {
  const known = dex.store.projects(MAX_PROJECTS).map(({ project }) => project);
  if (typed.includes("/")) return known.map((project) => ({ value: project, text: "" }));
  const byName = new Map(known.toReversed().map((project) => [basename(project), project]));
  return [...byName].reverse().map(([value, text]) => ({ value, text }));
}

function conversations(dex: Dex, typed: string): Value[] {
  const rows =
    typed.length >= ID_LENGTH ? dex.store.byPrefix(typed, undefined, MAX_VALUES) : dex.store.list({}, MAX_PROJECTS, 0);
  const known = new Map<string, number>();
  for (const { id } of rows) known.set(id.slice(0, ID_LENGTH), (known.get(id.slice(0, ID_LENGTH)) ?? 0) + 1);
  return rows.map(({ id, title, updated }) => {
    const short = id.slice(0, ID_LENGTH);
    const unique = known.get(short) === 1 && typed.length <= ID_LENGTH;
    return { value: unique ? short : id, text: `${dayOf(updated)} ${title}` };
  });
}
