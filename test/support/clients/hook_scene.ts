/** A project that dex knows something about, and hooks of agents that ask about it. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { asObject, asString, parseJson } from "../../../src/kernel/json.ts";
import { writeDialogue } from "../histories/dialogue.ts";
import { type Answer, answerOf, program, TestHome } from "../program/dex.ts";
import { HANG_MS } from "../program/limits.ts";
import { GIT_VARS, TestRepository } from "../repository.ts";

/** The default is for people who wait; a test machine may be busy. */
export const PATIENT = { DEX_HOOK_BUDGET_MS: "60000" };

export const CONVERSATION = "aaaaaaaa-0000-4000-8000-000000000001";

export interface Scene {
  home: TestHome;
  repo: TestRepository;
}

export function scene(): Scene {
  const home = new TestHome({ vars: { ...GIT_VARS } });
  const repo = new TestRepository();
  repo.clock = Date.now() - 3 * 3_600_000;
  // The files of a first commit say nothing about each other.
  repo.commit("chore: start empty");
  repo.commit("feat: begin", {
    "src/ledger.ts": "export function post(amount: number): number {\n  return amount;\n}\n",
    "src/report.ts": 'import { post } from "./ledger.ts";\nexport const total = (): number => post(1);\n',
    "src/ledger.test.ts":
      'import { test } from "node:test";\nimport { post } from "./ledger.ts";\ntest("rounds half cents up", () => void post(1));\n',
    "docs/adr/0001-whole-cents.md":
      "# 1. Amounts are whole cents\n\nDate: 2026-01-05\n\n## Status\n\nAccepted\n\n## Context\n\nSums must be exact.\n\n" +
      "## Decision\n\nWe keep amounts as whole cents in `src/ledger.ts`, because floats do not add up.\n",
  });
  repo.git("checkout", "--quiet", "-b", "feature/rounding");
  for (let step = 1; step <= 4; step += 1) {
    repo.commit(`fix: rounding, part ${step}`, {
      "src/ledger.ts": `export function post(amount: number): number {\n  return Math.round(amount) + ${step} - ${step};\n}\n`,
      "src/report.ts": `import { post } from "./ledger.ts";\nexport const total = (): number => post(${step});\n`,
    });
  }
  repo.write("src/new.ts", "export const fresh = 1;\n");
  const turns = [
    { user: "Make the rounding of the ledger exact for half cents" },
    { agent: "Rounding of half cents in the ledger is exact now." },
  ];
  writeDialogue(home.home, CONVERSATION, turns, { start: Date.now() - 3_600_000, cwd: repo.root });
  writeFileSync(
    join(home.home, "report.tap"),
    "TAP version 13\n# Subtest: rounds half cents up\nnot ok 1 - rounds half cents up\n  ---\n  location: 'src/ledger.test.ts:3:1'\n  error: 'expected 2, got 3'\n  ...\n1..1\n# tests 1\n# pass 0\n# fail 1\n",
  );
  home.cwd = repo.root;
  for (const args of [
    ["sync"],
    ["decide", "Reports are made at night only", "--because", "they lock the ledger"],
    ["tests", "import", join(home.home, "report.tap")],
    ["decisions"],
    ["code", "index"],
    ["refresh"],
  ]) {
    const run = home.run(...args);
    if (run.status !== 0) throw new Error(`dex ${args.join(" ")}: ${run.stderr}${run.stdout}`);
  }
  return { home, repo };
}

/** The answer of `dex hook <host>` to an event. */
export function fire(
  home: TestHome,
  host: string,
  input: unknown,
  vars: Record<string, string> = PATIENT,
): Promise<Answer> {
  const env = { ...home.env, ...vars };
  const child = spawn(process.execPath, [program, "hook", host], { cwd: home.home, env, timeout: HANG_MS });
  child.stdin.on("error", () => {});
  child.stdin.end(typeof input === "string" ? input : JSON.stringify(input));
  return answerOf(child);
}

/** The text that reaches the model by Claude Code's contract; empty if the answer is. */
export function contextOf({ stdout }: Answer): string {
  const output = asObject(asObject(parseJson(stdout)).hookSpecificOutput);
  return asString(output.additionalContext) ?? "";
}
