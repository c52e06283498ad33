/** Extracts the facts of a file from its text: processes the matches of the language's patterns in order, tracking the enclosing scopes. */
import type { EntityKind } from "../../../store/code.ts";
import { countLines } from "../../../text/clip.ts";
import { TAG } from "../../expression.ts";
import type { FileFacts } from "../../facts.ts";
import { type Capture, findMatches, type Match } from "../../syntax/matcher.ts";
import type { Node } from "../../syntax/tree.ts";
import { EXPORTED_OBJECT, exportedName, Scope } from "../expressions/scopes.ts";
import type { LoadedLanguage } from "../parser.ts";
import { Bindings } from "./binding/bindings.ts";
import { bindKeys, bindLoop } from "./binding/loops.ts";
import { bindAsserted, bindCase, bindEnsured, bindTyped, openChecked } from "./binding/narrowing.ts";
import { Parameters } from "./binding/parameters.ts";
import { addEmbedded, addPosition, addVariant } from "./binding/properties.ts";
import { addMacroCalls } from "./c/macro_calls.ts";
import { bindTemplate } from "./c/templates.ts";
import { testMacro } from "./c/test_macros.ts";
import { MAX_NAME_CHARS } from "./definitions.ts";
import { DetachedMethods } from "./detached_methods.ts";
import { commentsByLine, docBefore, docstringOf } from "./doc_comments.ts";
import { AssignedVariables } from "./ecmascript/assigned_variables.ts";
import { isHeldClass, nameHeld, nameInPlace } from "./ecmascript/classes_in_place.ts";
import { addInlineMember } from "./ecmascript/inline_members.ts";
import { MemberAssignments } from "./ecmascript/member_assignments.ts";
import { addObjectMember, addStated, functionOf, objectMemberScope } from "./ecmascript/object_members.ts";
import { markStatic } from "./ecmascript/static_members.ts";
import { addDefault, addExport, addModuleValue } from "./exports.ts";
import { DEFINITIONS, detachedNames, type Item, itemOf, rankOf, receiverType } from "./items.ts";
import { lambdaScope } from "./kotlin/lambdas.ts";
import { CLASSES, OpenFile } from "./open_file.ts";
import { bindTemplates } from "./php/templates.ts";
import { filledBy, filledIn } from "./python/filled.ts";
import { addFixture } from "./python/fixtures.ts";
import { openCase } from "./python/matches.ts";
import { addMetaclass } from "./python/metaclasses.ts";
import { bindClassParameters, bindFunctionParameters } from "./python/type_variables.ts";
import { addYielded } from "./python/yields.ts";
import { References } from "./references.ts";
import { blockScope } from "./ruby/blocks.ts";
import { openClause } from "./ruby/clauses.ts";
import { filledIn as filledInRuby } from "./ruby/filled.ts";
import { addAccessors, addDelegated, addSecondName, isOfClass } from "./ruby/methods.ts";
import { bindGiven } from "./ruby/specs.ts";
import { Implementations } from "./rust/implementations.ts";
import { TypeParameters } from "./type_parameters.ts";
import { Uses } from "./uses.ts";

export function extract(loaded: LoadedLanguage, text: string, path: string): FileFacts | undefined {
  const prepared = loaded.language.prepareText?.(text) ?? text;
  const found = extractFrom(loaded, prepared, text, path);
  if (found && !found.broken) return found;
  const repaired = loaded.language.repairText?.(text);
  if (repaired !== undefined) {
    const built = extractFrom(loaded, repaired, text, path);
    return definitionsIn(built) >= definitionsIn(found) * MIN_REPAIRED ? built : found;
  }
  if (prepared === text) return found;
  // The grammar cannot read all of the prepared text: the text with more definitions counts.
  const other = extractFrom(loaded, text, text, path);
  return definitionsIn(other) >= definitionsIn(found) ? other : found;
}

/** A text of a certain build has not all definitions, but those that it has are in their places. */
const MIN_REPAIRED = 0.6;

/** The grammar takes members of a class that it cannot read for variables. */
function definitionsIn(facts: FileFacts | undefined): number {
  return facts?.entities.filter(({ kind }) => kind !== "constant").length ?? 0;
}

function extractFrom(loaded: LoadedLanguage, prepared: string, text: string, path: string): FileFacts | undefined {
  const parsed = loaded.read(prepared);
  if (!parsed) return undefined;
  const reader = new FileReader(new OpenFile(loaded.language, text, path));
  return reader.read(findMatches(parsed.tree, loaded.patterns), parsed.isBroken);
}

class FileReader {
  readonly #file: OpenFile;
  readonly #assignments: MemberAssignments;
  readonly #bindings: Bindings;
  readonly #parameters: Parameters;
  readonly #typeParameters: TypeParameters;
  readonly #uses: Uses;
  readonly #references: References;
  readonly #implementations: Implementations;
  readonly #detached: DetachedMethods;

  constructor(file: OpenFile) {
    this.#file = file;
    this.#assignments = new MemberAssignments(file);
    const assigned = file.language.family === "ecmascript" ? new AssignedVariables(file.expressions) : undefined;
    this.#bindings = new Bindings(file, this.#assignments, assigned);
    this.#parameters = new Parameters(file, assigned);
    this.#typeParameters = new TypeParameters(file);
    this.#uses = new Uses(file, this.#assignments);
    this.#references = new References(file);
    this.#implementations = new Implementations(file);
    this.#detached = new DetachedMethods(file, this.#typeParameters);
  }

  read(matches: readonly Match[], broken: boolean): FileFacts {
    const items: Item[] = [];
    const uses: { node: Node; isMember: boolean }[] = [];
    const comments: Node[] = [];
    for (const match of matches) {
      const [{ name, node }] = match.captures as [Capture];
      if (name === "use" || name === "use_member") uses.push({ node, isMember: name === "use_member" });
      else if (name === "comment") comments.push(node);
      else if (name === "key") this.#references.take(node);
      else {
        const item = itemOf(match);
        if (!item) continue;
        items.push(item);
        if (item.tag !== "reassigned") this.#references.take(item.name);
        this.#references.take(item.callee);
        if (item.tag === "extends" || item.tag === "implements") this.#references.take(item.node);
      }
    }
    items.sort((a, b) => a.start - b.start || b.end - a.end || rankOf(a) - rankOf(b));
    uses.sort((a, b) => a.node.startIndex - b.node.startIndex);
    let next = 0;
    for (const item of items) {
      next = this.#addUses(uses, next, item.start);
      this.#file.leaveUntil(item.start);
      this.#take(item);
    }
    this.#addUses(uses, next, Number.POSITIVE_INFINITY);
    this.#file.finish();
    this.#assignments.finish();
    this.#references.finish();
    if (this.#file.language.family === "c") addMacroCalls(this.#file.facts, this.#file.text);
    const docs = commentsByLine(comments);
    for (const entity of this.#file.facts.entities) entity.doc ||= docBefore(docs, entity.first);
    this.#file.facts.lines = countLines(this.#file.text);
    this.#file.facts.broken = broken;
    return this.#file.facts;
  }

  /** Adds the uses before an offset, each with the definitions around it. */
  #addUses(uses: readonly { node: Node; isMember: boolean }[], from: number, before: number): number {
    let next = from;
    for (let use = uses[next]; use && use.node.startIndex < before; use = uses[next]) {
      this.#file.leaveUntil(use.node.startIndex);
      this.#references.add(use.node, use.isMember);
      next += 1;
    }
    return next;
  }

  #take(item: Item): void {
    const { tag, node, name } = item;
    const kind = DEFINITIONS[tag];
    if (tag === "detached" && name) this.#detached.add(item, detachedNames(name.text));
    else if (item.receiver && name) this.#detached.add(item, [...receiverType(item.receiver), name.text]);
    else if (tag === "extension" && name) this.#implementations.add(item, name);
    else if (tag === "hidden" && name) this.#parameters.hidden(node, name);
    else if (kind && name && !isHeldClass(node)) this.#definition(kind, item, name);
    else if (tag === "class_in_place") this.#classInPlace(item);
    else if (tag === "variable" && name) this.#bindings.variable(item, name);
    else if (tag === "property" && name) this.#bindings.property(item, name);
    else if (tag === "position") addPosition(this.#file, node);
    else if (tag === "embedded") addEmbedded(this.#file, node);
    else if (tag === "variant") addVariant(this.#file, node);
    else if (tag === "matched" && name) this.#bindings.matched(node, name);
    else if (tag === "narrowed") bindCase(this.#file, node);
    else if (tag === "checked" && item.of) openChecked(this.#file, item, item.of);
    else if (tag === "ensured") bindEnsured(this.#file, node);
    else if (tag === "reader" && name && item.of) addAccessors(this.#file, name, item.of);
    else if (tag === "second_name" && name && item.of) addSecondName(this.#file, name, item.of);
    else if (tag === "delegated") addDelegated(this.#file, node);
    else if (tag === "given") bindGiven(this.#file, node);
    else if (tag === "yield" && item.of) this.#uses.yielded(item.of);
    else if (tag === "typed" && name && item.of) bindTyped(this.#file, item, name, item.of);
    else if (tag === "parameter" && name) this.#parameters.bind(node, name);
    else if (tag === "loop" && name) bindLoop(this.#file, item, name);
    else if (tag === "keys" && name) bindKeys(this.#file, item, name);
    else if (tag === "alias" && name) this.#bindings.aliased(item, name);
    else if (tag === "reassigned" && name) this.#bindings.reassigned(item, name);
    else if (tag === "generated" && item.of) this.#uses.generated(item);
    else if (tag === "assign" && name) this.#bindings.assigned(item, name);
    else if (tag === "member_assignment" && name && item.of) this.#assignments.read(item, name, item.of);
    else if (tag === "scope") this.#file.openBlock(item, lambdaScope(this.#file, node) ?? blockScope(this.#file, node));
    else if (tag === "call" || tag === "new") {
      this.#uses.call(item);
      if (this.#file.language.assertedChecks) bindAsserted(this.#file, node);
      const filled = this.#file.language.explicitSelf ? filledBy(this.#file, node) : undefined;
      if (filled) this.#bindings.filled(filled);
    } else if (tag === "bare_call") this.#uses.bareCall(item);
    else if (tag === "token_call") this.#uses.tokenCall(item);
    else if (tag === "extends" || tag === "implements") this.#uses.base(tag, node);
    else if (tag === "metaclass") addMetaclass(this.#file, node);
    else if (tag === "case" && item.of)
      (this.#file.language.returnsLast ? openClause : openCase)(this.#file, item, item.of);
    else if (tag === "filled" && item.of) {
      const filled = this.#file.language.returnsLast
        ? filledInRuby(this.#file, node)
        : filledIn(this.#file, node, item.of);
      if (filled) this.#bindings.filled(filled);
    } else if (tag === "yielded") addYielded(this.#file, node);
    else if (tag === "return") this.#uses.returned(item);
    else if (tag === "type_parameter") this.#typeParameters.bind(node);
    else if (tag === "import") {
      this.#references.skipImport(node);
      this.#file.imports.read(node, this.#file.frame.scope);
    } else if (tag === "export") addExport(this.#file, node, this.#references);
    else if (tag === "default") addDefault(this.#file, item, this.#assignments);
    else if (tag === "module_value" && name) addModuleValue(this.#file, name.text);
    else if (tag === "declared" && name) this.#file.facts.declared.push(name.text.slice(0, MAX_NAME_CHARS));
    else if (tag === "package") this.#file.facts.module = node.text.slice(0, MAX_NAME_CHARS);
  }

  /** Ruby, C++: `class A::B` is the class B in A, and its name alone does not refer to it. */
  #isNamedByPath(slot: number, name: Node): boolean {
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

  #classInPlace(item: Item): void {
    const name = nameInPlace(item.node);
    if (!name) return;
    this.#definition("class", item, name);
    nameHeld(this.#file, item.node);
  }

  #definition(stated: EntityKind, item: Item, name: Node): void {
    const frame = this.#file.frame;
    const { node } = item;
    const owner = this.#file.facts.entities[frame.slot]?.kind;
    // Some grammars have one node type for functions and methods.
    const kind =
      stated === "function" && (owner === "class" || owner === "interface") && this.#file.belongs(node)
        ? "method"
        : stated;
    if (kind === "method" && !this.#file.belongs(node)) {
      if (!addInlineMember(this.#file, item, name) && !addObjectMember(this.#file, item, name))
        this.#file.open(item, frame.slot, objectMemberScope(this.#file, node), true);
      return;
    }
    // A function in the object that a module exports.
    const isExport = kind === "method" && frame.isObject === true && frame.slot < 0;
    const member = kind === "method" && !isExport;
    const isTest = (kind === "function" || member) && this.#file.language.isTest?.(node, name.text, this.#file.isTest);
    const real = isTest ? "test" : isExport ? "function" : kind;
    // Ruby: `define_method :x`.
    const fixture = kind === "function" ? testMacro(this.#file, node, name) : undefined;
    const text = fixture?.name ?? (name.type === "simple_symbol" ? name.text.slice(1) : name.text);
    const added = this.#file.add(fixture ? "test" : real, text, node);
    const slot = CLASSES.has(kind) ? this.#implementations.implementedBefore(added) : added;
    const isNamedByPath = this.#isNamedByPath(slot, name);
    const isType =
      CLASSES.has(kind) ||
      (kind === "module" && this.#file.language.family === "ruby") ||
      (kind === "function" && this.#isConstructor(name.text));
    const scope = new Scope(
      frame.scope,
      isType ? slot : member ? frame.slot : isExport ? EXPORTED_OBJECT : (fixture?.self ?? frame.scope.self),
      kind === "module" && this.#file.language.family === "rust",
    );
    if (node.type === "class") this.#file.expressions.shapes?.define(node, slot);
    if (isType) this.#implementations.bindSelfType(scope, slot);
    if (isExport) {
      this.#file.facts.exports.push({ name: name.text, value: [TAG.definition, slot] });
      this.#file.top.bindValue(exportedName(name.text), () => [TAG.definition, slot]);
    }
    // Ruby: a method of a module is not a name of the classes in it.
    const isOfModule = kind === "function" && owner === "module" && this.#file.language.family === "ruby";
    // Rust: a type in a trait or an implementation is named through it: `Self::Item`.
    const isOfType = kind === "type" && CLASSES.has(owner ?? "file") && this.#file.language.family === "rust";
    const isMember = member || isExport || isOfModule || isOfType || fixture !== undefined;
    if (!isMember && !isNamedByPath && !this.#implementations.isOtherForm(kind, name.text, slot))
      this.#file.bindDefinition(frame.scope, kind, name.text, slot);
    if (member && node.parent?.type === "object") addStated(this.#file, slot, node);
    this.#file.open(item, slot, scope);
    const entity = this.#file.facts.entities[slot];
    if (!entity) return;
    if (node.parent?.type === "template_declaration") bindTemplate(this.#file, node.parent, scope, CLASSES.has(kind));
    if (this.#file.language.family === "php" && CLASSES.has(kind)) bindTemplates(node, scope);
    if (this.#file.language.explicitSelf) addFixture(this.#file, entity, slot);
    if (this.#file.language.explicitSelf)
      (kind === "class" ? bindClassParameters : bindFunctionParameters)(this.#file, node, scope);
    if (this.#file.language.family === "ruby" && isOfClass(node)) entity.ofClass = true;
    if (this.#file.language.family === "ecmascript" && member) markStatic(entity, node, scope);
    if (node.type === "field_declaration" || node.type === "declaration") entity.isDeclaration = true;
    if (node.type === "preproc_function_def") entity.isMacro = true;
    if (kind === "type" || kind === "constant") this.#file.later(() => this.#file.typing.setValue(entity, node, scope));
    else if (kind === "function" || member)
      this.#file.later(() => this.#file.typing.setReturns(entity, functionOf(node), scope));
    else if (kind === "interface")
      this.#file.later(() => this.#file.typing.setCalled(entity, node.childForFieldName("body"), scope));
    const extended = this.#file.language.extendedType?.(node);
    if (extended) scope.selfMeaning = () => this.#file.expressions.type(extended, frame.scope);
    if (this.#file.language.docstring) entity.doc = docstringOf(this.#file.typing.body(node));
    if (member && this.#file.language.explicitSelf)
      this.#parameters.bindSelf(node, scope, frame.slot, entity.signature);
  }

  /** By convention: JavaScript functions that are called with `new`. */
  #isConstructor(name: string): boolean {
    return this.#file.language.family === "ecmascript" && /^\p{Lu}\p{L}*\p{Ll}/u.test(name);
  }
}
