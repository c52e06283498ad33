/**
 * Draws the picture in the README: a terminal in which the real program answers from the sample conversations. The
 * program runs from source in a temporary home, so the same source gives the same picture on every machine.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The commands in the picture. The samples have fixed ids. */
const COMMANDS: readonly (readonly string[])[] = [
  ["search", "why did the migration fail", "--limit", "2"],
  ["read", "019cbebc", "11"],
];

const COLUMNS = 96;
const FONTS = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const FONT_SIZE = 14;
/** Width of a character in common monospaced fonts, relative to the font size. */
const CHARACTER_WIDTH = 0.602;
const LINE_HEIGHT = 20;
const PADDING = 18;
const BAR_HEIGHT = 30;

const COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`);
const STYLES: Readonly<Record<string, string>> = { "1": "bold", "2": "dim", "36": "accent" };

interface Span {
  text: string;
  style: string;
}

export function sessionPicture(root: string): string {
  const home = mkdtempSync(join(tmpdir(), "dex-session-"));
  try {
    const run = (args: readonly string[]): string => runDex(root, home, args);
    run(["sync", "--home", join(root, "samples/home")]);
    const lines = COMMANDS.flatMap((args, i) => [
      ...(i > 0 ? [[]] : []),
      ...wrapped([
        { text: "$ ", style: "prompt" },
        { text: `dex ${args.map(quoted).join(" ")}`, style: "typed" },
      ]),
      ...run([...args, "--no-sync"])
        .trimEnd()
        .split("\n")
        .flatMap((line) => wrapped(spansOf(line))),
    ]);
    return svg(lines);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function runDex(root: string, home: string, args: readonly string[]): string {
  const ran = spawnSync(process.execPath, [join(root, "src/cli/entry.ts"), ...args], {
    cwd: home,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      HOME: home,
      DEX_HOME: join(home, ".dex"),
      TZ: "UTC",
      LC_ALL: "C.UTF-8",
      FORCE_COLOR: "1",
    },
  });
  if (ran.status !== 0) throw new Error(`dex ${args.join(" ")} failed: ${ran.stderr}`);
  return ran.stdout;
}

function quoted(word: string): string {
  return /[\s"]/.test(word) ? `"${word}"` : word;
}

/** Splits a line of output by its colours. */
export function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let style = "";
  for (const part of line.split(COLOUR)) {
    if (COLOUR.test(part)) style = STYLES[part.slice(2, -1)] ?? "";
    else if (part !== "") spans.push({ text: part, style });
  }
  return spans;
}

/** Wraps a line between words, as a terminal of that width would show it; continuation lines keep its indent. */
export function wrapped(spans: readonly Span[], columns = COLUMNS): Span[][] {
  const indent = /^ */.exec(spans[0]?.text ?? "")?.[0] ?? "";
  const lines: Span[][] = [[]];
  let used = 0;
  for (const { text, style } of spans) {
    for (const word of text.split(/(?<= )(?=[^ ])/)) {
      const width = [...word.trimEnd()].length;
      if (used + width > columns && used > indent.length) {
        lines.push(indent === "" ? [] : [{ text: indent, style: "" }]);
        used = indent.length;
      }
      append(lines.at(-1) ?? [], { text: word, style });
      used += [...word].length;
    }
  }
  return lines;
}

/** Adds a span to a line and merges it with the last one if their styles are equal. */
function append(line: Span[], span: Span): void {
  const last = line.at(-1);
  if (last?.style === span.style) last.text += span.text;
  else line.push(span);
}

function svg(lines: readonly Span[][]): string {
  const width = Math.ceil(COLUMNS * FONT_SIZE * CHARACTER_WIDTH) + 2 * PADDING;
  const height = BAR_HEIGHT + lines.length * LINE_HEIGHT + PADDING;
  const rows = lines.flatMap((spans, i) => {
    const y = BAR_HEIGHT + (i + 1) * LINE_HEIGHT - 5;
    return spans.length === 0
      ? []
      : [`    <text x="${PADDING}" y="${y}" xml:space="preserve">${spans.map(tspan).join("")}</text>`];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    "  <title>dex in a terminal</title>",
    "  <style>",
    "    .prompt { fill: #7ec699; } .typed { fill: #ffffff; font-weight: 600; } .bold { fill: #ffffff; font-weight: 700; }",
    "    .dim { fill: #8b919e; } .accent { fill: #6cc5d8; }",
    "  </style>",
    `  <rect width="${width}" height="${height}" rx="8" fill="#1d2027"/>`,
    ...["#ee6a5f", "#f5bd4f", "#61c454"].map(
      (fill, i) => `  <circle cx="${PADDING + 4 + i * 20}" cy="16" r="6" fill="${fill}"/>`,
    ),
    `  <g font-family="${FONTS}" font-size="${FONT_SIZE}" fill="#d7dae0">`,
    ...rows,
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

function tspan({ text, style }: Span): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return style === "" ? `<tspan>${escaped}</tspan>` : `<tspan class="${style}">${escaped}</tspan>`;
}
