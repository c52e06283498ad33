/** Values that an expression can evaluate to, and the types of the standard libraries that hold other values. */
import { type Expression, type FunctionType, TUPLE } from "../../expression.ts";

export type Value =
  /**
   * A definition itself: a function, a class, a constant. `unsure`: another one may be meant. `of`: for a member in
   * TypeScript, the type arguments of the type that declares it.
   */
  | {
      kind: "definition";
      path: string;
      slot: number;
      of?: readonly (Value | undefined)[];
      unsure?: true;
      also?: readonly Value[];
    }
  /** An instance of a class, interface or type. `also`: other types that it has (the bounds of a type parameter). */
  | {
      kind: "instance";
      path: string;
      slot: number;
      of: readonly (Value | undefined)[];
      also?: readonly Value[];
      /** PHP: a guess led to it. */
      unsure?: true;
    }
  /** A file, or the files of a package, as one value. */
  | { kind: "module"; paths: readonly string[] }
  /** A type of the language's standard library, with its type arguments. */
  | { kind: "library"; name: string; of: readonly (Value | undefined)[] }
  /** A value of a function type, with the arguments of the type around it. */
  | FunctionValue
  /** A value of an object type without a name. */
  | {
      kind: "record";
      path: string;
      members: readonly (readonly [string, Expression])[];
      of: readonly (Value | undefined)[];
      also?: readonly Value[];
    }
  /** Known to come from outside the project. `type`: the whole name of its type (PHP). */
  | { kind: "outside"; type?: string };

type Instance = Extract<Value, { kind: "instance" }>;
export interface FunctionValue {
  kind: "function";
  path: string;
  type: FunctionType;
  of: readonly (Value | undefined)[];
}

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
  TUPLE,
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
  "HashSet",
  "BTreeSet",
  "VecDeque",
  "BinaryHeap",
  "SmallVec",
  "ArrayVec",
  "IntoIterator",
  "DoubleEndedIterator",
  "ExactSizeIterator",
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
  "BTreeMap",
  "IndexMap",
  "LinkedHashMap",
  "FxHashMap",
  "AHashMap",
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
  "Weak",
  "Cell",
  "OnceCell",
  "NonNull",
  "ManuallyDrop",
  "MaybeUninit",
  "Poll",
  "Reverse",
  "Peekable",
  "MutexGuard",
  "Ref",
  "RefMut",
  "RwLockReadGuard",
  "RwLockWriteGuard",
  "Lazy",
  "LazyLock",
  "OnceLock",
  "LocalKey",
  "UnsafeCell",
  "unique_ptr",
  "shared_ptr",
  "weak_ptr",
  "optional",
  "reference_wrapper",
]);
/** Names of types that each stand for the next. */
const MAX_NAMES = 4;
const LIBRARY = new Set([...ARRAYS, ...MAPS, "chan", "Promise", "PromiseLike", "Awaitable", "Coroutine"]);
/** Methods that return a collection of the same elements. */
const SAME_ELEMENTS = new Set(
  `filter slice toSorted sort reverse toReversed concat splice with values keys toArray copy
   iter iter_mut into_iter rev skip take cloned copied chain peekable drain by_ref skip_while take_while step_by inspect
   __add__ __sub__ __or__ __and__ __mul__ difference intersection union symmetric_difference
   as_slice as_mut_slice to_vec to_owned clone as_ref as_mut collect borrow borrow_mut lock unwrap expect`.split(/\s+/),
);
/** Methods that return one element. */
const ONE_ELEMENT = new Set(
  `find findLast at pop shift next get [] first last get_mut first_mut last_mut nth next_back peek peek_mut pop_front
   pop_back pop_first pop_last remove max min max_by min_by nth_back front back front_mut back_mut swap_remove max_by_key min_by_key or_insert or_insert_with or_default
   popleft popitem get_nowait __next__ __anext__ __getitem__ __enter__ __aenter__`.split(/\s+/),
);
/** Rust: methods of a wrapper around a collection that give the collection. */
const HOLDS_SAME =
  /^(?:lock|read|write|borrow|borrow_mut|unwrap|expect|unwrap_or_default|unwrap_or|as_ref|as_mut|as_deref|ok|clone|cloned|to_owned)$/;
/** Rust: methods of collections whose elements are the results of a closure. */
export const MAPS_ELEMENTS = /^(map|filter_map|flat_map|find_map|fold|scan|zip|unzip|partition|sum)$/;

/** A value of a library type; undefined for an unknown name. */
export function libraryValue(name: string, of: readonly (Value | undefined)[]): Value | undefined {
  if (WRAPPERS.has(name)) return of[0];
  return LIBRARY.has(name) ? { kind: "library", name, of } : undefined;
}

export function isMap({ name }: Extract<Value, { kind: "library" }>): boolean {
  return MAPS.has(name);
}

export function isList({ name }: Extract<Value, { kind: "library" }>): boolean {
  return ARRAYS.has(name);
}

/** A value of all these types at once; types outside the project count only if there are no others. */
export function together(values: readonly (Value | undefined)[]): Value | undefined {
  const typed = values.filter((each) => each?.kind === "instance" || each?.kind === "record");
  const [first, ...also] = values.filter((each) => each?.kind === "definition");
  // JavaScript: an object that takes over the members of others has its own first.
  if (first && typed[0] && values[0] === typed[0])
    return { ...typed[0], also: [...(typed[0].also ?? []), ...typed.slice(1), first, ...also] };
  if (first) return { ...first, also: values[0]?.kind === "definition" ? [...also, ...typed] : also };
  const [main, ...others] = typed;
  const functions = values.filter((each) => each?.kind === "function");
  if (main) return { ...main, also: [...others, ...functions] };
  // TypeScript: `typeof a & typeof b`, where both are modules.
  const paths = values.flatMap((each) => (each?.kind === "module" ? each.paths : []));
  return functions[0] ?? (paths.length > 0 ? { kind: "module", paths } : values.find(Boolean));
}

export function elementOf(value: Value | undefined): Value | undefined {
  if (value?.kind !== "library") return value?.kind === "outside" ? OUTSIDE : undefined;
  if (MAPS.has(value.name)) return { kind: "library", name: TUPLE, of: value.of };
  return ARRAYS.has(value.name) ? (value.of[0] ?? OUTSIDE) : undefined;
}

/** The argument that a collection of JavaScript passes to a function for each of its elements. */
export function passedElement(
  value: Extract<Value, { kind: "library" }>,
  method: string,
  parameter: number,
): Value | undefined {
  return MAPS.has(value.name) && method === "forEach" ? value.of[1 - parameter] : elementOf(value);
}

function isTuple(name: string): boolean {
  return name === TUPLE || name.toLowerCase() === "tuple";
}

export function elementAt(value: Value | undefined, index: number): Value | undefined {
  if (value?.kind === "library" && isTuple(value.name)) return value.of[index] ?? OUTSIDE;
  // JavaScript: an object with numbers as keys.
  if (value?.kind === "library" && value.name === "Record") return value.of[1] ?? OUTSIDE;
  return elementOf(value);
}

/** Python: an element by an index; without one, any part of a tuple may be meant. */
export function indexedValue(value: Extract<Value, { kind: "library" }>, index: number | undefined): Value | undefined {
  if (MAPS.has(value.name)) return value.of[1] ?? OUTSIDE;
  if (isTuple(value.name) && index === undefined) return together(value.of) ?? OUTSIDE;
  return elementAt(value, index ?? 0) ?? OUTSIDE;
}

/** A value that is checked to be of a type: of that type, unless its known type is a subclass of it. */
export function checkedValue(
  known: Value | undefined,
  checked: Value | undefined,
  inherits: (type: Instance, other: Instance) => boolean,
): Value | undefined {
  if (known?.kind !== "instance" || checked?.kind !== "instance") return checked ?? known;
  const stated = [known, ...(known.also ?? []).filter((each) => each.kind === "instance")];
  return stated.find((each) => inherits(each, checked)) ?? checked;
}

/** Go: the list, map or channel that a named type is made of; any other value itself. */
export function underlying(value: Value | undefined): Value | undefined {
  let at = value;
  for (let steps = 0; at?.kind === "instance" && steps < MAX_NAMES; steps += 1) at = at.also?.[0];
  return at?.kind === "library" ? at : value;
}

export function awaited(value: Value | undefined): Value | undefined {
  if (value?.kind !== "library") return value;
  if (value.name === "chan") return value.of[0] ?? OUTSIDE;
  if (/^Promise|^Awaitable$/.test(value.name)) return value.of[0] ?? OUTSIDE;
  return value.name === "Coroutine" ? (value.of[2] ?? OUTSIDE) : value;
}

/** The result of a method of a library value. The methods themselves are outside the project. */
export function libraryCall(value: Extract<Value, { kind: "library" }>, method: string): Value {
  if (MAPS.has(value.name)) {
    if (/^(?:get|\[\]|setdefault|pop|get_mut|remove)$/.test(method)) return value.of[1] ?? OUTSIDE;
    if (HOLDS_SAME.test(method)) return value;
    if (method === "values" || method === "values_mut" || method === "into_values" || method === "entry")
      return { kind: "library", name: "[]", of: [value.of[1]] };
    if (method === "__or__" || method === "copy") return value;
    if (method === "keys") return { kind: "library", name: "[]", of: [value.of[0]] };
    if (/^(entries|items|iter|iter_mut|into_iter|drain)$/.test(method)) {
      return { kind: "library", name: "[]", of: [{ kind: "library", name: TUPLE, of: value.of }] };
    }
    return OUTSIDE;
  }
  if (!ARRAYS.has(value.name)) return method === "catch" || method === "finally" ? value : OUTSIDE;
  if (SAME_ELEMENTS.has(method) || HOLDS_SAME.test(method)) return value;
  if (/^(?:windows|chunks|chunks_exact|rchunks)$/.test(method)) return { kind: "library", name: "[]", of: [value] };
  if (method === "flatten" || method === "flat") {
    const [inner] = value.of;
    return inner?.kind === "library" && ARRAYS.has(inner.name) ? inner : value;
  }
  if (method === "entries" || method === "enumerate")
    return { kind: "library", name: "[]", of: [{ kind: "library", name: TUPLE, of: [undefined, value.of[0]] }] };
  return ONE_ELEMENT.has(method) ? (value.of[0] ?? OUTSIDE) : OUTSIDE;
}
