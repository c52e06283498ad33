/**
 * A conversation as one HTML file that needs nothing else: no script, no request, folds by `<details>`. The policy in its
 * head allows exactly the style below, so that even a mistake in the escaping could not run or load anything.
 */
import { createHash } from "node:crypto";
import { plural } from "../../kernel/text.ts";
import { clip, codePointEnd, countLines } from "../../text/clip.ts";
import { callText, shortCall } from "../activity/input.ts";
import type { Indexed } from "../export.ts";
import type { ConversationMeta, Part, ToolResultPart } from "../model.ts";
import { typedText } from "../texts/typed_text.ts";
import { markdownHtml } from "./markdown.ts";
import { element, escaped, openTag } from "./markup.ts";
import { STYLE } from "./style.ts";

/** Machines print more than anyone reads. */
const MAX_MACHINE_CHARS = 8000;
const MAX_SAID_CHARS = 200_000;
const MAX_SUMMARY_CHARS = 160;
const MAX_NAME_CHARS = 80;
const MAX_TITLE_CHARS = 300;
const MAX_PROMPT_CHARS = 140;
const MAX_PROMPTS = 2000;
/** A browser opens a page of this size at once, and mail still carries it when compressed. */
const MAX_PAGE_CHARS = 8_000_000;

export function exportHtml(meta: ConversationMeta, messages: readonly Indexed[]): string {
  const title = clip(meta.title ?? meta.id, MAX_TITLE_CHARS);
  const shown = messageArticles(messages);
  const last = messages[shown.length - 1]?.index;
  const head = [
    openTag("meta", { charset: "utf-8" }),
    openTag("meta", { "http-equiv": "Content-Security-Policy", content: policy() }),
    openTag("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    openTag("meta", { name: "referrer", content: "no-referrer" }),
    element("title", {}, escaped(title)),
    // Not escaped: the policy names the hash of these very bytes.
    `<style>${STYLE}</style>`,
  ];
  const body = [
    element("h1", {}, escaped(title)),
    factsHtml(meta, messages.length),
    promptsHtml(messages.slice(0, shown.length)),
    element("main", {}, shown.join("\n")),
    shown.length < messages.length ? leftOutHtml(messages.length - shown.length, last) : "",
    element("footer", {}, "Exported by dex. Secrets were redacted; what machines printed may be shortened."),
  ];
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n${head.join("\n")}\n</head>\n` +
    `<body><div class="page">\n${body.filter(Boolean).join("\n")}\n</div></body>\n</html>\n`
  );
}

function policy(): string {
  const hash = createHash("sha256").update(STYLE).digest("base64");
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}

function factsHtml(meta: ConversationMeta, count: number): string {
  const facts = [
    `${meta.source}:${meta.id}`,
    meta.project,
    meta.branch && `branch ${meta.branch}`,
    meta.created && `${minute(meta.created)} to ${minute(meta.updated ?? meta.created)}`,
    plural(count, "message"),
  ];
  return element(
    "p",
    { class: "facts" },
    facts
      .filter((fact) => fact)
      .map((fact) => escaped(fact ?? ""))
      .join(" · "),
  );
}

/** `2026-05-04 10:30Z` */
function minute(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")}Z`;
}

function promptsHtml(messages: readonly Indexed[]): string {
  const prompts: string[] = [];
  for (const { index, message } of messages) {
    const text = message.role === "user" ? clip(typedText(message), MAX_PROMPT_CHARS) : "";
    if (text === "") continue;
    const spans = element("span", {}, String(index)) + element("span", {}, escaped(text));
    prompts.push(element("li", {}, element("a", { href: `#m${index}` }, spans)));
  }
  if (prompts.length < 2) return "";
  const more = prompts.length > MAX_PROMPTS ? element("li", {}, `${prompts.length - MAX_PROMPTS} more`) : "";
  const list = element("ol", {}, prompts.slice(0, MAX_PROMPTS).join("\n") + more);
  return element("nav", { "aria-labelledby": "prompts" }, `<h2 id="prompts">Prompts</h2>${list}`);
}

/** As many messages as fit into the page. */
function messageArticles(messages: readonly Indexed[]): string[] {
  const articles: string[] = [];
  let chars = 0;
  for (const one of messages) {
    const html = messageArticle(one);
    chars += html.length;
    if (chars > MAX_PAGE_CHARS && articles.length > 0) break;
    articles.push(html);
  }
  return articles;
}

const NAMES = { user: "User", assistant: "Assistant", tool: "Tool", system: "System" } as const;

function messageArticle({ index, message }: Indexed): string {
  const id = `m${index}`;
  const facts = [
    element("a", { href: `#${id}` }, String(index)),
    element("b", {}, NAMES[message.role]),
    message.model ? element("span", {}, escaped(clip(message.model, MAX_NAME_CHARS))) : "",
    message.time ? element("span", {}, escaped(minute(message.time))) : "",
    message.kind ? element("span", {}, message.kind === "summary" ? "summary" : "queued") : "",
  ];
  const head = element("h2", { class: "who" }, facts.join(""));
  return element("article", { id, class: message.role }, head + message.parts.map(partHtml).join("\n"));
}

function partHtml(part: Part): string {
  if (part.type === "text") {
    if (part.text.trim() === "") return "";
    const { text, note } = cut(part.text, MAX_SAID_CHARS);
    return element("div", { class: "said" }, markdownHtml(text)) + note;
  }
  if (part.type === "thinking") return part.text.trim() === "" ? "" : fold("Thinking", part.text);
  if (part.type === "tool_call") return fold(shortCall(part, MAX_SUMMARY_CHARS), callText(part));
  return fold(resultSummary(part), part.output, hasFailed(part));
}

function hasFailed(result: ToolResultPart): boolean {
  return result.is_error === true || (result.exit_code !== undefined && result.exit_code !== 0);
}

function resultSummary(result: ToolResultPart): string {
  const lines = plural(countLines(result.output), "line");
  const exit = result.exit_code === undefined ? [] : [`exit ${result.exit_code}`];
  return `[${[clip(result.name ?? "result", MAX_NAME_CHARS), ...exit, lines].join(", ")}]`;
}

function fold(summary: string, content: string, failed = false): string {
  const label = failed ? `${element("b", {}, "failed")} ` : "";
  const head = element("summary", {}, label + escaped(summary));
  const { text, note } = cut(content, MAX_MACHINE_CHARS);
  return element("details", failed ? { class: "failed" } : {}, head + element("pre", {}, escaped(text)) + note);
}

function cut(text: string, max: number): { text: string; note: string } {
  if (text.length <= max) return { text, note: "" };
  const end = codePointEnd(text, max);
  const note = `${plural(text.length - end, "character")} more in the conversation`;
  return { text: text.slice(0, end), note: element("p", { class: "cut" }, note) };
}

function leftOutHtml(count: number, last: number | undefined): string {
  const note = `${plural(count, "message")} after message ${last ?? 0} did not fit into this file.`;
  return element("p", { class: "cut" }, `${note} Export them with --messages.`);
}
