/** The address of a document, and of a section in it. */
export function documentHref(collection: string, document: string, section?: string): string {
  const path = document.split("/").map(encodeURIComponent).join("/");
  const at = section === undefined || section === "" ? "" : `&section=${encodeURIComponent(section)}`;
  return `/docs/${path}?collection=${encodeURIComponent(collection)}${at}`;
}
