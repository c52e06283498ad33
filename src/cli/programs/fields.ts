/** Fields that several programs share. */
import * as z from "zod";

export const jsonField = z.boolean().default(false).describe("Print JSON");
export const noGlobalField = z.boolean().default(false).describe("Only collections of the project in this folder");
