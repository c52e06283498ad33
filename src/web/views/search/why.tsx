/** Why a result is where it is: its words with their rarity, its best messages, further evidence, and near misses. */
import type { OperationInput, OperationOutput } from "../../../operations/by_name.ts";
import { longCount } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { conversationHref } from "../../parts/links.ts";
import { Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";

type Output = OperationOutput<"search">;
type Explanation = NonNullable<Output["results"][number]["explain"]>;

const EVIDENCE = {
  together: "the words stand together",
  near: "many of the words are in one place",
  written: "the words are as you typed them",
  meaning: "a message of similar meaning",
  here: "it belongs to the current project",
  own: "it is the conversation that is searching",
} as const;
const MAX_DROPPED = 5;

export function Why({ input, id }: { input: OperationInput<"search">; id: string }) {
  const { data, error } = useCall("search", { ...input, explain: true, facets: false }, { draft: true });
  if (error !== undefined) return <Problem error={error} />;
  if (!data) return <Loading lines={2} />;
  const result = data.results.find((other) => other.id === id);
  if (!result?.explain) return <p class="why quiet">dex has no explanation for this result.</p>;
  return (
    <div class="why">
      <Words explain={result.explain} />
      <Messages id={id} explain={result.explain} />
      <dl class="why-facts">
        <Fact name="Score" value={result.score_final.toFixed(3)} />
        <Fact name="Words" value={result.score_lex.toFixed(2)} />
        <Fact name="Similarity" value={result.score_vec === null ? "none" : result.score_vec.toFixed(2)} />
        {result.explain.file_boost !== 1 && <Fact name="Named file" value={`× ${result.explain.file_boost}`} />}
        {result.explain.evidence.map(({ name, part }) => (
          <Fact key={name} name={EVIDENCE[name]} value={`+ ${part.toFixed(3)}`} />
        ))}
      </dl>
      <Dropped dropped={data.dropped ?? []} />
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Words({ explain }: { explain: Explanation }) {
  const most = Math.max(...explain.terms.map(({ share }) => share), 0.001);
  if (explain.terms.length === 0) return <p class="quiet">None of the words occur: it was found by its meaning.</p>;
  return (
    <table class="why-words">
      <caption>Words of the message shown</caption>
      <thead>
        <tr>
          <th scope="col">word</th>
          <th scope="col">in messages</th>
          <th scope="col">rarity</th>
          <th scope="col">share of the score</th>
        </tr>
      </thead>
      <tbody>
        {explain.terms.map(({ term, messages, rarity, share }) => (
          <tr key={term}>
            <th scope="row">{visible(term)}</th>
            <td>{longCount(messages)}</td>
            <td>{rarity.toFixed(1)}</td>
            <td>
              <span class="why-bar">
                <span style={{ width: `${(100 * share) / most}%` }} />
              </span>
              {share.toFixed(1)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Messages({ id, explain }: { id: string; explain: Explanation }) {
  return (
    <p>
      Best messages:{" "}
      {explain.best_messages.map(({ index, part }) => (
        <span key={index} class="why-message">
          {index === null ? "the title" : <a href={conversationHref(id, index)}>#{index}</a>}{" "}
          <span class="quiet">+ {part.toFixed(2)}</span>
        </span>
      ))}
    </p>
  );
}

function Dropped({ dropped }: { dropped: NonNullable<Output["dropped"]> }) {
  if (dropped.length === 0) return null;
  return (
    <details>
      <summary>{dropped.length} near misses are not among the results</summary>
      <ul>
        {dropped.slice(0, MAX_DROPPED).map(({ id, message_index, likeness, reason }) => (
          <li key={`${id}#${message_index}`}>
            <a href={conversationHref(id, message_index)}>
              {id.slice(0, 8)}#{message_index ?? 0}
            </a>{" "}
            <span class="quiet">
              similarity {likeness.toFixed(2)}: {visible(reason)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
