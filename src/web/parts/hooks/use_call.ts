/**
 * Calls a verb for a view and keeps its last answers, so that "back" shows at once what was there. A call that is no
 * longer needed is aborted.
 */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { OperationInput, OperationName, OperationOutput } from "../../../operations/by_name.ts";
import { call, callLong, isAbort, type Progress } from "../../api.ts";

const MAX_KEPT = 60;
const kept = new Map<string, unknown>();

let running = 0;
/** A view waits for an answer. */
export const isCalling = (): boolean => running > 0;

/** Raised when the data may have changed: every call that is shown runs again. */
export const dataVersion = signal(0);

export interface Called<Out> {
  /** The last answer; while a new one is loading, that of the call before. */
  data: Out | undefined;
  error: unknown;
  loading: boolean;
  /** Of a long call that is running. */
  progress: Progress | undefined;
  reload(): void;
}

export interface UseCallOptions {
  draft?: boolean;
  /** It may take seconds, for example because the history of a project is read for the first time. */
  long?: boolean;
}

interface CallState {
  key: string;
  data?: unknown;
  error?: unknown;
  loading: boolean;
  progress?: Progress;
}

/** Without an input nothing is called. */
export function useCall<Name extends OperationName>(
  verb: Name,
  input: OperationInput<Name> | undefined,
  { draft = false, long = false }: UseCallOptions = {},
): Called<OperationOutput<Name>> {
  const key = input === undefined ? "" : `${verb} ${JSON.stringify(input)}`;
  const [state, setState] = useState<CallState>(() => ({
    key,
    data: kept.get(key),
    loading: key !== "",
  }));
  const [again, setAgain] = useState(0);
  const version = dataVersion.value;
  useEffect(() => {
    if (input === undefined) return;
    const controller = new AbortController();
    setState((last) => ({ key, data: kept.get(key) ?? last.data, loading: true }));
    const options = { signal: controller.signal, draft };
    const calling = long
      ? callLong(verb, input, (progress) => setState((last) => ({ ...last, progress })), options)
      : call(verb, input, options);
    running += 1;
    calling
      .finally(() => {
        running -= 1;
      })
      .then(
        (data) => {
          keep(key, data);
          setState({ key, data, loading: false });
        },
        (error: unknown) => {
          if (!isAbort(error)) setState((last) => ({ ...last, key, error, loading: false }));
        },
      );
    return () => controller.abort();
  }, [key, again, version, draft, long]);
  const data = (state.key === key ? state.data : (kept.get(key) ?? state.data)) as OperationOutput<Name> | undefined;
  return {
    data: key === "" ? undefined : data,
    error: state.key === key ? state.error : undefined,
    loading: key !== "" && (state.loading || state.key !== key),
    progress: state.loading && state.key === key ? state.progress : undefined,
    reload: () => setAgain((n) => n + 1),
  };
}

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, data);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) return;
    kept.delete(oldest);
  }
}
