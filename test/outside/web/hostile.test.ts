/** Hostile texts in every field of everything the page shows, and pages of other servers that ask this one. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { before, test } from "node:test";
import { NO_BROWSER, open, settled, theBrowser, visit } from "../../support/browser/web.ts";
import { type Turn, writeDialogue } from "../../support/histories/dialogue.ts";
import { CALLED, HOSTILE_TEXTS } from "../../support/hostile_texts.ts";
import { TestHome } from "../../support/program/dex.ts";
import { serving } from "../../support/program/running.ts";
import { GIT_VARS, TestRepository } from "../../support/repository.ts";
import { WebServer } from "../../support/servers/web.ts";

const options = { skip: NO_BROWSER };
const LONG = "eeeeeeee-0000-4000-8000-000000000001";
let home: TestHome;
let server: WebServer;

before(async () => {
  if (NO_BROWSER !== false) return;
  home = new TestHome({ vars: { ...GIT_VARS } });
  const repo = new TestRepository();
  home.cwd = repo.root;
  for (const [at, text] of HOSTILE_TEXTS.entries()) {
    const id = `ffffffff-0000-4000-8000-0000000000${at + 10}`;
    const turns: Turn[] = [{ user: text }, { agent: text }];
    writeDialogue(home.home, id, turns, { cwd: `/srv/${text.replaceAll("\u0000", "")}` });
  }
  writeDialogue(home.home, LONG, everyField(repo.root), { cwd: repo.root });
  for (const [at, text] of HOSTILE_TEXTS.entries()) {
    const line = text.replaceAll("\n", " ").replaceAll("\u0000", "").replaceAll("\u2028", " ");
    const comment = line.replaceAll("*/", "");
    repo.commit(line, {
      [`src/f${at}.ts`]: `/** DECISION: ${comment} */\nexport const f${at} = ${JSON.stringify(line)};\n`,
    });
  }
  for (const args of [["sync"], ["refresh"]]) assert.equal(home.run(...args).status, 0);
  for (const text of HOSTILE_TEXTS) {
    const typed = text.replaceAll("\u0000", "");
    home.run("decide", typed, "--because", typed, "--instead-of", typed.slice(0, 250), "--no-sync");
    home.run("pin", typed);
    home.run("search", "--no-sync", "--", typed);
  }
  home.run("suggest", "--file", "src/f0.ts", "--min-score", "0");
  server = await WebServer.start(home);
  await theBrowser();
});

/** Tool names, inputs, outputs, diffs, the language of a fence, link texts and addresses. */
function everyField(root: string): Turn[] {
  return HOSTILE_TEXTS.flatMap((text, at): Turn[] => [
    { user: `Prompt ${at}: ${text}` },
    { tool: text.slice(0, 100), input: { [text]: text, nested: [text, { [text]: text }] }, output: text, failed: true },
    { command: text, output: text },
    { tool: "Edit", input: { file_path: `${root}/${text}`, old_string: text, new_string: `${text}\n${text}` } },
    { tool: "Write", input: { file_path: `${root}/src/f${at}.ts`, content: text } },
    { agent: `\`\`\`${text}\n${text}\n\`\`\`\n\n> ${text}\n\n[${text}](${text} "${text}")\n\n${text}` },
  ]);
}

test("nothing of a hostile text runs, loads or navigates, wherever it stands", options, async () => {
  const { page, outside, complaints } = await visit(server);
  const ran = (): Promise<boolean> => page.evaluate((name) => name in window, CALLED);
  const { traces } = home.json<{ traces: { trace_id: string }[] }>("traces");
  const routes = [
    "/?q=hostile_text_ran&why=0",
    "/conversations",
    "/decisions?all=1",
    "/memory",
    "/memory?show=pack",
    "/timeline",
    "/code",
    "/code/src/f0.ts",
    "/code/src/f0.ts?show=history",
    "/suggestions",
    "/activity",
    "/traces",
    ...traces.slice(0, 5).map(({ trace_id }) => `/traces/${trace_id}?replay=1`),
    `/?q=${encodeURIComponent(HOSTILE_TEXTS[0] ?? "")}`,
    `/code/${encodeURIComponent(HOSTILE_TEXTS[7] ?? "")}?q=${encodeURIComponent(HOSTILE_TEXTS[0] ?? "")}`,
    `/c/${encodeURIComponent(HOSTILE_TEXTS[5] ?? "")}`,
  ];
  for (const path of routes) {
    await open(page, server, path);
    assert.equal(await ran(), false, path);
  }
  const { message_count } = home.json<{ message_count: number }>("messages", LONG, "--count", "1");
  assert.ok(message_count >= HOSTILE_TEXTS.length * 9);
  for (let index = 0; index < message_count; index += 12) {
    await open(page, server, `/c/${LONG}/${index}`);
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll<HTMLElement>('main [aria-expanded="false"]')) fold.click();
    });
    await settled(page);
    assert.equal(await ran(), false, `message ${index}`);
    assert.match(page.url(), new RegExp(`^${server.origin}/c/`));
  }
  assert.deepEqual(outside, []);
  // The console notes that the server refused an address that names nothing; nothing else is said.
  assert.deepEqual(
    complaints.filter((line) => !/status of 4\d\d/.test(line)),
    [],
  );
  const elements = await page.evaluate(
    () => document.querySelectorAll("img, iframe, object, embed, form[action], base").length,
  );
  assert.equal(elements, 0);
  await page.context().close();
});

test("the browser itself refuses HTML from text, scripts from text, and frames", options, async () => {
  const { page } = await visit(server);
  const thrown = await page.evaluate(() => {
    const tries: (() => unknown)[] = [
      () => {
        document.createElement("div").innerHTML = "<b>x</b>";
      },
      () => document.body.insertAdjacentHTML("beforeend", "<b>x</b>"),
      () => {
        document.createElement("script").text = "1";
      },
      () => trustedTypes("x"),
    ];
    function trustedTypes(name: string): unknown {
      const factory = (window as unknown as { trustedTypes: { createPolicy(n: string, p: object): unknown } })
        .trustedTypes;
      return factory.createPolicy(name, {});
    }
    return tries.map((run) => {
      try {
        run();
        return "allowed";
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  assert.deepEqual(thrown, ["TypeError", "TypeError", "TypeError", "TypeError"]);
  await page.context().close();
});

test("a page of another port gets nothing, even with the token", options, async () => {
  const other = serving(
    createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<p>other</p>")),
  );
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", () => resolve()));
  const { page } = await visit(server);
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  const answers = await page.evaluate(
    async ([origin, token]) => {
      const stored = localStorage.length;
      const init = {
        method: "POST",
        body: "{}",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      };
      const cors = await fetch(`${origin}/api/stats`, init).then(
        ({ status }) => status,
        () => "refused",
      );
      const blind = await fetch(`${origin}/api/stats`, { method: "POST", mode: "no-cors", body: "{}" }).then(
        ({ type, status }) => `${type} ${status}`,
        () => "refused",
      );
      return { stored, cors, blind };
    },
    [server.origin, server.token] as const,
  );
  assert.equal(answers.stored, 0);
  assert.equal(answers.cors, "refused");
  assert.ok(["refused", "opaque 0"].includes(answers.blind), answers.blind);
  await page.context().close();
});
