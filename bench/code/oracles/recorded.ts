/** Calls that a run of a program made, as a script recorded them that is loaded before the program. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RecordedCall {
  path: string;
  line: number;
  name: string;
  /** Absent outside the project. */
  target?: { path: string; line: number; name: string };
}

/** `command` runs in the folder; its parts are separated by spaces. `loader`: the variables that load the script. */
export function recordedCalls(folder: string, command: string, loader: NodeJS.ProcessEnv): RecordedCall[] {
  const temp = mkdtempSync(join(tmpdir(), "dex-calls-"));
  try {
    const file = join(temp, "calls");
    const [program = "", ...args] = command.split(/\s+/);
    const env = { ...process.env, ...loader, DEX_ROOT: folder, DEX_CALLS: file };
    spawnSync(program, args, { cwd: folder, env, stdio: "ignore" });
    return readFileSync(file, "utf8").split("\n").filter(Boolean).map(callOf);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

function callOf(row: string): RecordedCall {
  const [path = "", line, name = "", to = "", at, method = ""] = row.split("\t");
  const call = { path, line: Number(line), name };
  return to === "" ? call : { ...call, target: { path: to, line: Number(at), name: method } };
}
