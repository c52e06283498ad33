/** The server has a new token: each start of `dex web` makes one. Its link can be opened, or pasted here. */
import { useState } from "preact/hooks";
import { call, connection } from "../api.ts";
import { Dialog } from "../parts/dialog.tsx";
import { tryToken } from "../token.ts";

/** The token is at the end of the link; it can be pasted alone, too. */
const TOKEN = /(?:token=|^\s*)([\w-]{40,})\s*$/;

/** `close`: the dialog must not hide what is on the page from a person who wants to read it. */
export function Denied({ close }: { close(): void }) {
  const [problem, setProblem] = useState("");
  const use = async (text: string): Promise<void> => {
    setProblem("");
    const token = TOKEN.exec(text)?.[1];
    if (!token) return setProblem(text.trim() === "" ? "" : "That is not a link of dex web.");
    tryToken(token);
    await call("pins", {}, { draft: true }).catch(() => undefined);
    if (connection.peek() === "up") location.reload();
    else setProblem("The server does not accept this link: it is from another start.");
  };
  return (
    <Dialog title="This page needs the link of the running server" close={close}>
      <p>
        <code>dex web</code> prints a new link at each start, and the link is the key. Open it, or paste it here.
      </p>
      <label class="visually-hidden" for="dex-link">
        Link
      </label>
      <input
        id="dex-link"
        type="text"
        autofocus
        autocomplete="off"
        placeholder="http://127.0.0.1:3939/#token=…"
        onInput={(event) => void use(event.currentTarget.value)}
      />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
