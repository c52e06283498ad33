/** Reads a definition: adds it to the facts, binds its names, and opens its scope for what is in it. */
import type { EntityKind } from "../../../../store/code.ts";
import { TAG } from "../../../expression.ts";
import type { EntityFact } from "../../../facts.ts";
import type { Node } from "../../../syntax/tree.ts";
import { EXPORTED_OBJECT, exportedName, type Frame, Scope } from "../../expressions/scopes.ts";
import type { Parameters } from "../binding/parameters.ts";
import { bindTemplate } from "../c/templates.ts";
import { testMacro } from "../c/test_macros.ts";
import { nameHeld, nameInPlace } from "../ecmascript/classes_in_place.ts";
import { addInlineMember } from "../ecmascript/inline_members.ts";
import { addObjectMember, addStated, functionOf, objectMemberScope } from "../ecmascript/object_members.ts";
import { markStatic } from "../ecmascript/static_members.ts";
import type { Item } from "../items.ts";
import { CLASSES, type OpenFile } from "../open_file.ts";
import { bindTemplates } from "../php/templates.ts";
import { addFixture } from "../python/fixtures.ts";
import { bindClassParameters, bindFunctionParameters } from "../python/type_variables.ts";
import { isOfClass } from "../ruby/methods.ts";
import type { Implementations } from "../rust/implementations.ts";
import { docAboveBody, docstringOf } from "./doc_comments.ts";

/** A definition that has been added to the facts. */
interface Added {
  kind: EntityKind;
  node: Node;
  name: Node;
  slot: number;
  entity: EntityFact;
  /** The scope of what is in it. */
  scope: Scope;
  /** The frame of its owner: a definition, a block or the file. */
  outer: Frame;
  /** Of a class, an interface or an object. */
  isMember: boolean;
}

export class DefinitionReader {
  readonly #file: OpenFile;
  readonly #implementations: Implementations;
  readonly #parameters: Parameters;

  constructor(file: OpenFile, implementations: Implementations, parameters: Parameters) {
    this.#file = file;
    this.#implementations = implementations;
    this.#parameters = parameters;
  }

  /** A class that is written where it is used. */
  readInPlace(item: Item): void {
    const name = nameInPlace(item.node);
    if (!name) return;
    this.read("class", item, name);
    nameHeld(this.#file, item.node);
  }

  read(stated: EntityKind, item: Item, name: Node): void {
    const outer = this.#file.frame;
    const { node } = item;
    const kind = this.#kindOf(stated, node);
    if (kind === "method" && !this.#file.belongs(node)) {
      if (!addInlineMember(this.#file, item, name) && !addObjectMember(this.#file, item, name))
        this.#file.open(item, outer.slot, objectMemberScope(this.#file, node), true);
      return;
    }
    const isExport = kind === "method" && isExportedObject(outer);
    const isMember = kind === "method" && !isExport;
    const isTest =
      (kind === "function" || isMember) && this.#file.language.isTest?.(node, name.text, this.#file.isTest);
    const real = isTest ? "test" : isExport ? "function" : kind;
    const fixture = kind === "function" ? testMacro(this.#file, node, name) : undefined;
    // Ruby: `define_method :x`.
    const text = fixture?.name ?? (name.type === "simple_symbol" ? name.text.slice(1) : name.text);
    const around = this.#isWholeFile(kind, node) ? this.#aroundFunctions(outer.slot) : outer.slot;
    const added = this.#file.add(fixture ? "test" : real, text, node, around);
    const slot = CLASSES.has(kind) ? this.#implementations.implementedBefore(added) : added;
    const isNamedByPath = this.#nameByPath(slot, name);
    const scope = this.#scopeOf(kind, slot, node, name, isMember, fixture?.self);
    if (isExport) {
      this.#file.facts.exports.push({ name: name.text, value: [TAG.definition, slot] });
      this.#file.top.bindValue(exportedName(name.text), () => [TAG.definition, slot]);
    }
    const isReachedThroughOwner = kind === "method" || fixture !== undefined || this.#isOfOwner(kind, outer);
    if (!isReachedThroughOwner && !isNamedByPath && !this.#implementations.isOtherForm(kind, name.text, slot))
      this.#file.bindDefinition(around === outer.slot ? outer.scope : this.#file.top, kind, name.text, slot);
    if (isMember && node.parent?.type === "object") addStated(this.#file, slot, node);
    this.#file.open(item, slot, scope);
    const entity = this.#file.facts.entities[slot];
    if (entity) this.#describe({ kind, node, name, slot, entity, scope, outer, isMember });
  }

  /** C: a macro is a name of the whole file, and functions in functions are none: conditions of the preprocessor split blocks. */
  #isWholeFile(kind: EntityKind, { type }: Node): boolean {
    if (this.#file.language.family !== "c") return false;
    return type.startsWith("preproc_") || (kind === "function" && type === "function_definition");
  }

  #aroundFunctions(slot: number): number {
    const { entities } = this.#file.facts;
    let at = slot;
    while (entities[at]?.kind === "function") at = entities[at]?.parent ?? -1;
    return at;
  }

  /** Some grammars have one node type for functions and methods. */
  #kindOf(stated: EntityKind, node: Node): EntityKind {
    const owner = this.#file.facts.entities[this.#file.frame.slot]?.kind;
    const isInClass = owner === "class" || owner === "interface";
    return stated === "function" && isInClass && this.#file.belongs(node) ? "method" : stated;
  }

  /** Named only through what is around it. */
  #isOfOwner(kind: EntityKind, { slot }: Frame): boolean {
    const owner = this.#file.facts.entities[slot]?.kind ?? "file";
    const { family } = this.#file.language;
    // Ruby: a method of a module is not a name of the classes in it.
    if (family === "ruby") return kind === "function" && owner === "module";
    // Rust: a type in a trait or an implementation is named through it: `Self::Item`.
    return family === "rust" && kind === "type" && CLASSES.has(owner);
  }

  #scopeOf(kind: EntityKind, slot: number, node: Node, name: Node, isMember: boolean, self?: number): Scope {
    const outer = this.#file.frame;
    const { family } = this.#file.language;
    const isType =
      CLASSES.has(kind) ||
      (kind === "module" && family === "ruby") ||
      (kind === "function" && this.#isConstructor(name.text));
    const isExport = kind === "method" && !isMember;
    const around = isMember ? outer.slot : isExport ? EXPORTED_OBJECT : (self ?? outer.scope.self);
    const scope = new Scope(outer.scope, isType ? slot : around, kind === "module" && family === "rust");
    if (node.type === "class") this.#file.expressions.shapes?.define(node, slot);
    if (isType) this.#implementations.bindSelfType(scope, slot);
    return scope;
  }

  /** Ruby, C++: `class A::B` is the class B in A, and its name alone does not refer to it. */
  #nameByPath(slot: number, name: Node): boolean {
    const entity = this.#file.facts.entities[slot];
    const isPath = name.type === "scope_resolution" || name.type === "qualified_identifier";
    const names = isPath ? name.text.split("::").filter(Boolean) : [];
    const short = names.at(-1);
    if (!entity || short === undefined) return false;
    const outer = entity.qualified.slice(0, entity.qualified.length - entity.name.length);
    entity.qualified = `${outer}${names.join(".")}`;
    entity.name = short;
    return names.length > 1;
  }

  /** By convention: JavaScript functions that are called with `new`. */
  #isConstructor(name: string): boolean {
    return this.#file.language.family === "ecmascript" && /^\p{Lu}\p{L}*\p{Ll}/u.test(name);
  }

  /** Adds the definition's value, returned value, receiver and documentation. */
  #describe(added: Added): void {
    const { kind, node, slot, entity, scope, outer, isMember } = added;
    const { language, expressions, typing } = this.#file;
    this.#describeByFamily(added);
    if (node.type === "field_declaration" || node.type === "declaration") entity.isDeclaration = true;
    if (node.type === "preproc_function_def") entity.isMacro = true;
    if (kind === "type" || kind === "constant") this.#file.later(() => typing.setValue(entity, node, scope));
    else if (kind === "function" || isMember)
      this.#file.later(() => typing.setReturns(entity, functionOf(node), scope));
    else if (kind === "interface")
      this.#file.later(() => typing.setCalled(entity, node.childForFieldName("body"), scope));
    const extended = language.extendedType?.(node);
    if (extended) scope.selfMeaning = () => expressions.type(extended, outer.scope);
    if (language.docstring) entity.doc = docstringOf(typing.body(node));
    const above = language.family === "c" ? docAboveBody(typing.body(node)) : "";
    if (above !== "") this.#file.bodyDocs.set(slot, above);
    if (isMember && language.explicitSelf) this.#parameters.bindSelf(node, scope, outer.slot, entity.signature);
  }

  #describeByFamily({ kind, node, slot, entity, scope, isMember }: Added): void {
    const { family, explicitSelf } = this.#file.language;
    if (node.parent?.type === "template_declaration") bindTemplate(this.#file, node.parent, scope, CLASSES.has(kind));
    if (family === "php" && CLASSES.has(kind)) bindTemplates(node, scope);
    if (node.type === "trait_declaration") entity.isTrait = true;
    if (explicitSelf) addFixture(this.#file, entity, slot);
    if (explicitSelf) (kind === "class" ? bindClassParameters : bindFunctionParameters)(this.#file, node, scope);
    if (family === "ruby" && isOfClass(node)) entity.ofClass = true;
    if (family === "ecmascript" && isMember) markStatic(entity, node, scope);
  }
}

/** The object that a module exports: its functions are those of the module. */
function isExportedObject({ isObject, slot }: Frame): boolean {
  return isObject === true && slot < 0;
}
