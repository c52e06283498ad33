/** `dex pin` and `dex pins`: the few sentences at the beginning of every pack. */
import * as z from "zod";
import { savedOutput, saveMemory, saverOf, savingOutput } from "../../memory/save.ts";
import { listMemories, removeMemory } from "../../memory/saved.ts";
import { fetchTeamNews } from "../../search/with_team.ts";
import { defineOperation } from "../operation.ts";
import { limitField, offsetField, projectFolderField } from "../shared/fields.ts";
import { idField, listedOutput, savingInput } from "./fields.ts";

export const pin = defineOperation({
  name: "dex_pin",
  verb: "pin",
  summary: "Pin a sentence to this project; every pack begins with the pins",
  positionals: ["text"],
  input: savingInput("The sentence"),
  output: savingOutput,
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  run: (dex, input, context) => saveMemory(dex, { ...input, kind: "pin" }, saverOf(dex, "current", context)),
});

export const pins = defineOperation({
  name: "dex_pins",
  verb: "pins",
  summary: "List the pins of this project and of all projects, latest first",
  positionals: ["query"],
  input: z.strictObject({
    query: z.string().max(1000).optional().describe("Words to match (default: all pins)"),
    project: projectFolderField,
    limit: limitField(50),
    offset: offsetField,
  }),
  output: listedOutput,
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    await fetchTeamNews(dex, context);
    return listMemories(dex, input, ({ kind }) => kind === "pin");
  },
  isEmpty: ({ memories }) => memories.length === 0,
});

export const unpin = defineOperation({
  name: "dex_unpin",
  verb: "unpin",
  summary: "Remove a pin",
  positionals: ["id"],
  input: z.strictObject({ id: idField("pin"), project: projectFolderField }),
  output: z.object({ removed: savedOutput }),
  readOnly: false,
  idempotent: false,
  syncBefore: "none",
  web: true,
  run: (dex, input) => ({ removed: removeMemory(dex, input, ({ kind }) => kind === "pin", "pin") }),
});
