/** Extracts the facts of a file from its text: processes the query's matches in rankOf, tracking the enclosing scopes. */
import type { Node, QueryMatch } from "web-tree-sitter";
import type { EntityKind } from "../../store/code.ts";
import { countLines } from "../../text/clip.ts";
import { type Expression, TAG } from "../expression.ts";
import { emptyFacts, type FileFacts } from "../facts.ts";
import type { Language } from "../languages/language.ts";
import { isTestPath } from "../test_paths.ts";
import { addDefinition, isInside, MAX_NAME_CHARS } from "./definitions.ts";
import { commentsByLine, docBefore, docstringOf } from "./doc_comments.ts";
import { ExpressionReader } from "./expression_reader.ts";
import { FileImports } from "./file_imports.ts";
import { DEFINITIONS, type Item, itemOf, rankOf, receiverType, testTitle } from "./items.ts";
import { MemberAssignments } from "./member_assignments.ts";
import type { LoadedLanguage } from "./parser.ts";
import { type Frame, HIDDEN, Scope } from "./scopes.ts";
import { Typing } from "./typing.ts";

/** Kinds of definitions that can have members. */
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
  /** The grammar has the receiver of a call in a separate field. */
  readonly #separateReceivers: boolean;
  readonly #top = new Scope(undefined);
  readonly #imports: FileImports;
  readonly #expressions: ExpressionReader;
  readonly #typing: Typing;
  readonly #facts: FileFacts;
  readonly #assignments: MemberAssignments;
  #stack: Frame[] = [];
  /** Work that waits until all names of the file are bound. */
  readonly #deferred: (() => void)[] = [];
  readonly #constants = new Set<string>();
  /** Nodes of parameters that are the instance itself (Python's `self`). */
  readonly #selfParameters = new Set<number>();

  constructor(language: Language, text: string, path: string) {
    this.#language = language;
    this.#text = text;
    this.#isTest = isTestPath(path);
    this.#separateReceivers = Object.values(language.nodes.calls).some((fields) => typeof fields !== "string");
    this.#facts = emptyFacts(language.name);
    this.#imports = new FileImports(language, text, this.#facts, this.#top);
    this.#expressions = new ExpressionReader(language, this.#imports);
    this.#typing = new Typing(language, this.#expressions);
    this.#assignments = this.#memberAssignments();
  }

  read(matches: readonly QueryMatch[], broken: boolean): FileFacts {
    const items: Item[] = [];
    const comments: Node[] = [];
    for (const match of matches) {
      const item = itemOf(match);
      if (item?.tag === "comment") comments.push(item.node);
      else if (item) items.push(item);
    }
    items.sort((a, b) => a.start - b.start || b.end - a.end || rankOf(a) - rankOf(b));
    this.#stack = [{ end: Number.MAX_SAFE_INTEGER, node: -1, scope: this.#top, slot: -1, anonymous: false }];
    for (const item of items) {
      while ((this.#stack.at(-1) as Frame).end <= item.start) this.#stack.pop();
      this.#take(item);
    }
    for (const work of this.#deferred) work();
    this.#assignments.finish();
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
    if (tag === "detached" && name) this.#detachedMethod(item, name.text.split("::"));
    else if (item.receiver && name) this.#detachedMethod(item, [...receiverType(item.receiver), name.text]);
    else if (tag === "extension" && name) this.#extension(item, name.text);
    else if (tag === "hidden" && name) this.#frame.scope.bindValue(name.text, HIDDEN);
    else if (kind && name) this.#definition(kind, item, name);
    else if (tag === "variable" && name) this.#variable(item, name);
    else if (tag === "property" && name) this.#property(item, name);
    else if (tag === "parameter" && name) this.#parameter(node, name);
    else if (tag === "loop" && name) this.#loop(item, name);
    else if (tag === "alias" && name) this.#aliased(item, name);
    else if (tag === "assign" && name) this.#assigned(item, name);
    else if (tag === "member_assignment" && name && item.of) this.#assignments.read(item, name, item.of);
    else if (tag === "scope")
      this.#open(item, this.#frame.slot, new Scope(this.#frame.scope), this.#typing.isFunction(node));
    else if (tag === "call" || tag === "new") this.#call(item);
    else if (tag === "bare_call") this.#bareCall(item);
    else if (tag === "token_call") this.#tokenCall(item);
    else if (tag === "extends" || tag === "implements") this.#base(tag, node);
    else if (tag === "return") this.#returned(item);
    else if (tag === "import") this.#imports.read(node, this.#frame.scope);
    else if (tag === "export") this.#deferred.push(() => this.#imports.readExport(node, this.#expressions));
    else if (tag === "default") this.#default(item);
    else if (tag === "declared" && name) this.#facts.declared.push(name.text.slice(0, MAX_NAME_CHARS));
    else if (tag === "package") this.#facts.module = node.text.slice(0, MAX_NAME_CHARS);
  }

  #open(item: Item, slot: number, scope: Scope, anonymous = false): void {
    this.#stack.push({ end: item.end, node: item.node.id, scope, slot, anonymous });
  }

  #definition(stated: EntityKind, item: Item, name: Node): void {
    const frame = this.#frame;
    const { node } = item;
    const owner = this.#facts.entities[frame.slot]?.kind;
    // Some grammars have one node type for functions and methods.
    const kind =
      stated === "function" && (owner === "class" || owner === "interface") && this.#belongs(node) ? "method" : stated;
    if (kind === "method" && !this.#belongs(node)) {
      this.#open(item, frame.slot, new Scope(frame.scope), true);
      return;
    }
    // A function in the object that a module exports.
    const isExport = kind === "method" && frame.isObject === true && frame.slot < 0;
    const member = kind === "method" && !isExport;
    const isTest = (kind === "function" || member) && this.#language.isTest?.(node, name.text, this.#isTest);
    const real = isTest ? "test" : isExport ? "function" : kind;
    const slot = this.#add(real, name.text, node);
    const isType =
      CLASSES.has(kind) ||
      (kind === "module" && this.#language.family === "ruby") ||
      (kind === "function" && this.#isConstructor(name.text));
    const scope = new Scope(
      frame.scope,
      isType ? slot : member ? frame.slot : frame.scope.self,
      kind === "module" && this.#language.family === "rust",
    );
    if (isType) this.#bindSelfType(scope, slot);
    if (isExport) this.#facts.exports.push({ name: name.text, value: [TAG.definition, slot] });
    else if (!member) this.#bindDefinition(frame.scope, kind, name.text, slot);
    this.#open(item, slot, scope);
    const entity = this.#facts.entities[slot];
    if (!entity) return;
    if (kind === "type" || kind === "constant") this.#deferred.push(() => this.#typing.setValue(entity, node, scope));
    else if (kind === "function" || member) this.#deferred.push(() => this.#typing.setReturns(entity, node, scope));
    if (this.#language.docstring) entity.doc = docstringOf(this.#typing.body(node));
    if (member && this.#language.explicitSelf) this.#bindSelf(node, scope, frame.slot, entity.signature);
  }

  /** By convention: JavaScript functions that are called with `new`. */
  #isConstructor(name: string): boolean {
    return this.#language.family === "ecmascript" && /^\p{Lu}\p{L}*\p{Ll}/u.test(name);
  }

  /** A method written outside its type, which may be in another file. */
  #detachedMethod(item: Item, names: readonly string[]): void {
    const [type = "", name = type] = names.slice(-2);
    const frame = this.#frame;
    const owner = this.#typeSlot(type);
    const slot = this.#add("method", name, item.node, owner);
    const entity = this.#facts.entities[slot];
    if (entity && owner < 0) entity.qualified = `${type}.${name}`;
    const scope = new Scope(frame.scope, owner);
    this.#open(item, slot, scope);
    if (entity) this.#deferred.push(() => this.#typing.setReturns(entity, item.node, scope));
  }

  /** Members of an extension belong to the type if this file defines it, else to a class entry of their own. */
  #extension(item: Item, name: string): void {
    const known = this.#typeSlot(name);
    const slot = known >= 0 ? known : this.#add("class", name, item.node);
    const scope = new Scope(this.#frame.scope, slot);
    this.#bindSelfType(scope, slot);
    this.#open(item, slot, scope);
  }

  #bindSelfType(scope: Scope, slot: number): void {
    const { selfType } = this.#language;
    if (selfType === undefined) return;
    scope.bindValue(selfType, () => [TAG.definition, slot]);
    scope.bindType(selfType, () => [TAG.definition, slot]);
  }

  #typeSlot(name: string): number {
    return this.#facts.entities.findIndex((each) => each.name === name && CLASSES.has(each.kind));
  }

  #memberAssignments(): MemberAssignments {
    return new MemberAssignments({
      facts: this.#facts,
      isFunction: (node) => this.#typing.isFunction(node),
      scope: () => this.#frame.scope,
      add: (kind, name, node, owner) => this.#add(kind, name, node, owner),
      open: (item, slot, scope) => this.#open(item, slot, scope),
      openObject: (item, object, slot) => {
        const { scope } = this.#frame;
        this.#stack.push({ end: item.end, node: object.id, scope, slot, anonymous: false, isObject: true });
      },
      setReturns: (slot, fn, scope) => {
        const entity = this.#facts.entities[slot];
        if (entity) this.#deferred.push(() => this.#typing.setReturns(entity, fn, scope));
      },
      later: (work) => void this.#deferred.push(work),
      value: (node, scope) => this.#expressions.value(node, scope),
    });
  }

  #add(kind: EntityKind, name: string, node: Node, parent = this.#frame.slot): number {
    const definition = { kind, name, node, body: this.#typing.body(node), parent };
    return addDefinition(this.#facts, this.#language, this.#text, definition);
  }

  #bindDefinition(scope: Scope, kind: EntityKind, name: string, slot: number): void {
    const meaning = (): Expression => [TAG.definition, slot];
    if (kind === "interface" || kind === "type") scope.bindType(name, meaning);
    else scope.bindValue(name, meaning);
    if (kind === "class" || kind === "module") scope.bindType(name, meaning);
  }

  /** Whether the node is written directly in the current class, interface or constant. */
  #belongs(node: Node): boolean {
    const { slot, node: id, isObject } = this.#frame;
    const owner = this.#facts.entities[slot];
    if (!isObject && (!owner || !OWNERS.has(owner.kind))) return false;
    return isInside(node, id, this.#language);
  }

  #variable(item: Item, name: Node): void {
    const { node } = item;
    const { names, members } = this.#language.nodes;
    const frame = this.#frame;
    if (members[name.type]) {
      this.#assigned(item, name);
      return;
    }
    if (name.type === this.#language.instanceVariable) {
      this.#instanceVariable(name.text, this.#typing.value(node));
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
      // The variable and its arrow function are one definition, so the function's own scope is skipped.
      const scope = new Scope(frame.scope);
      this.#open(item, slot, scope);
      const entity = this.#facts.entities[slot];
      if (entity) this.#deferred.push(() => this.#typing.setReturns(entity, value, scope));
      return;
    }
    const owner = this.#facts.entities[frame.slot];
    const atTop = frame.scope === this.#top || (owner?.kind === "module" && !frame.anonymous);
    if (atTop && names.has(name.type) && !(value && this.#isRequired(value))) {
      // Python has no declarations: the first assignment counts.
      if (this.#language.explicitSelf && this.#constants.has(name.text)) return;
      this.#constants.add(name.text);
      const slot = this.#add("constant", name.text, node);
      this.#bindDefinition(frame.scope, "constant", name.text, slot);
      this.#assignments.exportDeclared(value, slot);
      const scope = new Scope(frame.scope);
      this.#open(item, slot, scope);
      const entity = this.#facts.entities[slot];
      if (entity) this.#deferred.push(() => this.#typing.setValue(entity, node, scope));
      return;
    }
    const type = this.#typing.stated(node);
    const { scope } = frame;
    this.#expressions.bind(name, scope, () => this.#typing.typed(type, value, scope));
  }

  #instanceVariable(name: string, value: Node | null): void {
    const { scope } = this.#frame;
    this.#deferred.push(() => {
      const found = scope.self < 0 || !value ? undefined : this.#expressions.value(value, scope);
      if (found) this.#facts.properties.push({ owner: scope.self, name, value: found });
    });
  }

  /** `require("x")` and `require("x").y` import a name and define none. */
  #isRequired(value: Node): boolean {
    const object = value.type === "member_expression" ? value.childForFieldName("object") : value;
    return object?.type === "call_expression" && this.#imports.loadedModule(object)?.promised === false;
  }

  #property(item: Item, name: Node): void {
    const { node } = item;
    if (!this.#belongs(node)) return;
    const { types } = this.#language.nodes;
    const type = this.#typing.stated(node);
    const value = this.#typing.value(node);
    const stated = type && types.around.has(type.type) ? type.namedChildren[0] : type;
    const method = (stated && types.functions.has(stated.type)) || (value && this.#typing.isFunction(value));
    const { slot: owner, scope } = this.#frame;
    if (!method) {
      this.#deferred.push(() => {
        const resolved = this.#typing.typed(type, value, scope);
        if (resolved) this.#facts.properties.push({ owner, name: name.text, value: resolved });
      });
      return;
    }
    const slot = this.#add("method", name.text, node);
    const inner = new Scope(scope);
    this.#open(item, slot, inner);
    const entity = this.#facts.entities[slot];
    if (entity)
      this.#deferred.push(() =>
        this.#typing.setReturns(entity, value && this.#typing.isFunction(value) ? value : (stated ?? node), inner),
      );
  }

  #parameter(node: Node, name: Node): void {
    const { fields, functions } = this.#language.nodes;
    const { scope } = this.#frame;
    if (this.#selfParameters.has(node.id)) return;
    const type = node.childForFieldName(fields.type);
    const value = this.#typing.value(node);
    this.#expressions.bind(name, scope, () => {
      const outer = scope.parent ?? scope;
      const stated = this.#typing.typed(type, value, outer);
      if (stated || type) return stated;
      const fn = functions.has(node.type) ? node : node.parent?.parent;
      const index = fn === node ? 0 : (node.parent?.namedChildren.findIndex((each) => each?.id === node.id) ?? 0);
      return fn ? this.#expressions.callbackParameter(fn, index, outer) : undefined;
    });
    if (this.#facts.entities[this.#frame.slot]?.name !== "constructor") return;
    const isProperty = node.namedChildren.some(
      (each) => each?.type === "accessibility_modifier" || each?.type === "readonly",
    );
    const owner = this.#facts.entities[this.#frame.slot]?.parent ?? -1;
    if (!isProperty || owner < 0) return;
    this.#deferred.push(() => {
      const resolved = this.#typing.typed(type, value, scope);
      if (resolved) this.#facts.properties.push({ owner, name: name.text, value: resolved });
    });
  }

  #bindSelf(node: Node, scope: Scope, owner: number, signature: string): void {
    const first = node.childForFieldName("parameters")?.namedChildren[0];
    if (first?.type !== "identifier" || /@staticmethod\b/.test(signature)) return;
    const ofClass = /@classmethod\b/.test(signature) || node.childForFieldName("name")?.text === "__new__";
    scope.bindValue(first.text, () => (ofClass ? [TAG.definition, owner] : [TAG.instance, owner]));
    this.#selfParameters.add(first.id);
  }

  /** A name for a value: `with x as y`, `except E as e`. */
  #aliased(item: Item, name: Node): void {
    const { of, node } = item;
    const { scope } = this.#frame;
    this.#expressions.bind(name, scope, () => {
      const value = of && this.#expressions.value(of, scope);
      return value && node.parent?.type === "except_clause" ? [TAG.construct, value, []] : value;
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
    this.#deferred.push(() => {
      const receiver = this.#expressions.value(of, scope);
      if (receiver?.[0] !== TAG.instance) return;
      const resolved = this.#typing.typed(
        item.node.childForFieldName(nodes.fields.type),
        this.#typing.value(item.node),
        scope,
      );
      if (resolved) this.#facts.properties.push({ owner: receiver[1], name: member, value: resolved });
    });
  }

  #loop(item: Item, name: Node): void {
    const { of, node } = item;
    const { scope } = this.#frame;
    const keys = node.childForFieldName("operator")?.text === "in";
    const meaning = () => {
      const whole = of && this.#expressions.value(of, scope);
      return whole && ([TAG.element, whole] as const);
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
    this.#deferred.push(() => {
      if (this.#imports.loadedModule(node)) return;
      const target = tag === "new" ? this.#expressions.value(callee, scope) : this.#callTarget(node, callee, scope);
      if (target)
        this.#facts.calls.push({ from: slot, line, callee: target, ...(tag === "new" ? { made: true } : {}) });
    });
  }

  /** A name alone calls a method unless it is bound to something. */
  #bareCall({ callee }: Item): void {
    if (!callee) return;
    const { slot, scope } = this.#frame;
    this.#deferred.push(() => {
      const target = this.#expressions.value(callee, scope);
      if (target?.[0] !== TAG.memberOrFree && target?.[0] !== TAG.definition) return;
      this.#facts.calls.push({ from: slot, line: callee.endPosition.row + 1, callee: target, bare: true });
    });
  }

  /** A call among the arguments of a macro. */
  #tokenCall({ callee }: Item): void {
    if (!callee) return;
    const { slot, scope } = this.#frame;
    this.#deferred.push(() => {
      const target = this.#expressions.tokens(callee, scope);
      if (target) this.#facts.calls.push({ from: slot, line: callee.endPosition.row + 1, callee: target });
    });
  }

  #callTarget(node: Node, callee: Node, scope: Scope): Expression | undefined {
    if (!this.#separateReceivers) return this.#expressions.value(callee, scope);
    const whole = this.#language.nodes.calls[node.type] ? this.#expressions.value(node, scope) : undefined;
    if (whole?.[0] === TAG.call) return whole[1];
    return this.#expressions.value(callee, scope);
  }

  #base(kind: "extends" | "implements", node: Node): void {
    const { slot, scope } = this.#frame;
    const owner = this.#facts.entities[slot]?.kind;
    if (owner === undefined || !(CLASSES.has(owner) || owner === "module")) return;
    this.#deferred.push(() => {
      const read = this.#expressions.type(node, scope) ?? this.#expressions.value(node, scope);
      const target = read?.[0] === TAG.ofType ? read[1] : read;
      if (target) this.#facts.bases.push({ slot, kind, line: node.startPosition.row + 1, target });
    });
  }

  /** A function without a stated return type gets it from the first return with a known value. */
  #returned(item: Item): void {
    const inner = this.#stack.findLast((frame) => frame.anonymous || frame.slot >= 0);
    const value = item.node;
    if (!inner || inner.anonymous) return;
    const entity = this.#facts.entities[inner.slot];
    const { scope } = this.#frame;
    if (!entity) return;
    if (value.type === "object" && this.#language.family === "ecmascript" && entity.kind === "function") {
      const made = this.#assignments.returnedObject(value, inner.slot);
      this.#deferred.push(() => {
        entity.returns ??= made;
      });
      return;
    }
    this.#deferred.push(() => {
      if (entity.returns || entity.kind === "class") return;
      const returned = this.#expressions.value(value, scope);
      if (returned) entity.returns = returned;
    });
  }

  #default(item: Item): void {
    const value = item.node.childForFieldName("value");
    if (!value) return;
    const slot = this.#add(this.#typing.isFunction(value) ? "function" : "constant", "default", item.node);
    this.#facts.exports.push({ name: "default", value: [TAG.definition, slot] });
    this.#open({ ...item, node: value }, slot, new Scope(this.#frame.scope));
  }
}
