import * as z from "zod";
import { defineProgram } from "../command.ts";
import { portField } from "./fields.ts";

/** Used if it is free, so that the address of the page stays the same. */
const USUAL_PORT = 3939;

export const web = defineProgram({
  verb: "web",
  summary: "Look at everything dex knows in a browser",
  about:
    "Serves a page on this machine (127.0.0.1) and opens it in the browser: search, conversations, history, code, " +
    "decisions, suggestions and settings. The printed address contains the token of this run, without which the server " +
    "answers nothing. MCP clients can use the same port. Runs until you press Ctrl-C.",
  positionals: [],
  input: z.strictObject({
    port: portField.optional().describe(`The port (default ${USUAL_PORT}, or a free one if it is taken)`),
    no_open: z.boolean().default(false).describe("Only print the address; do not open a browser"),
  }),
  run: async ({ port, no_open }) => {
    const { startWeb } = await import("../running/web.ts");
    return startWeb({ port: port ?? USUAL_PORT, orFree: port === undefined, open: !no_open });
  },
});
