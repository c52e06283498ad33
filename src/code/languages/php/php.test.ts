import assert from "node:assert/strict";
import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

const MODELS = `<?php
namespace Lib;
class Node {
  private ?Node $last = null;
  public function last(): Other { return new Other(); }
  public function remove(): void { $this->last->detach(); }
  public function detach(): void {}
}
class Other { public function stop() {} }
class Heading extends Node { public function level(): int { return 1; } }
interface Builder { public function add(string $name): Builder; }
class Chapter implements \\IteratorAggregate, \\Countable {
  use Chained;
  /** @return \\ArrayIterator<string, Heading> */
  public function getIterator() { return new \\ArrayIterator([]); }
  public function count(): int { return 0; }
  public function first() { return $this; }
  /** @return Heading */
  public static function top(): Node { return new Heading(); }
}
trait Chained {
  public function linked(): static { return $this; }
  public function ended() { return $this->first(); }
  public static function made() { return new static(); }
}
class Parts { private $all = []; public function stopAll() { foreach ($this->all as $each) { $each->halt(); } } }
class Part { public function halt() {} }
class SmallPart extends Part { public function halt() {} }
class Check { public static function isInstanceOf($x, string $type): void {} }
`;

/** The body of a function, and the definitions of `Models.php` that it is known to call. */
const CASES: CallCases = {
  "a comment that states a subclass": [
    "$documented->level(); $documented->detach();",
    ["Heading.level", "Node.detach"],
  ],
  "a condition that skips an element": [
    "foreach ($all as $x) { if (! $x instanceof Heading) { continue; } $x->level(); }",
    ["Heading.level"],
  ],
  "a condition beside others that leaves": [
    "if (! $node instanceof Heading || $node->level() === 1 || $all) return; $node->level();",
    ["Heading.level"],
  ],
  "an assertion": ["\\assert($node instanceof Heading); $node->level();", ["Heading.level"]],
  "an assertion of a library": [
    "Check::isInstanceOf($node, Heading::class); $node->level();",
    ["Check.isInstanceOf", "Heading.level"],
  ],
  "the elements that an iterator is said to give": [
    "foreach (new Chapter() as $x) $x->level();",
    ["Chapter", "Heading.level"],
  ],
  "an object that is counted": ["\\count(new Chapter()); count($all);", ["Chapter", "Chapter.count"]],
  "a result that a comment narrows": ["Chapter::top()->level();", ["Chapter.top", "Heading.level"]],
  "a method that returns its receiver": [
    "$c = new Chapter(); $c->linked()->count(); $c->first()->linked()->first();",
    ["Chained.linked", "Chapter", "Chapter.count", "Chapter.first"],
  ],
  "a long chain": [`$builder${"->add('x')".repeat(40)};`, ["Builder.add"]],
};

describe("PHP", () => {
  testCalls(
    CASES,
    "main.php",
    (body) => ({
      "Models.php": MODELS,
      "main.php": `<?php
namespace App;
use Lib\\{Builder, Chapter, Check, Heading, Node};
/** @param Heading $documented */
function run(Node $node, Node $documented, array $all, Builder $builder) { ${body} }
`,
    }),
    (fixture) => {
      const own = fixture.callEdgesFrom("Models.php").map(({ entity }) => entity.qualified);
      assert.ok(own.includes("Node.detach"), "a field is not the method of the same name");
      assert.ok(own.includes("Chapter.first"), "a trait calls a method of the class that uses it");
      assert.ok(!own.includes("Chained"), "there are no instances of a trait");
      assert.ok(own.includes("Part.halt") && !own.includes("SmallPart.halt"), "the method that all others override");
    },
  );
});
