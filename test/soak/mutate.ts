/** Ways in which a record goes wrong. The same random numbers give the same damage. */
import { between, pick, type Random } from "../support/random.ts";

const ODD_VALUES: readonly unknown[] = [null, true, 0, -1, 1e308, 2 ** 53, "", [], {}, [[]], [null], { $ref: "#" }];
const ODD_IDS: readonly string[] = [
  "x".repeat(300),
  "../../../etc/passwd",
  "a b\tc",
  "\u0000",
  "id#12",
  "source:id",
  "\ud800abc",
  "%2e%2e%2f",
  "日本語",
  "‮txt.exe",
  "-rf",
  "con",
];
const ODD_TIMES: readonly unknown[] = [
  "275760-09-13T00:00:00.000Z",
  "0000-00-00",
  "yesterday",
  -1,
  8.64e15,
  1e20,
  {},
  "1970-01-01",
];
const HUGE_CHARS = 200_000;
const DEEP_LEVELS = 3000;
/** One record of so many is huge or deep: each of them costs as much as hundreds of others. */
const RARE = 1 / 400;

type Mutation = (record: unknown, random: Random) => unknown;

/** Lines in place of one record; never a newline inside a line. */
export function mutate(record: unknown, random: Random): Buffer[] {
  if (random() < RARE) return [Buffer.from(rare(record, random))];
  const chance = random();
  if (chance < 0.1) return [Buffer.from(JSON.stringify(record))];
  const line = Buffer.from(chance < 0.6 ? changed(record, random) : JSON.stringify(record));
  if (chance < 0.6) return [line];
  if (chance < 0.7) return [line.subarray(0, between(random, 0, line.length))];
  if (chance < 0.85) return [flipped(line, random)];
  if (chance < 0.9) return [line, line];
  if (chance < 0.95) return [Buffer.concat([line, line])];
  return [withBytes(line, random)];
}

function rare(record: unknown, random: Random): string {
  const deep = pick(random, ["[", '{"a":']).repeat(DEEP_LEVELS);
  const values = ["x".repeat(HUGE_CHARS), JSON.parse(closed(deep)) as unknown];
  return JSON.stringify(replaced(record, random, () => pick(random, values)));
}

function closed(open: string): string {
  return `${open}1${open.startsWith("[") ? "]".repeat(DEEP_LEVELS) : "}".repeat(DEEP_LEVELS)}`;
}

const CHANGES: readonly Mutation[] = [
  (_value, random) => pick(random, ODD_VALUES),
  (value) => (typeof value === "string" ? [value] : String(value)),
  (value, random) =>
    typeof value === "string" ? `${value.slice(0, 3)}\ud83d${value.slice(3)}\u0000${random()}` : { value },
  (_value, random) => pick(random, ODD_IDS),
  (_value, random) => pick(random, ODD_TIMES),
];

function changed(record: unknown, random: Random): string {
  let result = record;
  for (let times = between(random, 1, 3); times > 0; times -= 1) {
    result = replaced(result, random, (value) => pick(random, CHANGES)(value, random));
  }
  return JSON.stringify(result);
}

/** A copy in which one value, somewhere, is another. */
function replaced(value: unknown, random: Random, change: (value: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null) return change(value);
  const keys = Object.keys(value);
  const key = keys[Math.floor(random() * keys.length)];
  if (key === undefined || random() < 0.05) return change(value);
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], random, change);
  return copy;
}

export function flipped(line: Buffer, random: Random): Buffer {
  const copy = Buffer.from(line);
  for (let flips = between(random, 1, 8); flips > 0 && copy.length > 0; flips -= 1) {
    const place = between(random, 0, copy.length - 1);
    copy[place] = (copy[place] ?? 0) ^ (1 << between(random, 0, 7));
  }
  return noNewlines(copy);
}

function withBytes(line: Buffer, random: Random): Buffer {
  const place = between(random, 0, line.length);
  const bytes = Buffer.from(Array.from({ length: between(random, 1, 40) }, () => between(random, 0, 255)));
  return noNewlines(Buffer.concat([line.subarray(0, place), bytes, line.subarray(place)]));
}

function noNewlines(line: Buffer): Buffer {
  for (let i = line.indexOf(10); i >= 0; i = line.indexOf(10, i)) line[i] = 32;
  return line;
}
