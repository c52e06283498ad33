/**
 * The public API: open a Dex, run operations by name. Importing it loads no operation; each is loaded by its first run.
 * docs/guide/library.md has an example.
 */
export type { ConversationMeta, Message, Part, Role } from "./conversations/model.ts";
export { Dex, type DexOptions } from "./dex.ts";
export { DexError } from "./kernel/errors.ts";
export { type OperationInput, type OperationName, type OperationOutput, runOperation } from "./operations/by_name.ts";
export type { Operation, OperationContext } from "./operations/operation.ts";
export { operations } from "./operations/registry.ts";
export type { RunOperationOptions, RunResult } from "./operations/run.ts";
export { VERSION } from "./version.ts";
