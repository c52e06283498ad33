/**
 * Determines the meaning of HTML elements, because generators write tables, code and headings as `div`s, and use tables
 * for layout.
 */
import type { Attributes } from "./furniture.ts";

/** javadoc: a table of members, and the cells that start its rows. */
const GRID = /(?:^|\s)(?:[\w-]+-column-summary|summary-table)(?:\s|$)/;
const GRID_CELL = /(?:^|\s)col-(?:first|second|last|constructor-name|summary-item-name)(?:\s|$)/;
const GRID_FIRST = /(?:^|\s)col-(?:first|constructor-name|summary-item-name)(?:\s|$)/;
const GRID_HEAD = /(?:^|\s)table-header(?:\s|$)/;
const TABLE_PARTS = new Set(["tr", "td", "th", "tbody", "thead", "tfoot"]);

/** Keeps the meaning of each open element, because the parser names an element again when it ends. */
export class Elements {
  readonly #layout: ReadonlySet<number>;
  readonly #open: string[] = [];
  readonly #tables: ("layout" | "data" | "grid")[] = [];
  /** How many elements were open when each of these tables began. */
  readonly #tableDepths: number[] = [];
  #inPageTitle = false;

  constructor(layoutTables: ReadonlySet<number>) {
    this.#layout = layoutTables;
  }

  /** `at`: the offset of the tag. */
  open(name: string, attributes: Attributes, at: number): string {
    const meaning = this.#meaning(name, attributes, at);
    this.#open.push(meaning);
    return meaning;
  }

  close(): string {
    const meaning = this.#open.pop() ?? "";
    if (this.#tableDepths.at(-1) === this.#open.length) {
      this.#tables.pop();
      this.#tableDepths.pop();
    }
    return meaning;
  }

  /** Whether this element starts a row of a table that is made of `div`s. */
  startsRow({ class: names = "" }: Attributes): boolean {
    return this.#tables.at(-1) === "grid" && GRID_FIRST.test(names);
  }

  #openTable(kind: "layout" | "data" | "grid"): void {
    this.#tables.push(kind);
    this.#tableDepths.push(this.#open.length);
  }

  #meaning(name: string, { class: names = "" }: Attributes, at: number): string {
    const table = this.#tables.at(-1);
    if (name === "table") {
      const kind = this.#layout.has(at) && (table ?? "layout") === "layout" ? "layout" : "data";
      this.#openTable(kind);
      // doxygen: what a function is called with.
      return names === "memname" ? "pre" : kind === "layout" ? "div" : "table";
    }
    if (table === "layout" && TABLE_PARTS.has(name)) return "div";
    if (name !== "div" || names === "") return name;
    if (table === undefined && GRID.test(names)) {
      this.#openTable("grid");
      return "table";
    }
    if (table === "grid" && GRID_CELL.test(names)) return GRID_HEAD.test(names) ? "th" : "td";
    if (names === "headertitle") this.#inPageTitle = true;
    else if (names === "title" && this.#inPageTitle) {
      this.#inPageTitle = false;
      return "h1";
    }
    if (names === "fragment") return "pre";
    return names === "method-heading" ? "h4" : name;
  }
}
