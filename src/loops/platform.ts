/** The part of WebAssembly that is used here: the types of Node name it without its constructors. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** From here on the buffer is another one, and the views of the old one are empty. */
  grow(pages: number): number;
}

interface Platform {
  Module: new (code: Uint8Array) => object;
  Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

export const { Module, Memory, Instance } = (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;

export const PAGE_BYTES: number = 1 << 16;
