/** Completions, asked for in the shells themselves. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { before, test } from "node:test";
import { program, TestHome } from "../support/program/dex.ts";
import { HANG_MS } from "../support/program/limits.ts";

const home = new TestHome({ samples: true });
const bin = join(home.home, "bin");
let env: Record<string, string>;
let ids: string[];

before(() => {
  assert.equal(home.run("sync").status, 0);
  const listed = home.json<{ conversations: { id: string; project: string }[] }>("list").conversations;
  ids = listed.map(({ id }) => id);
  mkdirSync(bin);
  // The shells call dex by its name.
  writeFileSync(join(bin, "dex"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, "dex"), 0o755);
  for (const name of ["bash", "zsh", "fish"]) writeFileSync(script(name), home.run("completion", name).stdout);
  env = { ...home.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, TERM: "vt100" };
});

const has = (shell: string): string | false =>
  spawnSync(shell, ["-c", "true"]).status === 0 ? false : `${shell} is not installed`;

function shell(name: string, args: readonly string[], script: string): string[] {
  const run = spawnSync(name, [...args, script], { cwd: home.cwd, env, encoding: "utf8", timeout: HANG_MS });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.split("\n").filter(Boolean);
}

function script(name: string): string {
  return join(home.home, `completion.${name}`);
}

function bash(...typed: string[]): string[] {
  const words = typed.map((word) => `'${word}'`).join(" ");
  return shell(
    "bash",
    ["--norc", "-c"],
    `source '${script("bash")}'; COMP_WORDS=(dex ${words}); COMP_CWORD=${typed.length}; _dex; printf '%s\\n' "\${COMPREPLY[@]}"`,
  );
}

/** The candidates that zsh would offer: its own completion system runs, in a terminal of its own, and is listened to. */
function zsh(typed: string): string {
  const setup = [
    "autoload -Uz compinit",
    "compinit -u -D",
    `source '${script("zsh")}'`,
    'compadd() { local -a found; builtin compadd -O found "$@"; print -l -- FOUND:$^found; builtin compadd "$@" }',
    "PS1='DE''X> '",
  ];
  writeFileSync(join(home.home, "setup.zsh"), setup.join("\n"));
  const dialogue = `
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z "source '${join(home.home, "setup.zsh")}'"
    zpty -r z line '*DEX> *'
    zpty -w -n z $'${typed}\\t\\C-u'
    zpty -w z "print DO''NE"
    zpty -r z line '*DONE*'
    print -r -- "$line"`;
  return shell("zsh", ["-f", "-c"], dialogue).join("\n");
}

function fish(typed: string): string[] {
  return shell("fish", ["--no-config", "-c"], `source '${script("fish")}'; complete -C "${typed}"`);
}

test("bash completes commands, subcommands, options, words and values of the index", { skip: has("bash") }, () => {
  assert.ok(bash("se").includes("search"));
  assert.deepEqual(bash("docs", "se"), ["search", "search-batch", "section"]);
  assert.ok(bash("search", "--li").includes("--limit"));
  assert.ok(bash("docs", "search", "--").includes("--collections"));
  assert.deepEqual(bash("search", "--mode", "hy"), ["hybrid"]);
  assert.deepEqual(bash("search", "--source", "claude"), ["claude_code", "claude_cowork"]);
  assert.ok(bash("search", "x", "--project", "").includes("notes-api"));
  assert.deepEqual(bash("show", (ids[0] ?? "").slice(0, 4)).slice(0, 1), [(ids[0] ?? "").slice(0, 8)]);
  assert.ok(bash("handoff", "x", "--to", "").includes("opencode"));
  assert.deepEqual(bash("completion", "z"), ["zsh"]);
  assert.deepEqual(bash("list", "--limit", ""), []);
  assert.ok(bash("suggest", "").includes("stats"));
  assert.ok(bash("help", "res").includes("resume"));
});

test("zsh does, too", { skip: has("zsh") }, () => {
  assert.match(zsh("dex sear"), /FOUND:search/);
  assert.match(zsh("dex search --lim"), /FOUND:--limit/);
  assert.match(zsh(`dex show ${(ids[0] ?? "").slice(0, 3)}`), new RegExp(`FOUND:${(ids[0] ?? "").slice(0, 8)}`));
});

test("fish does, with descriptions", { skip: has("fish") }, () => {
  assert.ok(fish("dex sear").some((line) => line.startsWith("search\t")));
  assert.ok(fish("dex docs sec").some((line) => line.startsWith("section\t")));
  assert.ok(fish("dex search --lim").some((line) => line.startsWith("--limit\t")));
  assert.deepEqual(
    fish("dex list --source claude").map((line) => line.split("\t")[0]),
    ["claude_code", "claude_cowork"],
  );
  assert.ok(fish("dex list --project note").some((line) => line.startsWith("notes-api\t")));
  const shown = fish(`dex show ${(ids[0] ?? "").slice(0, 4)}`);
  assert.ok(
    shown.some((line) => line.startsWith((ids[0] ?? "").slice(0, 8)) && line.includes("\t")),
    shown.join("\n"),
  );
});

test("asking for values never syncs, writes or complains", () => {
  const other = new TestHome({ samples: true });
  for (const what of ["projects", "conversations", "collections", "nonsense", ""]) {
    assert.deepEqual(other.run("completion", "--values", what), { status: 0, stdout: "", stderr: "" });
  }
  other.vars.DEX_HOME = "/etc/passwd";
  assert.deepEqual(other.run("completion", "--values", "conversations"), { status: 0, stdout: "", stderr: "" });
  writeFileSync(join(home.dexHome, "config.yaml"), "nonsense: [");
  assert.deepEqual(home.run("completion", "--values", "projects"), { status: 0, stdout: "", stderr: "" });
  writeFileSync(join(home.dexHome, "config.yaml"), "");
});

test("dex refuses an unknown shell and names the supported ones", () => {
  const answer = home.run("completion", "tcsh");
  assert.equal(answer.status, 2);
  assert.match(answer.stderr, /dex completion: does not support the shell "tcsh"\.\nIt supports bash, zsh, fish/);
});
