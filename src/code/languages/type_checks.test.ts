import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CodeFixture } from "../../../test/support/code.ts";

const TYPESCRIPT = `export class Base { run() {} }
export class Special extends Base { extra() {} }
export class Other { stop() {} }
export interface Holder { item: unknown }
`;
const PHP = `<?php
class Base { public function run() {} }
class Special extends Base { public function extra() {} }
class Holder { public $item; }
`;

/** The file, its text, and the methods that it is known to call. */
const CASES: Record<string, [string, string, string[]]> = {
  "TypeScript: a condition": ["ts", "if (x instanceof Special) { const y = x; y.extra(); }", ["Special.extra"]],
  "TypeScript: only behind the condition": ["ts", "x.extra2(); if (x instanceof Special) return;", []],
  "TypeScript: and, and a choice": [
    "ts",
    "if (x instanceof Base && x.run()) return; x instanceof Special ? x.extra() : 1;",
    ["Base.run", "Special.extra"],
  ],
  "TypeScript: a member": ["ts", "if (h.item instanceof Special) h.item.extra();", ["Special.extra"]],
  "TypeScript: an early return": ["ts", "if (!(x instanceof Special)) throw x;\n x.extra();", ["Special.extra"]],
  "TypeScript: one of several types": [
    "ts",
    "if (x instanceof Special || x instanceof Other) { x.extra(); x.stop(); } if (x instanceof Other || h) x.stop();",
    ["Other.stop", "Special.extra"],
  ],
  "TypeScript: this": [
    "ts",
    "} }\nclass Own extends Base { g() { if (this instanceof Special) this.extra();",
    ["Special.extra"],
  ],
  "PHP: a condition": ["php", "if ($x instanceof Special) { $x->extra(); }", ["Special.extra"]],
  "PHP: another condition": ["php", "if ($y) {} elseif ($x instanceof Special) { $x->extra(); }", ["Special.extra"]],
  "PHP: and, and a choice": [
    "php",
    "if ($x instanceof Base && $x->run()) {} $y = $x instanceof Special ? $x->extra() : 1;",
    ["Base.run", "Special.extra"],
  ],
  "PHP: a member": ["php", "if ($h->item instanceof Special) { $h->item->extra(); }", ["Special.extra"]],
  "PHP: an early return": ["php", "if (!$x instanceof Special) { return; }\n $x->extra();", ["Special.extra"]],
};

describe("types that a condition checks", () => {
  for (const [name, [language, body, calls]] of Object.entries(CASES)) {
    test(name, async () => {
      const main =
        language === "ts"
          ? `import { Base, type Holder, Other, Special } from "./types.ts";\nexport function f(x: unknown, h: Holder) { ${body} }\n`
          : `<?php\nfunction f($x, $y, Holder $h) { ${body} }\n`;
      const fixture = new CodeFixture({
        [`types.${language}`]: language === "ts" ? TYPESCRIPT : PHP,
        [`main.${language}`]: main,
      });
      try {
        await fixture.index();
        const found = fixture.callsFrom(`main.${language}`).map(({ qualified }) => qualified);
        assert.deepEqual(found.sort(), calls.toSorted());
      } finally {
        fixture.dispose();
      }
    });
  }
});
