import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

const MODELS = `<?php
namespace App;
class Item { public function ship() {} public function box(): Box { return new Box(); } }
class Box { public function ship() {} }
enum Color: string { case Red = 'r'; public function ship() {} }
/** @template T */
class Store implements \\IteratorAggregate {
  /** @return T */
  public function get() {}
  /** @return \\Iterator<T> */
  public function getIterator(): \\Iterator {}
}
class Cart {
  /** @var Item[] */
  public array $items = [];
  /** @var Store<Box> */
  public Store $store;
  private array $made = [];
  public function boxes() { foreach ($this->items as $i) { yield $i->box(); } }
  public function make(string $k) { return $this->made[$k] ??= new Box(); }
}
`;

const CASES: CallCases = {
  "an element of a list": ["reset($x->items)->ship();", ["Item.ship"]],
  "a list of the same elements": ["foreach (array_filter($x->items) as $y) { $y->ship(); }", ["Item.ship"]],
  "a function that is given each element": ["array_map(fn ($y) => $y->ship(), $x->items);", ["Item.ship"]],
  "what is made of each element": [
    "foreach (array_map(fn ($y) => $y->box(), $x->items) as $z) { $z->ship(); }",
    ["Box.ship", "Item.box"],
  ],
  "a case of an enumeration": ["Color::Red->ship();\nColor::from('r')->ship();", ["Color.ship"]],
  "the cases of an enumeration": ["foreach (Color::cases() as $y) { $y->ship(); }", ["Color.ship"]],
  "a generator": ["foreach ($x->boxes() as $y) { $y->ship(); }", ["Box.ship", "Cart.boxes"]],
  "a class of templates": ["$x->store->get()->ship();", ["Box.ship", "Store.get"]],
  "elements of a class of templates": ["foreach ($x->store as $y) { $y->ship(); }", ["Box.ship"]],
  "a list that is filled": ["$y = [];\n$y[] = new Box();\nforeach ($y as $z) { $z->ship(); }", ["Box", "Box.ship"]],
  "a value that is made once": ["$x->make('a')->ship();", ["Box.ship", "Cart.make"]],
  "parts of a list": ["[$y, $z] = [new Item(), new Box()];\n$z->ship();", ["Box", "Box.ship", "Item"]],
  "a match": ["$y = match ($x) { 1 => new Box(), default => null };\n$y->ship();", ["Box", "Box.ship"]],
  "a method as a value": ["$y = $z->box(...);\n$y()->ship();", ["Box.ship", "Item.box"]],
  "more arguments": ["foreach ($more as $y) { $y->ship(); }", ["Box.ship"]],
};

describe("idioms of PHP", () => {
  testCalls(CASES, "src/Main.php", (text) => ({
    "composer.json": '{"autoload":{"psr-4":{"App\\\\":"src/"}}}',
    "src/Models.php": MODELS,
    "src/Main.php": `<?php\nnamespace App;\nfunction main(Cart $x, Item $z, Box ...$more) {\n${text}\n}\n`,
  }));
});
