/** The `?` sheet: every key that works here and now. */
import { Dialog } from "../parts/dialog.tsx";
import { keyGroups } from "./keys.ts";

const NAMES: Readonly<Record<string, string>> = {
  mod: /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl",
  Escape: "Esc",
  ArrowDown: "↓",
  ArrowUp: "↑",
};

function Keys({ keys }: { keys: string }) {
  const parts = keys.split(" ").flatMap((step) => (step.length > 1 ? step.split("+") : [step]));
  return (
    <span class="keys">
      {parts.map((part) => (
        <kbd key={part}>{NAMES[part] ?? part}</kbd>
      ))}
    </span>
  );
}

export function KeySheet({ close }: { close(): void }) {
  return (
    <Dialog title="Keys" close={close} class="key-sheet">
      {keyGroups.value.map(({ title, bindings }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {bindings.map(({ keys, does }) => (
              <div key={keys}>
                <dt>
                  <Keys keys={keys} />
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p class="quiet">Single keys do nothing while you type in a field.</p>
    </Dialog>
  );
}
