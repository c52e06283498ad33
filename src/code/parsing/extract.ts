/** From a file's text to its facts: the query's captures in the order of the text, with what encloses each. */
import type { Node, QueryMatch } from "web-tree-sitter";
import type { EntityKind } from "../../store/code.ts";
import { countLines } from "../../text/clip.ts";
import { type Expression, emptyFacts, type FileFacts } from "../facts.ts";
import type { Language } from "../languages/language.ts";
import { isTestPath } from "../test_paths.ts";
import { addDefinition, isInside, LONGEST_NAME } from "./definitions.ts";
import { commentsByLine, docBefore, docstringOf } from "./doc_comments.ts";
import { type ExpressionReader, makeExpressionReader } from "./expression_reader.ts";
import { FileImports } from "./file_imports.ts";
import { DEFINITIONS, type Item, itemOf, order, receiverType, testTitle } from "./items.ts";
import type { LoadedLanguage } from "./parser.ts";
import { type Frame, HIDDEN, Scope } from "./scopes.ts";
import { Typing } from "./typing.ts";

/** A member belongs to what it is written in directly. */
const OWNERS = new Set<EntityKind>(["class", "interface", "type", "constant", "module"]);
const CLASSES = new Set<EntityKind>(["class", "interface", "type"]);

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
  readonly #imports: FileImports;
  readonly #expressions: ExpressionReader;
  readonly #typing: Typing;
  readonly #facts: FileFacts;
  #stack: Frame[] = [];
  /** What is read when all names are known. */
  readonly #later: (() => void)[] = [];
  readonly #constants = new Set<string>();
  /** Nodes of parameters that are the instance itself. */
  readonly #selves = new Set<number>();

  constructor(language: Language, text: string, path: string) {
    this.#language = language;
    this.#text = text;
    this.#isTest = isTestPath(path);
    this.#apartReceivers = Object.values(language.nodes.calls).some((fields) => typeof fields !== "string");
    this.#facts = emptyFacts(language.name);
    this.#imports = new FileImports(language, text, this.#facts, this.#top);
    this.#expressions = makeExpressionReader(language, (call) => this.#imports.loaded(call));
    this.#typing = new Typing(language, this.#expressions);
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
    this.#facts.lines = countLines(this.#text);
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
    else if (item.receiver && name) this.#apart(item, [...receiverType(item.receiver), name.text]);
    else if (tag === "extension" && name) this.#extension(item, name.text);
    else if (tag === "hidden" && name) this.#frame.scope.bindValue(name.text, HIDDEN);
    else if (kind && name) this.#definition(kind, item, name);
    else if (tag === "variable" && name) this.#variable(item, name);
    else if (tag === "property" && name) this.#property(item, name);
    else if (tag === "parameter" && name) this.#parameter(node, name);
    else if (tag === "loop" && name) this.#loop(item, name);
    else if (tag === "alias" && name) this.#aliased(item, name);
    else if (tag === "assign" && name) this.#assigned(item, name);
    else if (tag === "scope")
      this.#open(item, this.#frame.slot, new Scope(this.#frame.scope), this.#typing.isFunction(node));
    else if (tag === "call" || tag === "new") this.#call(item);
    else if (tag === "extends" || tag === "implements") this.#base(tag, node);
    else if (tag === "return") this.#returned(item);
    else if (tag === "import") this.#imports.read(node, this.#frame.scope);
    else if (tag === "export") this.#later.push(() => this.#imports.give(node, this.#expressions));
    else if (tag === "default") this.#default(item);
    else if (tag === "package") this.#facts.module = node.text.slice(0, LONGEST_NAME);
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
    const isTest = (kind === "function" || member) && this.#language.isTest?.(node, name.text, this.#isTest);
    const real = isTest ? "test" : kind;
    const slot = this.#add(real, name.text, node);
    const self = CLASSES.has(kind) ? slot : member ? frame.slot : frame.scope.self;
    const scope = new Scope(frame.scope, self);
    if (!member) this.#bindDefinition(frame.scope, kind, name.text, slot);
    this.#open(item, slot, scope);
    const entity = this.#facts.entities[slot];
    if (!entity) return;
    if (kind === "type" || kind === "constant") this.#later.push(() => this.#typing.alias(entity, node, scope));
    else if (kind === "function" || member) this.#later.push(() => this.#typing.returns(entity, node, scope));
    if (this.#language.docstring) entity.doc = docstringOf(this.#typing.body(node));
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
    if (entity) this.#later.push(() => this.#typing.returns(entity, item.node, scope));
  }

  /** What stands inside belongs to a type of this file; of a type from elsewhere, to a part of its own. */
  #extension(item: Item, name: string): void {
    const known = this.#typeSlot(name);
    const slot = known >= 0 ? known : this.#add("class", name, item.node);
    this.#open(item, slot, new Scope(this.#frame.scope, slot));
  }

  #typeSlot(name: string): number {
    return this.#facts.entities.findIndex((each) => each.name === name && CLASSES.has(each.kind));
  }

  #add(kind: EntityKind, name: string, node: Node): number {
    const definition = { kind, name, node, body: this.#typing.body(node), parent: this.#frame.slot };
    return addDefinition(this.#facts, this.#language, this.#text, definition);
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
    return isInside(node, id, this.#language);
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
    const value = this.#typing.value(node);
    if (value && this.#typing.isFunction(value) && names.has(name.type)) {
      const slot = this.#add("function", name.text, node);
      this.#bindDefinition(frame.scope, "function", name.text, slot);
      // What the arrow function opens by itself is passed over: the name and the function are one.
      const scope = new Scope(frame.scope);
      this.#open(item, slot, scope);
      const entity = this.#facts.entities[slot];
      if (entity) this.#later.push(() => this.#typing.returns(entity, value, scope));
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
      if (entity) this.#later.push(() => this.#typing.alias(entity, node, scope));
      return;
    }
    const type = node.childForFieldName(fields.type);
    const { scope } = frame;
    this.#expressions.bind(name, scope, () => this.#typing.typed(type, value, scope));
  }

  #property(item: Item, name: Node): void {
    const { node } = item;
    if (!this.#belongs(node)) return;
    const { fields, types } = this.#language.nodes;
    const type = node.childForFieldName(fields.type);
    const value = this.#typing.value(node);
    const stated = type && types.around.has(type.type) ? type.namedChildren[0] : type;
    const method = (stated && types.functions.has(stated.type)) || (value && this.#typing.isFunction(value));
    const { slot: owner, scope } = this.#frame;
    if (!method) {
      this.#later.push(() => {
        const worth = this.#typing.typed(type, value, scope);
        if (worth) this.#facts.properties.push({ owner, name: name.text, value: worth });
      });
      return;
    }
    const slot = this.#add("method", name.text, node);
    const inner = new Scope(scope);
    this.#open(item, slot, inner);
    const entity = this.#facts.entities[slot];
    if (entity)
      this.#later.push(() =>
        this.#typing.returns(entity, value && this.#typing.isFunction(value) ? value : (stated ?? node), inner),
      );
  }

  #parameter(node: Node, name: Node): void {
    const { fields, functions } = this.#language.nodes;
    const { scope } = this.#frame;
    if (this.#selves.has(node.id)) return;
    const type = node.childForFieldName(fields.type);
    const value = this.#typing.value(node);
    this.#expressions.bind(name, scope, () => {
      const outer = scope.parent ?? scope;
      const stated = this.#typing.typed(type, value, outer);
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
      const worth = this.#typing.typed(type, value, scope);
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

  /** A name for a value: `with x as y`, `except E as e`. */
  #aliased(item: Item, name: Node): void {
    const { of, node } = item;
    const { scope } = this.#frame;
    this.#expressions.bind(name, scope, () => {
      const value = of && this.#expressions.value(of, scope);
      return value && node.parent?.type === "except_clause" ? ["w", value, []] : value;
    });
  }

  /** `this.x = …` and `self.x = …` make a member of the class. */
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
      const worth = this.#typing.typed(
        item.node.childForFieldName(nodes.fields.type),
        this.#typing.value(item.node),
        scope,
      );
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
    const calls = this.#isTest && this.#language.family === "ecmascript";
    const test = calls ? testTitle(node, callee) : undefined;
    if (test !== undefined) {
      const slot = this.#add("test", test, node);
      this.#open({ ...item, end: node.endIndex }, slot, new Scope(this.#frame.scope));
    }
    const { slot, scope } = this.#frame;
    const line = callee.endPosition.row + 1;
    this.#later.push(() => {
      if (this.#imports.loaded(node)) return;
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

  #default(item: Item): void {
    const value = item.node.childForFieldName("value");
    if (!value) return;
    const slot = this.#add(this.#typing.isFunction(value) ? "function" : "constant", "default", item.node);
    this.#facts.exports.push({ name: "default", value: ["s", slot] });
    this.#open({ ...item, node: value }, slot, new Scope(this.#frame.scope));
  }
}
