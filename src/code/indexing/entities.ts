/** Entities of a file for the store, the file itself first, with their search terms. */
import type { NewEntity } from "../../store/code.ts";
import type { Analyser } from "../../text/terms/analyser.ts";
import type { Definition, FileReading } from "./read_file.ts";

/** Term weights in quarters. */
const WEIGHTS = { name: 12, qualified: 4, signature: 4, doc: 4, path: 2 };

export function toEntities(path: string, reading: FileReading, analyser: Analyser): NewEntity[] {
  const { title, lines } = reading;
  const name = path.slice(path.lastIndexOf("/") + 1);
  analyser.add(path, WEIGHTS.name);
  analyser.add(title, WEIGHTS.doc);
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
    ...analyser.finish(),
  };
  const definitions = JSON.parse(reading.entities) as Definition[];
  return [file, ...definitions.map((entity) => toEntity(entity, path, analyser))];
}

function toEntity(entity: Definition, path: string, analyser: Analyser): NewEntity {
  analyser.add(entity.name, WEIGHTS.name);
  if (entity.parent >= 0) analyser.add(entity.qualified, WEIGHTS.qualified);
  analyser.add(entity.signature, WEIGHTS.signature);
  if (entity.doc !== "") analyser.add(entity.doc, WEIGHTS.doc);
  analyser.add(path, WEIGHTS.path);
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
    ...analyser.finish(),
  };
}
