/**
 * Finds test outcomes in the output of test commands in conversations, every run of tests, and the changes between
 * them: a failure counts only until the next run or the next change.
 */
import { OpenCalls } from "../../conversations/activity/calls.ts";
import { deriveFiles } from "../../conversations/activity/derive.ts";
import { outcomeOf } from "../../conversations/activity/outcome.ts";
import { shellCommand } from "../../conversations/activity/tools.ts";
import type { Message, ToolCallPart, ToolResultPart } from "../../conversations/model.ts";
import { isAbsolutePath, resolvePath } from "../../kernel/files/paths.ts";
import { asObject, asString } from "../../kernel/json.ts";
import type { SeenEdit, SeenOutcome, TestOutcome } from "../../store/history_records.ts";
import type { TrailConversation } from "../../store/trails.ts";
import { type ConversationScan, ownerOf } from "../scan.ts";
import { type TestCommand, testCommand, treeChange } from "./commands.ts";
import { parseOutcomes } from "./text.ts";

export const OUTCOMES_KIND = "tests";

const MAX_OUTPUT_CHARS = 1 << 20;
const MAX_TESTS = 5000;
const MAX_RUNS = 1000;
const MAX_EDITED_FILES = 2000;

export const outcomeScan: ConversationScan = {
  kind: OUTCOMES_KIND,
  drop: (writer, owner) => {
    writer.removeOutcomes(owner);
    writer.removeEdits(owner);
  },
  take: (writer, row, messages) => {
    const { outcomes, edits } = conversationOutcomes(row, messages);
    writer.addOutcomes(outcomes);
    writer.addEdits(edits);
  },
};

interface OpenCall {
  run: TestCommand | undefined;
  changes: ReturnType<typeof treeChange>;
  /** The index of the message with the call. */
  index: number;
}

/** The last outcome of each test, the last run of each selection of tests, and the last edit of each file. */
export function conversationOutcomes(
  row: TrailConversation,
  messages: Iterable<{ index: number; message: Message }>,
): { outcomes: SeenOutcome[]; edits: SeenEdit[] } {
  const seen = new OutcomeReader(row);
  for (const { index, message } of messages) seen.read(index, message);
  return seen.found();
}

type At = Pick<SeenEdit, "owner" | "place" | "time">;

class OutcomeReader {
  readonly #row: TrailConversation;
  readonly #calls = new OpenCalls<OpenCall>();
  readonly #tests = new Map<string, SeenOutcome>();
  readonly #runs = new Map<string, SeenOutcome>();
  readonly #edits = new Map<string, SeenEdit>();

  constructor(row: TrailConversation) {
    this.#row = row;
  }

  read(index: number, message: Message): void {
    const time = message.time === undefined ? this.#row.updated : Date.parse(message.time);
    const at = { owner: ownerOf(this.#row), place: this.#placeOf(index), time };
    for (const { path, how } of deriveFiles(message)) {
      if (how === "edited") this.#addEdit(resolvePath(this.#row.project, path), at);
    }
    for (const part of message.parts) {
      if (part.type === "tool_call") this.#calls.add(part, openCall(part, this.#row.project, index));
      const call = part.type === "tool_result" ? this.#calls.take(part) : undefined;
      if (part.type === "tool_result" && call) this.#readResult(call, part, at);
    }
  }

  found(): { outcomes: SeenOutcome[]; edits: SeenEdit[] } {
    return { outcomes: [...this.#tests.values(), ...this.#runs.values()], edits: [...this.#edits.values()] };
  }

  #placeOf(index: number): string {
    return `${this.#row.id}#${index}`;
  }

  #addEdit(path: string, at: At): void {
    this.#edits.delete(path);
    if (this.#edits.size < MAX_EDITED_FILES) this.#edits.set(path, { ...at, path });
  }

  #readResult({ run, changes, index }: OpenCall, part: ToolResultPart, at: At): void {
    if (changes) this.#addEdit("", changes === "before" ? { ...at, place: this.#placeOf(index) } : at);
    if (!run) return;
    for (const each of runOutcomes(run, part)) {
      const seen: SeenOutcome = { ...each, ...at, folder: run.folder };
      if (each.name === null) keep(this.#runs, runKey(seen), seen, MAX_RUNS);
      else keep(this.#tests, `${each.runner}\0${each.file}\0${each.name}`, seen, MAX_TESTS);
    }
  }
}

/** The latest replaces the one before; with too many, the oldest go. */
function keep(found: Map<string, SeenOutcome>, key: string, seen: SeenOutcome, most: number): void {
  found.delete(key);
  found.set(key, seen);
  if (found.size > most) for (const oldest of found.keys()) return void found.delete(oldest);
}

function runKey({ runner, file, scope, folder }: SeenOutcome): string {
  return [runner, file, scope, folder].join("\0");
}

function openCall(part: ToolCallPart, project: string, index: number): OpenCall {
  const command = shellCommand(part) ?? "";
  const input = asObject(part.input);
  const folder = asString(input.workdir) ?? asString(input.cwd) ?? "";
  return { run: testCommand(command, resolvePath(project, folder)), changes: treeChange(command), index };
}

/** Outcomes of one run. The last one is the run as a whole, also if its output tells nothing. */
function runOutcomes(run: TestCommand, part: ToolResultPart): (TestOutcome & { scope: string | null })[] {
  const parsed = part.output.length > MAX_OUTPUT_CHARS ? undefined : parseOutcomes(part.output);
  const stopped = wasStopped(part) || REFUSED.test(part.output);
  const found = withoutRepairedFailures(parsed?.outcomes ?? []).map((each) => ({ ...each, file: fileFrom(run, each) }));
  // A run that was stopped or refused is not a failure, and not a whole run.
  const told = stopped
    ? found.filter(({ status, name, file }) => status === "passed" && (name !== null || file !== null))
    : found;
  const whole = told.find(({ name, file }) => name === null && file === null);
  const rest = told.filter((each) => each !== whole).map((each) => ({ ...each, scope: null }));
  if (stopped) return rest;
  // Unknown output may be filtered, so it never proves that tests passed.
  const unknown = {
    runner: run.runner,
    file: null,
    name: null,
    message: null,
    total: null,
    status: "skipped",
  } as const;
  const failed = told.some(({ status }) => status === "failed");
  const asWhole = parsed
    ? ({ ...unknown, runner: parsed.runner, status: failed ? "failed" : "passed" } as const)
    : unknown;
  return [...rest, { ...(whole ?? asWhole), scope: run.scope }];
}

/** Removes failures of a package that is `ok` further down in the same output: it was run again, as after a repair. */
function withoutRepairedFailures(outcomes: readonly TestOutcome[]): TestOutcome[] {
  const lastOk = new Map<string, number>();
  for (const [i, { file, name, status }] of outcomes.entries()) {
    if (file !== null && name === null && status === "passed") lastOk.set(file, i);
  }
  return outcomes.filter(({ file, status }, i) => {
    return status !== "failed" || file === null || (lastOk.get(file) ?? -1) < i;
  });
}

/** Runners name files from the folder they run in. Packages of Go are not paths. */
function fileFrom({ folder }: TestCommand, { runner, file }: TestOutcome): string | null {
  if (file === null || runner === "go test" || !isAbsolutePath(folder)) return file;
  return resolvePath(folder, file);
}

/** Exit statuses of `timeout`, Ctrl-C, SIGKILL and SIGTERM. */
const STOPPED_CODES = new Set([124, 130, 137, 143]);
const STOPPED =
  /^(?:Exit code (?:124|130|137|143)\b|\[Request interrupted|Command timed out after|command timed out)|\b(?:interrupted|aborted|cancell?ed) by (?:the )?user\b|^\^C$|^signal: (?:interrupt|killed|terminated)$|^!+ KeyboardInterrupt !+$|^(?:make|npm ERR!|error:).*\b(?:Interrupt|SIGINT|SIGTERM|SIGKILL)\b/m;
const EXAMINED_CHARS = 2000;

/** A sandbox or the machine refused what a test needs: a port, a file, space. */
const REFUSED =
  /\boperation not permitted\b|\b(?:EPERM|EROFS|ENOSPC)\b|\bno space left on device\b|\bread-only file system\b/i;

/**
 * Whether the run was stopped by a person, by the host's time limit or by a signal: then its failures prove nothing.
 */
function wasStopped(part: ToolResultPart): boolean {
  if (part.exit_code !== undefined && STOPPED_CODES.has(part.exit_code)) return true;
  if (outcomeOf(part) === "interrupted") return true;
  const { output } = part;
  return STOPPED.test(output.slice(0, EXAMINED_CHARS)) || STOPPED.test(output.slice(-EXAMINED_CHARS));
}
