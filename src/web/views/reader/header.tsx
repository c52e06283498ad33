/** The head of a conversation: its title and origin, its family, its files and commits. */
import { Agent, plural, Time, Tokens } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { codeHref, conversationHref, insideOf } from "../../parts/links.ts";
import { Owner } from "../../parts/owner.tsx";
import { shortPath, visible } from "../../parts/text/visible.ts";
import type { Head } from "./transcript.ts";

const MAX_FILES = 60;

/** `address`: that of the page, because a member of the team may have a conversation of the same id. */
export function ReaderHeader({ head, address }: { head: Head; address: string }) {
  return (
    <header class="reader-head">
      <h1 class="reader-title" dir="auto">
        {visible(head.title) || "Untitled"}
      </h1>
      <p class="reader-meta">
        <Agent source={head.source} />
        <Owner {...head} />
        <a class="one-line" href={`/conversations?${new URLSearchParams({ project: head.project }).toString()}`}>
          {visible(shortPath(head.project, 2))}
        </a>
        {head.branch && <span class="one-line">{visible(head.branch)}</span>}
        <Time iso={head.created} long />
        <span>{plural(head.message_count, "message")}</span>
        <Tokens count={head.estimated_tokens} />
        {head.model && <span class="one-line">{visible(head.model)}</span>}
      </p>
      <Related id={head.id} address={address} project={head.project} />
    </header>
  );
}

function Related({ id, address, project }: { id: string; address: string; project: string }) {
  const shown = useCall(
    "show",
    { ids: [address], format: "outline", expand: { message_index: 0, before: 0, after: 0 } },
    { draft: true },
  ).data?.conversations[0];
  const members = useCall("family", { id: address }, { draft: true }).data?.members ?? [];
  const others = members.filter((member) => member.id !== id);
  const files = shown?.files ?? [];
  const commits = shown?.commits ?? [];
  const parent = members.find((member) => member.id === members.find((own) => own.id === id)?.parent);
  const counts = [
    files.length > 0 && plural(files.length, "file"),
    commits.length > 0 && plural(commits.length, "commit"),
    others.length > 0 && plural(others.length, "related conversation"),
    shown?.changed_since &&
      shown.changed_since.files > 0 &&
      `${plural(shown.changed_since.files, "file")} changed since`,
  ].filter(Boolean);
  // The line is there before its content is known: the head must not grow while somebody reads below it.
  return (
    <div class="related-line">
      {counts.length > 0 && (
        <details class="related">
          <summary class="one-line">{counts.join(", ")}</summary>
          <div class="related-body">
            {parent && (
              <p>
                Started by <a href={conversationHref(parent.id)}>{visible(parent.title)}</a>
              </p>
            )}
            {others.length > 0 && (
              <section>
                <h2>Family</h2>
                <ul>
                  {members.map((member) => (
                    <li key={member.id} style={{ paddingLeft: `${Math.min(member.depth, 6) * 16}px` }}>
                      <a
                        class="one-line"
                        dir="auto"
                        href={conversationHref(member.id)}
                        aria-current={member.id === id ? "true" : undefined}
                      >
                        {visible(member.title) || member.address}
                      </a>
                      <span class="quiet">
                        {member.kind === "start"
                          ? ""
                          : `${member.kind === "abandoned" ? "abandoned branch" : member.kind}, `}
                        {plural(member.messages, "message")}
                      </span>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {files.length > 0 && (
              <section>
                <h2>Files</h2>
                <ul class="mono">
                  {files.slice(0, MAX_FILES).map((file) => (
                    <li key={file}>
                      <a class="one-line" href={codeHref(insideOf(project, file), { project, by: id })} title={file}>
                        {visible(insideOf(project, file))}
                      </a>
                    </li>
                  ))}
                  {files.length > MAX_FILES && <li class="quiet">{files.length - MAX_FILES} more</li>}
                </ul>
              </section>
            )}
            {commits.length > 0 && (
              <section>
                <h2>Commits</h2>
                <ul>
                  {commits.map((commit) => (
                    <li key={commit} class="mono">
                      {visible(commit)}
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </div>
        </details>
      )}
    </div>
  );
}
