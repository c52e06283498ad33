/** Progress on standard error: a bar on a terminal, a plain line now and then elsewhere. */
export interface Progress {
  update(done: number, total: number, label: string): void;
  end(): void;
}

const BAR = 24;
const REDRAW_MS = 80;
const PLAIN_MS = 2000;

export function startProgress(stream: NodeJS.WriteStream, title: string): Progress {
  const terminal = stream.isTTY === true;
  const interval = terminal ? REDRAW_MS : PLAIN_MS;
  let last = Date.now();
  let drawn = false;
  return {
    update: (done, total, label) => {
      const now = Date.now();
      if (now - last < interval) return;
      last = now;
      const share = total > 0 ? Math.min(1, done / total) : 1;
      const percent = `${Math.floor(share * 100)}%`.padStart(4);
      if (!terminal) {
        stream.write(`${title}${percent}  ${label}\n`);
        return;
      }
      const full = Math.round(share * BAR);
      drawn = true;
      stream.write(`\r\u001b[2K${title} ${"█".repeat(full)}${"░".repeat(BAR - full)}${percent}  ${label}`);
    },
    end: () => {
      if (drawn) stream.write("\r\u001b[2K");
    },
  };
}
