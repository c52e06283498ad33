/** The id of a document or of a section in it: `collection:path#section`. */
export interface DocumentPlace {
  collection: string;
  document: string;
  section?: string | undefined;
}

export function idOf({ collection, document, section }: DocumentPlace): string {
  return `${collection}:${document}${section ? `#${section}` : ""}`;
}

export function placeOf(id: string): DocumentPlace {
  const colon = id.indexOf(":");
  const hash = id.indexOf("#", colon);
  const end = hash < 0 ? id.length : hash;
  return {
    collection: id.slice(0, Math.max(0, colon)),
    document: id.slice(colon + 1, end),
    section: id.slice(end + 1),
  };
}
