/** Adds items to the facts of their file, by their tags. */
import type { Node } from "../../syntax/tree.ts";
import { bindKeys, bindLoop } from "./binding/loops.ts";
import { bindAsserted, bindCase, bindEnsured, bindTyped, openChecked } from "./binding/narrowing.ts";
import { addEmbedded, addPosition, addVariant } from "./binding/properties.ts";
import { MAX_NAME_CHARS } from "./definitions/definitions.ts";
import { isHeldClass } from "./ecmascript/classes_in_place.ts";
import { addDefault, addExport, addModuleValue } from "./exports.ts";
import { DEFINITIONS, detachedNames, type Item, receiverType } from "./items.ts";
import { lambdaScope } from "./kotlin/lambdas.ts";
import { filledBy, filledIn } from "./python/filled.ts";
import { openCase } from "./python/matches.ts";
import { addMetaclass } from "./python/metaclasses.ts";
import { addYielded } from "./python/yields.ts";
import type { Readers } from "./readers.ts";
import { blockScope } from "./ruby/blocks.ts";
import { openClause } from "./ruby/clauses.ts";
import { filledIn as filledInRuby } from "./ruby/filled.ts";
import { addAccessors, addDelegated, addSecondName } from "./ruby/methods.ts";
import { bindGiven } from "./ruby/specs.ts";

type ItemReader = (readers: Readers, item: Item) => void;

const ITEM_READERS: Readonly<Record<string, ItemReader>> = {
  // Definitions.
  ...Object.fromEntries(Object.keys(DEFINITIONS).map((tag) => [tag, withName(readDefinition)])),
  class_in_place: ({ definitions }, item) => definitions.readInPlace(item),
  detached: withName(({ detached }, item, name) => detached.add(item, detachedNames(name.text))),
  extension: withName(({ implementations }, item, name) => implementations.add(item, name)),
  type_parameter: ({ typeParameters }, { node }) => typeParameters.bind(node),

  // Members without a definition of their own.
  property: withName(({ fields }, item, name) => fields.property(item, name)),
  position: ({ file }, { node }) => addPosition(file, node),
  embedded: ({ file }, { node }) => addEmbedded(file, node),
  variant: ({ file }, { node }) => addVariant(file, node),
  member_assignment: withNameAndOf(({ assignments }, item, name, of) => assignments.read(item, name, of)),
  reader: withNameAndOf(({ file }, _item, name, of) => addAccessors(file, name, of)),
  second_name: withNameAndOf(({ file }, _item, name, of) => addSecondName(file, name, of)),
  delegated: ({ file }, { node }) => addDelegated(file, node),

  // Bases of classes.
  extends: ({ uses }, { node }) => uses.base("extends", node),
  implements: ({ uses }, { node }) => uses.base("implements", node),
  metaclass: ({ file }, { node }) => addMetaclass(file, node),

  // Names and the values they stand for.
  variable: withName(({ bindings }, item, name) => bindings.variable(item, name)),
  parameter: withName(({ parameters }, { node }, name) => parameters.bind(node, name)),
  hidden: withName(({ parameters }, { node }, name) => parameters.hidden(node, name)),
  alias: withName(({ bindings }, item, name) => bindings.aliased(item, name)),
  assign: withName(({ fields }, item, name) => fields.assigned(item, name)),
  reassigned: withName(({ bindings }, item, name) => bindings.reassigned(item, name)),
  loop: withName(({ file }, item, name) => bindLoop(file, item, name)),
  keys: withName(({ file }, item, name) => bindKeys(file, item, name)),
  given: ({ file }, { node }) => bindGiven(file, node),
  filled: withOf(readFilled),

  // Checks that narrow the type of a name.
  checked: withOf(({ file }, item, of) => openChecked(file, item, of)),
  case: withOf(({ file }, item, of) => (file.language.returnsLast ? openClause : openCase)(file, item, of)),
  matched: withName(({ bindings }, { node }, name) => bindings.matched(node, name)),
  narrowed: ({ file }, { node }) => bindCase(file, node),
  ensured: ({ file }, { node }) => bindEnsured(file, node),
  typed: withNameAndOf(({ file }, item, name, of) => bindTyped(file, item, name, of)),

  // Calls, and what functions give back.
  call: readCall,
  new: readCall,
  bare_call: ({ uses }, item) => uses.bareCall(item),
  token_call: ({ uses }, item) => uses.tokenCall(item),
  generated: withOf(({ uses }, item) => uses.generated(item)),
  scope: ({ file }, item) => file.openBlock(item, lambdaScope(file, item.node) ?? blockScope(file, item.node)),
  return: ({ uses }, item) => uses.returned(item),
  yield: withOf(({ uses }, _item, of) => uses.yielded(of)),
  yielded: ({ file }, { node }) => addYielded(file, node),

  // Modules.
  import: ({ file, references }, { node }) => {
    references.skipImport(node);
    file.imports.read(node, file.frame.scope);
  },
  export: ({ file, references }, { node }) => addExport(file, node, references),
  default: ({ file, assignments }, item) => addDefault(file, item, assignments),
  module_value: withName(({ file }, _item, name) => addModuleValue(file, name.text)),
  declared: withName(({ file }, _item, name) => {
    file.facts.declared.push(name.text.slice(0, MAX_NAME_CHARS));
  }),
  package: ({ file }, { node }) => {
    file.facts.module = node.text.slice(0, MAX_NAME_CHARS);
  },
};

/** Other tags only name parts that a pattern requires. */
export function readItem(readers: Readers, item: Item): void {
  ITEM_READERS[item.tag]?.(readers, item);
}

function withName(read: (readers: Readers, item: Item, name: Node) => void): ItemReader {
  return (readers, item) => {
    if (item.name) read(readers, item, item.name);
  };
}

function withOf(read: (readers: Readers, item: Item, of: Node) => void): ItemReader {
  return (readers, item) => {
    if (item.of) read(readers, item, item.of);
  };
}

function withNameAndOf(read: (readers: Readers, item: Item, name: Node, of: Node) => void): ItemReader {
  return (readers, item) => {
    if (item.name && item.of) read(readers, item, item.name, item.of);
  };
}

function readDefinition({ definitions, detached }: Readers, item: Item, name: Node): void {
  const kind = DEFINITIONS[item.tag];
  if (item.receiver) detached.add(item, [...receiverType(item.receiver), name.text]);
  else if (kind && !isHeldClass(item.node)) definitions.read(kind, item, name);
}

function readCall({ file, bindings, uses }: Readers, item: Item): void {
  uses.call(item);
  if (file.language.assertedChecks) bindAsserted(file, item.node);
  const filled = file.language.explicitSelf ? filledBy(file, item.node) : undefined;
  if (filled) bindings.filled(filled);
}

/** A collection that a statement adds to. */
function readFilled({ file, bindings }: Readers, { node }: Item, of: Node): void {
  const filled = file.language.returnsLast ? filledInRuby(file, node) : filledIn(file, node, of);
  if (filled) bindings.filled(filled);
}
