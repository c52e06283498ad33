import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../../../test/support/program/limits.ts";
import { pick, randomText, seeded } from "../../../test/support/random.ts";
import { LITERALS } from "../scan.ts";
import { type LiteralScanner, literalScanner, plainScanner } from "./literals.ts";

function found(scan: LiteralScanner, text: string): string[] {
  const seen: string[] = [];
  const visit = (literal: number, start: number): number => {
    seen.push(`${start} ${LITERALS[literal]}`);
    return 0;
  };
  scan(text, visit, (inside) => void seen.push(`word ${text.slice(0, inside).match(/[\w-]*$/)?.index ?? inside}`));
  return seen.sort();
}

test("the scanner for short texts finds what the scanner for long ones finds", () => {
  const [plain, fast] = [plainScanner(LITERALS), literalScanner(LITERALS)];
  const random = seeded(7);
  for (let round = 0; round < rounds(100, 400); round += 1) {
    const pieces = Array.from({ length: 6 }, () => {
      const choice = random();
      if (choice < 0.5) return pick(random, LITERALS);
      return choice < 0.8 ? randomText(random, 5) : `sk_${"aB3x9Z".repeat(1 + Math.floor(random() * 12))}`;
    });
    // The scanner for long texts reads one byte of each character, so other scripts may lengthen a word.
    const text = pieces.join(random() < 0.5 ? "" : " ").replaceAll(/[^\n -~]/g, "é");
    assert.deepEqual(found(plain, text), found(fast, text), text);
  }
});
