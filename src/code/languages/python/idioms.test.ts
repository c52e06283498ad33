import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

const MODELS = `
from dataclasses import dataclass
from enum import Enum
from typing import Callable, Generic, NamedTuple, TypedDict, TypeVar

T = TypeVar("T")

class Item:
    def ship(self): pass

class Box:
    def ship(self): pass

class Color(Enum):
    RED = 1
    def ship(self): pass

class Store(Generic[T]):
    def get(self) -> T: ...

class Items(Store[Item]): pass

@dataclass
class Pair(Generic[T]):
    left: T

class Point(NamedTuple):
    item: Item
    box: Box

class Row(TypedDict):
    box: Box

class Rows(list[Box]): pass

def first(items: list[T]) -> T: ...
def run(work: Callable[[Box], None]): ...
def boxes(): yield Box()
`;

const CASES: CallCases = {
  "a lambda that is a key": ["def f(x: list[Box]):\n    sorted(x, key=lambda y: y.ship())", ["Box.ship"]],
  "a lambda that a function of the project is given": ["def f():\n    run(lambda y: y.ship())", ["Box.ship", "run"]],
  "what a function of the library makes of each": [
    "def f(x: list[Point]):\n    for y in map(lambda z: z.box, x): y.ship()",
    ["Box.ship"],
  ],
  "a generator": ["def f():\n    for y in boxes(): y.ship()", ["Box.ship", "boxes"]],
  "a member of an enumeration": ["def f():\n    Color.RED.ship()\n    for y in Color: y.ship()", ["Color.ship"]],
  "a generic class": ["def f(x: Store[Box]):\n    x.get().ship()", ["Box.ship", "Store.get"]],
  "a class that extends a generic one": ["def f(x: Items):\n    x.get().ship()", ["Item.ship", "Store.get"]],
  "fields that tell the type": ["def f():\n    Pair(Box()).left.ship()", ["Box", "Box.ship", "Pair"]],
  "a generic function": ["def f(x: list[Box]):\n    first(x).ship()", ["Box.ship", "first"]],
  "a part of a tuple": ["def f(x: tuple[Item, Box]):\n    x[1].ship()", ["Box.ship"]],
  "a tuple with names": ["def f(x: Point):\n    _, y = x\n    y.ship()", ["Box.ship"]],
  "an object that is not a tuple": ["def f(x: Pair[Box]):\n    y, _ = x\n    y.ship()", []],
  "a typed dictionary": ['def f(x: Row):\n    x["box"].ship()', ["Box.ship"]],
  "a class that extends a list": ["def f(x: Rows):\n    for y in x: y.ship()", ["Box.ship"]],
  "a list that is filled": ["def f():\n    x = []\n    x.append(Box())\n    x[0].ship()", ["Box", "Box.ship"]],
  "an unknown object that is given something": ["def f(x):\n    x.add(Box())\n    x[0].ship()", ["Box"]],
  "more arguments": ["def f(*x: Box, **y: Item):\n    x[0].ship()\n    y['a'].ship()", ["Box.ship", "Item.ship"]],
  "a case of a class": ["def f(x):\n    match x:\n        case Box() as y: y.ship()", ["Box.ship"]],
  "a case with fields": ["def f(x):\n    match x:\n        case Point(box=y): y.ship()", ["Box.ship"]],
  "a function as a value": ["def f(x: Callable[[], Box]):\n    x().ship()", ["Box.ship"]],
  "lists that are joined": ["def f(x: list[Box]):\n    for y in x + []: y.ship()", ["Box.ship"]],
  "a fixture": [
    "import pytest\n@pytest.fixture\ndef own(): yield Box()\ndef test_it(own, other):\n    own.ship()\n    other.ship()",
    ["Box", "Box.ship", "Item.ship"],
  ],
};

describe("idioms of Python", () => {
  testCalls(CASES, "tests/test_main.py", (text) => ({
    "models.py": MODELS,
    "tests/conftest.py":
      "import pytest\nfrom models import Item\n@pytest.fixture\ndef other() -> Item: return Item()\n",
    "tests/test_main.py": `from typing import Callable\nfrom models import Box, Color, Item, Items, Pair, Point, Row, Rows, Store, boxes, first, run\n\n${text}\n`,
  }));
});
