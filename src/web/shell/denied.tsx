/** The server has a new token: each start of `dex web` makes one. Its link can be opened, or pasted here. */
import { useState } from "preact/hooks";
import { connection, keepToken } from "../api.ts";
import { Dialog } from "../parts/dialog.tsx";

export function Denied() {
  const [isHidden, setHidden] = useState(false);
  const [problem, setProblem] = useState("");
  if (connection.value !== "denied" || isHidden) return null;
  const use = (text: string): void => {
    const token = /(?:token=|^)([\w-]{20,})\s*$/.exec(text)?.[1];
    if (!token) {
      setProblem("That is not a link of dex web.");
      return;
    }
    keepToken(token);
    location.reload();
  };
  return (
    <Dialog title="This page needs the link of the running server" close={() => setHidden(true)}>
      <p>
        <code>dex web</code> prints a new link at each start, and the link is the key. Open it, or paste it here.
      </p>
      <label class="visually-hidden" for="dex-link">
        Link
      </label>
      <input
        id="dex-link"
        type="text"
        autocomplete="off"
        placeholder="http://127.0.0.1:3939/#token=…"
        onInput={(event) => use(event.currentTarget.value)}
      />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
