/**
 * Secrets in a project: in its code, comments, records, file names, test reports and git history. Whatever is indexed
 * and whatever is asked, no part of one is kept or told.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { program, TestHome } from "../support/program/dex.ts";
import { TestRepository } from "../support/repository.ts";

const home = new TestHome({ vars: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" } });

/** Put together here, so that no scanner of this repository takes them for real ones. */
let made = 0;
function body(length: number): string {
  made += 1;
  let text = "";
  for (let state = made * 7919; text.length < length; state = (state * 48271) % 2147483647) text += state.toString(36);
  return text.slice(0, length);
}
const github = (): string => `gh${"p"}_${body(36)}`;
const anthropic = (): string => `sk-${"ant"}-api03-${body(93)}AA`;
const slack = (): string => `xox${"b"}-123456789012-1234567890123-${body(24)}`;
const aws = (): string =>
  `AK${"IA"}${body(16)
    .toUpperCase()
    .replace(/[^A-Z2-7]/g, "Q")}`;

const planted = {
  constant: github(),
  doc: anthropic(),
  test: github(),
  marker: slack(),
  record: github(),
  recordName: github(),
  subject: github(),
  body: slack(),
  longBody: github(),
  author: github(),
  branch: github(),
  fileName: github(),
  deprecated: anthropic(),
  report: github(),
  reportName: aws(),
  manifest: github(),
  page: slack(),
  pageName: github(),
};

const KEY = ["-----BEGIN PRIVATE KEY-----", ...Array.from({ length: 6 }, () => body(64)), "-----END PRIVATE KEY-----"];

function repository(): TestRepository {
  const repo = new TestRepository();
  const source = `/** Asks the service with ${planted.doc} as its key. */
export const TOKEN = "${planted.constant}";
export const PEM = \`${KEY.join("\n")}\`;
// DECISION: use the token ${planted.marker} because it never expires
export function connect(token = "${planted.constant}") {
  return token;
}
/** @deprecated use ${planted.deprecated} instead */
export function disconnect() {}
`;
  repo.commit("feat: begin", {
    "src/a.ts": source,
    "src/a.test.ts": `test("logs in with ${planted.test}", () => connect());\n`,
    [`src/${planted.fileName}.ts`]: "export function named() {}\n// DECISION: a file may be named so\n",
    [`docs/adr/0002-${planted.recordName}.md`]:
      "# 2. Names\n\n## Status\n\nAccepted\n\n## Decision\n\nWe name files.\n",
    "docs/adr/0001-token.md": `# 1. Token\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use ${planted.record} everywhere.\n`,
    "docs/page.md": `# Page\n\nThe bot uses ${planted.page}.\n`,
    [`docs/${planted.pageName}.md`]: "# Named\n\nA page with a name.\n",
    "package.json": `{"name":"x","dependencies":{"x":"https://${planted.manifest}@example.org/x.tgz"}}\n`,
  });
  repo.git("config", "user.name", `Ada ${planted.author}`);
  const long = `${"word ".repeat(1595)}${planted.longBody}`;
  const message = `feat: use ${planted.subject}\n\nDecision: send ${planted.body} because it is known\n\n${long}\n`;
  repo.write("src/a.ts", `${source}\nexport const more = 1;\n`);
  repo.git("add", "--all");
  repo.git("commit", "--quiet", `--author=Ada ${planted.author} <ada@example.org>`, "-m", message);
  repo.git("checkout", "--quiet", "-b", `feature/${planted.branch}`);
  repo.write("src/b.ts", "export {};\n");
  const failure = `<failure message="login with ${planted.report} failed"/>`;
  writeFileSync(
    join(repo.root, "junit.xml"),
    `<testsuite><testcase name="uses ${planted.reportName}" file="src/a.test.ts">${failure}</testcase></testsuite>`,
  );
  return repo;
}

const VERBS: readonly (readonly string[])[] = [
  ["refresh"],
  ["code", "index"],
  ["tests", "import", "junit.xml"],
  ["docs", "add", "pages", "./docs"],
  ["docs", "sync"],
  ["docs", "list"],
  ["docs", "documents"],
  ["docs", "search", "bot page"],
  ["code", "symbol", "TOKEN"],
  ["code", "symbol", "connect"],
  ["code", "symbol", "PEM"],
  ["code", "symbol", "src/a.ts"],
  ["code", "symbol", "src/a.test.ts"],
  ["code", "map", "--max-tokens", "10000"],
  ["code", "related", "src/a.ts"],
  ["search", "token", "--in", "code"],
  ["history", "src/a.ts"],
  ["history", "connect"],
  ["blame", "src/a.ts:2"],
  ["blame", "src/a.ts:5"],
  ["decisions", "--all"],
  ["warnings"],
  ["tests", "list"],
  ["suggest", "--file", "src/a.ts"],
  ["pack"],
  ["traces"],
];

/** Any twelve characters of a secret, beside the mark that all of its kind begin with. */
function piecesOf(secret: string): string[] {
  const own = secret.replace(/^(?:gh._|sk-ant-api03-|xox.-123456789012-1234567890123-|AKIA)/, "");
  return Array.from({ length: Math.max(1, own.length - 11) }, (_, i) => own.slice(i, i + 12));
}

test("no part of a project's secrets is kept or told", () => {
  const repo = repository();
  home.cwd = repo.root;
  const told: [string, string][] = VERBS.map((verb) => {
    const { status, stdout, stderr } = home.run(...verb);
    assert.ok(status === 0 || status === 1, `dex ${verb.join(" ")}: ${stderr}`);
    return [`dex ${verb.join(" ")}`, `${stdout}${stderr}`];
  });
  const session = { hook_event_name: "SessionStart", session_id: "s", cwd: repo.root, source: "startup" };
  const hook = spawnSync(process.execPath, [program, "hook", "claude"], {
    cwd: repo.root,
    env: { ...home.env, DEX_HOOK_BUDGET_MS: "60000" },
    input: JSON.stringify(session),
    encoding: "utf8",
  });
  assert.match(hook.stdout, /additionalContext/);
  told.push(["dex hook", hook.stdout]);
  for (const entry of readdirSync(home.dexHome, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) told.push([path, readFileSync(path, "latin1")]);
  }
  const secrets = [...Object.entries(planted), ["key", KEY.slice(1, -1).join("")] as const];
  const found = told.flatMap(([where, text]) =>
    secrets.flatMap(([name, secret]) => {
      const piece = piecesOf(secret).find((each) => text.includes(each));
      return piece === undefined ? [] : [`${name} in ${where}`];
    }),
  );
  assert.deepEqual(found, []);
  // The text around the secrets is still shown.
  const all = told.map(([, text]) => text).join("\n");
  for (const part of [/use the token \[REDACTED/, /We use \[REDACTED/, /feat: use \[REDACTED/, /TOKEN = "\[REDACTED/]) {
    assert.match(all, part);
  }
});
