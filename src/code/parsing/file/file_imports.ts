/** Imports and exports of a file: statements, and calls that load a module. */

import { TAG } from "../../expression.ts";
import type { FileFacts, ImportFact } from "../../facts.ts";
import type { Family, Language } from "../../languages/language.ts";
import type { Node } from "../../syntax/tree.ts";
import type { ExpressionReader } from "../expressions/expression_reader.ts";
import type { Scope } from "../expressions/scopes.ts";

/** Languages in which an imported name is also a name of the file that imports it. */
const NAMES_OF_IMPORTERS: ReadonlySet<Family> = new Set(["python", "rust"]);

export class FileImports {
  readonly #language: Language;
  readonly #text: string;
  readonly #facts: FileFacts;
  readonly #top: Scope;
  readonly #fixedNames: Set<string>;
  readonly #loads = new Map<number, number>();
  /** Indexes of imports that are written as paths, by source and name. */
  readonly #paths = new Map<string, number>();

  constructor(language: Language, text: string, facts: FileFacts, top: Scope, fixedNames: Set<string>) {
    this.#language = language;
    this.#text = text;
    this.#facts = facts;
    this.#top = top;
    this.#fixedNames = fixedNames;
  }

  read(node: Node, scope: Scope): void {
    this.#language.readImport?.(node, {
      add: (fact, local, at = node) => this.#add(fact, scope, local, at),
      bind: (local, value) => {
        scope.fix(local);
        scope.bindValue(local, () => value);
        scope.bindType(local, () => value);
      },
    });
  }

  #add(fact: Omit<ImportFact, "line">, scope: Scope, local: string | undefined, at: Node): number {
    const isShared = local !== undefined && NAMES_OF_IMPORTERS.has(this.#language.family);
    const named = !isShared ? {} : scope === this.#top ? { local } : scope.modules > 0 ? { inner: local } : {};
    const source = fromModules(fact.source, scope.modules);
    const index = this.#facts.imports.push({ ...fact, source, ...named, line: at.startPosition.row + 1 }) - 1;
    if (local === undefined) return index;
    scope.fix(local);
    this.#fixedNames.add(local);
    scope.bindValue(local, () => [TAG.import, index]);
    scope.bindType(local, () => [TAG.import, index]);
    return index;
  }

  /** A name that is used by its path, without an import. */
  fromPath(source: string, name: string, at: Node): number {
    const key = `${source} ${name}`;
    const index = this.#paths.get(key) ?? this.#add({ source, name }, this.#top, undefined, at);
    this.#paths.set(key, index);
    return index;
  }

  importOf(index: number): { source: string; name: string } {
    return this.#facts.imports[index] ?? { source: "", name: "" };
  }

  readExport(node: Node, expressions: ExpressionReader): void {
    this.#language.readExport?.(node, {
      add: (fact, local, at = node) => this.#add(fact, this.#top, local, at),
      bind: (local, value) => this.#top.bindValue(local, () => value),
      addExport: (fact) => this.#facts.exports.push(fact),
      lookUp: (name) => this.#top.value(name) ?? [TAG.freeName, name],
      expression: (value) => expressions.value(value, this.#top),
    });
  }

  /** `import("x")` and `require("x")`. */
  loadedModule(call: Node): { index: number; promised: boolean } | undefined {
    if (this.#language.family === "lua") return this.#required(call);
    if (this.#language.family !== "ecmascript") return undefined;
    // Comparing the text first is cheap and rules out nearly all calls.
    const { startIndex } = call;
    if (!this.#text.startsWith("import", startIndex) && !this.#text.startsWith("require", startIndex)) return undefined;
    const callee = call.childForFieldName("function");
    if (!callee || (callee.type !== "import" && callee.text !== "require")) return undefined;
    const argument = call.childForFieldName("arguments")?.namedChildren[0];
    if (argument?.type !== "string") return undefined;
    return { index: this.#load(call, argument.text.slice(1, -1)), promised: callee.type === "import" };
  }

  /** Lua: `require("a.b")` and `require "a.b"`. */
  #required(call: Node): { index: number; promised: boolean } | undefined {
    if (!this.#text.startsWith("require", call.startIndex) || call.childForFieldName("name")?.text !== "require")
      return undefined;
    const argument = call.childForFieldName("arguments")?.namedChildren[0];
    if (argument?.type !== "string") return undefined;
    return { index: this.#load(call, argument.text.slice(1, -1).replaceAll(".", "/")), promised: false };
  }

  #load(call: Node, source: string): number {
    const index = this.#loads.get(call.id) ?? this.#add({ source, name: "*" }, this.#top, undefined, call);
    this.#loads.set(call.id, index);
    return index;
  }
}

/** Rust: the source of an import, as the file would write it outside its own modules: `super` of a module in the file is the file. */
function fromModules(source: string, modules: number): string {
  const names = modules === 0 ? [] : source.split("::");
  const ups = names.findIndex((name) => name !== "super");
  const all = ups < 0 ? names.length : ups;
  if (modules === 0 || all < modules) return source;
  const rest = names.slice(modules);
  return (rest[0] === "super" ? rest : ["self", ...rest]).join("::");
}
