/** The settings with their origin; each can be changed, or reset to its default. */
import { useState } from "preact/hooks";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { type Action, useAction } from "../../parts/hooks/use_action.ts";
import { useCall } from "../../parts/hooks/use_call.ts";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { InlineCode } from "../../parts/text/inline_code.tsx";
import { hrefWith, param, setQuery } from "../../router.ts";
import href from "./view.css";

export const sheet = href;

type Setting = OperationOutput<"config list">["settings"][number];

export function View() {
  const changed = param("changed") === "1";
  const query = param("q").toLowerCase();
  const { data, error, loading, reload } = useCall("config list", { set: changed });
  const action = useAction(reload);
  const shown = (data?.settings ?? []).filter(({ key, description }) =>
    `${key} ${description}`.toLowerCase().includes(query),
  );
  return (
    <div class="page">
      <header>
        <h1>Settings</h1>
        {data && (
          <p class="quiet">
            Kept in <code>{data.path}</code>. A variable of the environment goes before the file.
          </p>
        )}
      </header>
      <div class="toolbar">
        <input
          type="search"
          aria-label="Filter settings"
          placeholder="Name or words of a setting"
          value={param("q")}
          onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
        />
        <a class={`chip ${changed ? "chip-on" : ""}`} href={hrefWith({ changed: changed ? "" : "1" })}>
          Only changed ones
        </a>
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && loading && <Loading lines={10} />}
      {data && shown.length === 0 && <Empty title="No setting matches" />}
      {groups(shown).map(([group, settings]) => (
        <section key={group} class="settings-group" aria-label={group}>
          <h2>{group}</h2>
          <ul class="rows">
            {settings.map((setting) => (
              <li key={setting.key}>
                <Row setting={setting} action={action} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** By the first part of the key. */
function groups(settings: readonly Setting[]): [string, Setting[]][] {
  return [...Map.groupBy(settings, ({ key }) => key.split(".")[0] ?? key)];
}

const ORIGINS = { default: "default", file: "set in the file", environment: "from the environment" } as const;

function Row({ setting, action }: { setting: Setting; action: Action }) {
  const [resetting, setResetting] = useState(false);
  const { key, value, origin, variable, description } = setting;
  const set = (text: string): void => void action.run("config set", { key, value: text }, `${key} is set.`);
  return (
    <div class="setting">
      <div class="setting-words">
        <h3 id={`setting-${key}`} class="mono">
          {key}
        </h3>
        <p class="quiet" id={`about-${key}`}>
          <InlineCode text={description} />
        </p>
        <p class="quiet setting-origin">
          {ORIGINS[origin]}
          {variable !== undefined && (
            <>
              {" "}
              (<code>{variable}</code>)
            </>
          )}
        </p>
      </div>
      <div class="setting-control">
        <Control setting={setting} set={set} key={`${key} ${JSON.stringify(value)}`} />
        {origin === "file" && (
          <button type="button" class="plain" aria-label={`Reset ${key}`} onClick={() => setResetting(true)}>
            Reset
          </button>
        )}
      </div>
      {resetting && (
        <Confirm
          title={`Reset ${key}?`}
          action="Reset"
          run={() => action.run("config reset", { keys: [key] }, `${key} has its default again.`)}
          close={() => setResetting(false)}
        >
          <p>
            dex removes <code>{key}</code> from the file. Its value now: <code>{shownValue(value)}</code>
          </p>
        </Confirm>
      )}
    </div>
  );
}

function shownValue(value: Setting["value"]): string {
  if (value === null) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function Control({ setting, set }: { setting: Setting; set(text: string): void }) {
  const { key, value, choices } = setting;
  const [text, setText] = useState(shownValue(value));
  const label = { "aria-labelledby": `setting-${key}`, "aria-describedby": `about-${key}` };
  if (typeof value === "boolean" || choices) {
    const options = choices ?? ["true", "false"];
    return (
      <select {...label} value={shownValue(value)} onChange={(event) => set(event.currentTarget.value)}>
        {value === null && <option value="">not set</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {typeof value === "boolean" ? (option === "true" ? "on" : "off") : option}
          </option>
        ))}
      </select>
    );
  }
  const isChanged = text !== shownValue(value);
  return (
    <form
      class="setting-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) set(text);
      }}
    >
      <input
        type="text"
        {...label}
        class="mono"
        value={text}
        placeholder="not set"
        inputMode={typeof value === "number" ? "numeric" : "text"}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {isChanged && (
        <button type="submit" class="primary" aria-label={`Save ${key}`}>
          Save
        </button>
      )}
    </form>
  );
}
