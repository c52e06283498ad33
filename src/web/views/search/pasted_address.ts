/** The conversation, and its message, that a pasted id, address or link of this page names. */
export function pastedAddress(text: string): { id: string; index?: number } | undefined {
  const found =
    /^https?:\/\/[^/\s]+\/c\/([^/?#\s]+)(?:\/(\d+))?/.exec(text) ??
    /^([\w:~.-]+)#(\d+)$/.exec(text) ??
    /^([\da-f]{8}(?:-[\da-f-]{1,27})?)$/i.exec(text);
  const [, id, index] = found ?? [];
  if (id === undefined) return undefined;
  return { id: decoded(id), ...(index === undefined ? {} : { index: Number(index) }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
