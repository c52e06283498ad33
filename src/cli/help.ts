/** Help, made from the operations. */
import type { Operation } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { VERSION } from "../version.ts";
import { COMMON_FLAGS, type Flag, flagsOf, requiredOf, SHORT_FLAGS } from "./flags.ts";
import { PROGRAMS } from "./programs.ts";

export async function generalHelp(): Promise<string> {
  const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()));
  const rows = [
    ...operations
      .filter(({ verb }) => !Object.hasOwn(PROGRAMS, verb))
      .map((operation) => [usage(operation), operation.summary] as const),
    ...Object.values(PROGRAMS).map(({ usage, summary }) => [usage.split("\n")[0] ?? "", summary] as const),
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    `dex ${VERSION}: what you and your coding agents did before, found again`,
    "",
    ...rows.map(([left, right]) => `  dex ${left.padEnd(width)}  ${right}`),
    "",
    "Every command takes --json, --no-sync and --help. Conversations are named by their id or any unique",
    "beginning of it (four characters or more), messages by id#index.",
  ].join("\n");
}

export function operationHelp(operation: Operation): string {
  const flags = flagsOf(operation).filter(({ path }) => !operation.positionals.includes(path[0]) || path.length > 1);
  const lines = [`dex ${usage(operation)}`, "", operation.summary, ""];
  for (const name of operation.positionals) {
    const flag = flagsOf(operation).find(({ path }) => path[0] === name);
    lines.push(`  ${`<${name}>`.padEnd(26)}${flag?.description ?? ""}`);
  }
  if (operation.positionals.length > 0) lines.push("");
  for (const flag of [...flags, ...COMMON_FLAGS]) lines.push(flagLine(flag));
  return lines.join("\n");
}

export function usage(operation: Operation): string {
  const required = new Set(requiredOf(operation));
  const flags = flagsOf(operation);
  const words = operation.positionals.map((name) => {
    const many = flags.find(({ path }) => path[0] === name)?.type === "list" ? "…" : "";
    return required.has(name) ? `<${name}${many}>` : `[${name}${many}]`;
  });
  return [operation.verb, ...words].join(" ");
}

function flagLine(flag: Flag): string {
  const short = Object.entries(SHORT_FLAGS).find(([, name]) => name === flag.name)?.[0];
  const value = flag.type === "boolean" ? "" : flag.choices.length > 0 ? ` ${flag.choices.join("|")}` : valueName(flag);
  const left = `${short ? `-${short}, ` : "    "}--${flag.name}${value}`;
  const usual = flag.fallback === undefined || flag.fallback === false ? "" : ` (default ${String(flag.fallback)})`;
  return left.length < 26
    ? `  ${left.padEnd(26)}${flag.description}${usual}`
    : `  ${left}\n${" ".repeat(28)}${flag.description}${usual}`;
}

function valueName(flag: Flag): string {
  return flag.type === "number" ? " N" : ` ${(flag.path[1] ?? flag.path[0]).toUpperCase()}`;
}
