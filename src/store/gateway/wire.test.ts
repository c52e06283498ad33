import assert from "node:assert/strict";
import { test } from "node:test";
import { seeded } from "../../../test/support/random.ts";
import { STATEMENTS, type StatementName } from "../postgres/statements.ts";
import { acceptsParameters, isStatement, PARAMETERS } from "./parameters.ts";
import { AnswerPacker, MalformedMessage, packCall, unpackAnswer, unpackCall, type Value } from "./wire.ts";

const VALUES: Value[] = [
  "text ✓",
  0,
  -1.5,
  true,
  null,
  Buffer.from([0, 255]),
  Buffer.alloc(0),
  { $b: [0, 1] },
  [],
  [0, 9],
];

test("calls and answers come back as they were sent", () => {
  assert.deepEqual(unpackCall(Buffer.concat(packCall(VALUES))), VALUES);
  const rows = [
    { id: 1, data: Buffer.from("abc"), meta: { a: [1] }, none: null },
    { id: 2, data: Buffer.alloc(0), meta: [], none: "x" },
  ];
  const packer = new AnswerPacker();
  for (const row of rows) assert.ok(packer.add(row) > 0);
  assert.deepEqual(unpackAnswer(Buffer.concat(packer.finish())), rows);
  assert.deepEqual(unpackAnswer(Buffer.concat(new AnswerPacker().finish())), []);
});

test("damaged messages are refused, never read beyond their end", () => {
  const random = seeded(7);
  const whole = Buffer.concat(packCall(VALUES));
  let refused = 0;
  for (let i = 0; i < 2000; i += 1) {
    const damaged = Buffer.from(whole.subarray(0, Math.ceil(random() * whole.length)));
    for (let n = 0; n < 3; n += 1) damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
    for (const unpack of [unpackCall, unpackAnswer]) {
      try {
        unpack(damaged);
      } catch (error) {
        assert.ok(error instanceof MalformedMessage, String(error));
        refused += 1;
      }
    }
  }
  assert.ok(refused > 1000);
});

test("the list of parameters fits every statement", () => {
  for (const [name, text] of Object.entries(STATEMENTS)) {
    const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
    const kinds = PARAMETERS[name as StatementName];
    assert.equal(kinds === "" ? 0 : kinds.split(" ").length, count, name);
  }
  assert.ok(acceptsParameters("revoke", ["ben", null]));
  assert.ok(!acceptsParameters("revoke", ["ben", "7"]));
  assert.ok(!acceptsParameters("revoke", ["ben"]));
  for (const name of ["constructor", "__proto__", "", "sql"]) assert.ok(!isStatement(name));
});
