/** One message: what people and agents said is set in serif, what machines did is one line that unfolds. */
import { useMemo } from "preact/hooks";
import { Agent, clockSince, shortCount, wholeTime } from "../../parts/format.tsx";
import { codeHref, conversationHref, insideOf } from "../../parts/links.ts";
import { localLink, resolvePath } from "../../parts/text/local_link.ts";
import { type FileHref, Markdown } from "../../parts/text/markdown.tsx";
import { visible } from "../../parts/text/visible.ts";
import { Fold } from "./fold.tsx";
import { togglePick, useReader } from "./reader_state.ts";
import { ToolCall, ToolResult } from "./tools.tsx";
import type { Message, Part } from "./transcript.ts";

/** Longer prompts are folded to their beginning: they are mostly pastes. */
const MAX_PROMPT_CHARS = 6000;
const ROLES = { user: "You", assistant: "", tool: "Tool", system: "System" } as const;

export function MessageView({ message, source }: { message: Message; source: string }) {
  const reader = useReader();
  const { picked, isPicking } = reader;
  const isMachine = message.parts.every(({ type }) => type === "tool_call" || type === "tool_result");
  const kind = message.kind === "summary" ? "summary" : message.role;
  return (
    <div class={`message ${isMachine ? "message-machine" : ""} message-${kind}`}>
      {!isMachine && <MessageHead message={message} source={source} />}
      {isPicking.value && (
        <label class="pick">
          <input
            type="checkbox"
            checked={picked.value.has(message.index)}
            onChange={() => togglePick(reader, message.index, message.tokens)}
          />
          <span>{shortCount(message.tokens)}</span>
          <span class="visually-hidden"> tokens: pick message {message.index}</span>
        </label>
      )}
      {message.parts.map((part, at) => (
        <PartView key={at} part={part} id={`${message.index}/${at}`} role={message.role} />
      ))}
      {message.parts.length === 0 && <p class="quiet">An empty message.</p>}
    </div>
  );
}

function MessageHead({ message, source }: { message: Message; source: string }) {
  const { transcript } = useReader();
  return (
    <header class="message-head">
      {message.role === "assistant" ? <Agent source={source} /> : <span class="who">{ROLES[message.role]}</span>}
      {message.kind === "summary" && <span class="quiet">summary of what came before</span>}
      {message.kind === "queued" && <span class="quiet">typed while the agent worked</span>}
      <a class="message-link" href={conversationHref(transcript.id, message.index)}>
        <span class="visually-hidden">Message </span>#{message.index}
      </a>
      {message.time && (
        <time dateTime={message.time} title={wholeTime(message.time)}>
          {clockSince(message.time, transcript.head.value?.created ?? message.time)}
        </time>
      )}
    </header>
  );
}

function PartView({ part, id, role }: { part: Part; id: string; role: Message["role"] }) {
  switch (part.type) {
    case "text":
      return <TextView text={part.text} chars={part.chars} id={id} isLong={role !== "assistant"} />;
    case "thinking":
      return (
        <Fold id={id} kind="thinking" name="Thinking" gist={firstLine(part.text)}>
          <Prose text={part.text} />
          <Cut chars={part.chars} shown={part.text.length} />
        </Fold>
      );
    case "tool_call":
      return <ToolCall part={part} id={id} />;
    case "tool_result":
      return <ToolResult part={part} id={id} />;
  }
}

function TextView({
  text,
  chars,
  id,
  isLong,
}: {
  text: string;
  chars?: number | undefined;
  id: string;
  isLong: boolean;
}) {
  if (isLong && text.length > MAX_PROMPT_CHARS) {
    return (
      <>
        <Prose text={`${text.slice(0, MAX_PROMPT_CHARS / 4)}…`} />
        <Fold id={id} kind="rest" name="All of it" gist={`${shortCount(chars ?? text.length)} characters`}>
          <Prose text={text} />
          <Cut chars={chars} shown={text.length} />
        </Fold>
      </>
    );
  }
  return (
    <>
      <Prose text={text} part={id} />
      <Cut chars={chars} shown={text.length} />
    </>
  );
}

/** A text of a message. Its links to files of the project open them as they are today. */
function Prose({ text, part }: { text: string; part?: string }) {
  const { id, head } = useReader().transcript;
  const project = head.value?.project ?? "";
  const fileHref = useMemo<FileHref>(
    () => (link) => {
      const { path = "", line } = localLink(link) ?? {};
      const inside = insideOf(project, path);
      const isOutside = path === "" || project === "" || /^(?:[\\/~]|[a-z]:)/i.test(inside);
      const file = isOutside ? undefined : resolvePath("", inside);
      return file ? codeHref(file, { project, line, by: id }) : undefined;
    },
    [id, project],
  );
  return <Markdown text={text} fileHref={fileHref} {...(part === undefined ? {} : { part })} />;
}

/** Says so when the server has cut a long text. */
export function Cut({ chars, shown }: { chars?: number | undefined; shown: number }) {
  if (chars === undefined || chars <= shown) return null;
  return (
    <p class="cut">
      {shortCount(chars - shown)} more characters are not shown. <code>dex message</code> prints the whole message.
    </p>
  );
}

export function firstLine(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return visible(line.slice(0, 300));
}
