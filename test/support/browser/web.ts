/** A real browser on `dex web`. One browser serves all tests of a file. */
import { existsSync } from "node:fs";
import { after } from "node:test";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { WebServer } from "../servers/web.ts";

const CHROMIUM = [
  process.env.DEX_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** The reason why tests in a browser are skipped. */
export const NO_BROWSER: string | false =
  CHROMIUM === undefined && "no chromium here: apt-get install chromium, or set DEX_CHROMIUM to its path";

/** Far longer than anything takes on a busy machine: it only ends waits that hang. */
const MAX_WAIT_MS = Number(process.env.DEX_WEB_WAIT_MS ?? 180_000);

/** Milliseconds by which every frame is delayed: the tests must pass with any. */
const FRAME_DELAY_MS = Number(process.env.DEX_WEB_FRAME_DELAY_MS ?? 0);

let browser: Promise<Browser> | undefined;
after(async () => (await browser)?.close());

/** Started when it is first needed, and ended with the tests of the file. */
export function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox"], timeout: MAX_WAIT_MS });
  return browser;
}

/** A page that has been let in, and everything that must not happen on it. */
export interface Visit {
  page: Page;
  /** Errors and warnings of the console, uncaught errors, refused content. */
  complaints: string[];
  /** Addresses outside the server that the page asked for or went to. */
  outside: string[];
}

export async function visit(server: WebServer, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await theBrowser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(MAX_WAIT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const outside: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const isOutside = (address: string): boolean =>
    !/^(?:about:|blob:|data:)/.test(address) && new URL(address).origin !== server.origin;
  context.on("request", (request) => isOutside(request.url()) && outside.push(request.url()));
  page.on("framenavigated", (frame) => isOutside(frame.url()) && outside.push(`went to ${frame.url()}`));
  if (FRAME_DELAY_MS > 0) await delayFrames(page, FRAME_DELAY_MS);
  await page.goto(server.address);
  await settled(page);
  return { page, complaints, outside };
}

/** Frames come late from the next page on, as on a busy machine: keys then come while the page is still being placed. */
export async function delayFrames(page: Page, ms: number): Promise<void> {
  await page.addInitScript((delay) => {
    const next = requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (run) => next(() => setTimeout(() => run(performance.now()), delay));
  }, ms);
}

/** Goes to an address of the page, and waits until nothing of it is loading. */
export async function open(page: Page, server: WebServer, path: string): Promise<void> {
  await page.goto(server.origin + path);
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector("main");
    return main && main.childElementCount > 0 && !document.querySelector('[aria-busy="true"]');
  });
}
