/** Values that an expression can evaluate to, and the types of the standard libraries that hold other values. */
export type Value =
  /** A definition itself: a function, a class, a constant. */
  | { kind: "definition"; path: string; slot: number }
  /** An instance of a class, interface or type. */
  | { kind: "instance"; path: string; slot: number; of: readonly (Value | undefined)[] }
  /** A file, or the files of a package, as one value. */
  | { kind: "module"; paths: readonly string[] }
  /** A type of the language's standard library, with its type arguments. */
  | { kind: "library"; name: string; of: readonly (Value | undefined)[] }
  /** Known to come from outside the project. */
  | { kind: "outside" };

export const OUTSIDE: Value = { kind: "outside" };

const ARRAYS = new Set([
  "[]",
  "Array",
  "ReadonlyArray",
  "list",
  "List",
  "Sequence",
  "Iterable",
  "Iterator",
  "Set",
  "ReadonlySet",
  "set",
  "frozenset",
  "tuple",
  "Tuple",
  "Generator",
  "IterableIterator",
  "AsyncIterable",
  "AsyncGenerator",
  "Collection",
  "Vec",
  "deque",
  "IteratorObject",
  "MapIterator",
  "SetIterator",
  "ArrayIterator",
  "vector",
  "array",
  "span",
  "initializer_list",
  "unordered_set",
]);
const MAPS = new Set([
  "Map",
  "ReadonlyMap",
  "WeakMap",
  "dict",
  "Dict",
  "Mapping",
  "defaultdict",
  "OrderedDict",
  "HashMap",
  "Record",
  "map",
  "unordered_map",
]);
const WRAPPERS = new Set([
  "Readonly",
  "Partial",
  "Required",
  "NonNullable",
  "Awaited",
  "Pick",
  "Omit",
  "Optional",
  "Final",
  "ClassVar",
  "Annotated",
  "Exclude",
  "Extract",
  "Option",
  "Box",
  "Rc",
  "Arc",
  "Result",
  "Pin",
  "Cow",
  "RefCell",
  "Mutex",
  "RwLock",
  "unique_ptr",
  "shared_ptr",
  "weak_ptr",
  "optional",
  "reference_wrapper",
]);
const LIBRARY = new Set([...ARRAYS, ...MAPS, "Promise", "PromiseLike", "Awaitable", "Coroutine"]);
/** Methods that return a collection of the same elements. */
const SAME_ELEMENTS = new Set(
  "filter slice toSorted sort reverse toReversed concat splice with values keys toArray copy".split(" "),
);
/** Methods that return one element. */
const ONE_ELEMENT = new Set("find findLast at pop shift next get [] first last".split(" "));

/** Methods of Rust's wrappers (`Option`, `Mutex`, …) that give the value inside; wrappers count as their content. */
export const UNWRAPS: ReadonlySet<string> = new Set(
  "unwrap expect unwrap_or unwrap_or_default unwrap_or_else clone as_ref as_mut as_deref borrow borrow_mut lock ok ok_or ok_or_else map_err context with_context to_owned get_mut into_inner take".split(
    " ",
  ),
);

/** A value of a library type; undefined for an unknown name. */
export function libraryValue(name: string, of: readonly (Value | undefined)[]): Value | undefined {
  if (WRAPPERS.has(name)) return of[0];
  return LIBRARY.has(name) ? { kind: "library", name, of } : undefined;
}

export function elementOf(value: Value | undefined): Value | undefined {
  if (value?.kind !== "library") return value?.kind === "outside" ? OUTSIDE : undefined;
  if (MAPS.has(value.name)) return { kind: "library", name: "tuple", of: value.of };
  return ARRAYS.has(value.name) ? (value.of[0] ?? OUTSIDE) : undefined;
}

export function elementAt(value: Value | undefined, index: number): Value | undefined {
  if (value?.kind === "library" && value.name.toLowerCase() === "tuple") return value.of[index] ?? OUTSIDE;
  return elementOf(value);
}

export function awaited(value: Value | undefined): Value | undefined {
  if (value?.kind !== "library") return value;
  if (/^Promise|^Awaitable$/.test(value.name)) return value.of[0] ?? OUTSIDE;
  return value.name === "Coroutine" ? (value.of[2] ?? OUTSIDE) : value;
}

/** The result of a method of a library value. The methods themselves are outside the project. */
export function libraryCall(value: Extract<Value, { kind: "library" }>, method: string): Value {
  if (MAPS.has(value.name)) {
    if (method === "get" || method === "[]" || method === "setdefault" || method === "pop")
      return value.of[1] ?? OUTSIDE;
    if (method === "values") return { kind: "library", name: "[]", of: [value.of[1]] };
    if (method === "keys") return { kind: "library", name: "[]", of: [value.of[0]] };
    if (method === "entries" || method === "items") {
      return { kind: "library", name: "[]", of: [{ kind: "library", name: "tuple", of: value.of }] };
    }
    return OUTSIDE;
  }
  if (!ARRAYS.has(value.name)) return method === "then" || method === "finally" ? value : OUTSIDE;
  if (SAME_ELEMENTS.has(method)) return value;
  if (method === "entries")
    return { kind: "library", name: "[]", of: [{ kind: "library", name: "tuple", of: [undefined, value.of[0]] }] };
  return ONE_ELEMENT.has(method) ? (value.of[0] ?? OUTSIDE) : OUTSIDE;
}
