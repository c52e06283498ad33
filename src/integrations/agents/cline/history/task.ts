/** Facts about a task besides its messages: from its side files and from the extension's list of tasks. */
import { join } from "node:path";
import type { ConversationMeta } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { fileContainer } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";

/** `folder` is the task's; the list of all tasks is in `state/`, next to the folder of tasks. */
export function taskMeta(folder: string, id: string): Partial<ConversationMeta> {
  const item = asObject(readSideJson(join(folder, "history_item.json")));
  const listed = listedTask(join(folder, "..", "..", "state", "taskHistory.json"), id);
  const used = asObject(asArray(asObject(readSideJson(join(folder, "task_metadata.json"))).model_usage).at(-1));
  const parent = firstString(item, "parentTaskId", "rootTaskId") ?? firstString(listed, "parentTaskId", "rootTaskId");
  return defined({
    title: titleFrom(firstString(item, "task") ?? firstString(listed, "task")),
    project:
      firstString(item, "workspace", "cwdOnTaskInitialization") ??
      firstString(listed, "cwdOnTaskInitialization", "workspace"),
    model: firstString(used, "model_id") ?? firstString(listed, "modelId"),
    created: startOf(id),
    updated: toIso(item.ts) ?? toIso(listed.ts),
    ...(parent && parent !== id ? { parent, parent_kind: "subagent" as const } : {}),
  });
}

/** Tasks are named after the millisecond in which they began, newer Roo ones by a UUID. */
function startOf(id: string): string | undefined {
  return /^1\d{12}$/.test(id) ? toIso(Number(id)) : undefined;
}

interface TaskList {
  path: string;
  stamp: string;
  tasks: Map<string, JsonObject>;
}

/** The list last read: all tasks of an extension share one, and a sync reads the tasks in a row. */
let last: TaskList | undefined;

function listedTask(path: string, id: string): JsonObject {
  const stamp = fileContainer("", path)?.stamp;
  if (stamp === undefined) return {};
  if (last?.path !== path || last.stamp !== stamp) {
    const tasks = new Map<string, JsonObject>();
    for (const task of asArray(readSideJson(path)).map(asObject)) tasks.set(asString(task.id) ?? "", task);
    last = { path, stamp, tasks };
  }
  return last.tasks.get(id) ?? {};
}
