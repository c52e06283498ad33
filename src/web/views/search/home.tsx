/** The search without a query: the size of the index and the latest conversations; on a first visit, the offer to sync. */
import { Agent, plural, shortCount, Time } from "../../parts/format.tsx";
import { useFocusList } from "../../parts/hooks/focus_list.ts";
import { useCall } from "../../parts/hooks/use_call.ts";
import { conversationHref } from "../../parts/links.ts";
import { chosenPeriod } from "../../parts/period.ts";
import { Loading, Problem } from "../../parts/states.tsx";
import { projectName, visible } from "../../parts/text/visible.ts";
import { FirstSync } from "../../shell/first_sync.tsx";

const LATEST = 12;

export function Home() {
  const stats = useCall("stats", {});
  const latest = useCall("list", { limit: LATEST, ...chosenPeriod() });
  const conversations = latest.data?.conversations ?? [];
  const list = useFocusList("latest", conversations.length, "Latest conversations");
  if (stats.error !== undefined) return <Problem error={stats.error} retry={stats.reload} />;
  if (!stats.data) return <Loading />;
  if (stats.data.total_conversations === 0) return <FirstSync />;
  const { total_conversations, total_messages, total_tokens, date_range, last_sync } = stats.data;
  return (
    <div class="home">
      <p class="index-line">
        {plural(total_conversations, "conversation")}, {plural(total_messages, "message")}, {shortCount(total_tokens)}{" "}
        tokens
        {date_range.earliest && (
          <>
            {" "}
            since <Time iso={date_range.earliest} />
          </>
        )}
        .{" "}
        {last_sync && (
          <span class="quiet">
            Synced <Time iso={last_sync} />.
          </span>
        )}
      </p>
      <FirstSync whileRunning />
      <h2>Latest</h2>
      <ol class="latest" data-list="latest">
        {conversations.map((row, at) => (
          <li key={row.id}>
            <a
              class="one-line latest-title"
              dir="auto"
              href={conversationHref(row.id)}
              title={visible(row.title)}
              {...list.linkProps(at)}
            >
              {visible(row.title) || "Untitled"}
            </a>
            <span class="meta">
              <Agent source={row.source} />
              <span class="one-line" title={row.project}>
                {visible(projectName(row.project))}
              </span>
              <span>{plural(row.message_count, "message")}</span>
              <Time iso={row.date} />
            </span>
          </li>
        ))}
      </ol>
      <p>
        <a href="/conversations">All conversations</a>
      </p>
    </div>
  );
}
