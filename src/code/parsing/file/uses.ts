/** Reads how a file uses definitions: calls, base classes, and the values that functions return. */

import { BLOCK, type Expression, listOf, nameIn, TAG } from "../../expression.ts";
import type { Node } from "../../syntax/tree.ts";
import { calledValue } from "../expressions/calls/callees.ts";
import { argumentsOf } from "../expressions/csharp/given.ts";
import { askedFor, calleeAsked } from "../expressions/ruby/given.ts";
import { Scope } from "../expressions/scopes.ts";
import type { MemberAssignments } from "./ecmascript/member_assignments.ts";
import { type Item, testTitle } from "./items.ts";
import { CLASSES, type OpenFile } from "./open_file.ts";
import { noteBlockSelf } from "./ruby/blocks.ts";

/** Ruby: methods that run when a module or class becomes the base of another. */
const HOOK = /^(included|extended|prepended|inherited|append_features)$/;

export class Uses {
  readonly #file: OpenFile;
  readonly #assignments: MemberAssignments;
  /** The grammar has the receiver of a call in a separate field. */
  readonly #separateReceivers: boolean;

  constructor(file: OpenFile, assignments: MemberAssignments) {
    this.#file = file;
    this.#assignments = assignments;
    const { calls } = file.language.nodes;
    this.#separateReceivers = Object.values(calls).some((fields) => typeof fields !== "string");
  }

  call(item: Item): void {
    const { node, callee, tag } = item;
    if (!callee) return;
    const calls = this.#file.isTest && this.#file.language.family === "ecmascript";
    const test = calls ? testTitle(node, callee) : undefined;
    if (test !== undefined) {
      const slot = this.#file.add("test", test, node);
      this.#file.open({ ...item, end: node.endIndex }, slot, new Scope(this.#file.frame.scope));
    }
    const { slot, scope } = this.#file.frame;
    const line = callee.endPosition.row + 1;
    if (this.#file.language.family === "ruby") {
      this.#file.passed.add(node, scope);
      noteBlockSelf(this.#file, node);
    }
    if (this.#file.language.nodes.members[callee.type]) this.#file.fills?.add(node, callee, scope);
    const method = this.#file.facts.entities[slot]?.name ?? "";
    this.#file.later(() => {
      if (this.#file.imports.loadedModule(node)) return;
      if (this.#file.language.returnsLast) this.#asked(node, slot, line, scope);
      const target =
        callee.type === "super" && this.#separateReceivers && this.#file.language.returnsLast
          ? inBase(scope, method)
          : tag === "new"
            ? this.#file.expressions.created(callee, scope)
            : this.#assigned(node, this.#callTarget(node, callee, scope));
      if (!target) return;
      // C#: every value has this method, which no class can override.
      if (this.#file.language.family === "csharp" && nameIn(target) === "GetType" && argumentsOf(node).length === 0)
        return;
      const given = this.#file.language.arity?.given(node);
      const call =
        given === undefined ? { from: slot, line, callee: target } : { from: slot, line, callee: target, given };
      const isBare = this.#file.language.family === "c" && isNameInBrackets(callee);
      this.#file.facts.calls.push(tag === "new" ? { ...call, made: true } : isBare ? { ...call, bare: true } : call);
      if (target[0] === TAG.member && isLeftOf(node, "operator_assignment"))
        this.#file.facts.calls.push({ from: slot, line, callee: [TAG.member, target[1], `${target[2]}=`] });
    });
  }

  /** Ruby: `list.each(&:run)` calls a method of each element. */
  #asked(call: Node, from: number, line: number, scope: Scope): void {
    const asked = askedFor(call);
    const whole = asked === undefined ? undefined : this.#file.expressions.value(call, scope);
    if (asked !== undefined && whole?.[0] === TAG.call)
      this.#file.facts.calls.push({ from, line, callee: calleeAsked(whole[1], asked), bare: true });
  }

  /** Ruby: `a.b = c` calls the method `b=`. */
  #assigned(node: Node, target: Expression | undefined): Expression | undefined {
    if (target?.[0] !== TAG.member || !isLeftOf(node, "assignment")) return target;
    return [TAG.member, target[1], `${target[2]}=`];
  }

  /** Ruby: `yield a, b` passes values to the parameters of the block. */
  yielded(values: Node): void {
    const inner = this.#file.stack.findLast((frame) => frame.slot >= 0);
    const entity = this.#file.facts.entities[inner?.slot ?? -1];
    const { scope } = this.#file.frame;
    if (!entity) return;
    this.#file.later(() => {
      if (entity.takes?.[BLOCK]) return;
      const given = values.namedChildren.map((each) => this.#file.expressions.value(each, scope) ?? null);
      if (given.some(Boolean)) entity.takes = { ...entity.takes, [BLOCK]: given };
    });
  }

  /** A name alone calls a method unless it is bound to something. */
  bareCall({ callee }: Item): void {
    if (!callee) return;
    const { slot, scope } = this.#file.frame;
    this.#file.later(() => {
      const target = this.#file.expressions.value(callee, scope);
      // A method of the object that may run the block; a variable ends in a marked name.
      const isOther = target?.[0] === TAG.either && nameIn(target) === callee.text;
      if (!target || !(isOther || target[0] === TAG.memberOrFree || target[0] === TAG.definition)) return;
      this.#file.facts.calls.push({ from: slot, line: callee.endPosition.row + 1, callee: target, bare: true });
    });
  }

  /** A call among the arguments of a macro. */
  tokenCall({ callee }: Item): void {
    if (!callee) return;
    const { slot, scope } = this.#file.frame;
    this.#file.later(() => {
      const target = this.#file.expressions.tokens(callee, scope);
      if (target) this.#file.facts.calls.push({ from: slot, line: callee.endPosition.row + 1, callee: target });
    });
  }

  #callTarget(node: Node, callee: Node, scope: Scope): Expression | undefined {
    if (!this.#separateReceivers) return calledValue(this.#file.expressions, node, callee, scope);
    const whole = this.#file.language.nodes.calls[node.type] ? this.#file.expressions.value(node, scope) : undefined;
    if (whole?.[0] === TAG.call) return whole[1];
    // PHP: a method that is passed on.
    if (whole?.[0] === TAG.functionType && whole[2]?.[0] === TAG.call) return whole[2][1];
    if ((whole?.[0] === TAG.passedOn || whole?.[0] === TAG.mapped) && whole[1][0] === TAG.call) return whole[1][1];
    return this.#file.expressions.value(callee, scope);
  }

  /** Ruby: `class Item < self` in a class. */
  #classAround(base: Node, slot: number): Expression | undefined {
    const { entities } = this.#file.facts;
    const around = base.type === "self" ? (entities[slot]?.parent ?? -1) : -1;
    return entities[around]?.kind === "class" ? [TAG.definition, around] : undefined;
  }

  base(kind: "extends" | "implements", node: Node): void {
    if (this.#file.language.isEmptyBase?.(node)) return;
    const { scope } = this.#file.frame;
    const slot = this.#extended(this.#file.frame.slot);
    const owner = this.#file.facts.entities[slot]?.kind;
    if (owner === undefined || !(CLASSES.has(owner) || owner === "module")) return;
    if (this.#file.language.returnsLast && node.text === "Singleton")
      this.#file.facts.properties.push({ owner: slot, name: "instance", value: [TAG.instance, slot] });
    this.#file.later(() => {
      // Ruby looks for the name in the definitions around the class, like any other constant.
      const type = this.#file.language.returnsLast ? undefined : this.#file.expressions.type(node, scope);
      const read = type ?? this.#file.expressions.value(node, scope);
      const whole = read?.[0] === TAG.ofType ? wrapped(read) : undefined;
      const target = this.#classAround(node, slot) ?? (whole ? whole[1] : read);
      const given = /^(ecmascript|jvm|csharp|python|c)$/.test(this.#file.language.family) ? (whole?.[2] ?? []) : [];
      const beside =
        node.parent?.type === "extends_clause" ? this.#file.expressions.typeArguments(node.parent, scope) : [];
      const of = given.length > 0 ? given : beside;
      const base = { slot, kind, line: node.startPosition.row + 1 };
      if (target) this.#file.facts.bases.push({ ...base, target, ...(of.some(Boolean) ? { of } : {}) });
    });
  }

  /** Ruby: a module may extend each class that includes it. */
  #extended(slot: number): number {
    const entity = this.#file.facts.entities[slot];
    const isHook = this.#file.language.family === "ruby" && HOOK.test(entity?.name ?? "");
    return entity && isHook ? entity.parent : slot;
  }

  /** JavaScript: the elements of what a generator returns are the values that it yields. */
  generated({ node, of }: Item): void {
    const inner = this.#file.stack.findLast(({ anonymous, slot }) => anonymous || slot >= 0);
    const entity = inner && !inner.anonymous ? this.#file.facts.entities[inner.slot] : undefined;
    const { scope } = this.#file.frame;
    if (!entity || !of) return;
    this.#file.later(() => {
      const value = entity.returns ? undefined : this.#file.expressions.value(of, scope);
      if (value) entity.returns = node.children.some(({ type }) => type === "*") ? value : listOf(value);
    });
  }

  /** A function without a stated return type gets it from the first return with a known value. */
  returned(item: Item): void {
    const value = item.node;
    if (this.#file.language.family === "ecmascript") this.#file.expressions.closures.add(value, this.#file.frame.scope);
    // A returned function is open already.
    const inner = this.#file.stack.findLast(
      ({ node, anonymous, slot }) => node !== value.id && (anonymous || slot >= 0),
    );
    if (!inner || inner.anonymous) return;
    const entity = this.#file.facts.entities[inner.slot];
    const { scope } = this.#file.frame;
    if (!entity) return;
    if (value.type === "object" && this.#file.language.family === "ecmascript" && entity.kind === "function") {
      const made = this.#assignments.returnedObject(value, inner.slot);
      this.#file.later(() => {
        entity.returns ??= made();
      });
      return;
    }
    this.#file.later(() => {
      if (entity.returns || entity.kind === "class") return;
      const returned = this.#file.typing.returned(value, scope);
      if (returned) this.#file.typing.setResult(entity, returned);
    });
  }
}

/** TypeScript: `Pick<Base, …>` has members of `Base`. */
type OfType = Extract<Expression, readonly [typeof TAG.ofType, ...unknown[]]>;

const PARTS = /^(Pick|Omit|Partial|Required|Readonly)$/;

function wrapped(type: OfType): OfType {
  const [, head, [first]] = type;
  const isPart = head[0] === TAG.freeName && PARTS.test(head[1]);
  return isPart && first?.[0] === TAG.ofType ? first : type;
}

function isLeftOf(node: Node, type: string): boolean {
  return node.parent?.type === type && node.parent.childForFieldName("left")?.id === node.id;
}

/** Ruby: `super` calls the method of the same name in the base. */
function inBase({ self }: Scope, method: string): Expression | undefined {
  return self < 0 || method === "" ? undefined : [TAG.member, [TAG.base, self], method];
}

/** C: `(name)(x)`, which is mostly a cast. */
function isNameInBrackets(callee: Node): boolean {
  return callee.type === "parenthesized_expression" && callee.namedChildren[0]?.type === "identifier";
}
