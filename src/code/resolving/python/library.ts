/** Types of Python's library that hold other values, by a type that holds them in the same way. */
const SAME_AS: Readonly<Record<string, string>> = {
  AsyncIterator: "Iterator",
  MutableSequence: "list",
  AbstractSet: "set",
  MutableSet: "set",
  FrozenSet: "set",
  Deque: "deque",
  Reversible: "list",
  KeysView: "list",
  ValuesView: "list",
  Queue: "deque",
  LifoQueue: "deque",
  PriorityQueue: "deque",
  SimpleQueue: "deque",
  DefaultDict: "dict",
  MutableMapping: "dict",
  WeakValueDictionary: "dict",
  Task: "Awaitable",
  Future: "Awaitable",
  // Entering one gives its content, as the first step of a generator does.
  AbstractContextManager: "Iterator",
  AbstractAsyncContextManager: "Iterator",
  ContextManager: "Iterator",
  AsyncContextManager: "Iterator",
  NotRequired: "Optional",
  ReadOnly: "Optional",
};

export function sameAs(name: string): string {
  return Object.hasOwn(SAME_AS, name) ? (SAME_AS[name] ?? name) : name;
}
