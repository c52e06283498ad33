/** `dex code graph`: a file or symbol with its neighbours, as nodes and edges. */
import * as z from "zod";
import { neighbourhood } from "../../code/answers/neighbourhood.ts";
import { pathInProject } from "../../code/project.ts";
import { ENTITY_KINDS, RELATIONS } from "../../store/code.ts";
import { defineOperation } from "../operation.ts";
import { projectFolderField } from "../shared/fields.ts";
import { openChosenProject } from "./chosen_project.ts";
import { knownTarget } from "./known_target.ts";

const MAX_NODES = 60;

export const codeGraph = defineOperation({
  name: "dex_code_graph",
  verb: "code graph",
  summary: "Show a file or symbol with its neighbours, as nodes and edges",
  positionals: ["target"],
  input: z.strictObject({
    target: z.string().min(1).max(1000).describe("A name, Class.method, file, file:line or file#name"),
    project: projectFolderField,
    limit: z
      .int("must be a whole number")
      .min(1, "must be positive")
      .max(MAX_NODES, `must be at most ${MAX_NODES}`)
      .default(40)
      .describe("Maximum nodes"),
  }),
  output: z.object({
    project: z.string(),
    /** The nodes that were asked about. */
    focus: z.array(z.string()),
    nodes: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(ENTITY_KINDS),
        name: z.string(),
        path: z.string(),
        first_line: z.number(),
        last_line: z.number(),
        test: z.boolean(),
      }),
    ),
    edges: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        /** DEPENDS: of files, all relations of their definitions together. */
        relation: z.enum([...RELATIONS, "DEPENDS"]),
        count: z.number(),
        /** How sure it is, from 0 to 1. */
        confidence: z.number(),
      }),
    ),
    /** Neighbours beyond the limit. */
    left_out: z.number(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    const { project, store } = await openChosenProject(dex, input.project, context);
    const target = await knownTarget(project, store, input.target, (path) => pathInProject(project, dex.cwd, path));
    return { project: project.root, ...neighbourhood(store, target, input.limit) };
  },
});
