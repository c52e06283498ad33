/**
 * Go: the condition under which a file is built, from its name (`_windows.go`) and from the comment before its package
 * (`//go:build !race`). Files of a package may define the same function under conditions that exclude each other.
 */
import { conditionHolds } from "../conditions.ts";

const SYSTEMS =
  "aix|android|darwin|dragonfly|freebsd|hurd|illumos|ios|js|linux|nacl|netbsd|openbsd|plan9|solaris|wasip1|windows|zos";
const MACHINES =
  "386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|sparc64|wasm|amd64p32|armbe|arm64be";
const NAME = new RegExp(`_(?:(${SYSTEMS})(?:_(${MACHINES}))?|(${MACHINES}))(?:_test)?\\.go$`);
/** Conditions that hold for a usual build on Linux. */
const HOLDS = /^(?:linux|unix|amd64|gc|cgo|go1(?:\.\d+)?)$/;
/** The comments before the package. */
const HEAD = /^(?:\s|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/;
const MAX_HEAD_CHARS = 8000;
const MAX_CONDITION_CHARS = 500;

/** The condition, if a usual build leaves the file out. */
export function goBuild(text: string, path: string): string | undefined {
  const [, system, machine, only] = NAME.exec(path) ?? [];
  const inName = [system, machine, only].filter((each) => each !== undefined);
  const head = HEAD.exec(text.slice(0, MAX_HEAD_CHARS))?.[0] ?? "";
  const stated = /^\/\/go:build (.+)$/m.exec(head)?.[1]?.slice(0, MAX_CONDITION_CHARS);
  const older = stated === undefined ? [...head.matchAll(/^\/\/ \+build (.+)$/gm)].map(([, line = ""]) => line) : [];
  const holds =
    inName.every((each) => HOLDS.test(each)) &&
    (stated === undefined || conditionHolds(stated, (tag) => HOLDS.test(tag))) &&
    older.every((line) => lineHolds(line.slice(0, MAX_CONDITION_CHARS)));
  return holds ? undefined : [...inName, stated, ...older].filter((each) => each !== undefined).join(" ");
}

/** `// +build linux,386 darwin`: a space is an or, a comma an and. */
function lineHolds(line: string): boolean {
  return line
    .trim()
    .split(/\s+/)
    .some((option) => option.split(",").every((tag) => HOLDS.test(tag.replace(/^!/, "")) !== tag.startsWith("!")));
}
