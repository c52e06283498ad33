/** Python: functions of pytest whose results are the parameters of tests with their names. */
import { type Expression, FIXTURE, TAG } from "../../../expression.ts";
import type { EntityFact } from "../../../facts.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { OpenFile } from "../open_file.ts";

const DECORATOR = /(?:^|\s)@(?:\w+\.)?(?:fixture|pytest_fixture)\b(?:\([^)]{0,200}\bname\s*=\s*["'](\w{1,60})["'])?/;

/** Other functions of the file, and those in the folders below it, have its result under its name. */
export function addFixture(file: OpenFile, entity: EntityFact, slot: number): void {
  const decorated = entity.signature.includes("fixture") ? DECORATOR.exec(entity.signature) : undefined;
  if (!decorated) return;
  file.facts.exports.push({ name: FIXTURE + (decorated[1] ?? entity.name), value: [TAG.call, [TAG.definition, slot]] });
}

/** Whether the function is a fixture, whose result is then the value that it yields. */
export function isFixture({ signature }: EntityFact): boolean {
  return signature.includes("fixture") && DECORATOR.test(signature);
}

/** The value of a parameter without a type, in a file of tests. */
export function fixtureNamed(file: OpenFile, fn: Node | null | undefined, name: string): Expression | undefined {
  return file.isTest && fn?.type === "function_definition" ? [TAG.freeName, FIXTURE + name] : undefined;
}
