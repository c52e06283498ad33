/** Calls of tools and their results. */
import { plural } from "../../parts/format.tsx";
import { codeHref, conversationHref, insideOf } from "../../parts/links.ts";
import { Diff, isPatch, Patch } from "../../parts/text/diff.tsx";
import { Code, languageOf } from "../../parts/text/highlight.tsx";
import { shortPath, visible } from "../../parts/text/visible.ts";
import { Fold } from "./fold.tsx";
import { Cut, firstLine } from "./message.tsx";
import { useReader } from "./reader_state.ts";
import type { Part } from "./transcript.ts";

type CallPart = Extract<Part, { type: "tool_call" }>;
type ResultPart = Extract<Part, { type: "tool_result" }>;

/** The server cuts longer texts. */
const MAX_CODE_CHARS = 100_000;

export function ToolCall({ part, id }: { part: CallPart; id: string }) {
  const { result } = part;
  const failed = result?.status === "failed";
  const exit = result?.exit_code;
  const fact = failed ? (exit === undefined ? "failed" : `exit ${exit}`) : undefined;
  return (
    <Fold id={id} kind="call" name={visible(part.name)} gist={visible(part.gist)} failed={failed} fact={fact}>
      {part.edits?.length ? part.edits.map((edit, at) => <Edit key={at} edit={edit} />) : <Input part={part} />}
      {result?.agent && (
        <p>
          <a href={conversationHref(result.agent)}>The subagent's conversation</a>
        </p>
      )}
    </Fold>
  );
}

type EditOf = NonNullable<CallPart["edits"]>[number];

function Edit({ edit: { path, old, new: after, patch } }: { edit: EditOf }) {
  const { id, head } = useReader().transcript;
  const project = head.value?.project ?? "";
  const inside = insideOf(project, path);
  return (
    <div class="edit">
      <p class="edit-path" title={path}>
        {visible(shortPath(path, 4))}
        {inside !== path && (
          <a class="edit-today" href={codeHref(inside, { project, by: id })}>
            the file today
          </a>
        )}
      </p>
      {patch !== undefined ? (
        <Patch text={patch} />
      ) : old ? (
        <Diff before={old} after={after ?? ""} />
      ) : (
        <Code code={(after ?? "").slice(0, MAX_CODE_CHARS)} language={languageOf(path)} />
      )}
    </div>
  );
}

/** A shell command as it was run; any other input as JSON. */
function Input({ part }: { part: CallPart }) {
  const command = commandOf(part.text);
  return (
    <>
      {command === undefined ? (
        <Code code={part.text.slice(0, MAX_CODE_CHARS)} language="json" />
      ) : (
        <Code code={command} language="bash" wrap />
      )}
      <Cut chars={part.chars ?? part.text.length} shown={Math.min(part.text.length, MAX_CODE_CHARS)} />
    </>
  );
}

function commandOf(input: string): string | undefined {
  if (!input.startsWith("{")) return undefined;
  try {
    const { command, cmd } = JSON.parse(input) as { command?: unknown; cmd?: unknown };
    const found = command ?? cmd;
    if (typeof found === "string") return found;
    return Array.isArray(found) && found.every((part) => typeof part === "string") ? found.join(" ") : undefined;
  } catch {
    return undefined;
  }
}

export function ToolResult({ part, id }: { part: ResultPart; id: string }) {
  const failed = part.status === "failed";
  const exit = part.exit_code === undefined || part.exit_code === 0 ? "" : `exit ${part.exit_code}, `;
  return (
    <Fold
      id={id}
      kind="result"
      name={part.call ? "" : visible(part.name ?? "Result")}
      gist={firstLine(part.text) || "no output"}
      failed={failed}
      fact={`${failed && exit === "" ? "failed, " : exit}${plural(part.lines, "line")}`}
    >
      {isPatch(part.text) ? <Patch text={part.text} /> : <Code code={part.text.slice(0, MAX_CODE_CHARS)} />}
      <Cut chars={part.chars ?? part.text.length} shown={Math.min(part.text.length, MAX_CODE_CHARS)} />
      {part.agent && (
        <p>
          <a href={conversationHref(part.agent)}>The subagent's conversation</a>
        </p>
      )}
    </Fold>
  );
}
