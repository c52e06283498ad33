/** Fields that several programs share. */
import * as z from "zod";

export const jsonField = z.boolean().default(false).describe("Print JSON");
export const noGlobalField = z.boolean().default(false).describe("Only collections of the project in this folder");
export const portField = z
  .int("must be a whole number")
  .min(0, "must not be negative")
  .max(65_535, "must be at most 65535");
