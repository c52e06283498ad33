import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CodeFixture } from "../../../../test/support/code.ts";
import { extract } from "../../parsing/file/extract.ts";
import { loadGrammar } from "../../parsing/parser.ts";
import { python } from "./python.ts";

const MODELS = `
import typing as t
from typing import Iterator, List, Optional, Self, Type, TypeVar, Union

class Item:
    def ship(self) -> "Item": return self
    def copy(self) -> Self: return self

class Heavy(Item):
    def weigh(self): pass

class Cart:
    label: t.Optional["Item"] = None
    def __init__(self: "Cart", items: t.Sequence[Item], by_name: t.Dict[str, Item]):
        self.items = [] if items is None else list(items)
        self.by_name = by_name
    def __iter__(self) -> Iterator[Item]: return iter(self.items)
    def __getitem__(self, at: int) -> Item: return self.items[at]
    def __enter__(self) -> Self: return self
    def close(self): pass

class Kind(type):
    def make(cls: Type[T], *args: int) -> T: return super().__call__(*args)

class Held(metaclass=Kind):
    def hold(self): pass

class Longer(Held):
    @property
    def held(self): return self._held()
    def _held(self): return Heavy()

def is_heavy(x: object) -> t.TypeGuard[Heavy]: return True
def is_item(x: object) -> "bool": return True

Rows = List[Item]
AnyItem = TypeVar("AnyItem", bound=Item)
`;

/** The body of a function, and the methods of `models.py` that it calls. */
const CASES: Record<string, [string, string[]]> = {
  "a type of an imported module": ["def f(x: t.List[Item]):\n    x[0].ship()", ["Item.ship"]],
  "a type in quotes": ["def f(x: \"t.Optional[t.Dict[str, 'Item']]\"):\n    x['a'].ship()", ["Item.ship"]],
  "a union": ["def f(x: Union[str, Item, None]):\n    x.ship()", ["Item.ship"]],
  "a union of several classes": ["def f(x: Item | Cart):\n    x.ship()\n    x.close()", ["Item.ship", "Cart.close"]],
  "an optional field": ["def f(x: Cart):\n    x.label.ship()", ["Item.ship"]],
  "another name for a type": ["def f(x: Rows):\n    for y in x: y.ship()", ["Item.ship"]],
  "a type variable": ["def f(x: AnyItem) -> AnyItem:\n    x.ship()", ["Item.ship"]],
  "a base without members": [
    "class P(t.Generic[AnyItem]): pass\nclass Q(P[Item], Heavy): pass\ndef f(x: Q):\n    x.weigh()",
    ["Heavy.weigh"],
  ],
  "a class as a value": ["def f(x: Type[Heavy]):\n    x().weigh()", ["Heavy.weigh"]],
  "a method that returns its own type": ["def f(x: Heavy):\n    x.copy().weigh()", ["Item.copy", "Heavy.weigh"]],
  "elements of an object": ["def f(x: Cart):\n    for y in x: y.ship()", ["Item.ship"]],
  "an index of an object": ["def f(x: Cart):\n    x[0].ship()", ["Item.ship"]],
  "values of a dictionary": ["def f(x: Cart):\n    for _, y in x.by_name.items(): y.ship()", ["Item.ship"]],
  "a part of a list": ["def f(x: Cart):\n    for y in x.items[1:]: y.ship()", ["Item.ship"]],
  "numbered elements": ["def f(x: Cart):\n    for at, y in enumerate(x.items): y.ship()", ["Item.ship"]],
  "pairs of elements": ["def f(x: Cart):\n    for a, y in zip(range(3), sorted(x.items)): y.ship()", ["Item.ship"]],
  "a comprehension": ["def f(n):\n    xs = [Item() for _ in n]\n    xs[0].ship()", ["Item.ship"]],
  "a variable that is assigned again": ["def f(x: Item):\n    x = x.ship()\n    x.ship()", ["Item.ship", "Item.ship"]],
  "a with statement": ["def f():\n    with Cart([], {}) as x: x.close()", ["Cart.close"]],
  "a cast": ["def f(x):\n    t.cast(Heavy, x).weigh()", ["Heavy.weigh"]],
  "a method of a metaclass": [
    "def f():\n    Held.make().hold()\n    Longer.make().held.weigh()",
    ["Kind.make", "Held.hold", "Kind.make", "Heavy.weigh"],
  ],
  "an instance has no methods of the metaclass": ["def f(x: Held):\n    x.make()", []],
  "a function that checks a type": [
    "def f(x):\n    if is_heavy(x): x.weigh()\n    if not is_heavy(x): return\n    x.weigh()",
    ["is_heavy", "Heavy.weigh", "is_heavy", "Heavy.weigh"],
  ],
  "a condition beside others that leaves": [
    "def f(x, a):\n    if not isinstance(x, Heavy) or x.weigh(): return\n    x.weigh()",
    ["Heavy.weigh", "Heavy.weigh"],
  ],
  "a function that checks no type": ["def f(x: Item):\n    if is_item(x): x.ship()", ["is_item", "Item.ship"]],
  "a checked type": [
    "def f(x):\n    if isinstance(x, Heavy) and x.weigh(): x.weigh()\n    x.ready()",
    ["Heavy.weigh", "Heavy.weigh"],
  ],
  "a checked member": ["def f(x: Cart):\n    if isinstance(x.label, Heavy): x.label.weigh()", ["Heavy.weigh"]],
  "a checked type that is known better": ["def f(x: Heavy):\n    if isinstance(x, Item): x.weigh()", ["Heavy.weigh"]],
  "a type that is checked before": ["def f(x):\n    assert isinstance(x, Heavy)\n    x.weigh()", ["Heavy.weigh"]],
  "an early return": ["def f(x):\n    if not isinstance(x, Heavy):\n        return\n    x.weigh()", ["Heavy.weigh"]],
  "a choice": ["def f(x: str, c: Item):\n    y = c if c else Item()\n    y.ship()", ["Item.ship"]],
  "a table of functions": ["def a(): pass\ndef b(): pass\nT = {1: a, 2: b}\ndef f(x):\n    T[x]()", []],
};

describe("Python", () => {
  for (const [name, [text, calls]] of Object.entries(CASES)) {
    test(name, async () => {
      const fixture = new CodeFixture({
        "models.py": MODELS,
        "main.py": `import typing as t\nfrom typing import Type, Union\nfrom models import AnyItem, Cart, Heavy, Held, Item, Longer, Rows, is_heavy, is_item\n\n${text}\n`,
      });
      try {
        await fixture.index();
        const found = fixture.callsFrom("main.py").filter(({ kind }) => kind !== "class");
        assert.deepEqual(found.map(({ qualified }) => qualified).sort(), [...new Set(calls)].sort());
      } finally {
        fixture.dispose();
      }
    });
  }

  /** If each assignment or check asked for all before it, each of these would take minutes or end the process. */
  test("a variable that is assigned or checked thousands of times", async () => {
    const loaded = await loadGrammar(python);
    const lines = (text: string): string => `def f(x, y):\n${text.repeat(Math.ceil(300_000 / text.length))}`;
    for (const text of [
      "    x = x.next(x)\n",
      "    x = y.next(x)\n    y = x.next(y)\n",
      "    assert isinstance(x, A)\n    x.next()\n",
      "    if isinstance(x, A) and isinstance(y, B): x = y\n",
    ]) {
      const facts = extract(loaded, lines(text), "a.py");
      assert.ok(JSON.stringify(facts).length < 50_000_000, text);
    }
  });
});
