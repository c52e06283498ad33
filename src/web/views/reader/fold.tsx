/** A part of a message that is one line until it is opened. Its state outlives the row that shows it. */
import type { ComponentChildren } from "preact";
import { toggleFold, useReader } from "./reader_state.ts";

export interface FoldProps {
  id: string;
  kind: "call" | "result" | "thinking" | "rest";
  name: string;
  gist: string;
  failed?: boolean;
  /** A short fact at the end of the line: "156 lines". */
  fact?: string | undefined;
  children: ComponentChildren;
}

export function Fold({ id, kind, name, gist, failed = false, fact, children }: FoldProps) {
  const reader = useReader();
  const open = reader.unfolded.value.has(id);
  return (
    <div class={`fold fold-${kind} ${failed ? "fold-failed" : ""} ${open ? "fold-open" : ""}`}>
      <button
        type="button"
        class="fold-line"
        aria-expanded={open}
        data-fold={id}
        onClick={() => toggleFold(reader, id)}
      >
        <b title={name}>{name}</b>
        <span class="one-line">{gist}</span>
        {fact && <i>{fact}</i>}
      </button>
      {open && (
        <div class="fold-body" data-part={id}>
          {children}
        </div>
      )}
    </div>
  );
}
