/**
 * Prints values of the index for the shell to complete: one per line, followed by a tab and a description. Never syncs,
 * and prints no errors, because a person is typing.
 */
import { basename } from "node:path";
import { Dex } from "../../dex.ts";
import { dayOf } from "../../kernel/time.ts";
import { cleanLine } from "../../text/clean.ts";

export const QUERIED_VALUES = ["projects", "conversations", "collections"] as const;
export type QueriedValues = (typeof QUERIED_VALUES)[number];

/** More do not fit on a screen. */
const MAX_VALUES = 60;
const MAX_ROWS_READ = 2000;
const MAX_TEXT_CHARS = 70;
const SHORT_ID_CHARS = 8;

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
        .map(({ value, text }) => `${cleanLine(value)}\t${cleanLine(text).slice(0, MAX_TEXT_CHARS)}\n`);
      process.stdout.write(lines.join(""));
    } finally {
      dex.close();
    }
  } catch {
    // Without a sound index and valid settings there is nothing to offer.
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

/** Offers the last folder of each path, which is shorter to read, or whole paths when a path is being typed. */
function projects(dex: Dex, typed: string): Value[] {
  const known = dex.store.projects(MAX_ROWS_READ).map(({ project }) => project);
  if (typed.includes("/")) return known.map((project) => ({ value: project, text: "" }));
  const byName = new Map(known.toReversed().map((project) => [basename(project), project]));
  return [...byName].reverse().map(([value, text]) => ({ value, text }));
}

function conversations(dex: Dex, typed: string): Value[] {
  const rows =
    typed.length >= SHORT_ID_CHARS
      ? dex.store.byPrefix(typed, undefined, MAX_VALUES)
      : dex.store.list({}, MAX_ROWS_READ, 0);
  const known = new Map<string, number>();
  for (const { id } of rows) known.set(id.slice(0, SHORT_ID_CHARS), (known.get(id.slice(0, SHORT_ID_CHARS)) ?? 0) + 1);
  return rows.map(({ id, title, updated }) => {
    const short = id.slice(0, SHORT_ID_CHARS);
    const unique = known.get(short) === 1 && typed.length <= SHORT_ID_CHARS;
    return { value: unique ? short : id, text: `${dayOf(updated)} ${title}` };
  });
}
