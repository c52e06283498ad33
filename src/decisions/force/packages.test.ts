/** Packages that commands install, and that texts import. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { importedPackages, installedPackages } from "./packages.ts";

test("the packages of an install command, without versions, options and the next command", () => {
  const installed = (command: string): string[] => [...installedPackages(command)];
  for (const command of [
    "npm install moment",
    "npm i -D moment@2",
    "cd app && pnpm add moment && pnpm test",
    "yarn workspace api add moment@^2.1",
    "bun add moment | tail -3",
    "deno add npm:moment",
    "pip install 'moment>=2'",
    "python -m pip install moment[tz]==2.0",
    "uv add moment",
    "cargo add moment --features x",
    "gem install moment",
  ])
    assert.ok(installed(command).includes("moment"), command);
  assert.ok(installed("npm install @hapi/joi@17").includes("@hapi/joi"));
  assert.ok(installed("go get github.com/spf13/viper/v2@latest").includes("viper"));
  for (const command of [
    "npm install",
    "npm ci",
    "npm test moment",
    "npm uninstall moment",
    "grep moment",
    "npm i && ls moment",
  ])
    assert.ok(!installed(command).includes("moment"), command);
});

test("the packages that a text imports, and those of a manifest", () => {
  const has = (text: string, name: string, file = "src/a.ts"): boolean => importedPackages(text, [file]).has(name);
  for (const text of [
    'import moment from "moment";',
    "import 'moment/locale/de';",
    'const moment = require("moment");',
    'export { utc } from "moment";',
    'const m = await import("moment");',
    "import moment",
    "from moment.tz import utc",
    "use moment::Date;",
  ])
    assert.ok(has(text, "moment"), text);
  assert.ok(has('import (\n\t"fmt"\n\t"github.com/spf13/viper"\n)', "viper", "main.go"));
  assert.ok(has('"moment": "^2.1"', "moment", "package.json"));
  assert.ok(has("moment>=2.0", "moment", "requirements.txt"));
  for (const text of [
    'import { moment } from "./moment.js";',
    "// moment",
    "moment();",
    '"moment": 1',
    'import "momentum"',
  ])
    assert.ok(!has(text, "moment"), text);
});
