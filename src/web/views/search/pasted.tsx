/** A pasted id or link of a conversation leads to it: its words are rarely in it. */
import { plural, Time } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { conversationHref } from "../../parts/links.ts";
import { visible } from "../../parts/text/visible.ts";
import { pastedAddress } from "./pasted_address.ts";

export function Pasted({ query }: { query: string }) {
  const address = pastedAddress(query.trim());
  const input = address && { id: address.id, from: address.index ?? 0, count: 1 };
  const { data, error } = useCall("messages", input, { draft: true });
  if (!address || !data || error !== undefined) return null;
  const index = address.index;
  const id = data.origin === "team" ? address.id : data.id;
  return (
    <p class="pasted">
      <a href={conversationHref(id, index)} dir="auto">
        {visible(data.title) || "Untitled"}
      </a>{" "}
      <span class="quiet">
        {index === undefined ? "" : `message ${index} of `}
        {plural(data.message_count, "message")}, <Time iso={data.created} />
      </span>
    </p>
  );
}
