/** From a file's text to its facts: the query's captures in the order of the text, with what encloses each. */
import { hash } from "node:crypto";
import type { Node, QueryMatch } from "web-tree-sitter";
import type { EntityKind } from "../store/code.ts";
import { commentsByLine, docBefore, docstringOf } from "./docs.ts";
import { type ExpressionReader, makeExpressionReader } from "./expressions.ts";
import type { EntityFact, Expression, FileFacts, ImportFact } from "./facts.ts";
import type { Language } from "./languages/language.ts";
import type { LoadedLanguage } from "./parser.ts";
import { HIDDEN, Scope } from "./scopes.ts";
import { signatureOf } from "./signature.ts";

interface Item {
  tag: string;
  node: Node;
  start: number;
  end: number;
  name?: Node;
  callee?: Node;
  of?: Node;
  receiver?: Node;
}

/** What encloses the place at hand. */
interface Frame {
  end: number;
  node: number;
  scope: Scope;
  /** Slot of the definition; -1: the file. */
  slot: number;
  /** A function without a name of its own: what it returns is not what the definition around it returns. */
  anonymous: boolean;
}

const DEFINITIONS: Readonly<Record<string, EntityKind>> = {
  class: "class",
  interface: "interface",
  type: "type",
  module: "module",
  function: "function",
  method: "method",
  constant: "constant",
  test: "test",
};
/** Tags of what others can stand in. A call is one where tests are calls. */
const OPENERS = new Set([
  ...Object.keys(DEFINITIONS),
  "variable",
  "property",
  "scope",
  "default",
  "extension",
  "loose",
]);
/** A member belongs to what it is written in directly. */
const OWNERS = new Set<EntityKind>(["class", "interface", "type", "constant", "module"]);
const CLASSES = new Set<EntityKind>(["class", "interface", "type"]);
const LONGEST_NAME = 200;
const MOST_ENTITIES = 20_000;
const GETTER = /^(@[\w.]*property\b|(public |private |protected |static |override )*get\s)/;
const TEST_CALLS = /^(test|it|describe|suite|bench)(\.(only|skip|todo|each|concurrent|failing))?$/;

export function extract(loaded: LoadedLanguage, text: string, path: string): FileFacts | undefined {
  const tree = loaded.parse(text);
  if (!tree) return undefined;
  try {
    const reader = new FileReader(loaded.language, text, path);
    return reader.read(loaded.query.matches(tree.rootNode), tree.rootNode.hasError);
  } finally {
    tree.delete();
  }
}

class FileReader {
  readonly #language: Language;
  readonly #text: string;
  readonly #isTest: boolean;
  /** The grammar has the receiver of a call apart from its name. */
  readonly #apartReceivers: boolean;
  readonly #top = new Scope(undefined);
  readonly #expressions: ExpressionReader;
  readonly #facts: FileFacts;
  #stack: Frame[] = [];
  /** What is read when all names are known. */
  readonly #later: (() => void)[] = [];
  readonly #loads = new Map<number, number>();
  readonly #constants = new Set<string>();
  /** Nodes of parameters that are the instance itself. */
  readonly #selves = new Set<number>();

  constructor(language: Language, text: string, path: string) {
    this.#language = language;
    this.#text = text;
    this.#isTest = isTestPath(path);
    this.#apartReceivers = Object.values(language.nodes.calls).some((fields) => typeof fields !== "string");
    this.#expressions = makeExpressionReader(language, (call) => this.#loaded(call));
    this.#facts = {
      language: language.name,
      module: "",
      entities: [],
      properties: [],
      imports: [],
      exports: [],
      bases: [],
      calls: [],
      mentions: [],
      lines: 0,
      broken: false,
    };
  }

  read(matches: readonly QueryMatch[], broken: boolean): FileFacts {
    const items: Item[] = [];
    const comments: Node[] = [];
    for (const match of matches) {
      const item = itemOf(match);
      if (item?.tag === "comment") comments.push(item.node);
      else if (item) items.push(item);
    }
    items.sort((a, b) => a.start - b.start || b.end - a.end || order(a) - order(b));
    this.#stack = [{ end: Number.MAX_SAFE_INTEGER, node: -1, scope: this.#top, slot: -1, anonymous: false }];
    for (const item of items) {
      while ((this.#stack.at(-1) as Frame).end <= item.start) this.#stack.pop();
      this.#take(item);
    }
    for (const work of this.#later) work();
    const docs = commentsByLine(comments);
    for (const entity of this.#facts.entities) entity.doc ||= docBefore(docs, entity.first);
    this.#facts.lines = countNewlines(this.#text) + 1;
    this.#facts.broken = broken;
    return this.#facts;
  }

  get #frame(): Frame {
    return this.#stack.at(-1) as Frame;
  }

  #take(item: Item): void {
    const { tag, node, name } = item;
    const kind = DEFINITIONS[tag];
    if (tag === "loose" && name) this.#apart(item, name.text.split("::"));
    else if (item.receiver && name)
      this.#apart(item, [
        ...(item.receiver.text.match(/[\p{L}_][\p{L}\p{N}_]*(?=[^\p{L}_]*(\[.*\])?\)$)/u) ?? []).slice(0, 1),
        name.text,
      ]);
    else if (tag === "extension" && name) this.#extension(item, name.text);
    else if (tag === "hidden" && name) this.#frame.scope.bindValue(name.text, HIDDEN);
    else if (kind && name) this.#definition(kind, item, name);
    else if (tag === "variable" && name) this.#variable(item, name);
    else if (tag === "property" && name) this.#property(item, name);
    else if (tag === "parameter" && name) this.#parameter(node, name);
    else if (tag === "loop" && name) this.#loop(item, name);
    else if (tag === "alias" && name) this.#aliased(item, name);
    else if (tag === "assign" && name) this.#assigned(item, name);
    else if (tag === "scope") this.#open(item, this.#frame.slot, new Scope(this.#frame.scope), this.#isFunction(node));
    else if (tag === "call" || tag === "new") this.#call(item);
    else if (tag === "extends" || tag === "implements") this.#base(tag, node);
    else if (tag === "return") this.#returned(item);
    else if (tag === "import") this.#import(node);
    else if (tag === "export") this.#later.push(() => this.#export(node));
    else if (tag === "default") this.#default(item);
    else if (tag === "package") this.#facts.module = node.text.slice(0, LONGEST_NAME);
  }

  #isFunction(node: Node): boolean {
    return this.#language.nodes.functions.has(node.type);
  }

  #open(item: Item, slot: number, scope: Scope, anonymous = false): void {
    this.#stack.push({ end: item.end, node: item.node.id, scope, slot, anonymous });
  }

  #definition(stated: EntityKind, item: Item, name: Node): void {
    const frame = this.#frame;
    const { node } = item;
    const owner = this.#facts.entities[frame.slot]?.kind;
    // Some languages call both a function.
    const kind =
      stated === "function" && (owner === "class" || owner === "interface") && this.#belongs(node) ? "method" : stated;
    const member = kind === "method";
    if (member && !this.#belongs(node)) {
      this.#open(item, frame.slot, new Scope(frame.scope), true);
      return;
    }
    const real = this.#isTestDefinition(kind, node, name.text) ? "test" : kind;
    const slot = this.#add(real, name.text, node);
    const self = CLASSES.has(kind) ? slot : member ? frame.slot : frame.scope.self;
    const scope = new Scope(frame.scope, self);
    if (!member) this.#bindDefinition(frame.scope, kind, name.text, slot);
    this.#open(item, slot, scope);
    const entity = this.#facts.entities[slot];
    if (!entity) return;
    if (kind === "type" || kind === "constant") this.#later.push(() => this.#alias(entity, node, scope));
    else if (kind === "function" || member) this.#later.push(() => this.#returns(entity, node, scope));
    if (this.#language.docstring) entity.doc = docstringOf(this.#body(node));
    if (member && this.#language.explicitSelf) this.#bindSelf(node, scope, frame.slot, entity.signature);
  }

  /** A method that is written apart from its type, which may be in another file. */
  #apart(item: Item, names: readonly string[]): void {
    const [type = "", name = type] = names.slice(-2);
    const frame = this.#frame;
    const owner = this.#typeSlot(type);
    this.#stack.push({ ...frame, slot: owner });
    const slot = this.#add("method", name, item.node);
    this.#stack.pop();
    const entity = this.#facts.entities[slot];
    if (entity && owner < 0) entity.qualified = `${type}.${name}`;
    const scope = new Scope(frame.scope, owner);
    this.#open(item, slot, scope);
    if (entity) this.#later.push(() => this.#returns(entity, item.node, scope));
  }

  /** What stands inside belongs to a type of this file; of a type from elsewhere, to a part of its own. */
  #extension(item: Item, name: string): void {
    const known = this.#typeSlot(name);
    const slot = known >= 0 ? known : this.#add("class", name, item.node);
    this.#open(item, slot, new Scope(this.#frame.scope, slot));
  }

  #typeSlot(name: string): number {
    const found = this.#facts.entities.findIndex((each) => each.name === name && CLASSES.has(each.kind));
    return found;
  }

  /** A method, or a function inside of a class, where the language calls both a function. */
  #isTestDefinition(kind: EntityKind, node: Node, name: string): boolean {
    return (kind === "function" || kind === "method") && (this.#language.isTest?.(node, name, this.#isTest) ?? false);
  }

  #bindDefinition(scope: Scope, kind: EntityKind, name: string, slot: number): void {
    const meaning = (): Expression => ["s", slot];
    if (kind === "interface" || kind === "type") scope.bindType(name, meaning);
    else scope.bindValue(name, meaning);
    if (kind === "class" || kind === "module") scope.bindType(name, meaning);
  }

  /** Written in the class, interface or constant at hand, and not in something inside of it. */
  #belongs(node: Node): boolean {
    const { slot, node: id } = this.#frame;
    const owner = this.#facts.entities[slot];
    if (!owner || !OWNERS.has(owner.kind)) return false;
    const { around, casts, wrappers } = this.#language.nodes;
    let container = node.parent;
    while (container && wrappers.has(container.type)) container = container.parent;
    let at = container?.parent ?? null;
    while (at && (around.has(at.type) || casts.has(at.type))) at = at.parent;
    return at?.id === id || container?.id === id;
  }

  #add(kind: EntityKind, name: string, node: Node): number {
    const { entities } = this.#facts;
    if (entities.length >= MOST_ENTITIES) return -1;
    const outer = this.#outermost(node);
    const parent = this.#frame.slot;
    const above = entities[parent];
    const short = name.slice(0, LONGEST_NAME);
    const body = this.#body(node);
    entities.push({
      kind,
      name: short,
      qualified: above ? `${above.qualified}.${short}` : short,
      parent,
      exported: above
        ? above.exported && (kind === "method" || above.kind === "module") && !short.startsWith("#")
        : this.#language.isExported(node, short),
      signature: signatureOf(this.#text.slice(outer.startIndex, body?.startIndex ?? outer.endIndex), kind),
      doc: "",
      first: outer.startPosition.row + 1,
      last: outer.endPosition.row + 1,
      hash: hash("sha1", this.#text.slice(outer.startIndex, outer.endIndex), "hex").slice(0, 16),
    });
    return entities.length - 1;
  }

  #outermost(node: Node): Node {
    let outer = node;
    const { wrappers } = this.#language.nodes;
    while (outer.parent && wrappers.has(outer.parent.type)) outer = outer.parent;
    return outer;
  }

  #body(node: Node): Node | null {
    for (const field of this.#language.nodes.fields.body) {
      const body = node.childForFieldName(field);
      if (body) return body;
    }
    const value = this.#value(node);
    return value && this.#isFunction(value) ? value.childForFieldName("body") : null;
  }

  #value(node: Node): Node | null {
    for (const field of this.#language.nodes.fields.value) {
      const value = node.childForFieldName(field);
      if (value) return value;
    }
    return null;
  }

  #variable(item: Item, name: Node): void {
    const { node } = item;
    const { fields, names, members } = this.#language.nodes;
    const frame = this.#frame;
    if (members[name.type]) {
      this.#assigned(item, name);
      return;
    }
    if (this.#facts.entities[frame.slot]?.kind === "class" && names.has(name.type)) {
      this.#property(item, name);
      return;
    }
    const value = this.#value(node);
    if (value && this.#isFunction(value) && names.has(name.type)) {
      const slot = this.#add("function", name.text, node);
      this.#bindDefinition(frame.scope, "function", name.text, slot);
      // What the arrow function opens by itself is passed over: the name and the function are one.
      const scope = new Scope(frame.scope);
      this.#open(item, slot, scope);
      const entity = this.#facts.entities[slot];
      if (entity) this.#later.push(() => this.#returns(entity, value, scope));
      return;
    }
    const owner = this.#facts.entities[frame.slot];
    const atTop = frame.scope === this.#top || (owner?.kind === "module" && !frame.anonymous);
    if (atTop && names.has(name.type)) {
      // Where nothing declares a variable, the first value counts.
      if (this.#language.explicitSelf && this.#constants.has(name.text)) return;
      this.#constants.add(name.text);
      const slot = this.#add("constant", name.text, node);
      this.#bindDefinition(frame.scope, "constant", name.text, slot);
      const scope = new Scope(frame.scope);
      this.#open(item, slot, scope);
      const entity = this.#facts.entities[slot];
      if (entity) this.#later.push(() => this.#alias(entity, node, scope));
      return;
    }
    const type = node.childForFieldName(fields.type);
    const { scope } = frame;
    this.#expressions.bind(name, scope, () => this.#typed(type, value, scope));
  }

  #typed(type: Node | null, value: Node | null, scope: Scope): Expression | undefined {
    return (type && this.#expressions.type(type, scope)) ?? (value ? this.#expressions.value(value, scope) : undefined);
  }

  #property(item: Item, name: Node): void {
    const { node } = item;
    if (!this.#belongs(node)) return;
    const { fields, types } = this.#language.nodes;
    const type = node.childForFieldName(fields.type);
    const value = this.#value(node);
    const stated = type && types.around.has(type.type) ? type.namedChildren[0] : type;
    const method = (stated && types.functions.has(stated.type)) || (value && this.#isFunction(value));
    const { slot: owner, scope } = this.#frame;
    if (!method) {
      this.#later.push(() => {
        const worth = this.#typed(type, value, scope);
        if (worth) this.#facts.properties.push({ owner, name: name.text, value: worth });
      });
      return;
    }
    const slot = this.#add("method", name.text, node);
    const inner = new Scope(scope);
    this.#open(item, slot, inner);
    const entity = this.#facts.entities[slot];
    if (entity)
      this.#later.push(() => this.#returns(entity, value && this.#isFunction(value) ? value : (stated ?? node), inner));
  }

  #parameter(node: Node, name: Node): void {
    const { fields, functions } = this.#language.nodes;
    const { scope } = this.#frame;
    if (this.#selves.has(node.id)) return;
    const type = node.childForFieldName(fields.type);
    const value = this.#value(node);
    this.#expressions.bind(name, scope, () => {
      const outer = scope.parent ?? scope;
      const stated = this.#typed(type, value, outer);
      if (stated || type) return stated;
      const fn = functions.has(node.type) ? node : node.parent?.parent;
      const index = fn === node ? 0 : (node.parent?.namedChildren.findIndex((each) => each?.id === node.id) ?? 0);
      return fn ? this.#expressions.handed(fn, index, outer) : undefined;
    });
    if (this.#facts.entities[this.#frame.slot]?.name !== "constructor") return;
    const property = node.namedChildren.some(
      (each) => each?.type === "accessibility_modifier" || each?.type === "readonly",
    );
    const owner = this.#facts.entities[this.#frame.slot]?.parent ?? -1;
    if (!property || owner < 0) return;
    this.#later.push(() => {
      const worth = this.#typed(type, value, scope);
      if (worth) this.#facts.properties.push({ owner, name: name.text, value: worth });
    });
  }

  #bindSelf(node: Node, scope: Scope, owner: number, signature: string): void {
    const first = node.childForFieldName("parameters")?.namedChildren[0];
    if (first?.type !== "identifier" || /@staticmethod\b/.test(signature)) return;
    const ofClass = /@classmethod\b/.test(signature) || node.childForFieldName("name")?.text === "__new__";
    scope.bindValue(first.text, () => (ofClass ? ["s", owner] : ["t", owner]));
    this.#selves.add(first.id);
  }

  /** A name for a value: \`with x as y\`, \`except E as e\`. */
  #aliased(item: Item, name: Node): void {
    const { of, node } = item;
    const { scope } = this.#frame;
    this.#expressions.bind(name, scope, () => {
      const value = of && this.#expressions.value(of, scope);
      return value && node.parent?.type === "except_clause" ? ["w", value, []] : value;
    });
  }

  /** \`this.x = …\` and \`self.x = …\` make a member of the class. */
  #assigned(item: Item, name: Node): void {
    const { nodes } = this.#language;
    const [object, field] = nodes.members[name.type] ?? [];
    const of = object === undefined ? null : name.childForFieldName(object);
    const member = field === undefined ? undefined : name.childForFieldName(field)?.text;
    if (!of || member === undefined) return;
    const { scope } = this.#frame;
    this.#later.push(() => {
      const whose = this.#expressions.value(of, scope);
      if (whose?.[0] !== "t") return;
      const worth = this.#typed(item.node.childForFieldName(nodes.fields.type), this.#value(item.node), scope);
      if (worth) this.#facts.properties.push({ owner: whose[1], name: member, value: worth });
    });
  }

  #loop(item: Item, name: Node): void {
    const { of, node } = item;
    const { scope } = this.#frame;
    const keys = node.childForFieldName("operator")?.text === "in";
    const meaning = () => {
      const whole = of && this.#expressions.value(of, scope);
      return whole && (["e", whole] as const);
    };
    this.#expressions.bind(name, scope, keys || !of ? HIDDEN : meaning);
  }

  #call(item: Item): void {
    const { node, callee, tag } = item;
    if (!callee) return;
    const test = this.#testName(node, callee);
    if (test !== undefined) {
      const slot = this.#add("test", test, node);
      this.#open({ ...item, end: node.endIndex }, slot, new Scope(this.#frame.scope));
    }
    const { slot, scope } = this.#frame;
    const line = callee.endPosition.row + 1;
    this.#later.push(() => {
      if (this.#loaded(node)) return;
      const target = tag === "new" ? this.#expressions.value(callee, scope) : this.#callTarget(node, callee, scope);
      if (target)
        this.#facts.calls.push({ from: slot, line, callee: target, ...(tag === "new" ? { made: true } : {}) });
    });
  }

  #callTarget(node: Node, callee: Node, scope: Scope): Expression | undefined {
    if (!this.#apartReceivers) return this.#expressions.value(callee, scope);
    const whole = this.#language.nodes.calls[node.type] ? this.#expressions.value(node, scope) : undefined;
    if (whole?.[0] === "c") return whole[1];
    return this.#expressions.value(callee, scope);
  }

  #testName(node: Node, callee: Node): string | undefined {
    if (!this.#isTest || this.#language.family !== "ecmascript" || !TEST_CALLS.test(callee.text)) return undefined;
    const title = node.childForFieldName("arguments")?.namedChildren[0];
    if (title?.type !== "string" && title?.type !== "template_string") return undefined;
    return title.text.slice(1, -1).replaceAll(/\s+/g, " ");
  }

  #base(kind: "extends" | "implements", node: Node): void {
    const { slot, scope } = this.#frame;
    if (slot < 0 || !CLASSES.has(this.#facts.entities[slot]?.kind ?? "file")) return;
    this.#later.push(() => {
      const read = this.#expressions.type(node, scope) ?? this.#expressions.value(node, scope);
      const target = read?.[0] === "y" ? read[1] : read;
      if (target) this.#facts.bases.push({ slot, kind, line: node.startPosition.row + 1, target });
    });
  }

  /** What a function without a stated type returns is what one of its returns gives. */
  #returned(item: Item): void {
    const inner = this.#stack.findLast((frame) => frame.anonymous || frame.slot >= 0);
    const value = item.node;
    if (!inner || inner.anonymous) return;
    const entity = this.#facts.entities[inner.slot];
    const { scope } = this.#frame;
    if (!entity) return;
    this.#later.push(() => {
      if (entity.returns || entity.kind === "class") return;
      const worth = this.#expressions.value(value, scope);
      if (worth) entity.returns = worth;
    });
  }

  #returns(entity: EntityFact, node: Node, scope: Scope): void {
    this.#takes(entity, node, scope);
    for (const field of this.#language.nodes.fields.returns) {
      const stated = node.childForFieldName(field);
      if (!stated) continue;
      const type = this.#expressions.type(stated, scope);
      if (type) entity.returns = type;
      else entity.returns = ["n", "?"];
      break;
    }
    const body = node.childForFieldName("body");
    if (!entity.returns && node.type === "arrow_function" && body && body.type !== "statement_block") {
      const worth = this.#expressions.value(body, scope);
      if (worth) entity.returns = worth;
    }
    if (entity.returns && GETTER.test(entity.signature)) {
      entity.value = entity.returns;
    }
  }

  /** Of parameters that are functions, what those are given. */
  #takes(entity: EntityFact, node: Node, scope: Scope): void {
    const { types, fields } = this.#language.nodes;
    if (types.functions.size === 0) return;
    for (const [place, parameter] of (node.childForFieldName("parameters")?.namedChildren ?? []).entries()) {
      let stated = parameter?.childForFieldName(fields.type) ?? null;
      while (stated && (types.around.has(stated.type) || types.union.has(stated.type))) {
        const sides: (Node | null)[] = stated.namedChildren;
        stated = sides.find((side) => side && /function_type|parenthesized_type/.test(side.type)) ?? null;
      }
      if (!stated || !types.functions.has(stated.type)) continue;
      const inner = stated.childForFieldName("parameters")?.namedChildren ?? [];
      const given = inner.filter((each) => each && each.childForFieldName("pattern")?.type !== "this");
      entity.takes ??= {};
      entity.takes[place] = given.map((each) => {
        const type = each?.childForFieldName(fields.type);
        return (type && this.#expressions.type(type, scope)) ?? null;
      });
    }
  }

  #alias(entity: EntityFact, node: Node, scope: Scope): void {
    const { fields, types } = this.#language.nodes;
    const value = this.#value(node);
    if (entity.kind === "type") {
      const worth =
        value && !types.records.has(value.type) ? this.#expressions.type(value, scope.parent ?? scope) : undefined;
      if (worth) entity.value = worth;
      return;
    }
    const worth = this.#typed(node.childForFieldName(fields.type), value, scope.parent ?? scope);
    if (worth) entity.value = worth;
  }

  #default(item: Item): void {
    const value = item.node.childForFieldName("value");
    if (!value) return;
    const slot = this.#add(this.#isFunction(value) ? "function" : "constant", "default", item.node);
    this.#facts.exports.push({ name: "default", value: ["s", slot] });
    this.#open({ ...item, node: value }, slot, new Scope(this.#frame.scope));
  }

  #import(node: Node): void {
    const { scope } = this.#frame;
    this.#language.readImport?.(node, {
      add: (fact, local, at = node) => this.#addImport(fact, scope, local, at),
    });
  }

  #addImport(fact: Omit<ImportFact, "line">, scope: Scope, local: string | undefined, at: Node): number {
    const named = local !== undefined && scope === this.#top && this.#language.family === "python" ? { local } : {};
    const place = this.#facts.imports.push({ ...fact, ...named, line: at.startPosition.row + 1 }) - 1;
    if (local === undefined) return place;
    scope.bindValue(local, () => ["i", place]);
    scope.bindType(local, () => ["i", place]);
    return place;
  }

  #export(node: Node): void {
    this.#language.readExport?.(node, {
      add: (fact, local, at = node) => this.#addImport(fact, this.#top, local, at),
      give: (fact) => this.#facts.exports.push(fact),
      lookUp: (name) => this.#top.value(name) ?? ["n", name],
      expression: (value) => this.#expressions.value(value, this.#top),
    });
  }

  /** `import("x")` and `require("x")`. */
  #loaded(call: Node): { place: number; later: boolean } | undefined {
    if (this.#language.family !== "ecmascript") return undefined;
    // Most calls are none of these, and their text says so at no cost.
    const { startIndex } = call;
    if (!this.#text.startsWith("import", startIndex) && !this.#text.startsWith("require", startIndex)) return undefined;
    const callee = call.childForFieldName("function");
    if (!callee || (callee.type !== "import" && callee.text !== "require")) return undefined;
    const argument = call.childForFieldName("arguments")?.namedChildren[0];
    if (argument?.type !== "string") return undefined;
    const known = this.#loads.get(call.id);
    const place =
      known ?? this.#addImport({ source: argument.text.slice(1, -1), name: "*" }, this.#top, undefined, call);
    this.#loads.set(call.id, place);
    return { place, later: callee.type === "import" };
  }
}

function itemOf(match: QueryMatch): Item | undefined {
  let item: Item | undefined;
  let name: Node | undefined;
  let callee: Node | undefined;
  let of: Node | undefined;
  let receiver: Node | undefined;
  for (const capture of match.captures) {
    if (capture.name === "name") name = capture.node;
    else if (capture.name === "callee") callee = capture.node;
    else if (capture.name === "of") of = capture.node;
    else if (capture.name === "receiver") receiver = capture.node;
    else if (capture.name === "required") continue;
    else if (capture.name === "value") item ??= { tag: "return", node: capture.node, start: 0, end: 0 };
    else if (capture.name !== "return") item ??= { tag: capture.name, node: capture.node, start: 0, end: 0 };
  }
  if (!item) return undefined;
  // A list of parameters: each is a parameter by itself.
  if (item.tag === "parameters" && name) item = { tag: "parameter", node: name, start: 0, end: 0 };
  item.start = item.node.startIndex;
  // Asking for the end costs a call into the parser; only what others can stand in needs it.
  item.end = OPENERS.has(item.tag) ? item.node.endIndex : item.start;
  return { ...item, name, callee, of, receiver };
}

/** At the same place: what defines before what opens, and both before what is inside. */
function order({ tag }: Item): number {
  return tag === "export" || tag === "import" ? 0 : tag in DEFINITIONS ? 1 : tag === "scope" ? 2 : 3;
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** By the customs of the languages: `x.test.ts`, `test_x.py`, `x_test.go`, `FooTest.java`, anything under `tests/`. */
export function isTestPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/(^|\/)(tests?|__tests__|spec)\//.test(path)) return true;
  return /[._-](test|spec)s?\.[a-z]+$|^test_.*\.py$|_test\.(go|py|rb|c|cc|cpp)$|_spec\.rb$|Tests?\.(java|kt|cs|php)$/.test(
    name,
  );
}
