/** Entities of a file for the store, the file itself first, with their search terms. */
import type { NewEntity } from "../../store/code.ts";
import type { EntityTerms } from "./entity_terms.ts";
import type { Definition, FileReading } from "./read_file.ts";

/** Term weights in quarters. */
const WEIGHTS = { name: 12, qualified: 4, signature: 4, doc: 4, path: 2, body: 1 };

export function toEntities(path: string, reading: FileReading, terms: EntityTerms): NewEntity[] {
  const { title, lines, text } = reading;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const definitions = JSON.parse(reading.entities) as Definition[];
  const [rest = [], ...bodies] = ownTexts(text, definitions);
  terms.trim();
  terms.add(path, WEIGHTS.name);
  terms.add(title, WEIGHTS.doc);
  const file: NewEntity = {
    kind: "file",
    name,
    qualified: path,
    parent: -1,
    exported: true,
    signature: path,
    doc: title,
    first_line: 1,
    last_line: lines,
    hash: "",
    ...terms.finish(rest, WEIGHTS.body),
  };
  return [file, ...definitions.map((entity, at) => toEntity(entity, path, bodies[at] ?? [], terms))];
}

function toEntity(entity: Definition, path: string, body: readonly string[], terms: EntityTerms): NewEntity {
  terms.add(entity.name, WEIGHTS.name);
  if (entity.parent >= 0) terms.add(entity.qualified, WEIGHTS.qualified);
  terms.add(entity.signature, WEIGHTS.signature);
  if (entity.doc !== "") terms.add(entity.doc, WEIGHTS.doc);
  terms.add(path, WEIGHTS.path);
  return {
    kind: entity.kind,
    name: entity.name,
    qualified: entity.qualified,
    parent: entity.parent + 1,
    exported: entity.exported,
    signature: entity.signature,
    doc: entity.doc,
    first_line: entity.first,
    last_line: entity.last,
    hash: entity.hash,
    ...terms.finish(body, WEIGHTS.body),
  };
}

/**
 * The text of the file outside its definitions, then that of each definition, without the definitions inside it: so each
 * line belongs to one of them.
 */
function ownTexts(text: string, definitions: readonly Definition[]): string[][] {
  const own: string[][] = [[], ...definitions.map(() => [])];
  const starts = lineStarts(text);
  const owners = new Uint32Array(starts.length);
  // A definition comes after the one that contains it.
  for (const [at, { first, last }] of definitions.entries()) owners.fill(at + 1, first - 1, last);
  for (let line = 0; line < owners.length; ) {
    const owner = owners[line] as number;
    let end = line + 1;
    while (end < owners.length && owners[end] === owner) end += 1;
    own[owner]?.push(text.slice(starts[line], starts[end]));
    line = end;
  }
  return own;
}

function lineStarts(text: string): number[] {
  const starts = text === "" ? [] : [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
