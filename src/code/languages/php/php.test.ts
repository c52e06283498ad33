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
use Lib\\{Builder, Check, Heading, Node};
/** @param Heading $documented */
function run(Node $node, Node $documented, array $all, Builder $builder) { ${body} }
`,
    }),
    (fixture) => {
      const own = fixture.callsFrom("Models.php").map(({ qualified }) => qualified);
      assert.ok(own.includes("Node.detach"), "a field is not the method of the same name");
    },
  );
});
