/** `dex web`: starts the server, prints its address and opens it in the browser. */
import { spawn } from "node:child_process";
import { programFile, withSafePath } from "../../kernel/programs.ts";
import { serveOptions } from "../../mcp/options.ts";
import { serveOverHttp } from "./http_server.ts";

interface WebOptions {
  port: number;
  orFree: boolean;
  open: boolean;
}

export function startWeb({ port, orFree, open }: WebOptions): Promise<number> {
  const mcp = serveOptions({ port, collections: [], no_global: false, structured: "lines" });
  return serveOverHttp({
    mcp,
    port,
    orFree,
    page: true,
    listening: ({ origin, pageToken }) => {
      const address = `${origin}/#token=${pageToken}`;
      process.stdout.write(`${address}\n`);
      process.stderr.write("dex: the page is at this address until you press Ctrl-C; MCP is at /mcp\n");
      if (open) openBrowser(address);
    },
  });
}

/** The program that opens an address, by operating system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Without a browser, the printed address remains. */
function openBrowser(address: string): void {
  const [program = "xdg-open", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(programFile(program, process.env), [...args, address], {
    stdio: "ignore",
    detached: true,
    env: withSafePath(process.env),
  });
  child.on("error", () => process.stderr.write("dex: no browser could be opened; open the address yourself\n"));
  child.unref();
}
