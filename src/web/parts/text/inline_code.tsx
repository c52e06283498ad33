/** A sentence of others in which `backticks` mark code. Nothing else is read as Markdown. */
import { visible } from "./visible.ts";

export function InlineCode({ text }: { text: string }) {
  const pieces = visible(text).split(/`([^`\n]+)`/);
  return <>{pieces.map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece))}</>;
}
