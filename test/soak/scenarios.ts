/** Every command that writes, with what there is before it and what must be there in the end. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { dumpHome } from "../support/dump.ts";
import { writeDialogue } from "../support/histories/dialogue.ts";
import {
  claudeSession,
  random as generator,
  sentence,
  sessionId,
  writeClaudeHistory,
} from "../support/histories/generate.ts";
import type { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository } from "../support/repository.ts";
import { deliveryScenario } from "./delivery.ts";
import { run, type Scenario, succeed } from "./killing.ts";

const HISTORY = { sessions: 10, turns: 12, output: 200 };
const SEED = 7;

/** Fields that say when or how fast something was done. */
const TIMES = new Set(["ms", "seconds", "latency_ms", "last_sync", "indexed", "trace_id", "suggestion_id", "bytes"]);

function stable(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => (TIMES.has(key) ? undefined : value));
}

async function answers(home: TestHome, ...questions: string[][]): Promise<unknown> {
  const found: unknown[] = [];
  for (const question of questions) found.push(stable(await succeed(home, ...question, "--json")));
  return found;
}

const conversations = async (home: TestHome): Promise<unknown> => {
  await succeed(home, "sync");
  return dumpHome(home.dexHome);
};

async function synced(home: TestHome): Promise<void> {
  writeClaudeHistory(home.home, SEED, HISTORY);
  await succeed(home, "sync");
}

function sessionsOf(home: TestHome): string[] {
  const folder = join(home.home, ".claude/projects/-home-sam-work");
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Sessions that are still being written when the first sync comes, torn lines and all. */
const growing: Scenario = {
  name: "sync",
  prepare: (home) => void writeClaudeHistory(home.home, SEED, HISTORY),
  command: ["sync"],
  meanwhile: (home, random) => {
    for (const path of sessionsOf(home)) {
      const whole = wholeSession(path);
      const now = readFileSync(path).length;
      // Half of the files grow, the others wait; at the first start none is whole.
      const end = now >= whole.length ? 0.3 + random() * 0.5 : now / whole.length + random() * 0.3;
      writeFileSync(path, whole.subarray(0, Math.floor(whole.length * Math.min(1, end))));
    }
  },
  finish: async (home) => {
    for (const path of sessionsOf(home)) writeFileSync(path, wholeSession(path));
    return conversations(home);
  },
};

const wholeTexts = new Map<string, Buffer>();

function wholeSession(path: string): Buffer {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const known = wholeTexts.get(name);
  if (known) return known;
  // The same generator that wrote the history in the first place.
  const next = generator(SEED);
  for (let s = 0; s < HISTORY.sessions; s += 1) {
    const id = sessionId(SEED, s);
    wholeTexts.set(`${id}.jsonl`, Buffer.from(claudeSession(id, next, HISTORY)));
  }
  return wholeTexts.get(name) ?? Buffer.alloc(0);
}

const FORGOTTEN = sessionId(SEED, 3);

const forgetting: Scenario = {
  name: "forget",
  prepare: async (home) => {
    await synced(home);
    await succeed(home, "search", "parser token");
    await succeed(home, "compact", "--project", "work");
  },
  command: ["forget", FORGOTTEN, "--yes"],
  finish: async (home) => {
    // A kill before anything was noted leaves it undone; any later one is finished by the next command.
    const known = await run(home, "forget", FORGOTTEN, "--yes");
    if (known.status !== 0 && !/There is no conversation/.test(known.stderr)) throw new Error(known.stderr);
    const left = readdirSync(home.dexHome, { recursive: true, encoding: "utf8" }).filter(
      (path) => !/^(state|lock)\.db/.test(path) && path.includes(FORGOTTEN),
    );
    const bytes = ["index.db", "index.db-wal"].filter((name) => {
      try {
        return readFileSync(join(home.dexHome, name), "latin1").includes(FORGOTTEN);
      } catch {
        return false;
      }
    });
    return { left, bytes, dump: await conversations(home) };
  },
};

const plainFile = (home: TestHome): string => join(home.home, "plain.jsonl");

function writePlain(home: TestHome): void {
  const next = generator(5);
  const lines = Array.from({ length: 400 }, (_, i) =>
    JSON.stringify({
      conversation: `plain-${i % 20}`,
      role: i % 2 === 0 ? "user" : "assistant",
      time: new Date(Date.UTC(2026, 1, 1) + i * 1000).toISOString(),
      text: sentence(next, 60),
    }),
  );
  writeFileSync(plainFile(home), `${lines.join("\n")}\n`);
}

const importing: Scenario = {
  name: "import",
  prepare: async (home) => {
    await synced(home);
    writePlain(home);
  },
  command: ["import", "plain.jsonl"],
  finish: async (home) => {
    await succeed(home, "import", "plain.jsonl");
    return conversations(home);
  },
};

function writeDocs(home: TestHome, version: number): void {
  const next = generator(3);
  mkdirSync(join(home.home, "manual"), { recursive: true });
  for (let i = 0; i < 30; i += 1) {
    const text = Array.from({ length: 8 }, (_, s) => `## Part ${s}\n\n${sentence(next, 80)}\n`).join("\n");
    writeFileSync(
      join(home.home, "manual", `page-${i}.md`),
      `# Page ${i} of version ${i % 3 === 0 ? version : 1}\n\n${text}`,
    );
  }
}

const documents: Scenario = {
  name: "docs sync",
  prepare: async (home) => {
    writeDocs(home, 1);
    await succeed(home, "docs", "add", "manual", "manual", "--global");
    writeDocs(home, 2);
  },
  command: ["docs", "sync"],
  finish: async (home) => {
    await succeed(home, "docs", "sync");
    return answers(home, ["docs", "documents"], ["docs", "search", "parser token"], ["docs", "search", "version 2"]);
  },
};

/** In the home itself, so that it is copied with it. */
function writeProject(home: TestHome): TestRepository {
  const repo = new TestRepository(join(home.home, "project"));
  for (let i = 0; i < 25; i += 1) {
    repo.commit(`feat: part ${i}, because the ledger needs it`, {
      [`src/part${i}.ts`]: `import { part${Math.max(0, i - 1)} } from "./part${Math.max(0, i - 1)}.ts";\nexport function part${i}(): number {\n  return ${i};\n}\n`,
    });
  }
  const turns = [
    { user: "Shall amounts be floats?" },
    { agent: "We decided to use whole cents instead of floats, because sums must be exact." },
    { command: "npm test", output: "not ok 1 - adds up\n1..1\n# tests 1\n# pass 0\n# fail 1\n", failed: true },
  ];
  for (let i = 0; i < 6; i += 1) {
    writeDialogue(home.home, sessionId(40, i), turns, { cwd: repo.root, start: Date.UTC(2026, 2, 1 + i) });
  }
  home.cwd = repo.root;
  return repo;
}

const codeQuestions = [
  ["code", "symbol", "part7"],
  ["code", "callers", "part3"],
];
const historyQuestions = [
  ["history", "src/part3.ts"],
  ["decisions", "--all"],
  ["tests", "list"],
];

const code: Scenario = {
  name: "code index",
  prepare: async (home) => {
    writeProject(home);
    await succeed(home, "sync");
  },
  command: ["code", "index", "--rebuild"],
  finish: async (home) => {
    await succeed(home, "code", "index");
    return answers(home, ...codeQuestions);
  },
};

const history: Scenario = {
  name: "history",
  prepare: async (home) => {
    writeProject(home);
    await succeed(home, "sync");
  },
  command: ["decisions", "--all"],
  finish: (home) => answers(home, ...historyQuestions),
};

const refreshing: Scenario = {
  name: "refresh",
  prepare: (home) => void writeProject(home),
  command: ["refresh"],
  finish: async (home) => {
    await succeed(home, "refresh");
    return { dump: await conversations(home), answers: await answers(home, ...codeQuestions, ...historyQuestions) };
  },
};

const watching: Scenario = { ...refreshing, name: "watch", command: ["watch"] };

/** As the first released version left it: one table, one tombstone. */
const migrating: Scenario = {
  name: "migrations of state.db",
  prepare: (home) => {
    mkdirSync(home.dexHome, { mode: 0o700 });
    const database = new DatabaseSync(join(home.dexHome, "state.db"));
    database.exec(
      `CREATE TABLE forgotten (source TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (source, id)) WITHOUT ROWID;
       INSERT INTO forgotten VALUES ('codex', 'gone', 1); PRAGMA user_version = 1`,
    );
    database.close();
  },
  command: ["note", "kept for later"],
  finish: async (home) => {
    await succeed(home, "note", "kept for later");
    const database = new DatabaseSync(join(home.dexHome, "state.db"));
    try {
      const tables = database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
      const version = database.prepare("PRAGMA user_version").get();
      const notes = database.prepare("SELECT text FROM memories").all();
      return { tables, version, notes, forgotten: database.prepare("SELECT * FROM forgotten").all() };
    } finally {
      database.close();
    }
  },
};

const repairing: Scenario = {
  name: "doctor --fix",
  prepare: async (home) => {
    await synced(home);
    writeFileSync(join(home.dexHome, "index.db"), "this is not a database".repeat(1000));
  },
  command: ["doctor", "--fix"],
  finish: async (home) => {
    await succeed(home, "doctor", "--fix");
    return conversations(home);
  },
};

const overSynced = (name: string, ...command: string[]): Scenario => ({
  name,
  prepare: synced,
  command,
  finish: conversations,
});

export const SCENARIOS: readonly Scenario[] = [
  growing,
  overSynced("sync --full", "sync", "--full"),
  overSynced("reindex", "reindex"),
  overSynced("gc", "gc"),
  forgetting,
  importing,
  documents,
  code,
  history,
  refreshing,
  deliveryScenario,
  watching,
  migrating,
  repairing,
];

export const SOAK_VARS: Record<string, string> = GIT_VARS;

export function scenarioNamed(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (!found) throw new Error(`there is no scenario ${name}`);
  return found;
}
