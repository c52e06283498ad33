/** Reads nodes of a syntax tree as expressions, by the language's table of node types. */

import { type Expression, FROM_TOP, type Given, memberOf, TAG, UNKNOWN } from "../../expression.ts";
import type { Language, PathReader } from "../../languages/language.ts";
import type { NodeTypes } from "../../languages/node_types.ts";
import type { Node } from "../../syntax/tree.ts";
import { MAX_NAME_CHARS } from "../file/definitions/definitions.ts";
import { callbackParameter } from "./calls/callback_parameters.ts";
import { calleeOf } from "./calls/callees.ts";
import { Chains } from "./calls/chains.ts";
import { GivenReader } from "./calls/given.ts";
import { givenBack, readersAt } from "./calls/given_back.ts";
import { childOf } from "./child_of.ts";
import { ChoiceReader } from "./choices.ts";
import { ContextReader } from "./contexts.ts";
import { CsharpGivenReader } from "./csharp/given.ts";
import { expectedDelegate } from "./csharp/implied.ts";
import { Closures, calledInPlace } from "./ecmascript/closures.ts";
import { objectValue, placedElements } from "./ecmascript/objects.ts";
import type { InlineImports } from "./inline_imports.ts";
import { namedValue } from "./names.ts";
import { ownExport } from "./own_exports.ts";
import { blockResult } from "./ruby/blocks.ts";
import { RubyGivenReader } from "./ruby/given.ts";
import { EXPORTED_OBJECT, exportedName, type Scope } from "./scopes.ts";
import { subscriptValue } from "./subscripts.ts";
import { callTypes } from "./types/call_types.ts";
import { castType } from "./types/documented_types.ts";
import { typedefsIn, typeImportsIn } from "./types/jsdoc_types.ts";
import { ShapeReader } from "./types/shapes.ts";
import { MAX_DEPTH, TypeReader } from "./types/type_reader.ts";

export class ExpressionReader {
  readonly language: Language;
  readonly #nodes: NodeTypes;
  readonly #imports: InlineImports;
  readonly #types: TypeReader;
  readonly #choices: ChoiceReader;
  readonly #chains: Chains;
  readonly #given: GivenReader | CsharpGivenReader | RubyGivenReader | undefined;
  /** JavaScript, Python: the types of functions in place. */
  readonly #functions: GivenReader | undefined;
  /** JavaScript: what functions without a name return. */
  readonly closures = new Closures();
  /** JavaScript: what the text around a function expects of it. */
  readonly contexts: ContextReader | undefined;
  /** Types without a name, in languages that tell the parameters of functions by them. */
  readonly shapes: ShapeReader | undefined;

  /** JavaScript: the types to which comments give names, and those that comments import. */
  readonly typedefs: ReadonlyMap<string, string>;
  readonly typeImports: ReadonlyMap<string, string>;

  constructor(language: Language, imports: InlineImports, text: string) {
    this.language = language;
    this.typedefs = language.name === "javascript" ? typedefsIn(text) : new Map();
    this.typeImports = language.name === "javascript" ? typeImportsIn(text) : new Map();
    this.#nodes = language.nodes;
    this.#imports = imports;
    this.#choices = new ChoiceReader(language, this);
    this.#types = new TypeReader(language, {
      value: (node, scope, depth) => this.value(node, scope, depth),
      path: (node, scope) => this.#path(node, scope),
      shape: (node, scope, depth) => this.shapes?.read(node, scope, depth),
    });
    this.#chains = new Chains(language.nodes, (node, scope) => this.value(node, scope));
    const isTyped = language.family === "ecmascript";
    this.shapes = isTyped
      ? new ShapeReader(language.nodes, (node, scope, depth) => this.#types.read(node, scope, depth))
      : undefined;
    this.contexts = isTyped ? new ContextReader(this) : undefined;
    this.#functions = isTyped || language.explicitSelf ? new GivenReader(this) : undefined;
    this.#given = language.parameterTypes
      ? new CsharpGivenReader(this)
      : language.returnsLast
        ? new RubyGivenReader(this)
        : this.#functions;
  }

  value(node: Node, scope: Scope, depth = 0): Expression | undefined {
    if (depth > MAX_DEPTH) return this.#chains.farLink(node, scope);
    const { type: kind } = node;
    if (this.language.selfNames?.has(node.text)) return scope.self < 0 ? undefined : [TAG.instance, scope.self];
    if (this.#nodes.names.has(kind))
      return node.text.length > MAX_NAME_CHARS ? undefined : namedValue(this.language, node.text, scope);
    if (this.#nodes.self.has(kind))
      return (scope.hasNarrowed ? scope.narrowed(node.text) : undefined) ?? scope.instance();
    if (this.#isBase(node)) return scope.self < 0 ? undefined : [TAG.base, scope.self];
    if (kind === this.language.instanceVariable) return this.#instanceVariable(node.text, scope);
    const member = this.#nodes.members[kind];
    if (member) return this.#path(node, scope) ?? this.#memberAccess(node, member, scope, depth);
    const call = this.#nodes.calls[kind];
    if (call !== undefined) return this.#call(node, call, scope, depth);
    const created = this.#nodes.news[kind];
    if (created !== undefined) return this.#construct(node, created, scope, depth);
    const element = this.#nodes.elements[kind];
    if (element !== undefined) return subscriptValue(this, node, element, scope, depth);
    if (this.#isAwaited(node)) return this.#awaited(node, scope, depth);
    if (this.#nodes.casts.has(kind)) return this.#cast(node, scope, depth);
    const isList = kind === "expression_list" && node.namedChildCount > 1;
    if (this.#nodes.around.has(kind) && !isList) return this.#wrapped(node, scope, depth);
    return this.#written(node, scope, depth);
  }

  #isBase(node: Node): boolean {
    const { baseName } = this.language;
    return this.#nodes.base.has(node.type) || (baseName !== undefined && node.text === baseName);
  }

  #isAwaited(node: Node): boolean {
    // Go: what a channel gives.
    const isReceived = node.type === "unary_expression" && node.firstChild?.type === "<-";
    return isReceived || this.#nodes.awaits.has(node.type);
  }

  #awaited(node: Node, scope: Scope, depth: number): Expression | undefined {
    const of = node.namedChildren[0] && this.value(node.namedChildren[0], scope, depth + 1);
    return of && [TAG.awaited, of];
  }

  #cast(node: Node, scope: Scope, depth: number): Expression | undefined {
    const [first, second] = node.namedChildren;
    const type = node.childForFieldName("type") ?? node.childForFieldName("right") ?? second;
    const object = type?.id === first?.id ? second : first;
    const stated = type && this.#types.read(type, scope, depth + 1);
    return stated ?? (object ? this.value(object, scope, depth + 1) : undefined);
  }

  /** The value in parentheses, or behind `&mut`, where it is not the first node. */
  #wrapped(node: Node, scope: Scope, depth: number): Expression | undefined {
    const inner = node.childForFieldName("value") ?? node.namedChildren[0];
    return castType(this, node, scope) ?? (inner ? this.value(inner, scope, depth + 1) : undefined);
  }

  /** A literal, a class, an object or list in place, or one of several values. */
  #written(node: Node, scope: Scope, depth: number): Expression | undefined {
    const { type: kind } = node;
    if (this.#nodes.builtIn.has(kind)) return BUILT_IN;
    if (kind === "string" && this.language.family === "php") return this.#path(node, scope);
    if (this.shapes && kind === "class") return this.shapes.definition(node);
    if (this.shapes && (kind === "object" || kind === "array")) {
      const inPlace = this.#inPlace(node, scope, depth);
      if (inPlace || kind === "object") return inPlace;
    }
    return this.#choices.value(node, scope, depth);
  }

  #inPlace(node: Node, scope: Scope, depth: number): Expression | undefined {
    const read = (each: Node) => this.#part(each, scope, depth + 1);
    return node.type === "object" ? objectValue(node, read) : placedElements(node, read);
  }

  /** JavaScript: a part of an object or list, which may be a function. */
  #part(node: Node, scope: Scope, depth: number): Expression | undefined {
    if (node.type === "method_definition" || this.#nodes.functions.has(node.type))
      return this.functionType(node, scope);
    return this.value(node, scope, depth);
  }

  /** JavaScript: a function in place, or its type with the result that it states or returns. */
  functionType(fn: Node, scope: Scope): Expression | undefined {
    return this.shapes?.definition(fn) ?? this.#functions?.functionType(fn, scope);
  }

  #instanceVariable(name: string, scope: Scope): Expression | undefined {
    const self = scope.instance();
    if (self) return [TAG.member, self, name];
    return scope.isBound(name) ? scope.value(name) : undefined;
  }

  /** The value that a stated type describes. */
  type(node: Node, scope: Scope, depth = 0): Expression | undefined {
    return this.#types.read(node, scope, depth);
  }

  typeArguments(node: Node, scope: Scope): (Expression | null)[] {
    return this.#types.arguments(node, scope, 0);
  }

  #path(node: Node, scope: Scope): Expression | undefined {
    return this.language.readPath?.(node, this.pathReader(node, scope));
  }

  importOf(index: number): { source: string; name: string } {
    return this.#imports.importOf(index);
  }

  pathReader(at: Node, scope: Scope): PathReader {
    return {
      importOf: (index) => this.#imports.importOf(index),
      modules: scope.modules,
      self: () => scope.instance(),
      lookUp: (name) => scope.value(name),
      atTop: (name) => scope.top.value(name),
      import: (source, name) => [TAG.import, this.#imports.fromPath(source, name, at)],
    };
  }

  /** The callee of a call that the grammar has only as tokens. */
  tokens(callee: Node, scope: Scope): Expression | undefined {
    return this.language.readTokens?.(callee, this.pathReader(callee, scope));
  }

  #memberAccess(node: Node, fields: readonly [string, string], scope: Scope, depth: number): Expression | undefined {
    const object = childOf(node, fields[0], 0);
    const name = this.#memberName(childOf(node, fields[1], -1));
    if (!name || name.text.length > MAX_NAME_CHARS) return undefined;
    const isShort = node.endIndex - node.startIndex <= MAX_NAME_CHARS;
    const narrowed = isShort && scope.hasNarrowed ? scope.narrowed(node.text) : undefined;
    if (narrowed) return narrowed;
    if (object && scope.self === EXPORTED_OBJECT && this.#nodes.self.has(object.type)) {
      const own = scope.value(exportedName(name.text));
      return own?.[0] === TAG.definition || own?.[0] === TAG.record ? own : [TAG.member, UNKNOWN, name.text];
    }
    if (!object) return [TAG.freeName, `${FROM_TOP}${name.text}`];
    const own = this.shapes ? ownExport(object, name.text, scope) : undefined;
    const of = own ?? this.value(object, scope, depth + 1) ?? UNKNOWN;
    // C#: `x?[0]`.
    if (name.type === "element_binding_expression") return [TAG.call, [TAG.member, of, "[]"]];
    return own ?? memberOf(of, name.text);
  }

  /** Without type arguments, and without the operator of a conditional access. */
  #memberName(node: Node | null): Node | null {
    if (!node) return null;
    const inner = this.#nodes.types.generic.has(node.type) ? node.namedChildren[0] : node.childForFieldName("name");
    return inner ?? node;
  }

  #call(node: Node, fields: string | readonly [string, string], scope: Scope, depth: number): Expression | undefined {
    const loaded = this.#imports.loadedModule(node);
    if (loaded) {
      const module = [TAG.import, loaded.index] as const;
      return loaded.promised ? [TAG.ofType, [TAG.freeName, "Promise"], [module]] : module;
    }
    const inPlace = this.shapes ? calledInPlace(node) : undefined;
    if (inPlace) return this.functionResult(inPlace, scope);
    const callee = calleeOf(this, node, fields, scope, depth);
    const isSuper = this.language.explicitSelf && callee?.[0] === TAG.freeName && callee[1] === "super";
    if (isSuper && scope.self >= 0) return [TAG.base, scope.self];
    const stated = callTypes(this.language, this.#types, this, node, callee, scope, depth);
    const given = this.#given?.read(node, callee, scope, depth, true);
    const called: Expression | undefined =
      callee &&
      (given
        ? [TAG.call, callee, stated, given]
        : stated.some(Boolean)
          ? [TAG.call, callee, stated]
          : [TAG.call, callee]);
    if (called && callee?.[0] === TAG.awaited && this.language.guardIn) return [TAG.awaited, [TAG.call, callee[1]]];
    // PHP: `$item->box(...)` is the method itself.
    const isPassed = node.childForFieldName("arguments")?.namedChildren[0]?.type === "variadic_placeholder";
    if (called && isPassed) return [TAG.functionType, [], called, null];
    return called && (givenBack(this, node, called, scope, depth) ?? called);
  }

  /** JavaScript: the result of a function that is written in place, or of one that is named; Ruby: that of a block. */
  functionResult(fn: Node, scope: Scope): Expression | undefined {
    if (this.language.returnsLast) return blockResult(fn, scope, (body, inner) => this.value(body, inner, 1));
    const type = this.#functions?.argument(fn, scope, 1);
    return type?.[0] === TAG.functionType ? (type[2] ?? undefined) : type && [TAG.call, type];
  }

  /** The class that `new` makes an instance of, without its type arguments. */
  created(type: Node, scope: Scope, depth = 0): Expression | undefined {
    const isGeneric = this.#nodes.types.generic.has(type.type);
    const named = isGeneric ? (type.childForFieldName("name") ?? type.namedChildren[0] ?? type) : type;
    // C#: a property may have the name of a type.
    const stated = this.language.parameterTypes ? this.#types.head(named, scope) : undefined;
    if (stated && stated[0] !== TAG.freeName) return stated;
    return this.value(named, scope, depth + 1) ?? this.#types.head(named, scope);
  }

  #construct(node: Node, field: string, scope: Scope, depth: number): Expression | undefined {
    const stated = childOf(node, field, 0);
    // PHP: a class without a name is one of its base.
    const base =
      stated?.type === "anonymous_class" ? stated.namedChildren.find((each) => each.type === "base_clause") : null;
    const type = base?.namedChildren[0] ?? stated;
    const created = type && this.created(type, scope, depth);
    // Go: `[]Node{}`.
    if (!created) return type ? this.#types.read(type, scope, depth + 1) : undefined;
    const isGeneric = type && this.#nodes.types.generic.has(type.type);
    const types = this.#types.arguments(isGeneric || this.language.parameterTypes ? type : node, scope, depth);
    const holder = types.length === 0 && created[0] === TAG.freeName ? this.language.libraryObject : undefined;
    const held = holder?.(String(created[1]), firstArgument(node), (each) => this.value(each, scope, depth + 1));
    if (held) return held;
    const given = types.length > 0 ? undefined : this.#given?.read(node, created, scope, depth, true);
    return given ? [TAG.construct, created, types, given] : [TAG.construct, created, types];
  }

  /** The arguments of a call, without functions whose parameters the call itself types. */
  given(call: Node, callee: Expression, scope: Scope): Given | undefined {
    return this.#given?.read(call, callee, scope, 0, false);
  }

  /** The value of a parameter of a function that is passed to a call without a stated parameter type. */
  callbackParameter(fn: Node, index: number, scope: Scope): Expression | undefined {
    if (this.language.parameterTypes) {
      const delegate = expectedDelegate(this, fn, scope);
      if (delegate) return [TAG.contextParameter, delegate, index];
    }
    const passed = this.language.lambdaParameter?.(fn, index, readersAt(this, scope, 0));
    if (passed) return passed;
    const expected = this.contexts?.parameter(fn, index, scope);
    return callbackParameter(this, fn, index, scope, expected);
  }
}

function firstArgument(node: Node): Node | undefined {
  return node.childForFieldName("arguments")?.namedChildren.find(({ type }) => type !== "comment");
}

/** A value of the language's own library. */
const BUILT_IN: Expression = [TAG.freeName, "?"];
