/** Ruby: the results of blocks and lambdas, which are those of their last statements. */
import { type Expression, hasAtMost } from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";

/** A result repeats the receiver of its call: a chain of them would grow at each step. */
const MAX_PARTS = 100;
const BLOCK = /^(?:do_)?block$/;

interface Block {
  scope: Scope;
  isRead: boolean;
  result: Expression | undefined;
}

type Read = (node: Node, scope: Scope) => Expression | undefined;

/** The blocks of each file, by its outermost scope. */
const FILES = new WeakMap<Scope, Map<number, Block>>();

/** Notes the scope in which the names of a block are bound. */
export function noteBlock(block: Node, scope: Scope): void {
  const known = FILES.get(scope.top) ?? new Map<number, Block>();
  FILES.set(scope.top, known);
  known.set(block.id, { scope, isRead: false, result: undefined });
}

/** The block that a call or a lambda has; a block itself. */
export function blockOf(node: Node): Node | undefined {
  if (BLOCK.test(node.type)) return node;
  const held = node.type === "lambda" ? node.childForFieldName("body") : node.childForFieldName("block");
  return held && BLOCK.test(held.type) ? held : undefined;
}

/** The result of a block or lambda; each is read once, and has none while it is read. */
export function blockResult(node: Node, { top }: Scope, read: Read): Expression | undefined {
  const block = blockOf(node);
  const known = block && FILES.get(top)?.get(block.id);
  const body = block?.childForFieldName("body");
  if (!known || !body || known.isRead) return known?.result;
  known.isRead = true;
  const found = read(body, known.scope);
  known.result = found && hasAtMost(found, MAX_PARTS) ? found : undefined;
  return known.result;
}
