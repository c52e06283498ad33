/** A dialog over the page. The browser keeps the focus in it and closes it with Escape. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api.ts";

export interface DialogProps {
  title: string;
  close(): void;
  class?: string;
  children: ComponentChildren;
}

export function Dialog({ title, close, class: name = "", children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A dialog that is taken out of the page while it is open would leave the focus nowhere.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog with Escape; the click is on its backdrop
    <dialog
      ref={box}
      class={`dialog ${name}`}
      aria-labelledby={id}
      onClose={close}
      onClick={(event) => event.target === box.current && box.current?.close()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="plain" onClick={() => box.current?.close()}>
            Close <kbd>Esc</kbd>
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

export interface ConfirmProps {
  title: string;
  /** Says what will be gone, and that it cannot be undone if so. */
  children: ComponentChildren;
  /** The words on the button that does it: "Forget 3 conversations". */
  action: string;
  run(): Promise<unknown>;
  close(): void;
}

/** Asks before something is destroyed. "Cancel" has the focus. */
export function Confirm({ title, children, action, run, close }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await run();
      close();
    } catch (error) {
      setProblem(error instanceof ApiError ? [error.message, error.hint].join(" ") : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} close={close} class="confirm">
      {children}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <footer>
        <button type="button" autofocus onClick={close}>
          Cancel
        </button>
        <button type="button" class="danger" disabled={busy} onClick={() => void confirm()}>
          {action}
        </button>
      </footer>
    </Dialog>
  );
}
