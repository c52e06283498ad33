/** The part of WebAssembly that is used here: the types of Node name it without its constructors. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Replaces the buffer: the views of the old one become empty. */
  grow(pages: number): number;
}

interface Platform {
  Module: new (code: Uint8Array) => object;
  Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

export const { Module, Memory, Instance }: Platform = (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;

const PAGE_BYTES = 1 << 16;
/** Vector instructions want addresses that are a multiple of this. */
const ALIGNMENT = 16;

const compiled = new Map<string, object>();

/** The functions of a module, given in base64, which is compiled once in each thread. */
export function instantiate<Functions>(code: string, imports: object): Functions {
  const module = compiled.get(code) ?? new Module(Buffer.from(code, "base64"));
  compiled.set(code, module);
  return new Instance(module, imports).exports as Functions;
}

/** Addresses of pieces of memory, one after the other. */
export class Layout {
  /** The bytes of all pieces. */
  used: number = ALIGNMENT;

  take(bytes: number): number {
    const at = this.used;
    this.used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return at;
  }
}

/** Memory for the pieces of a layout. `maxPages`: less than it needs if it cannot grow. */
export function memoryFor({ used }: Layout, maxPages = 0): WasmMemory {
  const initial = pagesOf(used);
  return new Memory({ initial, maximum: Math.max(initial, maxPages) });
}

/** After new pieces were taken. */
export function growFor({ used }: Layout, memory: WasmMemory): void {
  const missing = used - memory.buffer.byteLength;
  if (missing > 0) memory.grow(pagesOf(missing));
}

export const MAX_PAGES: number = 1 << 16;

function pagesOf(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES);
}
