/** What a search result has beside a conversation's fields, apart from what finds it: a search loads only what it asks. */
import * as z from "zod";
import { ENTITY_KINDS } from "../../store/code.ts";

export const documentFields = {
  collection: z.string().optional(),
  document: z.string().optional(),
  section: z.string().optional(),
  first_line: z.number().optional(),
  last_line: z.number().optional(),
  /** In a list of several kinds: how near to the best of its own, from 0 to 1. */
  relative: z.number().optional(),
};

export const codeFields = {
  /** What is defined there. */
  definition: z.enum(ENTITY_KINDS).optional(),
  /** The file, from the project's root. */
  path: z.string().optional(),
  signature: z.string().optional(),
};
