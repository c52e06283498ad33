/** A home with something for every view of the page: conversations of several agents, a repository, a suggestion. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scene } from "../clients/hook_scene.ts";
import { type Turn, writeDialogue } from "../histories/dialogue.ts";
import { sampleHome, type TestHome } from "../program/dex.ts";
import type { TestRepository } from "../repository.ts";

export const LONG = "bbbbbbbb-0000-4000-8000-000000000002";
/** Every seventh message of the long conversation has it, in a prompt, an answer or the output of a command. */
export const NEEDLE = "quicksilver";
const TURNS = 160;

export interface WebScene {
  home: TestHome;
  repo: TestRepository;
  suggestion: string;
  trace: string;
}

export function webScene(): WebScene {
  const { home, repo } = scene();
  cpSync(sampleHome, home.home, { recursive: true });
  writeDialogue(home.home, LONG, longTurns(), { start: Date.now() - 7_200_000, cwd: repo.root });
  for (let at = 0; at < 15; at += 1) {
    const id = `dddddddd-0000-4000-8000-0000000000${String(at + 10)}`;
    const turns = [{ user: `Round the marzipan ledger, attempt ${at}` }, { agent: `The marzipan is rounded, ${at}.` }];
    writeDialogue(home.home, id, turns, { start: Date.now() - 86_400_000 * (at + 1), cwd: repo.root });
  }
  writeFile(home.home, repo);
  mkdirSync(join(home.home, "guides"));
  writeFileSync(join(home.home, "guides/ledger.md"), "# Ledger\n\nHow it rounds.\n\n## Half cents\n\nUp, *always*.\n");
  for (const args of [
    ["sync", "--full"],
    ["docs", "add", "guides", join(home.home, "guides"), "--global"],
    ["refresh"],
    ["pin", "Amounts are whole cents", "--file", "src/ledger.ts"],
    ["note", "The auditors come in May"],
    ["search", "rounding of half cents"],
  ]) {
    const run = home.run(...args);
    if (run.status !== 0) throw new Error(`dex ${args.join(" ")}: ${run.stderr}${run.stdout}`);
  }
  const suggested = home.json<{ id: string }>("suggest", "--file", "src/ledger.ts", "--min-score", "0");
  const { traces } = home.json<{ traces: { trace_id: string; command: string }[] }>("traces");
  const trace = traces.find(({ command }) => command === "search")?.trace_id ?? "";
  return { home, repo, suggestion: suggested.id, trace };
}

/** A file of which dex knows the message that wrote its lines. */
function writeFile(home: string, repo: TestRepository): void {
  const content = "export function half(cents: number): number {\n  return Math.round(cents / 2);\n}\n";
  const input = { file_path: join(repo.root, "src/half.ts"), content };
  const turns: Turn[] = [{ user: "Write a function that halves cents" }, { tool: "Write", input }];
  const at = Date.now() - 1_800_000;
  writeDialogue(home, "dddddddd-0000-4000-8000-000000000001", turns, { start: at, cwd: repo.root });
  repo.clock = at + 60_000;
  repo.commit("feat: halves of cents", { "src/half.ts": content });
}

function longTurns(): Turn[] {
  const turns: Turn[] = [];
  for (let at = 0; at < TURNS; at += 1) {
    const needle = at % 7 === 0 ? `, ${NEEDLE} ${at}` : "";
    if (at % 8 === 0) turns.push({ user: `Question ${at} about the ledger${needle}?` });
    else if (at % 2 === 0)
      turns.push({ agent: `Answer ${at} with some words about rounding${needle}.\n\n- one\n- two` });
    else turns.push({ command: `npm run step-${at}`, output: `${"line\n".repeat(at % 5)}done${needle}` });
  }
  return turns;
}

/** Every route of the page, with something to show. */
export function routesOf({ trace }: WebScene): string[] {
  return [
    "/",
    "/?q=half+cents",
    `/c/${LONG}/40`,
    "/conversations",
    "/activity",
    "/docs",
    `/docs?id=${encodeURIComponent("guides:ledger.md")}`,
    "/timeline",
    "/code",
    "/code/src/ledger.ts",
    "/code/src/half.ts",
    "/code/src/ledger.ts?show=history",
    "/code/src/ledger.ts?show=neighbours",
    "/decisions?all=1",
    "/memory",
    "/memory?show=notes",
    "/memory?show=pack",
    "/suggestions",
    "/traces",
    `/traces/${trace}?replay=1`,
    "/settings",
    "/doctor",
    "/c/nowhere",
  ];
}
