/** Reads the change that one tool call makes to a file, as far as the call states it. */
import { callFiles } from "../../conversations/activity/derive.ts";
import { NEW_KEYS, OLD_KEYS, patchText, textUnder, WHOLE_KEYS } from "../../conversations/activity/edits.ts";
import { callKind } from "../../conversations/activity/tools.ts";
import type { ToolCallPart } from "../../conversations/model.ts";
import { asArray, isObject, type JsonObject } from "../../kernel/json.ts";

export interface Replacement {
  before: string;
  after: string;
  all: boolean;
}

export interface Hunk {
  /** A line above the hunk, which locates it; empty for none. */
  anchor: string;
  /** Lines as the file has them before and after. */
  before: string[];
  after: string[];
}

export type FileStep =
  | { kind: "write"; path: string; text: string }
  | { kind: "replace"; path: string; replacements: Replacement[] }
  | { kind: "insert"; path: string; line: number; text: string }
  | { kind: "patch"; path: string; hunks: Hunk[]; to?: string }
  | { kind: "delete"; path: string }
  /** It edits the file in a way that the call does not state. */
  | { kind: "unclear"; path: string };

export function stepsOf(call: ToolCallPart): FileStep[] {
  const paths = [...new Set(callFiles(call).flatMap(({ path, how }) => (how === "edited" ? [path] : [])))];
  if (paths.length === 0) return [];
  const patch = patchText(call);
  if (patch !== undefined) {
    const steps = patchSteps(patch, paths.length === 1 ? paths[0] : undefined);
    return steps.length > 0 ? steps : unclear(paths);
  }
  const [path] = paths;
  if (path === undefined || paths.length > 1 || !isObject(call.input)) return unclear(paths);
  return [inputStep(call, path, call.input)];
}

function unclear(paths: readonly string[]): FileStep[] {
  return paths.map((path) => ({ kind: "unclear", path }));
}

function inputStep(call: ToolCallPart, path: string, input: JsonObject): FileStep {
  if (callKind(call) !== "edit") return { kind: "unclear", path };
  const several = asArray(input.edits ?? input.replacements).filter(isObject);
  const replacements = (several.length > 0 ? several : [input]).map(replacementOf);
  if (replacements.every((each) => each !== undefined)) return { kind: "replace", path, replacements };
  const line = input.insert_line ?? input.insertLine;
  const inserted = textUnder(input, NEW_KEYS);
  if (typeof line === "number" && inserted !== undefined) return { kind: "insert", path, line, text: inserted };
  const whole = several.length > 0 || inserted !== undefined ? undefined : textUnder(input, WHOLE_KEYS);
  if (whole !== undefined) return { kind: "write", path, text: whole };
  if (/delete|remove/i.test(call.name)) return { kind: "delete", path };
  return { kind: "unclear", path };
}

function replacementOf(edit: JsonObject): Replacement | undefined {
  const before = textUnder(edit, OLD_KEYS);
  const after = textUnder(edit, NEW_KEYS);
  if (before === undefined || after === undefined) return undefined;
  return { before, after, all: edit.replace_all === true || edit.replaceAll === true };
}

const SECTION = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/** Steps of a patch in the format of apply_patch, or of a unified diff. */
function patchSteps(patch: string, only: string | undefined): FileStep[] {
  const steps: FileStep[] = [];
  let added: (FileStep & { kind: "write" }) | undefined;
  let updated: (FileStep & { kind: "patch" }) | undefined;
  let hunk: Hunk | undefined;
  const begin = (path: string): void => {
    updated = { kind: "patch", path, hunks: [] };
    steps.push(updated);
    added = undefined;
    hunk = undefined;
  };
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const [, verb, named = ""] = SECTION.exec(line) ?? [];
    const path = named.trim();
    if (verb === "Add") {
      added = { kind: "write", path, text: "" };
      updated = undefined;
      steps.push(added);
    } else if (verb === "Update") begin(path);
    else if (verb === "Delete") {
      steps.push({ kind: "delete", path });
      added = undefined;
      updated = undefined;
    } else if (line.startsWith("*** Move to: ") && updated) updated.to = line.slice("*** Move to: ".length).trim();
    else if (line.startsWith("*** ")) hunk = undefined;
    else if (added) added.text += `${line.replace(/^\+/, "")}\n`;
    else if (line.startsWith("+++ ")) begin(line.slice(4).replace(/^b\//, "").replace(/\t.*$/, "").trim());
    else if (line.startsWith("--- ") && !hunk) continue;
    else if (line.startsWith("@@")) {
      if (!updated && only !== undefined) begin(only);
      const anchor = line.replace(/^@@(?: -\d[\d,]* \+\d[\d,]* @@)? ?/, "").replace(/ ?@@$/, "");
      hunk = { anchor, before: [], after: [] };
      updated?.hunks.push(hunk);
    } else if (updated) {
      if (!hunk) {
        hunk = { anchor: "", before: [], after: [] };
        updated.hunks.push(hunk);
      }
      addLine(hunk, line);
    }
  }
  return steps;
}

function addLine(hunk: Hunk, line: string): void {
  const sign = line[0];
  if (sign !== "+" && sign !== "\\") hunk.before.push(sign === "-" || sign === " " ? line.slice(1) : line);
  if (sign !== "-" && sign !== "\\") hunk.after.push(sign === "+" || sign === " " ? line.slice(1) : line);
}
