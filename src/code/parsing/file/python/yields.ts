import { type Expression, listOf, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { OpenFile } from "../open_file.ts";
import { isFixture } from "./fixtures.ts";

const GENERATOR = /:\s*\\?(?:Generator|iterable|Traversable|Iterator)\b/;

/** Python, PHP: the values of a generator whose result is not stated: the first known one counts. */
export function addYielded(file: OpenFile, node: Node): void {
  const inner = file.stack.findLast(({ anonymous, slot }) => anonymous || slot >= 0);
  const entity = inner?.anonymous ? undefined : file.facts.entities[inner?.slot ?? -1];
  const given = node.namedChildren[0];
  // PHP: `yield key => value`.
  const value = given?.type === "array_element_initializer" ? given.namedChildren.at(-1) : given;
  const { scope } = file.frame;
  if (!entity || !value || entity.kind === "class") return;
  const isFrom = node.children[1]?.type === "from";
  file.later(() => {
    // PHP: the stated result says only that it is a generator, unless a comment says more.
    const isGeneral = entity.returns && GENERATOR.test(entity.signature) && !isList(entity.returns);
    if (entity.returns && !isGeneral) {
      // The result that a generator states is that of a fixture only by its elements.
      if (isFixture(entity) && entity.returns[0] !== TAG.element) entity.returns = [TAG.element, entity.returns];
      return;
    }
    const found = file.expressions.value(value, scope);
    const element: Expression | undefined = found && isFrom ? [TAG.element, found] : found;
    if (element && element[0] !== TAG.freeName)
      entity.returns = isFixture(entity) ? [TAG.element, listOf(element)] : listOf(element);
  });
}

function isList(type: Expression): boolean {
  return type[0] === TAG.ofType && type[1][0] === TAG.freeName && type[1][1] === "[]";
}
