/** Warp, whose conversations are Protocol Buffers in a database. */
import { join } from "node:path";
import { checkSamples, hasWords, type Raw, rows, type Sample } from "../../support/histories/agent_files.ts";

/** A field with a number or with bytes, in the order of the file. */
type Field = readonly [number: number, value: bigint | Buffer];

function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const number = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = number();
    const kind = Number(key & 7n);
    if (kind === 0) fields.push([Number(key >> 3n), number()]);
    else {
      const length = kind === 2 ? Number(number()) : kind === 1 ? 8 : 4;
      fields.push([Number(key >> 3n), bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
}

const inside = (fields: readonly Field[], wanted: number): Buffer[] =>
  fields.flatMap(([number, value]) => (number === wanted && Buffer.isBuffer(value) ? [value] : []));

const [QUERY, OUTPUT, CALL, RESULT] = [2, 3, 4, 5];

/** A message is one of these; of several that the file has, the last counts. */
function kindOf(message: Buffer): number | undefined {
  return fieldsOf(message)
    .map(([number]) => number)
    .findLast((number) => [QUERY, OUTPUT, CALL, RESULT].includes(number));
}

function textOf(message: Buffer): string {
  const [body = Buffer.alloc(0)] = inside(fieldsOf(message), kindOf(message) ?? 0).slice(-1);
  return inside(fieldsOf(body), 1).join("");
}

const DATABASES = [".local/state/warp-terminal/warp.sqlite", ".local/state/warp-terminal-preview/warp.sqlite"];

const WARP: Sample = {
  agent: "warp",
  files: [
    ["warp/ctx/v1/warp.sqlite", DATABASES[0] ?? ""],
    ["warp/ctx/v1/warp-mcp.sqlite", DATABASES[1] ?? ""],
  ],
  expected: { conversations: 2, prompts: 2, calls: 14, texts: 3 },
  count(home) {
    const databases = DATABASES.map((database) => {
      const path = join(home, database);
      const tasks = rows(path, "SELECT task FROM agent_tasks").map((row) => fieldsOf(Buffer.from(row.task)));
      const messages = tasks.flatMap((task) => inside(task, 5));
      const queries = messages.filter((message) => kindOf(message) === QUERY).length;
      return {
        conversations: rows(path, "SELECT id FROM agent_conversations").length,
        // Where the tasks have no prompt, the table of prompts counts.
        prompts: queries || rows(path, "SELECT id FROM ai_queries").length,
        calls: messages.filter((message) => kindOf(message) === CALL).length,
        answers: messages.filter((message) => kindOf(message) === OUTPUT && hasWords(textOf(message))).length,
      };
    });
    const total = (key: "conversations" | "prompts" | "calls" | "answers"): number =>
      databases.reduce((all, each: Raw) => all + each[key], 0);
    return {
      conversations: total("conversations"),
      prompts: total("prompts"),
      calls: total("calls"),
      texts: total("prompts") + total("answers"),
    };
  },
};

checkSamples("databases of Warp", [WARP]);
