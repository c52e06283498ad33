/**
 * Code in colours. highlight.js is loaded when the first code is shown; its tree of tokens becomes elements, never HTML.
 * Colours change no size, so code is shown plain first and coloured when the browser is idle.
 */

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { TokenNode } from "./highlight_languages.ts";
import { visible } from "./visible.ts";

const MAX_CHARS = 40_000;
const MAX_KEPT = 200;

type Highlighter = (code: string, language: string) => TokenNode | undefined;
const highlighter = signal<Highlighter | undefined>(undefined);
const kept = new Map<string, ComponentChildren>();
let loading = false;

function load(): void {
  if (loading) return;
  loading = true;
  import("./highlight_languages.ts").then(
    ({ highlight }) => {
      highlighter.value = highlight;
    },
    // Code without colours can be read as well.
    () => undefined,
  );
}

const whenIdle: (run: () => void) => () => void =
  "requestIdleCallback" in globalThis
    ? (run) => {
        const id = requestIdleCallback(run, { timeout: 1000 });
        return () => cancelIdleCallback(id);
      }
    : (run) => {
        const id = setTimeout(run, 50);
        return () => clearTimeout(id);
      };

/** The code, with its tokens in spans once they are known. */
export function Highlighted({ code, language }: { code: string; language: string }) {
  const key = `${language}\n${code}`;
  const [, redraw] = useState(0);
  const run = highlighter.value;
  useEffect(() => {
    if (language === "" || code.length > MAX_CHARS || kept.has(key)) return;
    load();
    if (!run) return;
    return whenIdle(() => {
      const tree = run(code, language);
      if (!tree) return;
      if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
      kept.set(key, elementsOf(tree));
      redraw((n) => n + 1);
    });
  }, [key, run]);
  return <>{kept.get(key) ?? visible(code)}</>;
}

function elementsOf(node: TokenNode): ComponentChildren {
  return node.children.map((child, at) => {
    if (typeof child === "string") return visible(child);
    const name = child.scope?.split(".")[0];
    return (
      <span key={at} class={name && `hl-${name}`}>
        {elementsOf(child)}
      </span>
    );
  });
}

/** A block of code that scrolls sideways, within reach of the keyboard; `wrap` breaks its lines instead. */
export function Code({ code, language = "", wrap = false }: { code: string; language?: string; wrap?: boolean }) {
  return (
    <div class={wrap ? "code code-wrap" : "code"}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          <Highlighted code={code} language={language} />
        </code>
      </pre>
    </div>
  );
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  py: "python",
  go: "go",
  rs: "rust",
  java: "java",
  rb: "ruby",
  c: "cpp",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  cs: "csharp",
  sh: "bash",
  bash: "bash",
  json: "json",
  yml: "yaml",
  yaml: "yaml",
  html: "xml",
  xml: "xml",
  svg: "xml",
  css: "css",
  sql: "sql",
  diff: "diff",
  patch: "diff",
};

/** The language of a file, by its name; empty when unknown. */
export function languageOf(path: string): string {
  const extension = path.split(".").at(-1)?.toLowerCase() ?? "";
  return Object.hasOwn(EXTENSIONS, extension) ? (EXTENSIONS[extension] ?? "") : "";
}
