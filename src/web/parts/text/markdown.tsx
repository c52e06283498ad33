/**
 * Markdown as elements. markdown-it gives tokens, and each token becomes an element that this file names: HTML in the text
 * stays text, a link needs a safe address or a view of this page, and an image is shown by its words and never loaded.
 */
import MarkdownIt, { type Token } from "markdown-it";
import { type ComponentChildren, h } from "preact";
import { useMemo } from "preact/hooks";
import { Code } from "./highlight.tsx";
import { localLink } from "./local_link.ts";
import { safeHref, visible } from "./visible.ts";

/** Longer texts are shown as they are: to parse them would stop the page for a moment. */
const MAX_CHARS = 120_000;

const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
parser.validateLink = (href) => safeHref(href) !== undefined || localLink(href) !== undefined;

/** The address in this page of a link to a file; undefined if no view shows it. */
export type FileHref = (link: string) => string | undefined;

/** The elements that may come out of Markdown. */
const TAGS = new Set("p,ul,ol,li,blockquote,em,strong,s,table,thead,tbody,tr,th,td".split(","));
/** A heading within a message is not a heading of the page, whose outline would otherwise be that of all messages. */
const HEADING = /^h[1-6]$/;
/** Blocks whose own words decide whether they run from the left or from the right. */
const DIRECTED = new Set(["p", "ul", "ol", "blockquote", "table"]);

interface Frame {
  tag: string;
  props: Record<string, unknown>;
  children: ComponentChildren[];
  /** Of a file that no view shows: it follows the words of the link. */
  path?: string;
}

export interface MarkdownProps {
  text: string;
  /** Names the text for those who look for it in the page. */
  part?: string;
  fileHref?: FileHref | undefined;
}

export function Markdown({ text, part, fileHref }: MarkdownProps) {
  const content = useMemo(
    () => (text.length > MAX_CHARS ? undefined : elementsOf(parser.parse(text, {}), fileHref)),
    [text, fileHref],
  );
  return (
    <div class="prose" data-part={part}>
      {content ?? <Code code={text} />}
    </div>
  );
}

function elementsOf(tokens: readonly Token[], fileHref: FileHref | undefined): ComponentChildren[] {
  const root: Frame = { tag: "", props: {}, children: [] };
  const open: Frame[] = [root];
  for (const token of tokens) {
    const top = open.at(-1) ?? root;
    if (token.nesting === 1) open.push(frameOf(token, fileHref));
    else if (token.nesting === -1) {
      const done = open.length > 1 ? open.pop() : undefined;
      if (done && open.length === 1 && DIRECTED.has(done.tag)) done.props.dir = "auto";
      if (done) (open.at(-1) ?? root).children.push(close(done));
    } else top.children.push(leaf(token, fileHref));
  }
  return root.children;
}

function frameOf(token: Token, fileHref: FileHref | undefined): Frame {
  const props: Record<string, unknown> = {};
  if (token.type === "link_open") {
    const link = attribute(token, "href");
    const href = safeHref(link);
    if (href) return { tag: "a", props: { href, rel: "noreferrer noopener", target: "_blank" }, children: [] };
    const inside = fileHref?.(link);
    return inside === undefined
      ? { tag: "", props, children: [], path: visible(localLink(link)?.path ?? link) }
      : { tag: "a", props: { href: inside }, children: [] };
  }
  if (token.hidden) return { tag: "", props, children: [] };
  if (token.type === "ordered_list_open") {
    const start = Number(token.attrGet("start"));
    if (start > 1) props.start = start;
  }
  if (HEADING.test(token.tag)) return { tag: "p", props: { class: `heading ${token.tag}` }, children: [] };
  const align = /text-align:(center|right)/.exec(attribute(token, "style"))?.[1];
  if (align) props.class = `align-${align}`;
  return { tag: TAGS.has(token.tag) ? token.tag : "span", props, children: [] };
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "");
}

function close({ tag, props, children, path }: Frame): ComponentChildren {
  if (path && !(children.length === 1 && children[0] === path)) return [...children, " (", <code>{path}</code>, ")"];
  return tag === "" ? children : h(tag, props, ...children);
}

function leaf(token: Token, fileHref: FileHref | undefined): ComponentChildren {
  switch (token.type) {
    case "inline":
      return elementsOf(token.children ?? [], fileHref);
    case "code_inline":
      return <code>{visible(token.content)}</code>;
    case "fence":
    case "code_block":
      return <Code code={token.content.replace(/\n$/, "")} language={/^\S+/.exec(token.info)?.[0] ?? ""} />;
    case "softbreak":
    case "hardbreak":
      return <br />;
    case "hr":
      return <hr />;
    case "image":
      return <span class="image-text">[image: {visible(token.content || attribute(token, "src"))}]</span>;
    default:
      return visible(token.content);
  }
}
