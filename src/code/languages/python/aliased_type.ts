/** Python: constants that are other names for types, type variables, and bases that only say something about types. */
import type { Node } from "../../syntax/tree.ts";

const GENERIC =
  /^(?:\w+\.)?(?:Union|Optional|List|Dict|Set|FrozenSet|Tuple|Sequence|Iterable|Iterator|Mapping|Type|list|dict|set|tuple|type)$/;
const EMPTY_BASE = /^(?:\w+\.)?(?:Generic|Protocol|ABC|object)$/;
const TYPE_VARIABLE = /^(?:\w+\.)?TypeVar$/;
const MAX_NAME_CHARS = 40;

/** `Rows = List[Row]`; the bound of `T = TypeVar("T", bound=Row)`. */
export function aliasedType(value: Node): Node | undefined {
  if (value.type === "subscript") {
    const head = value.childForFieldName("value");
    return isNamed(head, GENERIC) ? value : undefined;
  }
  if (value.type !== "call" || !isNamed(value.childForFieldName("function"), TYPE_VARIABLE)) return undefined;
  const bound = value
    .childForFieldName("arguments")
    ?.namedChildren.find(
      (each) => each.type === "keyword_argument" && each.childForFieldName("name")?.text === "bound",
    );
  return bound?.childForFieldName("value") ?? undefined;
}

/** `Generic[T]`, `typing.Protocol[T]`: they do not hide the members of the bases behind them. */
export function isEmptyBase(base: Node): boolean {
  return isNamed(base.type === "subscript" ? base.childForFieldName("value") : base, EMPTY_BASE);
}

function isNamed(node: Node | null, names: RegExp): boolean {
  return node !== null && node.endIndex - node.startIndex <= MAX_NAME_CHARS && names.test(node.text);
}
