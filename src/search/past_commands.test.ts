import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationRow, ShellRun } from "../store/ports.ts";
import { pastCommands } from "./past_commands.ts";

function shown(command: string, project: string | null): string | undefined {
  const run: ShellRun = { no: 1, index: 0, time: 1, command, outcome: "passed", exit_code: 0 };
  const row = { no: 1, project, updated: 1 } as ConversationRow;
  const asked = { accepts: (text: string) => text.startsWith("make"), isAsked: () => true };
  return pastCommands([run], () => row, asked, { roots: [], projectBoost: 1 })[0]?.shown.command;
}

test("a command is shown with the folder of the project that it ran in, and with no other folder", () => {
  assert.equal(shown("cd /srv/app/web/ && make all", "/srv/app"), "cd web && make all");
  assert.equal(shown("cd ./web && make all", "/srv/app"), "cd web && make all");
  for (const project of ["/srv/app", null]) assert.equal(shown("cd /etc/other && make all", project), "make all");
});
