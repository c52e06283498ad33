/**
 * Resolves what the user typed: a symbol, `Class.method`, a file, `file:line` or `file#symbol`. Only exact matches count;
 * similar names are suggested, never substituted.
 */
import { extname } from "node:path";
import { DexError } from "../../kernel/errors.ts";
import { plural, spellings } from "../../kernel/text.ts";
import type { CodeFileRow, CodeReader, EntityRow } from "../../store/code.ts";
import { inherited } from "./bases.ts";
import { filesOf, namesOf } from "./cache.ts";
import { nearNames } from "./near.ts";

export interface Target {
  /** All symbols with the name; for a file, its first entity. */
  symbols: EntityRow[];
  /** Set when the target is a whole file. */
  file?: CodeFileRow;
}

/** `inProject` turns a typed path into a path of the project. */
export function findTarget(store: CodeReader, typed: string, inProject: (path: string) => string | undefined): Target {
  const text = typed.trim();
  const place = /^(.+?)(?::(\d+)(?::\d+)?|#(.+))?$/s.exec(text);
  const [, path = text, line, name] = place ?? [];
  const file =
    findFile(store, path, inProject) ??
    (line === undefined && name === undefined ? undefined : noFile(store, path, text));
  if (file) {
    if (name !== undefined) return within(store, file, name, text);
    return line === undefined ? wholeFile(store, file) : atLine(store, file, Number(line));
  }
  const symbols = byName(store, text);
  if (symbols.length > 0) return { symbols };
  const members = inheritedMembers(store, text);
  if (members.length > 0) return { symbols: members };
  if (text.includes("/") || looksLikeFile(store, path)) noFile(store, path, text);
  throw unknown(store, text);
}

function dottedName(text: string): string {
  return text.replaceAll(/::|->|#/g, ".").replace(/\(\)$/, "");
}

function byName(store: CodeReader, text: string): EntityRow[] {
  const dotted = dottedName(text);
  const named = store.named(text);
  const found = named.length > 0 ? named : dotted.includes(".") ? store.qualified(dotted) : store.named(dotted);
  // A test may have the same name as the symbol it tests.
  const real = found.filter(({ kind }) => kind !== "test");
  return real.length > 0 ? real : found;
}

/** Those that `Class.method` means if the class inherits the method. */
function inheritedMembers(store: CodeReader, text: string): EntityRow[] {
  const dotted = dottedName(text);
  const dot = dotted.lastIndexOf(".");
  if (dot <= 0) return [];
  return inherited(store, byName(store, dotted.slice(0, dot)), dotted.slice(dot + 1));
}

/** `app.py` in a project with Python files names a file, whether or not it exists; `App.go` with a class `App` does not. */
function looksLikeFile(store: CodeReader, path: string): boolean {
  const extension = extname(path);
  if (extension === "" || store.named(path.slice(0, -extension.length)).length > 0) return false;
  return filesOf(store).some((file) => file.path.endsWith(extension));
}

function findFile(store: CodeReader, path: string, inProject: (path: string) => string | undefined) {
  for (const spelled of spellings(path)) {
    const inside = inProject(spelled);
    const exact = (inside === undefined ? undefined : store.file(inside)) ?? store.file(spelled);
    if (exact) return exact;
  }
  if (!path.includes(".") && !path.includes("/")) return undefined;
  const ending = store.filesEnding(path.replace(/^\.?\//, ""));
  if (ending.length <= 1) return ending[0];
  throw new DexError("ambiguous_file", `${ending.length} files have a path that ends in "${path}".`, {
    hint: `Use a longer path: ${ending
      .slice(0, 5)
      .map((each) => each.path)
      .join(", ")}${ending.length > 5 ? ", …" : ""}.`,
  });
}

function wholeFile(store: CodeReader, file: CodeFileRow): Target {
  return { symbols: store.entities(file.no).slice(0, 1), file };
}

/** The innermost definition around the line. */
function atLine(store: CodeReader, file: CodeFileRow, line: number): Target {
  if (line < 1 || line > file.lines) {
    throw new DexError("no_line", `${file.path} has ${plural(file.lines, "line")}, so line ${line} does not exist.`, {
      exitCode: 1,
    });
  }
  const around = store.entities(file.no).filter(({ first_line, last_line }) => first_line <= line && line <= last_line);
  const inner = around.reduce(
    (best, each) => (each.last_line - each.first_line <= best.last_line - best.first_line ? each : best),
    around[0] as EntityRow,
  );
  return inner.kind === "file" ? { symbols: [inner], file } : { symbols: [inner] };
}

function within(store: CodeReader, file: CodeFileRow, name: string, typed: string): Target {
  const own = store.entities(file.no).slice(1);
  const symbols = own.filter(
    (each) => each.name === name || each.qualified === name || each.qualified.endsWith(`.${name}`),
  );
  if (symbols.length > 0) return { symbols };
  const near = nearNames(
    name,
    own.map((each) => each.name),
  );
  throw new DexError("no_symbol", `${file.path} does not define "${name}".`, { exitCode: 1, hint: offer(near, typed) });
}

function noFile(store: CodeReader, path: string, typed: string): undefined {
  // `Class#method` and `ns::name:3` are not paths.
  if (!/[/.]/.test(path) || store.named(typed).length > 0 || byName(store, typed).length > 0) return undefined;
  const base = path.slice(path.lastIndexOf("/") + 1);
  const near = nearNames(
    base,
    filesOf(store).map((each) => each.path.slice(each.path.lastIndexOf("/") + 1)),
  );
  throw new DexError("no_file", `The index of this project has no file "${path}".`, {
    exitCode: 1,
    hint: offer(near, path),
  });
}

function unknown(store: CodeReader, text: string): DexError {
  const last =
    text
      .replace(/\(\)$/, "")
      .split(/[.#:]+/)
      .at(-1) ?? text;
  const near = nearNames(last, namesOf(store));
  return new DexError("no_symbol", `The code of this project defines nothing called "${text}".`, {
    exitCode: 1,
    hint: offer(near, text),
  });
}

function offer(near: readonly string[], typed: string): string {
  const others = near.filter((name) => name !== typed);
  return others.length > 0
    ? `Similar names: ${others.join(", ")}.`
    : "Names must match exactly; `dex code map` lists files and symbols.";
}
