/** More texts for the token estimate: data, configuration, output of tools and strings that are hardly text at all. */
import { createHash } from "node:crypto";
import { sha, type TokenSample } from "./samples.ts";

const bytes = (length: number): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(length / 32) }, (_, i) => createHash("sha256").update(`${i}`).digest()));

export const TOKEN_DATA_SAMPLES: readonly TokenSample[] = [
  {
    conversation: "data pipeline",
    name: "Python code",
    kind: "tool_result",
    text: `from __future__ import annotations

import argparse
import logging
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

logger = logging.getLogger(__name__)


@dataclass
class LoadReport:
    rows: int = 0
    skipped: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.errors


def load_readings(path: Path, *, tz: str = "UTC") -> tuple[pd.DataFrame, LoadReport]:
    """Read one station's CSV file and drop the readings that make no sense."""
    report = LoadReport()
    frame = pd.read_csv(path, parse_dates=["timestamp"], dtype={"station": "category"})
    frame["timestamp"] = frame["timestamp"].dt.tz_localize(tz, ambiguous="NaT")
    bad = frame["temperature"].isna() | ~frame["temperature"].between(-60, 60)
    report.rows, report.skipped = len(frame), int(bad.sum())
    if report.skipped > 0.1 * max(report.rows, 1):
        report.errors.append(f"{path.name}: {report.skipped} of {report.rows} readings skipped")
    return frame.loc[~bad].set_index("timestamp").sort_index(), report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("build/readings.parquet"))
    args = parser.parse_args()
    frames = []
    for path in args.paths:
        frame, report = load_readings(path)
        logger.info("%s: %d rows, %d skipped", path, report.rows, report.skipped)
        frames.append(frame)
    pd.concat(frames).to_parquet(args.out)
    return 0`,
  },
  {
    conversation: "data pipeline",
    name: "Python stack trace",
    kind: "tool_result",
    text: `Traceback (most recent call last):
  File "/opt/weather/bin/load.py", line 61, in <module>
    raise SystemExit(main())
                     ^^^^^^
  File "/opt/weather/bin/load.py", line 53, in main
    frame, report = load_readings(path)
                    ^^^^^^^^^^^^^^^^^^^
  File "/opt/weather/lib/readings.py", line 31, in load_readings
    frame["timestamp"] = frame["timestamp"].dt.tz_localize(tz, ambiguous="NaT")
                         ^^^^^^^^^^^^^^^^^^^^^
  File "/opt/weather/.venv/lib/python3.12/site-packages/pandas/core/generic.py", line 6299, in __getattr__
    return object.__getattribute__(self, name)
  File "/opt/weather/.venv/lib/python3.12/site-packages/pandas/core/indexes/accessors.py", line 643, in __new__
    raise AttributeError("Can only use .dt accessor with datetimelike values")
AttributeError: Can only use .dt accessor with datetimelike values. Did you mean: 'at'?`,
  },
  {
    conversation: "data pipeline",
    name: "CSV",
    kind: "tool_result",
    text: `timestamp,station,temperature,humidity,pressure,wind\n${Array.from(
      { length: 40 },
      (_, i) =>
        `2026-03-${String((i % 28) + 1).padStart(2, "0")}T${String(i % 24).padStart(2, "0")}:30:00Z,ST-${1000 + 37 * i},${(12.5 + Math.sin(i) * 9).toFixed(1)},${40 + ((i * 7) % 55)},${(1013.25 - i / 8).toFixed(2)},${((i * 13) % 90) / 10}`,
    ).join("\n")}`,
  },
  {
    conversation: "data pipeline",
    name: "SQL",
    kind: "text",
    text: `This query shows the stations that stopped reporting:

\`\`\`sql
WITH last_seen AS (
  SELECT station_id, max(recorded_at) AS last_reading, count(*) FILTER (WHERE quality = 'suspect') AS suspects
  FROM readings
  WHERE recorded_at > now() - interval '30 days'
  GROUP BY station_id
)
SELECT s.name, s.region, l.last_reading, coalesce(l.suspects, 0) AS suspects
FROM stations s
LEFT JOIN last_seen l ON l.station_id = s.id
WHERE l.last_reading IS NULL OR l.last_reading < now() - interval '6 hours'
ORDER BY l.last_reading NULLS FIRST
LIMIT 50;
\`\`\`

It needs the index on \`(station_id, recorded_at DESC)\`; without it Postgres scans the whole partition.`,
  },
  {
    conversation: "data pipeline",
    name: "log lines",
    kind: "tool_result",
    text: Array.from(
      { length: 24 },
      (_, i) =>
        `2026-03-14T06:${String(i + 10)}:${String((i * 7) % 60).padStart(2, "0")}.${String((i * 131) % 1000).padStart(3, "0")}Z ${["INFO", "WARN", "INFO", "DEBUG"][i % 4]} [ingest-${i % 3}] ${["batch committed", "slow query, retrying", "connection pool exhausted", "offset advanced"][i % 4]} topic=readings partition=${i % 8} offset=${918273 + i * 512} took=${(i * 37) % 900}ms`,
    ).join("\n"),
  },
  {
    conversation: "deployment",
    name: "YAML",
    kind: "tool_result",
    text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: thumbnailer
  namespace: media
  labels:
    app.kubernetes.io/name: thumbnailer
    app.kubernetes.io/version: "1.8.2"
spec:
  replicas: 3
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      app.kubernetes.io/name: thumbnailer
  template:
    spec:
      containers:
        - name: thumbnailer
          image: registry.example.com/media/thumbnailer:1.8.2
          imagePullPolicy: IfNotPresent
          ports:
            - containerPort: 8080
              name: http
          env:
            - name: QUEUE_URL
              valueFrom:
                secretKeyRef:
                  name: thumbnailer
                  key: queue-url
          resources:
            requests: { cpu: 250m, memory: 256Mi }
            limits: { memory: 512Mi }
          readinessProbe:
            httpGet: { path: /healthz, port: http }
            initialDelaySeconds: 5`,
  },
  {
    conversation: "deployment",
    name: "JSON answer",
    kind: "tool_result",
    text: JSON.stringify(
      {
        items: Array.from({ length: 6 }, (_, i) => ({
          metadata: {
            name: `thumbnailer-${sha(`rs ${i}`).slice(0, 10)}-${sha(`pod ${i}`).slice(0, 5)}`,
            uid: sha(`uid ${i}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
            creationTimestamp: `2026-03-14T0${i}:11:52Z`,
          },
          status: {
            phase: i === 2 ? "CrashLoopBackOff" : "Running",
            restartCount: i === 2 ? 14 : 0,
            podIP: `10.42.${i}.17`,
          },
        })),
      },
      null,
      2,
    ),
  },
  {
    conversation: "deployment",
    name: "table with rules",
    kind: "tool_result",
    text: `┌──────────────────────┬──────────┬────────────┬──────────────────────┐
│ service              │ replicas │ version    │ last deployed        │
├──────────────────────┼──────────┼────────────┼──────────────────────┤
│ api-gateway          │ 6/6      │ 4.12.0     │ 2026-03-13 14:02 UTC │
│ thumbnailer          │ 2/3      │ 1.8.2      │ 2026-03-14 05:58 UTC │
│ search-indexer       │ 2/2      │ 0.9.7      │ 2026-02-27 09:44 UTC │
│ notification-sender  │ 4/4      │ 2.3.1      │ 2026-03-10 11:20 UTC │
└──────────────────────┴──────────┴────────────┴──────────────────────┘

================================================================================
Rollout status: waiting for deployment "thumbnailer" (2 of 3 updated replicas are available)
--------------------------------------------------------------------------------`,
  },
  {
    conversation: "deployment",
    name: "directory listing",
    kind: "tool_result",
    text: `total 184
drwxr-xr-x  14 deploy deploy   4096 Mar 14 06:01 .
drwxr-xr-x   5 root   root     4096 Jan  9 18:22 ..
-rw-r--r--   1 deploy deploy    912 Mar  2 10:15 .dockerignore
-rw-r--r--   1 deploy deploy   1874 Mar 13 17:40 Dockerfile
-rw-r--r--   1 deploy deploy   6021 Mar 14 05:57 Makefile
-rw-r--r--   1 deploy deploy  11840 Feb 20 08:31 README.md
drwxr-xr-x   3 deploy deploy   4096 Mar 14 05:57 charts
drwxr-xr-x   9 deploy deploy   4096 Mar 14 05:50 internal
-rw-r--r--   1 deploy deploy  96733 Mar 12 12:09 package-lock.json
-rwxr-xr-x   1 deploy deploy    640 Nov 30 16:44 run-migrations.sh
./charts/thumbnailer/templates/deployment.yaml
./charts/thumbnailer/values.production.yaml
./internal/resize/resize_test.go
./internal/queue/consumer.go`,
  },
  {
    conversation: "deployment",
    name: "summary",
    kind: "text",
    text: `The third replica can't start because its secret is missing the key \`queue-url\`: it was renamed to \`QUEUE_URL\` in yesterday's chart, but the external secret still writes the old name. Two things to do:

- rename the key in \`charts/thumbnailer/values.production.yaml\` (one line), and
- delete the crashed pod so that it doesn't wait out its back-off.

I've made the first change on a branch. Do you want me to restart the pod, or would you rather do that yourself?`,
  },
  {
    conversation: "front end",
    name: "minified JavaScript",
    kind: "tool_result",
    text: `!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?t(exports):"function"==typeof define&&define.amd?define(["exports"],t):t((e=e||self).tinyStore={})}(this,(function(e){"use strict";var t=function(e,t){return Object.prototype.hasOwnProperty.call(e,t)};function n(e){var n=e||{},r=[],o=!1;return{get:function(){return n},set:function(e){for(var i in e)t(e,i)&&n[i]!==e[i]&&(n[i]=e[i],o=!0);o&&(o=!1,r.slice().forEach((function(e){return e(n)})))},subscribe:function(e){return r.push(e),function(){var t=r.indexOf(e);t>-1&&r.splice(t,1)}}}}e.createStore=n,e.combine=function(){for(var e=arguments.length,t=new Array(e),r=0;r<e;r++)t[r]=arguments[r];var o=n({});return t.forEach((function(e){return e.subscribe((function(t){return o.set(t)}))})),o},Object.defineProperty(e,"__esModule",{value:!0})}));`,
  },
  {
    conversation: "front end",
    name: "HTML and CSS",
    kind: "tool_result",
    text: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Photo gallery</title>
    <style>
      :root { --gap: 0.75rem; --accent: #2f6fed; }
      body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c1e21; background: #fafbfc; }
      .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: var(--gap); }
      .card:hover .card__title { text-decoration: underline; color: var(--accent); }
      @media (max-width: 40em) { .grid { grid-template-columns: 1fr; } }
    </style>
  </head>
  <body>
    <main class="grid" id="gallery" aria-live="polite"></main>
    <template id="card"><a class="card" href="#"><img alt="" loading="lazy" /><span class="card__title"></span></a></template>
    <script type="module" src="/assets/gallery.js"></script>
  </body>
</html>`,
  },
  {
    conversation: "front end",
    name: "Rust compiler",
    kind: "tool_result",
    text: `error[E0502]: cannot borrow \`self.tiles\` as mutable because it is also borrowed as immutable
  --> crates/render/src/atlas.rs:118:13
    |
115 |         for tile in self.tiles.iter().filter(|tile| tile.dirty) {
    |                     -----------------------------------------
    |                     |
    |                     immutable borrow occurs here
    |                     immutable borrow later used here
...
118 |             self.tiles.swap_remove(tile.index);
    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ mutable borrow occurs here

warning: unused variable: \`viewport\`
  --> crates/render/src/atlas.rs:97:30
   |
97 |     pub fn upload(&mut self, viewport: Rect, queue: &wgpu::Queue) -> Result<usize, AtlasError> {
   |                              ^^^^^^^^ help: if this is intentional, prefix it with an underscore: \`_viewport\`
   |
   = note: \`#[warn(unused_variables)]\` on by default

For more information about this error, try \`rustc --explain E0502\`.
error: could not compile \`render\` (lib) due to 1 previous error; 1 warning emitted`,
  },
  {
    conversation: "front end",
    name: "careful thinking",
    kind: "thinking",
    text: `The borrow checker complains because the loop holds an immutable borrow of self.tiles while swap_remove needs a mutable one. Collecting the dirty indices first is the obvious fix, but swap_remove changes the positions of the later tiles, so removing several by index in ascending order would remove the wrong ones. Going through the indices from the end solves that: whatever is swapped in comes from behind and has been visited already.

Alternatively \`retain_mut\` keeps the order and does it in one pass. The order matters for the draw calls, I believe, since tiles are sorted by texture page. So retain_mut is better here, even if it moves more memory. And the viewport parameter really is unused now; I'd rather remove it from the signature and its two callers than prefix it with an underscore.`,
  },
  {
    conversation: "front end",
    name: "chat with emoji",
    kind: "text",
    text: `🎉 Release day! 🚀 Version 3.0 is out ✅

✨ New: dark mode 🌙, keyboard shortcuts ⌨️, faster search 🔍
🐛 Fixed: the gallery no longer jumps 🦘 when images load, and Safari users 🧭 see thumbnails again 🖼️
⚠️ Breaking: the old /v1 endpoints are gone 👋
❤️ Thanks to everyone who tested the beta — you're the best 🙌🙏🥳

👉 Next up: offline support 📶, sharing 👨‍👩‍👧‍👦 and maybe stickers 😂🔥💯`,
  },
  {
    conversation: "binary data",
    name: "base64",
    kind: "tool_result",
    text: bytes(1500).toString("base64"),
  },
  { conversation: "binary data", name: "hex", kind: "tool_result", text: bytes(900).toString("hex") },
  {
    conversation: "binary data",
    name: "lock file",
    kind: "tool_result",
    text: Array.from(
      { length: 10 },
      (_, i) =>
        `    "node_modules/${["tiny-glob", "@scope/parser", "fast-json", "left-trim", "color-utils"][i % 5]}": {\n      "version": "${i}.${(i * 3) % 10}.${(i * 7) % 20}",\n      "resolved": "https://registry.npmjs.org/pkg/-/pkg-${i}.0.1.tgz",\n      "integrity": "sha512-${bytes(
          64 + i,
        )
          .subarray(i, 64 + i)
          .toString("base64")}",\n      "license": "MIT"\n    },`,
    ).join("\n"),
  },
  {
    conversation: "binary data",
    name: "identifiers",
    kind: "tool_call",
    text: JSON.stringify({
      ids: Array.from({ length: 14 }, (_, i) =>
        sha(`id ${i}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
      ),
      cursor: bytes(40).toString("base64url"),
      limit: 50,
    }),
  },
];
