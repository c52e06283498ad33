/**
 * History of an agent that dex does not know, by a description that a user wrote: which records there are (lines, a
 * list in a document, or the rows of a query) and which of their fields hold the conversation, the role and the text.
 * Each record becomes a line of the plain form.
 */
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
import { ROLES, type Role } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import { DexError, errorMessage, systemCode } from "../../../kernel/errors.ts";
import { asArray, isObject, type Json, type JsonObject, parseJson } from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { contentText } from "../building/blocks.ts";
import { readRecords } from "../reading/jsonl.ts";
import { columnText, type Row, withDatabase } from "../reading/sqlite.ts";
import { groupPlain, type PlainConversation, type PlainLine, type PlainProblem, refuseAbove } from "./plain.ts";

const MAX_DESCRIPTION_BYTES = 1 << 20;
const MAX_ROWS = 1_000_000;
const MAX_ID_CHARS = 200;

/** A path of keys (`message.content`), or several of which the first that is set counts. */
const fieldPath = z.union([z.string().min(1).max(500), z.array(z.string().min(1).max(500)).min(1).max(8)]);

const description = z.strictObject({
  source: z.string().regex(/^[a-z0-9_]{1,40}$/, "must be a name of a-z, 0-9 and _"),
  records: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("lines") }),
    z.strictObject({ kind: z.literal("document"), list: fieldPath.optional() }),
    z.strictObject({
      kind: z.literal("sqlite"),
      query: z
        .string()
        .max(20_000)
        .regex(/^\s*(?:select|with)\b/i, "must begin with SELECT or WITH"),
    }),
  ]),
  /** Only records whose fields have one of these values. */
  only: z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).max(100)).optional(),
  fields: z.strictObject({
    conversation: fieldPath.optional(),
    role: fieldPath,
    text: fieldPath,
    time: fieldPath.optional(),
    message: fieldPath.optional(),
    title: fieldPath.optional(),
    project: fieldPath.optional(),
    tool: fieldPath.optional(),
    input: fieldPath.optional(),
  }),
  /** The agent's names of roles, if they are not dex's. */
  roles: z.record(z.string(), z.enum(ROLES)).optional(),
});
type Description = z.output<typeof description>;
type FieldPath = z.output<typeof fieldPath>;

interface Described {
  conversations: PlainConversation[];
  problems: PlainProblem[];
}

/** `format`: the path of the description. */
export function readDescribed(path: string, format: string): Described {
  const described = descriptionIn(format);
  const problems: PlainProblem[] = [];
  const lines = Array.from(recordsOf(path, described, problems), (record, index) =>
    lineOf(record, index + 1, described, path),
  );
  const found = groupPlain(
    lines.flatMap((line) => line ?? []),
    (problem) => problems.push(problem),
  );
  return { conversations: found.filter(({ messages }) => messages.length > 0), problems };
}

function descriptionIn(path: string): Description {
  let text: string;
  try {
    if (statSync(path).size > MAX_DESCRIPTION_BYTES) {
      throw new DexError("bad_format", `${path} is larger than 1 MB.`, {
        hint: "--format names the description of the records, not the records themselves.",
      });
    }
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (!systemCode(error)) throw error;
    throw new DexError("unreadable_file", `${path} cannot be read: ${errorMessage(error)}.`, {
      hint: "--format names a JSON file that describes the records; docs/guide/sources.md has an example.",
    });
  }
  const read = description.safeParse(parseJson(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  throw new DexError("bad_format", `${path} is not a description of records: ${field}${issue?.message}.`, {
    hint: "docs/guide/sources.md has an example.",
  });
}

function* recordsOf(path: string, { records }: Description, problems: PlainProblem[]): Generator<JsonObject> {
  const sink = {
    malformed: (_where: string, what: string): void =>
      void problems.push({ kind: "problem", line: 0, sentence: `${what}.` }),
  };
  if (records.kind === "sqlite") {
    const { query } = records;
    const rows = withDatabase(path, sink, (db) => db.snapshot(() => db.all(query)));
    for (const row of (rows ?? []).slice(0, MAX_ROWS)) {
      yield Object.fromEntries(Object.entries(row).map(([key, value]) => [key, asJson(value)]));
    }
    return;
  }
  refuseAbove(statSync(path).size);
  if (records.kind === "lines") {
    for (const { value } of readRecords(path, { sink })) yield value;
    return;
  }
  const document = parseJson(readFileSync(path, "utf8"));
  const list = records.list === undefined ? document : valueAt(document ?? null, records.list);
  if (!Array.isArray(list)) sink.malformed(path, "The document has no list of records");
  for (const each of asArray(list)) if (isObject(each)) yield each;
}

function asJson(value: Row[string]): Json {
  if (value instanceof Uint8Array) return columnText(value);
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/** Undefined: the record is not a message. */
function lineOf(
  record: JsonObject,
  line: number,
  described: Description,
  path: string,
): PlainLine | PlainProblem | undefined {
  const { fields, only = {}, roles = {}, source } = described;
  for (const [field, values] of Object.entries(only)) {
    const value = valueAt(record, field) ?? null;
    if (!values.some((each) => each === value)) return undefined;
  }
  const named = textAt(record, fields.role) ?? "";
  const role: Role | undefined = roles[named] ?? ROLES.find((each) => each === named);
  const conversation =
    (fields.conversation ? textAt(record, fields.conversation) : undefined) ?? basename(path).replace(/\.\w+$/, "");
  if (!role) return undefined;
  if (conversation.length > MAX_ID_CHARS || /\p{Cc}/u.test(conversation)) {
    return {
      kind: "problem",
      line,
      field: "conversation",
      sentence: "The id of a conversation is one line of at most 200 characters.",
    };
  }
  const tool = fields.tool && (role === "tool" || role === "assistant") ? textAt(record, fields.tool) : undefined;
  const text = contentText(valueAt(record, fields.text));
  if (text.trim() === "" && tool === undefined) return undefined;
  const time = fields.time && valueAt(record, fields.time);
  return defined({
    kind: "line" as const,
    line,
    conversation,
    role,
    text,
    source,
    tool,
    time: toIso(typeof time === "string" && /^\d{10,13}$/.test(time) ? Number(time) : time),
    message: fields.message && textAt(record, fields.message),
    title: fields.title && textAt(record, fields.title),
    project: fields.project && textAt(record, fields.project),
    input: fields.input && role === "assistant" && tool !== undefined ? valueAt(record, fields.input) : undefined,
  });
}

function textAt(record: JsonObject, path: FieldPath): string | undefined {
  const value = valueAt(record, path);
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function valueAt(value: Json, path: FieldPath): Json | undefined {
  for (const each of Array.isArray(path) ? path : [path]) {
    const found = follow(value, each.split("."));
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/** A field that holds JSON as text is entered, too: databases store messages so. */
function follow(value: Json, keys: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const key of keys) {
    const holder: Json | undefined = typeof at === "string" ? parseJson(at) : at;
    if (Array.isArray(holder)) at = holder.at(Number(key));
    else at = isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
  }
  return at;
}
