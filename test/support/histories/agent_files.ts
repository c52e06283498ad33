/**
 * Files of real agents, from the shared data next to the checkout: they are put into a home as the agent would keep them,
 * read, and counted. The numbers that a reader must find are counted from the raw files with plain string and property
 * access, sharing no code with the readers, and are also written out beside each sample.
 */
import assert from "node:assert/strict";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import type { Message } from "../../../src/conversations/model.ts";
import { loadSource } from "../../../src/integrations/registry.ts";
import { CHECKOUT } from "../program/checkout.ts";
import { CollectingSink, readAll, testEnv } from "../sources/sink.ts";

export const DATA = join(CHECKOUT, "../shared/data/agents");
export const skip = existsSync(DATA) ? false : "the shared data is not next to the checkout";

/** biome-ignore lint/suspicious/noExplicitAny: raw records, read without any of dex's own code */
export type Raw = any;

export interface Counts {
  conversations: number;
  prompts: number;
  calls: number;
  /** Prompts and answers with words in them; left out where a message of the agent is not one message of dex. */
  texts?: number;
  /** Branches that the person left by going back. They are not among the conversations, their messages are counted. */
  abandoned?: number;
}

export interface Sample {
  agent: string;
  /** Tells apart several samples of one agent. */
  what?: string;
  /** From a path in the data to a path in the home. `#` in the second numbers the files of a pattern. */
  files: readonly (readonly [string, string])[];
  /** Makes what the agent keeps out of files that are not in that form. */
  prepare?(home: string): void;
  expected: Counts;
  /** Counts the raw files of the home. */
  count(home: string): Counts;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const listed = (value: Raw): Raw[] => (Array.isArray(value) ? value : []);
export const hasWords = (value: Raw): boolean => typeof value === "string" && value.trim() !== "";
/** Whether a content that is a string or a list of blocks has words. */
export const hasText = (content: Raw): boolean =>
  hasWords(content) || listed(content).some(({ text }) => hasWords(text));

export function paths(home: string, pattern: string): string[] {
  return globSync(pattern, { cwd: home })
    .toSorted()
    .map((file) => join(home, file));
}

/** The records of each file of JSON Lines. Lines that are not JSON are left out. */
export function records(home: string, pattern: string): Raw[][] {
  return paths(home, pattern).map((path) => linesOf(readFileSync(path, "utf8")));
}

export function linesOf(text: string): Raw[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

export function documents(home: string, pattern: string): Raw[] {
  return paths(home, pattern).map((path) => JSON.parse(readFileSync(path, "utf8")));
}

export function rows(path: string, sql: string): Raw[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** Makes a database of the home, with the statements of a file of the data or of the test. */
export function makeDatabase(path: string, sql: string, fill: (db: DatabaseSync) => void = () => {}): void {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path);
  try {
    db.exec(sql);
    fill(db);
  } finally {
    db.close();
  }
}

export function insertRow(db: DatabaseSync, table: string, row: Record<string, string | number | null>): void {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  db.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`).run(...Object.values(row));
}

/** Declares a test for each sample. Projects of a home, for agents that keep their history there, are `project…`. */
export function checkSamples(title: string, samples: readonly Sample[]): void {
  describe(title, { skip }, () => {
    for (const sample of samples) {
      const name = sample.what === undefined ? sample.agent : `${sample.agent}, ${sample.what}`;
      it(`${name}: as many conversations, prompts and tool calls as the raw files have`, async () => {
        const home = layOut(sample);
        try {
          const counted = sample.count(home);
          assert.deepEqual(counted, sample.expected, "the raw files");
          assert.deepEqual(await readCounts(sample, home), counted, "what dex reads");
          assert.ok(counted.prompts > 0);
        } finally {
          rmSync(home, { recursive: true, force: true });
        }
      });
    }
  });
}

function layOut(sample: Sample): string {
  const home = mkdtempSync(join(tmpdir(), `dex-agents-${sample.agent}-`));
  for (const [from, to] of sample.files) {
    const found = from.includes("*") ? globSync(from, { cwd: DATA }).toSorted() : [from];
    assert.ok(found.length > 0, from);
    for (const [index, file] of found.entries()) {
      const target = join(home, to.replaceAll("#", String(index + 1)));
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(DATA, file), target, { recursive: true, mode: 0 });
    }
  }
  sample.prepare?.(home);
  return home;
}

async function readCounts({ agent, expected }: Sample, home: string): Promise<Counts> {
  const source = await loadSource(agent);
  assert.ok(source);
  const sink = new CollectingSink();
  readAll(source, testEnv(home, {}, paths(home, "project*")), sink);
  const messages = [...sink.conversations.values()].flatMap((each) => each.messages);
  const abandoned = sink.abandoned().length;
  return {
    conversations: sink.conversations.size - abandoned,
    prompts: messages.filter((message) => message.role === "user").length,
    calls: messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool_call").length,
    ...(expected.texts === undefined ? {} : { texts: messages.filter(isSpoken).length }),
    ...(abandoned === 0 && expected.abandoned === undefined ? {} : { abandoned }),
  };
}

function isSpoken({ role, parts }: Message): boolean {
  return (role === "user" || role === "assistant") && parts.some((part) => part.type === "text");
}
