/** The weights of the evidence for a conversation. Written by `npm run bench:quality -- --fit`. */
import type { Evidence } from "./evidence.ts";

export const WEIGHTS: Readonly<Evidence> = { together: 0.2, project: 0.1 };
