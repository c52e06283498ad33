/** The memory of a project: pins, notes, and the pack that a new conversation begins with. */
import { useState } from "preact/hooks";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { dayOf, plural } from "../../parts/format.tsx";
import { type Action, useAction } from "../../parts/hooks/use_action.ts";
import { useCall } from "../../parts/hooks/use_call.ts";
import { codeHref } from "../../parts/links.ts";
import { PlaceLink } from "../../parts/place_link.tsx";
import { ProjectPicker, useProject } from "../../parts/project.tsx";
import { percent } from "../../parts/sizes.ts";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { InlineCode } from "../../parts/text/inline_code.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param, setQuery } from "../../router.ts";
import { Pack } from "./pack.tsx";
import href from "./view.css";

export const sheet = href;

type Memory = OperationOutput<"notes">["memories"][number];

const TABS = [
  { name: "", title: "Pins" },
  { name: "notes", title: "Notes" },
  { name: "pack", title: "Pack" },
] as const;

export function View() {
  const tab = param("show");
  return (
    <div class="page">
      <header>
        <h1>Memory</h1>
        <p class="quiet">Sentences that dex gives to agents: pins in every pack, notes where they fit.</p>
      </header>
      <div class="toolbar">
        <nav class="tabs" aria-label="Kinds of memory">
          {TABS.map(({ name, title }) => (
            <a key={name} href={hrefWith({ show: name })} aria-current={tab === name ? "true" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <ProjectPicker />
      </div>
      {tab === "pack" ? <Pack /> : <Memories kind={tab === "notes" ? "note" : "pin"} />}
    </div>
  );
}

function Memories({ kind }: { kind: "pin" | "note" }) {
  const project = useProject();
  const query = param("q");
  const words = query === "" ? {} : { query };
  const pins = useCall("pins", kind === "pin" ? { ...project, ...words, limit: 200 } : undefined);
  const notes = useCall("notes", kind === "note" ? { ...project, ...words, limit: 200 } : undefined);
  const { data, error, loading, reload } = kind === "pin" ? pins : notes;
  const action = useAction(reload);
  const shown = (data?.memories ?? []).filter((memory) => kind === "pin" || memory.kind !== "pin");
  return (
    <>
      <Save kind={kind} action={action} />
      <input
        type="search"
        class="memory-filter"
        aria-label="Filter by words"
        placeholder="Words to look for"
        value={query}
        onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
      />
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && loading && <Loading />}
      {data && shown.length === 0 && (
        <Empty title={emptyTitle(kind, query !== "")}>
          {kind === "pin"
            ? "Every pack begins with the pins: rules that every agent must know."
            : "Agents save notes, preferences and gotchas; you can, too."}
        </Empty>
      )}
      <ul class="rows">
        {shown.map((memory) => (
          <li key={memory.id}>
            <Row memory={memory} action={action} />
          </li>
        ))}
      </ul>
    </>
  );
}

function emptyTitle(kind: "pin" | "note", isFiltered: boolean): string {
  if (isFiltered) return `No ${kind} has these words`;
  return kind === "pin" ? "Nothing is pinned" : "No notes";
}

function Row({ memory, action }: { memory: Memory; action: Action }) {
  const { project: repository } = useProject();
  const [removing, setRemoving] = useState(false);
  const { id, kind, text, because, files, global, date, saved_by } = memory;
  const target = { id, ...(repository === undefined ? {} : { project: repository }) };
  const remove = (): Promise<boolean> => action.run(kind === "pin" ? "unpin" : "notes rm", target, "Removed.");
  return (
    <article class="memory">
      <div>
        <p class="memory-text">
          <InlineCode text={text} />
        </p>
        {because !== null && <p class="quiet">Because {visible(because)}</p>}
        <p class="quiet memory-facts">
          <span>{kind}</span>
          <span>{global ? "all projects" : "this project"}</span>
          <span>{dayOf(date)}</span>
          {files.map((file) => (
            <a key={file} class="place" href={codeHref(file, { project: repository })}>
              {visible(file)}
            </a>
          ))}
          {saved_by.map(({ by, place }) => (
            <span key={`${by} ${place}`}>
              by {by} {place !== undefined && <PlaceLink place={place} />}
            </span>
          ))}
        </p>
      </div>
      <button type="button" class="plain" aria-label={`Remove: ${text}`} onClick={() => setRemoving(true)}>
        Remove
      </button>
      {removing && (
        <Confirm title={`Remove this ${kind}?`} action="Remove" run={remove} close={() => setRemoving(false)}>
          <p>{visible(text)}</p>
          <p class="quiet">This cannot be undone.</p>
        </Confirm>
      )}
    </article>
  );
}

function Save({ kind, action }: { kind: "pin" | "note"; action: Action }) {
  const project = useProject();
  const [text, setText] = useState("");
  const [global, setGlobal] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const saved = await action.run(kind, { ...project, text, global }, (output) => savedSentence(output));
    if (saved) setText("");
  };
  return (
    <form class="save" onSubmit={(event) => void submit(event)}>
      <label class="field">
        {kind === "pin" ? "A sentence for every pack" : "A note"}
        <textarea rows={2} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <label class="check">
        <input type="checkbox" checked={global} onChange={(event) => setGlobal(event.currentTarget.checked)} />
        For all projects
      </label>
      <button type="submit" class="primary" disabled={action.busy || text.trim() === ""}>
        {kind === "pin" ? "Pin" : "Save the note"}
      </button>
    </form>
  );
}

function savedSentence({ merged, near, redactions }: OperationOutput<"pin">): string {
  const facts = [merged ? "It existed already." : "Saved."];
  if (redactions > 0) facts.push(`dex removed ${plural(redactions, "secret")}.`);
  const [first] = near;
  if (first) facts.push(`Similar (${percent(first.likeness)}): ${first.text}`);
  return facts.join(" ");
}
