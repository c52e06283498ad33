/** Types of Java's own library that hold values of the project: collections, streams, optional values, futures, functions. */
import { OUTSIDE, type Value } from "../evaluating/values.ts";

type Library = Extract<Value, { kind: "library" }>;

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Types that hold values of one type. */
const HOLDERS = words(
  `List ArrayList LinkedList Collection Set HashSet LinkedHashSet TreeSet SortedSet NavigableSet EnumSet Queue Deque ArrayDeque
   PriorityQueue Vector Stack Iterable Iterator ListIterator Enumeration Spliterator Stream Optional Supplier Callable Future
   CompletableFuture CompletionStage AtomicReference ThreadLocal WeakReference SoftReference Reference BlockingQueue
   LinkedBlockingQueue ArrayBlockingQueue ConcurrentLinkedQueue ConcurrentLinkedDeque CopyOnWriteArrayList
   CopyOnWriteArraySet ImmutableList ImmutableSet Provider Lazy ObjectProvider
   MutableList MutableSet MutableCollection MutableIterable Array Sequence ArrayDeque Flow StateFlow MutableStateFlow SharedFlow
   LiveData MutableLiveData State MutableState Deferred Result []`,
);
const MAPS = words(
  `Map HashMap LinkedHashMap TreeMap SortedMap NavigableMap ConcurrentMap ConcurrentHashMap ConcurrentSkipListMap EnumMap
   WeakHashMap IdentityHashMap ImmutableMap MutableMap`,
);
/** Which type argument is the result. */
const FUNCTIONS: Readonly<Record<string, number>> = { Function: 1, BiFunction: 2, UnaryOperator: 0, BinaryOperator: 0 };

const ONE_VALUE = words(
  `get next previous first last getFirst getLast peek poll pop remove element removeFirst removeLast pollFirst pollLast
   peekFirst peekLast orElse orElseThrow orElseGet join getNow resultNow take takeFirst takeLast floor ceiling higher lower
   firstElement lastElement nextElement elementAt set call getAndSet getPlain getAcquire getIfAvailable getObject
   [] single firstOrNull lastOrNull singleOrNull find findLast getOrNull elementAtOrNull getOrElse random randomOrNull maxBy
   minBy maxByOrNull minByOrNull maxOrNull minOrNull maxWith minWith removeAt removeLastOrNull removeFirstOrNull firstNotNullOf
   await getOrThrow getOrDefault`,
);
const SAME_VALUES = words(
  `stream parallelStream filter sorted distinct limit skip takeWhile dropWhile iterator listIterator subList findFirst findAny
   min max or toList reversed descendingIterator descendingSet headSet tailSet subSet sequential parallel unordered
   exceptionally whenComplete elements asIterator toArray spliterator orTimeout completeOnTimeout toCompletableFuture
   filterNot filterNotNull filterIndexed sortedBy sortedByDescending sortedWith sortedDescending take takeLast drop dropLast
   toMutableList toSet toMutableSet toSortedSet asSequence asIterable asReversed shuffled onEach plus minus union intersect
   distinctBy takeLastWhile ifEmpty orEmpty toTypedArray toCollection distinctUntilChanged asStateFlow asSharedFlow`,
);
const MAP_VALUE = words(
  "get getOrDefault remove put putIfAbsent computeIfAbsent computeIfPresent compute merge replace [] getValue getOrPut getOrElse",
);
const MAP_KEYS = words("keySet navigableKeySet descendingKeySet keys");
const MAP_ENTRY = words(
  "firstEntry lastEntry floorEntry ceilingEntry higherEntry lowerEntry pollFirstEntry pollLastEntry",
);
const MAP_PART = words("headMap tailMap subMap descendingMap");

const PASSES_FIRST = words(
  `forEach map filter flatMap mapToInt mapToLong mapToDouble mapToObj flatMapToInt anyMatch allMatch noneMatch ifPresent
   ifPresentOrElse removeIf peek takeWhile dropWhile thenApply thenAccept thenCompose thenApplyAsync thenAcceptAsync
   thenComposeAsync whenComplete handle replaceAll forEachOrdered forEachRemaining updateAndGet getAndUpdate mapMulti
   any all none count find findLast first last firstOrNull lastOrNull single singleOrNull filterNot mapNotNull onEach sortedBy
   sortedByDescending sortBy sortByDescending associateBy associateWith associate groupBy partition maxBy minBy maxByOrNull
   minByOrNull maxOf minOf sumOf sumBy distinctBy indexOfFirst indexOfLast takeLastWhile removeAll retainAll joinToString
   collect collectLatest onSuccess getOrElse fold observe`,
);
const PASSES_SECOND = words("forEachIndexed mapIndexed filterIndexed onEachIndexed mapIndexedNotNull");
const PASSES_BOTH = words("sort sorted min max sortedWith sortWith");
/** Kotlin: functions that pass the value they are called on. */
const PASSES_RECEIVER = words("let also takeIf takeUnless");
const RETURNS_RECEIVER = words("also apply takeIf takeUnless copy");

/** A value of a type of the library; undefined for an unknown name. */
export function jvmValue(name: string, of: readonly (Value | undefined)[]): Library | undefined {
  const isKnown = HOLDERS.has(name) || MAPS.has(name) || name === "Entry" || Object.hasOwn(FUNCTIONS, name);
  return isKnown ? { kind: "library", name, of } : undefined;
}

/** The result of a method of such a value. */
export function jvmCall(value: Library, method: string): Value {
  const { name, of } = value;
  const held = (at: number): Value => of[at] ?? OUTSIDE;
  if (Object.hasOwn(FUNCTIONS, name)) return method === "apply" ? held(FUNCTIONS[name] ?? 0) : OUTSIDE;
  if (name === "Entry") return method === "getKey" ? held(0) : method === "getValue" ? held(1) : OUTSIDE;
  if (MAPS.has(name)) {
    const entry: Library = { kind: "library", name: "Entry", of };
    if (MAP_VALUE.has(method)) return held(1);
    if (method === "values") return list(of[1]);
    if (method === "entrySet") return list(entry);
    if (MAP_ENTRY.has(method)) return entry;
    if (MAP_KEYS.has(method)) return list(of[0]);
    if (method === "firstKey" || method === "lastKey") return held(0);
    return MAP_PART.has(method) ? value : OUTSIDE;
  }
  if (name === "Stream" && method === "peek") return value;
  if (ONE_VALUE.has(method)) return held(0);
  return SAME_VALUES.has(method) ? value : OUTSIDE;
}

/** The value that a method of such a value passes to the function that it is given. */
export function jvmPassed({ name, of }: Library, method: string, parameter: number): Value | undefined {
  if (MAPS.has(name)) return method === "computeIfAbsent" ? of[0] : of[method === "merge" ? 1 : parameter];
  if (PASSES_BOTH.has(method)) return of[0];
  if (method === "reduce") return of[0];
  if (PASSES_SECOND.has(method)) return parameter === 1 ? of[0] : undefined;
  return parameter === 0 && PASSES_FIRST.has(method) ? of[0] : undefined;
}

/** Kotlin: a property of such a value. */
export function jvmProperty({ name, of }: Library, property: string): Value | undefined {
  if (MAPS.has(name)) {
    if (property === "values") return list(of[1]);
    if (property === "keys") return list(of[0]);
    return property === "entries" ? list({ kind: "library", name: "Entry", of }) : undefined;
  }
  if (name === "Entry") return property === "key" ? of[0] : property === "value" ? of[1] : undefined;
  return property === "value" || property === "first" ? of[0] : undefined;
}

/** Kotlin: what a function of any value passes on: `x.let { … }`. */
export function passesReceiver(method: string): boolean {
  return PASSES_RECEIVER.has(method);
}

/** Kotlin: `x.apply { … }`. */
export function returnsReceiver(method: string): boolean {
  return RETURNS_RECEIVER.has(method);
}

export function isJvmValue(name: string): boolean {
  return jvmValue(name, []) !== undefined;
}

function list(element: Value | undefined): Library {
  return { kind: "library", name: "List", of: [element] };
}
