/**
 * Long chains of calls, `builder.a().b().c()…`, of which only the last links are read. They are those of builders, whose
 * methods return the builder: a link that is too far away counts as one of the first value.
 */
import { type Expression, TAG } from "../../../expression.ts";
import type { NodeTypes } from "../../../languages/node_types.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Scope } from "../scopes.ts";

export class Chains {
  readonly #nodes: NodeTypes;
  readonly #read: (node: Node, scope: Scope) => Expression | undefined;
  /** The first value of a chain, by its links. */
  readonly #roots = new Map<number, Node>();
  /** A chain may begin with another one in brackets, which is not followed. */
  #isOpen = false;

  constructor(nodes: NodeTypes, read: (node: Node, scope: Scope) => Expression | undefined) {
    this.#nodes = nodes;
    this.#read = read;
  }

  /** The value of a link that is too far away to be read. */
  farLink(call: Node, scope: Scope): Expression | undefined {
    const link = this.#isOpen ? undefined : this.#linkOf(call);
    if (!link) return undefined;
    this.#isOpen = true;
    try {
      const of = this.#read(this.#rootOf(call), scope);
      return of && [TAG.call, [TAG.member, of, link.name]];
    } finally {
      this.#isOpen = false;
    }
  }

  #rootOf(call: Node): Node {
    const passed: Node[] = [];
    let at = call;
    let root = this.#roots.get(at.id);
    for (let link = this.#linkOf(at); !root && link; link = this.#linkOf(at)) {
      passed.push(at);
      at = link.of;
      root = this.#roots.get(at.id);
    }
    for (const each of passed) this.#roots.set(each.id, root ?? at);
    return root ?? at;
  }

  #linkOf(call: Node): { of: Node; name: string } | undefined {
    const fields = this.#nodes.calls[call.type];
    if (fields === undefined) return undefined;
    const member = typeof fields === "string" ? call.childForFieldName(fields) : call;
    const parts = typeof fields === "string" ? this.#nodes.members[member?.type ?? ""] : fields;
    const of = parts && member?.childForFieldName(parts[0]);
    const name = parts && member?.childForFieldName(parts[1])?.text;
    return of && name !== undefined ? { of, name } : undefined;
  }
}
