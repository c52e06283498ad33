/** Names that the blocks of a Ruby specification (RSpec, minitest) give to values: `let(:x) { … }`, `describe A do`. */

import { type Expression, firstKnown, TAG } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../../expressions/scopes.ts";
import type { OpenFile } from "../open_file.ts";

const DESCRIBES = /^[fx]?(describe|context)$/;
const SUBJECT = "subject";

/** `let(:x) { value }`, `subject(:x) { value }`, `subject { value }`. */
export function bindGiven(file: OpenFile, call: Node): void {
  const body = call.childForFieldName("block")?.childForFieldName("body");
  const symbol = call.childForFieldName("arguments")?.namedChildren[0];
  const isSubject = call.childForFieldName("method")?.text.startsWith(SUBJECT) === true;
  if (!body || (symbol ? symbol.type !== "simple_symbol" : !isSubject)) return;
  const { scope } = file.frame;
  const names = [...(symbol ? [symbol.text.slice(1)] : []), ...(isSubject ? [SUBJECT] : [])];
  for (const name of names) scope.bindValue(name, () => firstKnown([file.expressions.value(body, scope)], name));
}

/** `describe A do`: `described_class` is A, and `subject` a new one unless the block says otherwise. */
export function bindDescribed(file: OpenFile, call: Node, inner: Scope): void {
  if (!DESCRIBES.test(call.childForFieldName("method")?.text ?? "")) return;
  const [described] = call.childForFieldName("arguments")?.namedChildren ?? [];
  if (described?.type !== "constant" && described?.type !== "scope_resolution") return;
  const outer = file.frame.scope;
  const value = (): Expression | undefined => file.expressions.value(described, outer);
  inner.bindValue("described_class", value);
  inner.bindValue(SUBJECT, () => {
    const type = value();
    return type && [TAG.call, [TAG.member, type, "new"]];
  });
}
