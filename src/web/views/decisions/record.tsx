/** Records a decision by hand. */
import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import type { Action } from "../../parts/hooks/use_action.ts";

export function RecordDecision({ action, repository }: { action: Action; repository: string | undefined }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Record a decision
      </button>
      {open && <Form action={action} repository={repository} close={() => setOpen(false)} />}
    </>
  );
}

interface FormProps {
  action: Action;
  repository: string | undefined;
  close(): void;
}

function Form({ action, repository, close }: FormProps) {
  const [text, setText] = useState("");
  const [because, setBecause] = useState("");
  const [instead, setInstead] = useState("");
  const [files, setFiles] = useState("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const input = {
      text,
      ...(because.trim() === "" ? {} : { because }),
      instead_of: lines(instead),
      file: lines(files),
      ...(repository === undefined ? {} : { project: repository }),
    };
    if (await action.run("decide", input, "Recorded.")) close();
  };
  return (
    <Dialog title="Record a decision" close={close}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <label class="field">
          The decision
          <textarea rows={3} required autofocus value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <label class="field">
          Because
          <textarea rows={2} value={because} onInput={(event) => setBecause(event.currentTarget.value)} />
        </label>
        <label class="field">
          Instead of (one alternative per line)
          <textarea rows={2} value={instead} onInput={(event) => setInstead(event.currentTarget.value)} />
        </label>
        <label class="field">
          Files it concerns (one per line)
          <textarea rows={2} class="mono" value={files} onInput={(event) => setFiles(event.currentTarget.value)} />
        </label>
        {action.problem && (
          <p class="problem" role="alert">
            {action.problem}
          </p>
        )}
        <footer>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.busy || text.trim() === ""}>
            Record
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
