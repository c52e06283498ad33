/** The main path in Firefox, over WebDriver BiDi, which Firefox speaks without a driver program. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { TestHome } from "../../support/program/dex.ts";
import { running } from "../../support/program/running.ts";
import { WebServer } from "../../support/servers/web.ts";

const FIREFOX = [process.env.DEX_FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find(
  (path) => path !== undefined && existsSync(path),
);
const skip = FIREFOX === undefined && "no firefox here: apt-get install firefox-esr, or set DEX_FIREFOX to its path";

/** The few commands of BiDi that a walk through the page needs. */
class Firefox {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: { result?: unknown; message?: string }) => void>();
  #next = 0;
  context = "";

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const answer = JSON.parse(String(data)) as { id?: number; result?: unknown; message?: string };
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  static async start(profile: string): Promise<Firefox> {
    const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
    const child = running(
      spawn(FIREFOX ?? "", args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: profile } }),
    );
    const address = await new Promise<string>((resolve, reject) => {
      let text = "";
      child.stderr.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text)?.[1];
        if (found) resolve(found);
      });
      child.once("exit", () => reject(new Error(`firefox ended: ${text.slice(-500)}`)));
    });
    const socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", reject, { once: true });
    });
    const firefox = new Firefox(socket);
    await firefox.send("session.new", { capabilities: {} });
    const tree = (await firefox.send("browsingContext.getTree", {})) as { contexts: { context: string }[] };
    firefox.context = tree.contexts[0]?.context ?? "";
    return firefox;
  }

  send(method: string, params: object): Promise<unknown> {
    this.#next += 1;
    const id = this.#next;
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, ({ result, message }) =>
        result === undefined ? reject(new Error(message)) : resolve(result),
      );
    });
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answered;
  }

  goto(url: string): Promise<unknown> {
    return this.send("browsingContext.navigate", { context: this.context, url, wait: "complete" });
  }

  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.send("input.performActions", { context: this.context, actions: [{ type: "key", id: "keys", actions }] });
  }

  async evaluate(expression: string): Promise<unknown> {
    const target = { context: this.context };
    const answer = (await this.send("script.evaluate", { expression, target, awaitPromise: true })) as {
      result?: { value?: unknown };
      exceptionDetails?: { text: string };
    };
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
    return answer.result?.value;
  }

  /** Looks at the page until the expression is true. */
  async until(expression: string): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while ((await this.evaluate(`Boolean(${expression})`)) !== true) {
      if (performance.now() < end) {
        await setTimeout(LOOK_MS);
        continue;
      }
      const shown = await this.evaluate("location.href + ' ' + document.activeElement?.outerHTML.slice(0, 200)");
      assert.fail(`never true: ${expression}; the page is at ${shown}`);
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** On a busy machine a page may take long; one that never comes is an error with the state it is in. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;
const ENTER = "\uE007";
const home = new TestHome({ samples: true });

test("search, open, read and go back in Firefox", { skip }, async () => {
  assert.equal(home.run("sync").status, 0);
  const { results } = home.json<{ results: { id: string; title: string }[] }>("search", "test", "--in", "all");
  assert.ok(results.length > 0);
  const server = await WebServer.start(home);
  const profile = mkdtempSync(join(tmpdir(), "dex-firefox-"));
  const firefox = await Firefox.start(profile);
  await firefox.goto(server.address);
  await firefox.until("document.activeElement?.matches('[data-search]') && location.hash === ''");
  await firefox.type("test");
  await firefox.until("document.querySelector('[data-list] [data-row]')");
  await firefox.type(ENTER);
  await firefox.until("document.activeElement?.matches('[data-row]')");
  await firefox.type(ENTER);
  await firefox.until("location.pathname.startsWith('/c/') && document.querySelector('[data-message]')");
  const threw = await firefox.evaluate(
    "(() => { try { document.createElement('p').innerHTML = '<b>'; return false } catch { return true } })()",
  );
  // Trusted types came to Firefox late; where they are missing, the rest of the policy still holds.
  assert.ok(threw === true || (await firefox.evaluate("typeof trustedTypes")) === "undefined");
  await firefox.evaluate("history.back()");
  await firefox.until("location.pathname === '/' && document.querySelector('[data-list] [data-row]')");
  for (const path of [
    "/timeline",
    "/code",
    "/decisions",
    "/suggestions",
    "/activity",
    "/settings",
    "/traces",
    "/memory",
  ]) {
    await firefox.goto(server.origin + path);
    await firefox.until("document.querySelector('main h1') && !document.querySelector('[aria-busy=true]')");
  }
  firefox.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});
