/**
 * Deprecated code and the files of the project that use it. The code graph tells which definition a mark belongs to and
 * who calls or imports it; without a graph, only a file that imports the definition's file and names it counts as a use.
 * A name alone proves nothing: `get` and `List` occur everywhere.
 */
import { posix } from "node:path";
import { declaredAt } from "../../history/deprecations/declarations.ts";
import {
  type DeprecationMark,
  declarationAfter,
  filesNaming,
  findMarks,
  markedName,
  raisingFunction,
} from "../../history/deprecations/marks.ts";
import type { Repository } from "../../history/repository.ts";
import { readContainedText } from "../../kernel/files/bounded_read.ts";
import { redactText } from "../../redact/redact.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import { importsOf, type NamedDefinition, type SourceText, sourceText, usesDefinition } from "./name_uses.ts";

export interface DeprecatedCode {
  symbol: string;
  file: string;
  line: number;
  message: string;
  /** Other files of the project that use it, without tests, re-exports and other deprecated code. */
  users: readonly string[];
  /** True if the code graph shows the uses; false if the text alone does. */
  sure: boolean;
}

interface Marked {
  mark: DeprecationMark;
  name: string;
  /** A field or a method, by the text; the graph may know better. */
  member: boolean;
  entity: EntityRow | undefined;
  /** All definitions of the name that are marked: overloads. */
  entities: EntityRow[];
  /** The lines of declarations that are marked. */
  declared: ReadonlySet<number>;
}

const MAX_FILE_BYTES = 2 << 20;
/** Shorter names, and plain words, are also names of other things. */
const MIN_TEXT_NAME_CHARS = 5;
const PLAIN_WORD = /^[a-z]+$|^[A-Z][a-z]+$/;
const MIN_PLAIN_NAME_CHARS = 9;
const TEST_PATH = /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e|testing)(?:[/._-]|$)|(?:Test|Tests|Spec)\.\w+$/;

/** Deprecated code in use, the most used first. */
export async function deprecatedInUse(
  repository: Repository,
  graph: CodeReader | undefined,
): Promise<DeprecatedCode[]> {
  const marked = markedOnce(graph, await findMarks(repository));
  const named = await filesNaming(
    repository,
    marked.map(({ name }) => name),
  );
  const uses = new Uses(repository, graph, marked);
  return marked
    .map((each): DeprecatedCode => {
      const { mark, name, entity } = each;
      const users = uses.of(each, named.get(name) ?? []).map((path) => redactText(path).text);
      const file = redactText(mark.file).text;
      return { symbol: name, file, line: mark.line, message: mark.message, users, sure: entity !== undefined };
    })
    .filter(({ users }) => users.length > 0)
    .sort((a, b) => b.users.length - a.users.length || (`${a.file}:${a.line}` < `${b.file}:${b.line}` ? -1 : 1));
}

/** A function that warns on behalf of others. */
const WARNS = /warn|deprecat/i;

/** A comment and an annotation may mark the same definition. Marks without a definition are left out. */
function markedOnce(graph: CodeReader | undefined, marks: readonly DeprecationMark[]): Marked[] {
  const found = new Map<string, Marked>();
  for (const mark of marks) {
    const entity = graph && entityOf(graph, mark);
    const text = entity === undefined ? markedName(mark) : undefined;
    const name = entity?.name ?? text?.name;
    if (name === undefined || (mark.raised && WARNS.test(name))) continue;
    const key = `${mark.file} ${entity?.qualified ?? name}`;
    const known = found.get(key);
    const message = known?.mark.message || mark.message;
    const member = text?.member ?? false;
    const entities = [...(known?.entities ?? []), ...(entity ? [entity] : [])];
    const declared = new Set([...(known?.declared ?? []), declarationAfter(mark.lines, mark.line) ?? 0]);
    found.set(key, {
      ...(known ?? { name, member, entity }),
      mark: { ...(known?.mark ?? mark), message },
      entities,
      declared,
    });
  }
  return [...found.values()];
}

/** The definition that a mark belongs to; undefined for fields and for files that the graph does not have. */
function entityOf(graph: CodeReader, { file, line, lines, raised }: DeprecationMark): EntityRow | undefined {
  const row = graph.file(file);
  // The graph describes another version of the file.
  if (!row || Math.abs(row.lines - lines.length) > 1) return undefined;
  const entities = graph.entities(row.no).filter(({ kind }) => kind !== "file" && kind !== "module");
  if (raised) return raisedBy(entities, lines, line);
  const at = declarationAfter(lines, line);
  if (at === undefined) return undefined;
  // In some languages annotations are part of the definition, so it may begin before its own line.
  const own = entities.filter(({ first_line: first, last_line: last }) => first <= at && last >= at);
  const inner = own.reduce<EntityRow | undefined>((a, b) => (a && a.first_line > b.first_line ? a : b), undefined);
  if (!inner) return undefined;
  const begins = inner.first_line === at || declarationAfter(lines, inner.first_line) === at;
  return begins ? entities.find(({ first_line: first }) => first === inner.first_line) : undefined;
}

function raisedBy(entities: readonly EntityRow[], lines: readonly string[], line: number): EntityRow | undefined {
  const at = raisingFunction(lines, line);
  if (at === undefined) return undefined;
  const own = entities.findLast(({ first_line: first, last_line: last }) => first <= at && last >= line);
  if (!own || !/^__\w+__$/.test(own.name)) return own;
  return own.name === "__init__" ? entities.find(({ no }) => no === own.parent) : undefined;
}

class Uses {
  readonly #repository: Repository;
  readonly #graph: CodeReader | undefined;
  readonly #deprecated: ReadonlySet<number>;
  readonly #texts = new Map<string, string>();
  readonly #sources = new Map<string, SourceText>();

  constructor(repository: Repository, graph: CodeReader | undefined, marked: readonly Marked[]) {
    this.#repository = repository;
    this.#graph = graph;
    this.#deprecated = new Set(marked.flatMap(({ entities }) => entities.map(({ no }) => no)));
  }

  of(marked: Marked, named: readonly string[]): string[] {
    const { entity, entities, member, mark, name } = marked;
    const others = named.filter((path) => path !== mark.file && !TEST_PATH.test(path));
    const graph = this.#graph;
    if (graph && entity) return this.#byGraph(graph, entity, entities, others);
    // A definition that is missing from the graph of its file is a field or another thing whose uses no call shows.
    if (member || graph?.file(mark.file) !== undefined) return [];
    if (name.length < MIN_TEXT_NAME_CHARS || isOverloaded(marked)) return [];
    if (PLAIN_WORD.test(name) && name.length < MIN_PLAIN_NAME_CHARS) return [];
    return others.filter((path) => {
      const source = this.#source(path);
      const definition = { name, file: mark.file, language: languageOf(mark.file), module: "" };
      return importsOf(source, path, name, mark.file) && usesDefinition(source, path, definition);
    });
  }

  #byGraph(graph: CodeReader, entity: EntityRow, entities: readonly EntityRow[], others: readonly string[]): string[] {
    if (this.#isOverloaded(graph, entity)) return [];
    const named = new Set(others);
    const users = new Set<string>();
    const reach = this.#importers(graph, entity, named);
    for (const { entity: from, edge } of entities.flatMap(({ no }) => graph.incoming(no, ["CALLS"]))) {
      if (!named.has(from.path) || this.#isDeprecated(graph, from) || graph.file(from.path)?.test) continue;
      const sure = edge.resolution === "import" || edge.resolution === "same-file" || reach.has(from.path);
      if (sure && edge.resolution !== "ambiguous") users.add(from.path);
    }
    const own = graph.file(entity.path);
    if (own && entity.kind !== "method") {
      const definition = { name: entity.name, file: own.path, language: own.language, module: own.module };
      for (const path of reach) {
        if (!graph.file(path)?.test && this.#usesOutside(graph, path, definition)) users.add(path);
      }
    }
    return [...users].sort();
  }

  /** Whether only some of several definitions of the name are deprecated; a call does not tell which one it means. */
  #isOverloaded(graph: CodeReader, entity: EntityRow): boolean {
    const same = graph.entities(entity.file).filter(({ qualified }) => qualified === entity.qualified);
    return same.some(({ no }) => !this.#deprecated.has(no));
  }

  /** Files that name it and import its file, directly or through files that export it again. */
  #importers(graph: CodeReader, entity: EntityRow, named: ReadonlySet<string>): Set<string> {
    const found = new Set<string>();
    const sources = new Set([entity.path]);
    let open = [entity.path];
    for (let depth = 0; depth < 4 && open.length > 0; depth += 1) {
      const next: string[] = [];
      for (const path of open) {
        const row = graph.file(path);
        const root = row && graph.entities(row.no)[0];
        for (const { entity: from } of root ? graph.incoming(root.no, ["IMPORTS"]) : []) {
          if (named.has(from.path)) found.add(from.path);
          if (sources.has(from.path) || !exportsAgain(this.#source(from.path), entity.name, from.path)) continue;
          sources.add(from.path);
          next.push(from.path);
        }
      }
      open = next;
    }
    const own = graph.file(entity.path);
    // In these languages the files of a package see each other without imports.
    if (own && /^(?:go|java|kotlin|csharp)$/.test(own.language)) {
      for (const path of named) {
        const row = graph.file(path);
        const samePackage =
          own.language === "go" ? posix.dirname(path) === posix.dirname(own.path) : row?.module === own.module;
        if (row?.language === own.language && samePackage) found.add(path);
      }
    }
    return found;
  }

  /** Whether the file uses the name in code that is not deprecated itself. */
  #usesOutside(graph: CodeReader, path: string, definition: NamedDefinition): boolean {
    const row = graph.file(path);
    if (!row) return false;
    const entities = graph.entities(row.no);
    if (entities.some(({ name }) => name === definition.name)) return false;
    return usesDefinition(this.#source(path), path, definition);
  }

  /** The text of a file without the definitions in it that are deprecated themselves. */
  #source(path: string): SourceText {
    const known = this.#sources.get(path);
    if (known) return known;
    const lines = this.#text(path).split("\n");
    const row = this.#graph?.file(path);
    for (const { no, first_line: first, last_line: last } of (row && this.#graph?.entities(row.no)) ?? []) {
      if (this.#deprecated.has(no)) lines.fill("", first - 1, last);
    }
    const source = sourceText(lines.join("\n"));
    this.#sources.set(path, source);
    return source;
  }

  #isDeprecated(graph: CodeReader, entity: EntityRow): boolean {
    for (let at: EntityRow | undefined = entity; at; at = at.parent === null ? undefined : graph.entity(at.parent)) {
      if (this.#deprecated.has(at.no)) return true;
    }
    return false;
  }

  #text(path: string): string {
    const known = this.#texts.get(path) ?? readContainedText(this.#repository.root, path, MAX_FILE_BYTES) ?? "";
    this.#texts.set(path, known);
    return known;
  }
}

/** Whether, by the text, the file also declares the name without marking it as deprecated. */
function isOverloaded({ mark, name, declared }: Marked): boolean {
  if (mark.raised) return false;
  return mark.lines.some((text, i) => {
    if (declared.has(i + 1) || !text.includes(name)) return false;
    const other = declaredAt(mark.lines, i + 1);
    return other?.name === name && !other.member;
  });
}

const LANGUAGES: readonly [RegExp, string][] = [
  [/\.[cm]?[jt]sx?$/, "typescript"],
  [/\.pyi?$/, "python"],
];

function languageOf(path: string): string {
  return LANGUAGES.find(([ending]) => ending.test(path))?.[1] ?? "";
}

function exportsAgain({ imports }: SourceText, name: string, path: string): boolean {
  if (/(?:^|\/)__init__\.py$/.test(path)) return true;
  return imports.some((each) => /^\s*(?:export|pub)\b/.test(each) && (each.includes("*") || each.includes(name)));
}
