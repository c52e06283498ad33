/**
 * Reads from the text of a file whether it imports a name, and whether it uses the name outside imports, exports and
 * comments.
 */
import { posix } from "node:path";

// All repetitions are bounded, because the text may be hostile.
/** Statements that only pass a name on, in the usual languages. */
const IMPORTS =
  /^[ \t]*(?:import\b(?:[^;'"(]{0,4000}?['"][^'"\n]*['"]|[^\n;(]*\([^)]{0,4000}\)|[^\n]*)|export\b[^;'"=()]{0,4000}?\bfrom\s*['"][^'"\n]*['"]|export\s*(?:type\s*)?\{[^}]{0,4000}\}|from\s+\S+\s+import\s*(?:\([^)]{0,4000}\)|[^\n]*)|(?:const|let|var)\s*(?:\{[^}]{0,4000}\}|\w+)\s*=\s*require\([^)\n]*\)|(?:pub(?:\([a-z]+\))?\s+)?use\s[^;]{0,4000};|using\s[^;\n]*;|#include[^\n]*|require(?:_relative|_once)?\b[^\n]*)/gm;
const COMMENTS =
  /\/\*[\s\S]{0,20000}?\*\/|(?:^|[^:'"])\/\/[^\n]*|^[ \t]*#(?!include|\[)[^\n]*|"""[\s\S]{0,20000}?"""|^[ \t]*__all__[\s\S]{0,20000}?[\])]/gm;
const STRINGS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

export interface SourceText {
  /** Statements that import names or export them again. */
  imports: string[];
  /** The rest, without comments and the content of strings. */
  code: string;
}

export function sourceText(text: string): SourceText {
  const plain = text.replaceAll(COMMENTS, " ");
  const imports = Array.from(plain.matchAll(IMPORTS), ([statement]) => statement);
  return { imports, code: plain.replaceAll(IMPORTS, " ").replaceAll(STRINGS, '""') };
}

/**
 * Whether an import of the file at `path` is one of the file at `definition`, and lists the name where the language
 * lists names. A relative import is resolved; any other one must end in the name of the file or its folder.
 */
export function importsOf({ imports }: SourceText, path: string, name: string, definition: string): boolean {
  const target = withoutEnding(definition);
  for (const statement of imports) {
    const relative = /['"](\.{1,2}\/[^'"]*)['"]/.exec(statement)?.[1];
    const fits = relative
      ? withoutEnding(posix.join(posix.dirname(path), relative)) === target
      : hasWord(statement, posix.basename(target));
    const lists = /[{]|\bfrom\s+\S+\s+import\b|^\s*(?:pub\s+)?use\s/.test(statement);
    if (fits && (!lists || hasWord(statement, name) || /\*/.test(statement))) return true;
  }
  return false;
}

/** `src/pool/index.ts` is imported as `src/pool`. */
function withoutEnding(path: string): string {
  return path.replace(/(?:\.d)?\.[a-z]+$/, "").replace(/\/(?:index|mod|lib|__init__)$/, "");
}

export interface NamedDefinition {
  name: string;
  file: string;
  language: string;
  /** The package or namespace of its file. */
  module: string;
}

/**
 * Whether a file that imports the definition, or belongs to its package, uses it in code. Languages that list imported
 * names must list it; in Go another package writes the package before the name; and a member of something else that has
 * the same name (`this.cache`) is not a use.
 */
export function usesDefinition(source: SourceText, path: string, definition: NamedDefinition): boolean {
  const { name, language, module, file } = definition;
  const { code } = source;
  if (language === "go") {
    const inPackage = posix.dirname(path) === posix.dirname(file);
    return new RegExp(inPackage ? bare(name) : `(?<![\\w.])${module}\\.${name}(?!\\w)`).test(code);
  }
  if (!/^(?:typescript|tsx|javascript|jsx|python)$/.test(language)) return new RegExp(bare(name)).test(code);
  return localNames(source, definition).some((each) => new RegExp(bare(each)).test(code));
}

/** The names by which the file reaches the definition: its own, an alias, or the module's with the name. */
function localNames({ imports }: SourceText, { name, file }: NamedDefinition): string[] {
  const found = new Set<string>();
  const stem = posix.basename(withoutEnding(file));
  for (const statement of imports) {
    if (/^\s*export\b/.test(statement)) continue;
    const listed = new RegExp(`${word(name)}(?:\\s*(?:as|:)\\s*([A-Za-z_$][\\w$]*))?`).exec(statement);
    if (listed) found.add(listed[1] ?? name);
    const whole = /(?:\*\s*as|^\s*(?:const|let|var)|\bimport\s+[\w.]+\s+as)\s+([A-Za-z_$][\w$]*)/.exec(statement)?.[1];
    if (whole !== undefined) found.add(`${whole}.${name}`);
    else if (/^\s*(?:import|from)\b/.test(statement) && !/['"]/.test(statement) && hasWord(statement, stem))
      found.add(`${stem}.${name}`);
  }
  return [...found];
}

/** A pattern for the name by itself, neither a member of something nor a key. */
function bare(name: string): string {
  return `(?<![\\w$.])${RegExp.escape(name)}(?![\\w$])(?!\\s*:[^:])`;
}

function hasWord(text: string, name: string): boolean {
  return new RegExp(word(name)).test(text);
}

function word(name: string): string {
  return `(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`;
}
