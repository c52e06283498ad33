/**
 * Invents a large project, the same one each time but for its dates, which end today: a repository of TypeScript with
 * many commits, and conversations of Claude Code that read, edited and tested its files. Some of both state decisions.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { between, pick, type Random, seeded } from "../../test/support/random.ts";

export interface LargeProjectSize {
  commits: number;
  conversations: number;
  /** Of each conversation. */
  outcomes: number;
}

export interface LargeProject {
  root: string;
  /** A file with commits, conversations and tests. */
  file: string;
}

const AREAS =
  "billing ledger orders catalogue search shipping accounts sessions reports webhooks imports exports queue cache mail audit".split(
    " ",
  );
const THINGS =
  "invoice refund price cursor batch filter token quota limit window label parcel route address index schema draft topic retry lease merge digest summary locale rate coupon basket stock review outline".split(
    " ",
  );
const VERBS = "load store check render parse split join order count trim".split(" ");
const HOUR_MS = 3_600_000;
const HOURS_PER_COMMIT = 2.5;
const HOURS_PER_CONVERSATION = 4;
/** Of a hundred commits or conversations. */
const DECIDING = 6;
const FAILING = 12;

const FILES = AREAS.flatMap((area) => THINGS.map((thing) => `src/${area}/${thing}.ts`));
const testOf = (file: string): string => file.replace(/\.ts$/, ".test.ts");
const areaOf = (file: string): string => file.split("/")[1] ?? "";
const thingOf = (file: string): string => (file.split("/")[2] ?? "").replace(/\..*$/, "");

/** Writes the repository to `folder/project`, and the conversations to `home`. */
export function makeLargeProject(folder: string, home: string, size: LargeProjectSize): LargeProject {
  const root = join(folder, "project");
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", root]);
  const input = commitStream(size.commits, now);
  execFileSync("git", ["-C", root, "fast-import", "--quiet"], { input, stdio: ["pipe", "ignore", "inherit"] });
  execFileSync("git", ["-C", root, "reset", "--quiet", "--hard"]);
  writeConversations(home, root, size, now);
  return { root, file: "src/billing/refund.ts" };
}

function commitStream(commits: number, now: number): string {
  const random = seeded(1);
  const pieces: string[] = [];
  for (let no = 0; no < commits; no += 1) {
    const files = filesOfChange(random, no);
    const [first = ""] = files;
    const time = Math.floor((now - (commits - no) * HOURS_PER_COMMIT * HOUR_MS) / 1000);
    const body = random() * 100 < DECIDING ? `\n${decision(random, first)}\n` : "";
    const message = `fix(${areaOf(first)}): ${pick(random, VERBS)} the ${thingOf(first)} once, part ${no}\n${body}`;
    pieces.push(
      `commit refs/heads/main\ncommitter Ada <ada@example.com> ${time} +0000\ndata ${message.length}\n${message}`,
    );
    for (const file of files) {
      const content = contentOf(random, file, no);
      pieces.push(`M 100644 inline ${file}\ndata ${content.length}\n${content}`);
    }
    pieces.push("");
  }
  return pieces.join("\n");
}

/** The first commits add every file; later ones change a few of one area, mostly with their tests. */
function filesOfChange(random: Random, no: number): string[] {
  const added = FILES.slice(no * 10, no * 10 + 10);
  if (added.length > 0) return added.flatMap((file) => [file, testOf(file)]);
  const area = pick(random, AREAS);
  const first = between(random, 0, THINGS.length - 1);
  const chosen = Array.from({ length: between(random, 1, 4) }, (_, step) => {
    const thing = THINGS[(first + step * step) % THINGS.length] ?? "";
    return `src/${area}/${thing}.ts`;
  });
  return [...new Set(chosen.flatMap((file) => (random() < 0.6 ? [file, testOf(file)] : [file])))];
}

function contentOf(random: Random, file: string, no: number): string {
  const thing = thingOf(file);
  const Thing = `${thing[0]?.toUpperCase()}${thing.slice(1)}`;
  if (file.endsWith(".test.ts")) {
    return `import { ${pick(random, VERBS)}${Thing} } from "./${thing}.ts";\n// Revision ${no}.\n`;
  }
  const other = pick(random, THINGS);
  const functions = VERBS.map(
    (verb, at) =>
      `/** Will ${verb} a ${thing} of the ${areaOf(file)} before the ${other}. */\nexport function ${verb}${Thing}(value: number): number {\n  return value + ${at} + ${no};\n}\n`,
  );
  return `import "./${other}.ts";\n${functions.join("\n")}`;
}

function decision(random: Random, file: string): string {
  const [one, other] = [pick(random, THINGS), pick(random, THINGS)];
  const reason = `${pick(random, VERBS)} calls must not wait for the ${pick(random, AREAS)}`;
  return `We decided to use one ${one} table instead of a ${other} list in ${file}, because ${reason}.`;
}

function writeConversations(home: string, root: string, size: LargeProjectSize, now: number): void {
  const random = seeded(2);
  const folder = join(home, ".claude/projects", root.replaceAll(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  for (let no = 0; no < size.conversations; no += 1) {
    const begin = now - (size.conversations - no) * HOURS_PER_CONVERSATION * HOUR_MS;
    const id = `cccccccc-0000-4000-8000-${String(no).padStart(12, "0")}`;
    const path = join(folder, `${id}.jsonl`);
    writeFileSync(path, conversation(random, { id, root, begin, no, outcomes: size.outcomes }));
    utimesSync(path, new Date(begin), new Date(begin));
  }
}

interface Plot {
  id: string;
  root: string;
  begin: number;
  no: number;
  outcomes: number;
}

function conversation(random: Random, { id, root, begin, no, outcomes }: Plot): string {
  const files = filesOfChange(random, Number.MAX_SAFE_INTEGER).slice(0, 3);
  const [file = ""] = files;
  const lines: string[] = [];
  const record = (type: "user" | "assistant", content: unknown): void => {
    const at = lines.length;
    const timestamp = new Date(begin + at * 20_000).toISOString();
    const message = { id: `m${at}`, role: type, model: "claude-test-1", content };
    const common = { isSidechain: false, cwd: root, sessionId: id, gitBranch: "main", entrypoint: "cli" };
    lines.push(`${JSON.stringify({ parentUuid: null, ...common, uuid: `${id}-${at}`, timestamp, type, message })}\n`);
  };
  const tool = (name: string, input: object, output: string): void => {
    const call = `call-${lines.length}`;
    record("assistant", [{ type: "tool_use", id: call, name, input }]);
    record("user", [{ type: "tool_result", tool_use_id: call, content: output }]);
  };
  const topic = `${pick(random, VERBS)} the ${thingOf(file)} of the ${areaOf(file)}`;
  record("user", `Please ${topic} only once per ${pick(random, THINGS)}, it is slow (ticket ${no}).`);
  for (const path of files) {
    const full = join(root, path);
    tool("Read", { file_path: full }, contentOf(random, path, no));
    tool("Edit", { file_path: full, old_string: "value", new_string: "amount" }, `The file ${full} has been updated.`);
  }
  tool("Bash", { command: "npx vitest run" }, testOutput(random, file, outcomes));
  const decided = random() * 100 < DECIDING ? ` ${decision(random, file)}` : "";
  record("assistant", [{ type: "text", text: `Done: I changed ${files.join(", ")} to ${topic}.${decided}` }]);
  return lines.join("");
}

/** As vitest writes it. */
function testOutput(random: Random, file: string, outcomes: number): string {
  const test = testOf(file);
  const isFailing = random() * 100 < FAILING;
  const lines = Array.from({ length: outcomes }, (_, at) => {
    const name = `${VERBS[at % VERBS.length]} the ${thingOf(file)}, case ${between(random, 1, 3)}`;
    return isFailing && at === 0
      ? ` FAIL  ${test} > ${name}\nAssertionError: expected ${at} to be ${at + 1}`
      : ` ✓ ${test} > ${name} 3ms`;
  });
  const failed = isFailing ? "1 failed | " : "";
  const counts = `      Tests  ${failed}${outcomes - (isFailing ? 1 : 0)} passed (${outcomes})`;
  return `${lines.join("\n")}\n Test Files  ${isFailing ? "1 failed" : "1 passed"} (1)\n${counts}\n`;
}
