/** A small PDF made by hand: pages of lines, and an outline that leads to them. */

export interface PdfOutline {
  title: string;
  /** From 0. */
  page: number;
}

/** Text, code in a font whose characters are equally wide, or room that is left between two lines. */
export type PdfLine = string | { code: string } | { skip: number };

export function makePdf(pages: readonly (readonly PdfLine[])[], outline: readonly PdfOutline[] = []): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const catalog = add("");
  const tree = add("");
  const font = add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  const codeFont = add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>");
  const kids = pages.map((lines) => {
    const shown = lines.map(operatorsOf).join("\n");
    const stream = `BT /F1 12 Tf 14 TL 72 720 Td\n${shown}\nET`;
    const content = add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    const resources = `<< /Font << /F1 ${font} 0 R /F2 ${codeFont} 0 R >> >>`;
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources ${resources} >>`,
    );
  });
  objects[tree - 1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] >>`;
  let outlines = "";
  if (outline.length > 0) {
    const root = add("");
    const first = root + 1;
    for (const [at, { title, page }] of outline.entries()) {
      const next = at + 1 < outline.length ? `/Next ${first + at + 1} 0 R` : "";
      const before = at > 0 ? `/Prev ${first + at - 1} 0 R` : "";
      add(`<< /Title (${title}) /Parent ${root} 0 R ${next} ${before} /Dest [${kids[page]} 0 R /Fit] >>`);
    }
    const last = first + outline.length - 1;
    objects[root - 1] = `<< /Type /Outlines /First ${first} 0 R /Last ${last} 0 R /Count ${outline.length} >>`;
    outlines = `/Outlines ${root} 0 R`;
  }
  objects[catalog - 1] = `<< /Type /Catalog /Pages ${tree} 0 R ${outlines} >>`;
  return Buffer.from(serialise(objects, catalog), "latin1");
}

function operatorsOf(line: PdfLine): string {
  if (typeof line !== "string" && "skip" in line) return `0 -${line.skip} Td`;
  const [text, font] = typeof line === "string" ? [line, "F1"] : [line.code, "F2"];
  return `/${font} 12 Tf (${text.replace(/[\\()]/g, "\\$&")}) Tj T*`;
}

function serialise(objects: readonly string[], catalog: number): string {
  let text = "%PDF-1.4\n";
  const offsets = objects.map((body, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R >>`;
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${trailer}\nstartxref\n${text.length}\n%%EOF\n`;
}
