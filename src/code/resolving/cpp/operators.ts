/** C++: classes whose objects forward to others, by `operator->` or `operator*`. */
import type { Members } from "../evaluating/members.ts";
import type { Value } from "../evaluating/values.ts";

type Definition = Extract<Value, { kind: "definition" }>;
type Instance = Extract<Value, { kind: "instance" }>;

/** A member of what the object stands for. */
export function pointedMember(
  members: Pick<Members, "of">,
  resultOf: (method: Definition, of: Instance["of"]) => Value | undefined,
  of: Instance,
  name: string,
  types: boolean,
): Value | undefined {
  for (const operator of ["operator->", "operator*"]) {
    const method = members.of(of, operator, false);
    const behind = method?.kind === "definition" ? resultOf(method, of.of) : undefined;
    const found = behind && behind.kind !== "outside" ? members.of(behind, name, types) : undefined;
    if (found) return found;
  }
  return undefined;
}
