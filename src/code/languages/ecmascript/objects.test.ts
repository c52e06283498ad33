import assert from "node:assert/strict";
import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

const LIBRARY = `export class Editor { format() {} focus() {} }
export type Handler = (this: { editor: Editor }, value: string) => void;
export interface Binding { key: string; handler: Handler }
export interface Options { bindings: Record<string, Binding>; all: Binding[] }
export interface Connector { connect(): void; setup?(): void }
export function connector(make: (x: number) => Connector): void {}
export class Menu { static DEFAULTS: { handlers: Record<string, Handler> }; show() {} }
export declare namespace Store { interface Options { load(): void } class Inner { static go(): void } }
export class Store { constructor(readonly options: Store.Options) {} open() { this.options.load(); } }
export function read(x: read.Input) { x.next(); }
export namespace read { export interface Input { next(): void } export const again = (x: Input) => read(x); }
export const first = () => {};
export const second: () => void = first;
`;

const CASES: CallCases = {
  "the type of this that a function states": [
    "export const o: Options = { all: [{ key: 'a', handler() { this.editor.format(); } }], bindings: { b: { key: 'b', handler: function () { this.editor.focus(); } }, 'c d': { key: 'c', handler() { this.editor.format(); } } } };",
    ["Editor.focus", "Editor.format"],
  ],
  "the type of the object": [
    "connector((x) => ({ connect() {}, setup() { this.connect(); } }));",
    ["Connector.connect", "connector"],
  ],
  "an assigned object": ["Menu.DEFAULTS = { handlers: { a() { this.editor.focus(); } } };", ["Editor.focus"]],
  "an object in a class is not the class": [
    "export class Own extends Menu { go() { return { a() { this.show(); }, b: () => this.show() }; } }",
    ["Menu.show"],
  ],
  "a namespace before its class": [
    "new Store({ load() {} }).open(); Store.Inner.go();",
    ["Store", "Store.Inner.go", "Store.open"],
  ],
  "a namespace behind its function": ["read({ next() {} }); read.again({ next() {} });", ["read", "read.again"]],
  "a variable that is assigned again": [
    "export function f(x: boolean) { let go = first; if (x) go = () => {}; go(); let other = second; other(); const same = first; same(); }",
    ["first"],
  ],
};

const NAMES = "connector, first, Menu, read, second, Store, type Options";

describe("objects and namespaces", () => {
  testCalls(
    CASES,
    "main.ts",
    (text) => ({ "library.ts": LIBRARY, "main.ts": `import { ${NAMES} } from "./library.ts";\n${text}\n` }),
    (fixture) => {
      const own = fixture.callsFrom("library.ts").map(({ qualified }) => qualified);
      assert.deepEqual(own.sort(), ["Store.Options.load", "read", "read.Input.next"]);
    },
  );
});
