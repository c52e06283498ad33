/**
 * Sums up one conversation in two short lines, without a model. It did: files, commits, the last test run. It left
 * open: unfinished to-dos, the "next steps" of the final message, a last turn that the user interrupted.
 */
import { commandsIn } from "../../conversations/activity/shell/command_line.ts";
import { shellCommand } from "../../conversations/activity/tools.ts";
import type { Work } from "../../conversations/activity/work.ts";
import type { Message } from "../../conversations/model.ts";
import { plural } from "../../kernel/text.ts";
import { clip } from "../../text/clip.ts";
import { testCommand } from "../outcomes/commands.ts";
import type { FoundRun } from "./runs.ts";

const MAX_DID_CHARS = 230;
const MAX_OPEN_CHARS = 260;
const MAX_POINT_CHARS = 110;
const MAX_POINTS = 3;
const SHOWN_FILES = 3;
const MAX_FINAL_CHARS = 12_000;

const TODO_TOOL = /todo|plan|^Task(?:Create|Update)$/i;
const INTERRUPTED = /^\[Request interrupted by user/m;
/** A heading of its own line, as agents write it at the end of their report. */
const OPEN_HEADING =
  /^[\s>]*(?:#{1,6} |\*\*|__)?(?:\d+\. )?(?:suggested |recommended |possible |remaining )?(?:next steps?|remaining(?: work| tasks| items| issues)?|still (?:open|to do|missing)|left to do|to ?-?dos?|follow[- ]?ups?|open (?:issues?|points?|ends?|items?|tasks?)|not (?:yet )?(?:done|implemented|covered))\b[^\n]{0,40}$/i;
/** Marked as a heading, or announcing a list. */
const IS_HEADING = /^[\s>]*(?:#|\*\*|__)|:(?:\*\*|__)?\s*$/;
const POINT = /^\s*(?:[-*+•]|\d+[.)]|\[ ?\])\s+(?!\[x\])(.+)$/i;

export class SessionCollector {
  #final = "";
  #isInterrupted = false;
  #lastTodo = -1;
  #lastTest = -1;

  take(index: number, message: Message): void {
    const texts = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    if (message.kind === "summary") return;
    const text = texts.join("\n");
    if (message.role === "user" && text.trim() !== "") {
      this.#isInterrupted = INTERRUPTED.test(text);
      this.#final = "";
    }
    if (message.role !== "assistant") return;
    for (const part of message.parts) {
      if (part.type !== "tool_call") continue;
      if (isTodoCall(part.name)) this.#lastTodo = index;
      if (runsTests(shellCommand(part) ?? "")) this.#lastTest = index;
    }
    if (text.trim() !== "") this.#isInterrupted = false;
    const isWorking = message.parts.some(({ type }) => type === "tool_call");
    this.#final = isWorking ? "" : text.trim() === "" ? this.#final : text.slice(-MAX_FINAL_CHARS);
  }

  /** Points below the last heading such as "Next steps". */
  nextSteps(): string[] {
    const lines = this.#final.split("\n");
    const at = lines.findLastIndex((line) => OPEN_HEADING.test(line) && IS_HEADING.test(line));
    if (at < 0) return [];
    const points: string[] = [];
    for (const line of lines.slice(at + 1)) {
      const point = POINT.exec(line)?.[1];
      if (point !== undefined) points.push(point.replace(/\*\*|__|`/g, ""));
      else if (line.trim() !== "" && !/^\s{2,}/.test(line)) break;
    }
    return points;
  }

  /** The index of the last message that changed the to-do list. */
  get lastTodo(): number {
    return this.#lastTodo;
  }

  /** The index of the last message that ran tests, in whatever way. */
  get lastTest(): number {
    return this.#lastTest;
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }
}

function isTodoCall(name: string): boolean {
  return TODO_TOOL.test(name.split("__").at(-1) ?? "");
}

function runsTests(command: string): boolean {
  return testCommand(command, "") !== undefined;
}

/** `inside`: the path of a file relative to the project's root; undefined if it is outside. */
export function didText(
  work: Work,
  session: SessionCollector,
  runs: readonly FoundRun[],
  inside: (path: string) => string | undefined,
): string {
  const files = work.files.flatMap(({ path }) => inside(path) ?? []);
  const more = files.length - SHOWN_FILES;
  const shown = files.slice(0, SHOWN_FILES).join(", ");
  const last = work.commits.at(-1);
  const run = runs.findLast(({ command }) => runsTests(command));
  // After a later run whose exit code a pipe hides, the state of the tests is unknown.
  const tests = run && run.index > session.lastTest ? run : undefined;
  const parts = [
    files.length === 0 ? "" : `edited ${shown}${more > 0 ? ` and ${plural(more, "more file")}` : ""}`,
    last === undefined
      ? ""
      : `${plural(work.commits.length, "commit")}, last ${last.sha.slice(0, 8)} "${clip(last.subject, 70)}"`,
    tests === undefined ? "" : `\`${clip(testPart(tests.command), 50)}\` ${tests.failed ? "failed" : "passed"} last`,
  ];
  return clip(parts.filter((part) => part !== "").join("; "), MAX_DID_CHARS);
}

/** `go test ./...` of `go build ./... && go test ./...` */
function testPart(line: string): string {
  return commandsIn(line).find(({ text }) => runsTests(text))?.text ?? line;
}

/** Empty if nothing is known to be open. */
export function openText(work: Work, session: SessionCollector): string {
  // Agents forget to tick off finished items, so a list older than the last commit is outdated.
  const isCurrent = session.lastTodo > (work.commits.at(-1)?.index ?? -1);
  const unfinished = work.todos.filter(({ status }) => status === "open" || status === "doing");
  const todos = isCurrent ? unfinished.map(({ text }) => text) : [];
  const points = todos.length > 0 ? todos : session.nextSteps();
  const more = points.length - MAX_POINTS;
  const listed = points.slice(0, MAX_POINTS).map((point) => clip(point, MAX_POINT_CHARS).replace(/[.;:]$/, ""));
  const request = work.requests.at(-1)?.text;
  const parts = [
    session.isInterrupted && request !== undefined
      ? `interrupted by the user while working on: ${clip(request, MAX_POINT_CHARS)}`
      : "",
    listed.length === 0 ? "" : `${listed.join("; ")}${more > 0 ? `; and ${more} more` : ""}`,
  ];
  return clip(parts.filter((part) => part !== "").join("; "), MAX_OPEN_CHARS);
}
