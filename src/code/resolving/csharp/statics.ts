/** C#: results of static methods of the library that depend on what they are given. */
import type { Value } from "../evaluating/values.ts";
import { csharpElement, listValue, taskValue } from "./library.ts";

interface Arguments {
  argument(at: number): Value | undefined;
  /** The result of a function that is an argument. */
  made(at: number): Value | undefined;
}

export function staticResult(type: string, method: string, given: Arguments): Value | undefined {
  if (type === "Task" || type === "ValueTask") return ofTask(method, given);
  if (type === "Interlocked" && /^(?:Exchange|CompareExchange)$/.test(method))
    return given.argument(0) ?? given.argument(1);
  if (type === "Volatile" && method === "Read") return given.argument(0);
  if (type === "LazyInitializer") return given.argument(0);
  if (type === "Array" && /^Find(?:Last)?$/.test(method)) return csharpElement(given.argument(0));
  if (type === "Array" && method === "FindAll") return given.argument(0);
  if (type === "Enumerable" && method === "Repeat") return listValue(given.argument(0));
  return type === "Assert" && /^(?:NotNull|IsType|Single)$/.test(method) ? given.argument(0) : undefined;
}

function ofTask(method: string, given: Arguments): Value | undefined {
  if (method === "FromResult") return taskValue(given.argument(0));
  if (method === "WhenAll") {
    const task = csharpElement(given.argument(0));
    return taskValue(listValue(task?.kind === "library" ? task.of[0] : undefined));
  }
  if (method !== "Run") return undefined;
  const made = given.made(0);
  // A task of a task is the inner one.
  return made?.kind === "library" && made.name === "Promise" ? made : made && taskValue(made);
}

/** Whether a static method passes the elements of its first argument to a function. */
export function staticSequence(type: string, method: string): boolean {
  return (
    (type === "Parallel" && /^ForEach(?:Async)?$/.test(method)) ||
    (type === "Array" && /^(?:ForEach|Find|FindAll|FindIndex|FindLast|Exists|TrueForAll|Sort|ConvertAll)$/.test(method))
  );
}
