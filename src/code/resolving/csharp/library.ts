/**
 * C#: values of the library's types. All lists, sets and sequences are one kind, as are all dictionaries: what their
 * methods give depends on their elements alone.
 */
import { OUTSIDE, type Value } from "../evaluating/values.ts";

export type LibraryValue = Extract<Value, { kind: "library" }>;
type Values = readonly (Value | undefined)[];

const LIST = "[]";
const TASK = "Promise";
const DICTIONARY = "IDictionary";
const PAIR = "KeyValuePair";
const GROUPING = "IGrouping";
const LOOKUP = "ILookup";
const LAZY = "Lazy<>";

const LISTS: ReadonlySet<string> = new Set(
  `[] List IList IEnumerable IReadOnlyList ICollection IReadOnlyCollection HashSet ISet IReadOnlySet SortedSet Queue Stack
   LinkedList Collection ObservableCollection ReadOnlyCollection ReadOnlyObservableCollection IQueryable IOrderedQueryable
   IOrderedEnumerable IAsyncEnumerable IEnumerator IAsyncEnumerator DbSet Span ReadOnlySpan Memory ReadOnlyMemory ArraySegment
   ConcurrentBag ConcurrentQueue ConcurrentStack BlockingCollection IProducerConsumerCollection PriorityQueue
   ImmutableArray ImmutableList IImmutableList ImmutableHashSet IImmutableSet ImmutableQueue ImmutableStack ImmutableSortedSet
   FrozenSet ParallelQuery BindingList`.split(/\s+/),
);
const DICTIONARIES: ReadonlySet<string> = new Set(
  `Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary SortedList ReadOnlyDictionary
   ImmutableDictionary IImmutableDictionary ImmutableSortedDictionary FrozenDictionary OrderedDictionary
   ConditionalWeakTable`.split(/\s+/),
);
/** Hold one value: `x.Value`, `x.Target`. */
const HOLDERS: ReadonlySet<string> = new Set(
  "Lazy ThreadLocal AsyncLocal StrongBox IOptions IOptionsSnapshot IOptionsMonitor TaskCompletionSource".split(" "),
);

/** Methods that return a sequence of the same elements. */
const SAME_ELEMENTS: ReadonlySet<string> = new Set(
  `Where OrderBy OrderByDescending ThenBy ThenByDescending Order OrderDescending Take Skip TakeWhile SkipWhile TakeLast
   SkipLast Distinct DistinctBy Reverse Concat Union UnionBy Except ExceptBy Intersect IntersectBy Append Prepend ToList
   ToArray ToHashSet AsEnumerable AsQueryable AsReadOnly AsParallel AsSequential AsOrdered AsSpan AsMemory DefaultIfEmpty
   ToImmutableList ToImmutableArray ToImmutableHashSet ToFrozenSet GetRange FindAll Include ThenInclude AsNoTracking
   AsTracking Slice GetEnumerator GetAsyncEnumerator AsAsyncEnumerable GetConsumingEnumerable WithCancellation Clone
   IgnoreQueryFilters`.split(/\s+/),
);
const ONE_ELEMENT: ReadonlySet<string> = new Set(
  `[] First FirstOrDefault Last LastOrDefault Single SingleOrDefault ElementAt ElementAtOrDefault Find FindLast MaxBy MinBy
   Dequeue Pop Peek Take`.split(/\s+/),
);
const OF_ENTITIES = /^(?:First|FirstOrDefault|Last|LastOrDefault|Single|SingleOrDefault|Find|ToList|ToArray)Async$/;

export function listValue(element: Value | undefined): Value {
  return { kind: "library", name: LIST, of: [element] };
}

export function taskValue(result: Value | undefined): Value {
  return { kind: "library", name: TASK, of: [result] };
}

export function dictionaryValue(key: Value | undefined, value: Value | undefined): Value {
  return { kind: "library", name: DICTIONARY, of: [key, value] };
}

export function groupsValue(key: Value | undefined, element: Value | undefined, isLookup: boolean): Value {
  const of = [key, element];
  return isLookup ? { kind: "library", name: LOOKUP, of } : listValue({ kind: "library", name: GROUPING, of });
}

/** A value of a library type; undefined for an unknown name. */
export function csharpValue(name: string, of: Values): Value | undefined {
  if (of.length === 0) return undefined;
  if (LISTS.has(name)) return { kind: "library", name: LIST, of: of.slice(0, 1) };
  if (DICTIONARIES.has(name)) return { kind: "library", name: DICTIONARY, of };
  if (name === "Task" || name === "ValueTask") return { kind: "library", name: TASK, of };
  if (name === PAIR || name === GROUPING || name === LOOKUP) return { kind: "library", name, of };
  return HOLDERS.has(name) ? { kind: "library", name: LAZY, of } : undefined;
}

export function isDictionary({ name }: LibraryValue): boolean {
  return name === DICTIONARY;
}

export function isTask({ name }: LibraryValue): boolean {
  return name === TASK;
}

/** The elements that a loop goes through. */
export function csharpElement(value: Value | undefined): Value | undefined {
  if (value?.kind !== "library") return value?.kind === "outside" ? OUTSIDE : undefined;
  if (value.name === LIST) return value.of[0] ?? OUTSIDE;
  if (value.name === DICTIONARY) return { kind: "library", name: PAIR, of: value.of };
  if (value.name === GROUPING) return value.of[1] ?? OUTSIDE;
  return value.name === LOOKUP ? { kind: "library", name: GROUPING, of: value.of } : undefined;
}

/** A property of a library value; undefined if it is none of those that hold other values. */
export function csharpProperty({ name, of }: LibraryValue, member: string): Value | undefined {
  switch (name) {
    case DICTIONARY:
      return member === "Values" ? listValue(of[1]) : member === "Keys" ? listValue(of[0]) : undefined;
    case PAIR:
      return member === "Value" ? of[1] : member === "Key" ? of[0] : undefined;
    case GROUPING:
      return member === "Key" ? of[0] : undefined;
    case LAZY:
      return member === "Task" ? taskValue(of[0]) : /^(?:Value|CurrentValue|Target)$/.test(member) ? of[0] : undefined;
    case TASK:
      return member === "Result" ? of[0] : undefined;
    case LIST:
      return member === "Current" ? of[0] : /^(?:Span|Local)$/.test(member) ? listValue(of[0]) : undefined;
    default:
      return undefined;
  }
}

/** The result of a method that depends on the value alone. */
export function csharpResult(value: LibraryValue, method: string): Value | undefined {
  const { name, of } = value;
  if (name === TASK) {
    if (/^(?:ConfigureAwait|GetAwaiter|WaitAsync|AsTask|Preserve)$/.test(method)) return value;
    return method === "GetResult" ? of[0] : undefined;
  }
  if (name === DICTIONARY) {
    if (/^(?:\[\]|GetOrAdd|AddOrUpdate|GetValueOrDefault|GetOrCreateValue|GetValue)$/.test(method)) return of[1];
    if (/^(?:AsReadOnly|ToFrozenDictionary|ToImmutableDictionary|ToDictionary)$/.test(method)) return value;
  }
  if (name === LOOKUP && method === "[]") return listValue(of[1]);
  const element = csharpElement(value);
  if (!element) return undefined;
  if (OF_ENTITIES.test(method)) return taskValue(/^To/.test(method) ? listValue(element) : element);
  if (SAME_ELEMENTS.has(method)) return listValue(element);
  return ONE_ELEMENT.has(method) ? element : undefined;
}

/** The value that a method writes to an argument: `TryGetValue(key, out var value)`. */
export function csharpWritten(value: LibraryValue, method: string): Value | undefined {
  if (isDictionary(value)) return /^Try(?:GetValue|Remove|Add)$/.test(method) ? value.of[1] : undefined;
  return /^Try(?:Dequeue|Pop|Peek|Take|GetValue|GetNonEnumeratedCount)$/.test(method)
    ? csharpElement(value)
    : undefined;
}
