/** How a conversation came from another one, in words. */
import type { ParentKind } from "../../conversations/model.ts";

export function kindInWords(kind: ParentKind | undefined): string {
  return kind === "abandoned" ? "abandoned branch" : (kind ?? "child");
}

export function parentInWords(parent: string, kind: ParentKind | undefined): string {
  return `${kindInWords(kind)} of ${parent}`;
}
