/** C++: tests that a macro defines, such as `TEST_F(Fixture, Name) {…}`: their text runs as a method of the fixture. */

import type { Node } from "../../../syntax/tree.ts";
import type { OpenFile } from "../open_file.ts";

const MACRO = /^[A-Z][A-Z0-9_]*$/;

/** The test's name, the class whose methods it can call, and a call of the macro. */
export function testMacro(file: OpenFile, node: Node, macro: Node): { name: string; self?: number } | undefined {
  if (file.language.family !== "c" || node.type !== "function_definition" || node.childForFieldName("type"))
    return undefined;
  if (!MACRO.test(macro.text) || !macro.text.includes("TEST")) return undefined;
  const given = node
    .childForFieldName("declarator")
    ?.childForFieldName("parameters")
    ?.namedChildren.map(({ text }) => text);
  if (!given || given.length === 0 || given.some((text) => !/^\w+$/.test(text))) return undefined;
  const { slot, scope } = file.frame;
  const line = macro.startPosition.row + 1;
  file.later(() => {
    const callee = scope.value(macro.text);
    if (callee) file.facts.calls.push({ from: slot, line, callee });
  });
  const self = given.length > 1 ? file.typeSlot(given[0] ?? "") : -1;
  return { name: given.join("."), ...(self < 0 ? {} : { self }) };
}
