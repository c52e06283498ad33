import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { BadConfig } from "./editor.ts";
import { YAML_EDITOR } from "./yaml.ts";

const PATH = ["extensions", "dex"];
const ENTRY = { enabled: true, type: "stdio", name: "dex", cmd: "/opt/dex dir/dex", args: ["serve"], envs: {} };

/** Files as people have them. */
const FILES: Record<string, string> = {
  empty: "",
  "only a comment": "# mine\n",
  "without the list": "GOOSE_PROVIDER: openai # work\nGOOSE_MODEL: gpt-5\n\n# the end\n",
  "without a last line break": "GOOSE_PROVIDER: openai",
  "an empty list": "extensions: {}\nGOOSE_MODE: auto\n",
  "a list without a value": "extensions:\nGOOSE_MODE: auto\n",
  "a list in braces": 'extensions: {developer: {type: builtin, enabled: true}} # one line\nGOOSE_MODE: "auto"\n',
  "a list in the middle":
    "a: 1\nextensions:\n  developer:\n    enabled: true # on\n    type: builtin\n\n  # my own\n  notes:\n    type: stdio\n    cmd: notes\n    args:\n    - --all\n    description: |\n      two\n      lines\n\n# after\nGOOSE_MODE: auto\n",
  "a deep indentation and windows line ends": "extensions:\r\n    developer:\r\n        enabled: true\r\nz: 1\r\n",
  "a list at the end without a line break": "extensions:\n  developer:\n    enabled: true",
};

describe("YAML", () => {
  for (const [name, text] of Object.entries(FILES)) {
    it(`${name}: adds the entry, changes it, and removes it to the byte`, () => {
      const before = (parse(text) ?? {}) as { extensions?: Record<string, unknown> | null };
      const added = YAML_EDITOR.put(text, PATH, ENTRY);
      assert.deepEqual(parse(added), { ...before, extensions: { ...before.extensions, dex: ENTRY } });
      assert.deepEqual(YAML_EDITOR.read(added, PATH), ENTRY);
      assert.equal(YAML_EDITOR.put(added, PATH, ENTRY), added);
      for (const line of text.split(/\r?\n/)) {
        if (line.includes("#")) assert.ok(added.includes(line.slice(line.indexOf("#"))), line);
      }
      const changed = YAML_EDITOR.change(added, PATH, { cmd: "/new/dex", args: ["serve", "--all"] });
      assert.deepEqual(YAML_EDITOR.read(changed, PATH), { ...ENTRY, cmd: "/new/dex", args: ["serve", "--all"] });
      const parents = before.extensions === undefined ? 1 : 0;
      const removed = YAML_EDITOR.remove(added, PATH, parents);
      // A key without a value gets an empty list, and a file its last line break: the meaning is the same.
      const same = before.extensions === null ? text.replace("extensions:", "extensions: {}") : text;
      assert.equal(removed.trimEnd(), same.trimEnd());
      assert.equal(text.includes("\r"), added.includes("\r"));
      assert.ok(!added.includes("\r") || !/[^\r]\n/.test(added));
    });
  }

  it("refuses what it cannot edit safely", () => {
    for (const text of ["a: [1", "- a\n- b\n", "extensions: 5\n", "extensions:\n- a\n", "a: 1\na: 2\n", "\ta: 1\n"]) {
      assert.throws(() => YAML_EDITOR.put(text, PATH, ENTRY), BadConfig, text);
    }
  });
});
