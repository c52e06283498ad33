/** What a file imports and gives on: statements, and calls that load a module. */
import type { Node } from "web-tree-sitter";
import type { FileFacts, ImportFact } from "../facts.ts";
import type { Language } from "../languages/language.ts";
import type { ExpressionReader } from "./expression_reader.ts";
import type { Scope } from "./scopes.ts";

export class FileImports {
  readonly #language: Language;
  readonly #text: string;
  readonly #facts: FileFacts;
  readonly #top: Scope;
  readonly #loads = new Map<number, number>();

  constructor(language: Language, text: string, facts: FileFacts, top: Scope) {
    this.#language = language;
    this.#text = text;
    this.#facts = facts;
    this.#top = top;
  }

  read(node: Node, scope: Scope): void {
    this.#language.readImport?.(node, {
      add: (fact, local, at = node) => this.#add(fact, scope, local, at),
    });
  }

  #add(fact: Omit<ImportFact, "line">, scope: Scope, local: string | undefined, at: Node): number {
    const named = local !== undefined && scope === this.#top && this.#language.family === "python" ? { local } : {};
    const place = this.#facts.imports.push({ ...fact, ...named, line: at.startPosition.row + 1 }) - 1;
    if (local === undefined) return place;
    scope.bindValue(local, () => ["i", place]);
    scope.bindType(local, () => ["i", place]);
    return place;
  }

  give(node: Node, expressions: ExpressionReader): void {
    this.#language.readExport?.(node, {
      add: (fact, local, at = node) => this.#add(fact, this.#top, local, at),
      give: (fact) => this.#facts.exports.push(fact),
      lookUp: (name) => this.#top.value(name) ?? ["n", name],
      expression: (value) => expressions.value(value, this.#top),
    });
  }

  /** `import("x")` and `require("x")`. */
  loaded(call: Node): { place: number; later: boolean } | undefined {
    if (this.#language.family !== "ecmascript") return undefined;
    // Most calls are none of these, and their text says so at no cost.
    const { startIndex } = call;
    if (!this.#text.startsWith("import", startIndex) && !this.#text.startsWith("require", startIndex)) return undefined;
    const callee = call.childForFieldName("function");
    if (!callee || (callee.type !== "import" && callee.text !== "require")) return undefined;
    const argument = call.childForFieldName("arguments")?.namedChildren[0];
    if (argument?.type !== "string") return undefined;
    const known = this.#loads.get(call.id);
    const place = known ?? this.#add({ source: argument.text.slice(1, -1), name: "*" }, this.#top, undefined, call);
    this.#loads.set(call.id, place);
    return { place, later: callee.type === "import" };
  }
}
