/** Empty, loading and error states, the same in every view. */
import type { ComponentChildren } from "preact";
import { ApiError, type Progress } from "../api.ts";
import { InlineCode } from "./text/inline_code.tsx";

/** An error in the words of the server, with its hint. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof ApiError ? error.hint : undefined;
  return (
    <div class="state problem" role="alert">
      <p>
        <InlineCode text={message} />
      </p>
      {hint && (
        <p class="quiet">
          <InlineCode text={hint} />
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Nothing to show, and the next step. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state empty">
      <p class="state-title">{title}</p>
      {children && <div class="quiet">{children}</div>}
    </div>
  );
}

/** Grey lines in place of a list that is loading. They appear only after a moment. `progress`: of a long call. */
export function Loading({ lines = 6, progress }: { lines?: number; progress?: Progress | undefined }) {
  return (
    <div class="state loading" aria-busy="true">
      {progress ? <Step {...progress} /> : <span class="visually-hidden">Loading</span>}
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} class="bone" />
      ))}
    </div>
  );
}

/** The progress of a long call, and its current step. */
export function Step({ done, total, label }: Progress) {
  return (
    <p class="quiet" role="status">
      <progress max={Math.max(1, total)} value={done} aria-label={label} />{" "}
      {total > 0 && `${Math.floor((done / total) * 100)} % `}
      {label}
    </p>
  );
}
