import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callEdgesOf } from "../../../../test/support/code.ts";

const MODELS = `<?php
namespace App;
class Graph { public function add() {} public function triples() {} public function size() {} }
class Sheet { public function add() {} public function print() {} public function size() {} }
class Field { public function parse() {} }
class DateField extends Field implements \\Countable { public function asDate() {} public function count(): int { return 0; } }
class Record {
  /** @return Field */
  public function __get($name) {}
  /** @var Graph|Sheet */
  public $either;
  protected $kind = 'App\\\\Field';
  /** @var Graph */
  public static $shared;
  public function make() { return new $this->kind(); }
}
class Base { public function total() {} }
class Whole extends Base { use Adding, Printing; }
trait Adding { public function run() { $this->flush(); parent::total(); } }
trait Printing { public function flush() {} public function total() {} }
`;

/** The text of a function, and what it calls with the basis of each. */
const CASES: Record<string, [string, string[]]> = {
  "the only class with all methods that are called on a value": [
    "$x->add(); $x->triples();",
    ["Graph.add unique-name", "Graph.triples unique-name"],
  ],
  "several classes have the methods": ["$x->add(); $x->size();", ["Graph.size ambiguous", "Sheet.size ambiguous"]],
  "a field that a method reads": [
    "$record->START->parse(); $record->START->asDate();",
    ["DateField.asDate unique-name", "Field.parse unique-name"],
  ],
  "one of two types": [
    "$record->either->add(); $record->either->triples();",
    ["Graph.add unique-name", "Graph.triples import"],
  ],
  "the variable has another value later": [
    "$y = new Sheet(); $y->print(); $y = new Graph(); $y->triples();",
    ["Graph import", "Graph.triples import", "Sheet import", "Sheet.print import"],
  ],
  "a list that may be one value": [
    "/** @var Graph[] $all */\n$all = load(); $all->triples();",
    ["Graph.triples unique-name"],
  ],
  "a class as a value": ["$c = Graph::class; $z = new $c(); $z->triples();", ["Graph import", "Graph.triples import"]],
  "a class that a string names": ["$record->make()->parse();", ["Field.parse import", "Record.make import"]],
  "a class that nothing names": ["new $x->add();", []],
  "a field of a class": ["Record::$shared->triples();", ["Graph.triples import"]],
  "a condition in words": ["if (is_object($x) and $x instanceof Sheet) { $x->size(); }", ["Sheet.size import"]],
};

async function calls(text: string, path = "Main.php"): Promise<string[]> {
  const main = `<?php\nnamespace App;\nfunction main(Record $record, $x) {\n${text}\n}\n`;
  const edges = await callEdgesOf({ "Models.php": MODELS, "Main.php": main }, path);
  return [...new Set(edges.map(({ entity, edge }) => `${entity.qualified} ${edge.resolution}`))].sort();
}

describe("guesses in PHP", () => {
  for (const [name, [text, expected]] of Object.entries(CASES))
    test(name, async () => assert.deepEqual(await calls(text), expected));

  test("the class that uses a trait has its other traits, and decides on the base", async () => {
    const found = await calls("", "Models.php");
    assert.ok(found.includes("Printing.flush unique-name"));
    assert.ok(!found.some((each) => each.includes("total")));
  });
});
