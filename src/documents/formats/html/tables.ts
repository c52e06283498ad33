/** Tells layout tables of HTML pages from tables with data, and builds the rows of the latter. */

const TAG = /<(\/?)(table|tr|th|h[1-6]|pre|ul|ol|dl)(?=[\s>/])/gi;
/** More rows are data. */
const MAX_LAYOUT_ROWS = 2;
const MAX_COLUMNS = 100;
const MAX_SPANNED_ROWS = 10_000;

interface OpenTable {
  at: number;
  rows: number;
  heads: number;
  blocks: number;
  tables: number;
  headings: number;
}

/** The offsets of the tables that hold a part of the page: with headings, or with a single row or lists and no heads. */
export function layoutTables(source: string): Set<number> {
  const found = new Set<number>();
  if (!/<table/i.test(source)) return found;
  const open: OpenTable[] = [];
  for (const { index, 1: slash, 2: tag = "" } of source.matchAll(TAG)) {
    const name = tag.toLowerCase();
    const table = open.at(-1);
    if (name === "table" && slash === "")
      open.push({ at: index, rows: 0, heads: 0, blocks: 0, tables: 0, headings: 0 });
    else if (name === "table") {
      open.pop();
      if (!table) continue;
      if (isLayout(table)) found.add(table.at);
      const outer = open.at(-1);
      if (!outer) continue;
      outer.tables += 1;
      outer.headings += table.headings;
    } else if (!table || slash !== "") continue;
    else if (name === "tr") table.rows += 1;
    else if (name === "th") table.heads += 1;
    else if (name.startsWith("h")) table.headings += 1;
    else table.blocks += 1;
  }
  return found;
}

function isLayout({ rows, heads, blocks, tables, headings }: OpenTable): boolean {
  if (headings > 0 && rows <= headings * 2) return true;
  return heads === 0 && (rows <= 1 || (rows <= MAX_LAYOUT_ROWS && blocks + tables > 0));
}

export interface Row {
  cells: string[];
  isHead: boolean;
}

/** Builds the rows of one table. A cell that spans rows is repeated in each; one that spans columns leaves the others empty. */
export class TableRows {
  #cells: string[] | undefined;
  #heads = 0;
  #isFirst = true;
  #columns = 1;
  #rows = 1;
  /** By column, the cell that spans the next rows. */
  readonly #spanning: ({ text: string; left: number } | undefined)[] = [];

  /** Whether the open cell is the first of its row and takes several columns, as the title of a part of a table does. */
  get isTitle(): boolean {
    return this.#cells?.length === 0 && this.#columns > 1;
  }

  get isRowOpen(): boolean {
    return this.#cells !== undefined;
  }

  openRow(): void {
    this.#cells = [];
    this.#heads = 0;
  }

  openCell({ colspan, rowspan }: Record<string, string>): void {
    this.#columns = spanOf(colspan, MAX_COLUMNS);
    this.#rows = spanOf(rowspan, MAX_SPANNED_ROWS);
  }

  closeCell(text: string, isHead: boolean): void {
    const cells = this.#cells;
    if (!cells || cells.length > MAX_COLUMNS) return;
    this.#repeat(cells);
    for (let at = 0; at < this.#columns; at += 1) {
      const own = at === 0 ? text : "";
      if (this.#rows > 1) this.#spanning[cells.length] = { text: own, left: this.#rows - 1 };
      cells.push(own);
    }
    if (isHead) this.#heads += 1;
    else if (text !== "") this.#heads -= MAX_COLUMNS;
    this.#columns = 1;
    this.#rows = 1;
  }

  /** The row, if it has any text; only the first row of a table can be its header. */
  closeRow(): Row | undefined {
    const cells = this.#cells;
    this.#cells = undefined;
    if (!cells) return undefined;
    this.#repeat(cells);
    if (cells.every((text) => text === "")) return undefined;
    const isHead = this.#isFirst && this.#heads > 0;
    this.#isFirst = false;
    return { cells, isHead };
  }

  #repeat(cells: string[]): void {
    for (let cell = this.#spanning[cells.length]; cell; cell = this.#spanning[cells.length]) {
      cell.left -= 1;
      if (cell.left === 0) this.#spanning[cells.length] = undefined;
      cells.push(cell.text);
    }
  }
}

function spanOf(value: string | undefined, most: number): number {
  const span = Number(value ?? 1);
  return Number.isInteger(span) && span > 1 ? Math.min(span, most) : 1;
}
