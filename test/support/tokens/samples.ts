/** Texts of many kinds, written for the token estimate: messages, tool calls and tool output of agents. */
import { createHash } from "node:crypto";
import type { TextKind } from "../../../src/tokens/costs.ts";

export interface TokenSample {
  /** Samples of one conversation are judged together. */
  conversation: string;
  name: string;
  kind: TextKind;
  text: string;
}

export const sha = (seed: string): string => createHash("sha1").update(seed).digest("hex");

export const TOKEN_SAMPLES: readonly TokenSample[] = [
  {
    conversation: "upload bug",
    name: "report",
    kind: "text",
    text: `The upload page hangs when I drop more than about twenty photos on it. The first dozen go through, then the progress bars stop moving and nothing shows up in the gallery until I reload. I've tried Firefox and Chrome, same thing in both, and it doesn't happen on the staging server, only in production. My guess is that it's the rate limiter we added last week, but I haven't looked at the logs yet.

Can you find out what's going on? Please don't change the limiter's defaults, other services depend on them. If it turns out that the client has to slow down, I'd rather have a small queue with four uploads at a time than another retry loop.`,
  },
  {
    conversation: "upload bug",
    name: "thinking aloud",
    kind: "thinking",
    text: `The user says uploads stall after about a dozen files. Let me think about what could cause that. The limiter allows 10 requests per second per address with a burst of 12, which matches "the first dozen go through". After that the server answers 429, and the client probably treats any non-2xx answer as a network error and waits for an event that never comes. I should look at how the client handles errors first, in upload-queue.ts, before I touch anything on the server.

There is a second possibility: the reverse proxy limits the number of connections per client. But then the requests would be slow rather than stuck, and a reload wouldn't help. I think the limiter is more likely. Let me read the code and then write a failing test that drops thirty files on a fake server that answers 429 after the twelfth.`,
  },
  {
    conversation: "upload bug",
    name: "search call",
    kind: "tool_call",
    text: JSON.stringify({
      pattern: "status === 429|retryAfter|Retry-After",
      path: "/home/mira/projects/gallery/web/src",
      glob: "**/*.{ts,tsx}",
      output_mode: "content",
      "-n": true,
      head_limit: 40,
    }),
  },
  {
    conversation: "upload bug",
    name: "TypeScript file",
    kind: "tool_result",
    text: `     1→import { EventEmitter } from "node:events";
     2→import type { UploadTask, UploadResult } from "./types.js";
     3→
     4→export interface QueueOptions {
     5→  concurrency?: number;
     6→  onProgress?: (done: number, total: number) => void;
     7→}
     8→
     9→/** Uploads run in order; at most \`concurrency\` of them at once. */
    10→export class UploadQueue extends EventEmitter {
    11→  private readonly waiting: UploadTask[] = [];
    12→  private running = 0;
    13→  private finished = 0;
    14→
    15→  constructor(private readonly options: QueueOptions = {}) {
    16→    super();
    17→  }
    18→
    19→  add(task: UploadTask): void {
    20→    this.waiting.push(task);
    21→    this.pump();
    22→  }
    23→
    24→  private pump(): void {
    25→    const limit = this.options.concurrency ?? Number.POSITIVE_INFINITY;
    26→    while (this.running < limit && this.waiting.length > 0) {
    27→      const task = this.waiting.shift();
    28→      if (task === undefined) return;
    29→      this.running += 1;
    30→      void this.send(task).finally(() => {
    31→        this.running -= 1;
    32→        this.finished += 1;
    33→        this.options.onProgress?.(this.finished, this.finished + this.waiting.length);
    34→        this.pump();
    35→      });
    36→    }
    37→  }
    38→
    39→  private async send(task: UploadTask): Promise<UploadResult> {
    40→    const response = await fetch(task.url, { method: "PUT", body: task.file, signal: task.signal });
    41→    if (!response.ok) throw new Error(\`upload of \${task.file.name} failed: \${response.status}\`);
    42→    return (await response.json()) as UploadResult;
    43→  }
    44→}`,
  },
  {
    conversation: "upload bug",
    name: "edit call",
    kind: "tool_call",
    text: JSON.stringify({
      file_path: "/home/mira/projects/gallery/web/src/upload/queue.ts",
      old_string:
        "    if (!response.ok) throw new Error('upload failed: ' + response.status);\n    return (await response.json()) as UploadResult;",
      new_string:
        '    if (response.status === 429) {\n      const seconds = Number(response.headers.get("retry-after") ?? "1");\n      await delay(Math.min(seconds, 30) * 1000, undefined, { signal: task.signal });\n      return this.send(task);\n    }\n    if (!response.ok) throw new UploadError(task.file.name, response.status);\n    return (await response.json()) as UploadResult;',
    }),
  },
  {
    conversation: "upload bug",
    name: "test run",
    kind: "tool_result",
    text: `
> gallery-web@2.14.0 test
> vitest run src/upload

 RUN  v3.1.4 /home/mira/projects/gallery/web

 ✓ src/upload/progress.test.ts (6 tests) 14ms
 ❯ src/upload/queue.test.ts (9 tests | 1 failed) 2087ms
   ✓ UploadQueue > uploads in order 12ms
   ✓ UploadQueue > honours the concurrency limit 41ms
   × UploadQueue > waits when the server says 429 2003ms
     → Test timed out in 2000ms.
If this is a long-running test, pass a timeout value as the last argument or configure it globally with "testTimeout".

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/upload/queue.test.ts > UploadQueue > waits when the server says 429
Error: Test timed out in 2000ms.
 ❯ src/upload/queue.test.ts:88:3
     86|   });
     87|
     88|   it("waits when the server says 429", async () => {
       |   ^
     89|     const server = await startServer({ limit: 12 });

 Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 14 passed (15)
   Start at  16:42:07
   Duration  2.61s (transform 84ms, setup 0ms, collect 131ms, tests 2.10s)`,
  },
  {
    conversation: "payment service",
    name: "Markdown plan",
    kind: "text",
    text: `## Plan

1. **Reproduce** the double charge with a test that kills the worker between \`Capture\` and \`MarkPaid\`.
2. **Make the capture idempotent**: send the invoice id as idempotency key, so that the provider ignores the second call.
3. Move \`MarkPaid\` into the same transaction as the outbox row.
4. Backfill: a query finds invoices that were charged twice since March; support refunds them by hand.

| Step | Risk | Rollback |
|------|------|----------|
| idempotency key | low, the provider has supported it since 2021 | drop the header |
| outbox in transaction | medium, longer locks on \`invoices\` | feature flag \`outbox_tx\` |
| backfill | low, read only | none needed |

I would ship 1 to 3 together and the backfill a day later. Shall I go ahead?`,
  },
  {
    conversation: "payment service",
    name: "Go code",
    kind: "tool_result",
    text: `package billing

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// ErrAlreadyPaid is returned when an invoice has been settled by an earlier call.
var ErrAlreadyPaid = errors.New("billing: invoice already paid")

type Capturer interface {
	Capture(ctx context.Context, key string, amount int64, currency string) (string, error)
}

func (s *Service) Settle(ctx context.Context, invoiceID string) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()

	var inv Invoice
	row := tx.QueryRowContext(ctx, "SELECT id, amount, currency, paid_at FROM invoices WHERE id = $1 FOR UPDATE", invoiceID)
	if err := row.Scan(&inv.ID, &inv.Amount, &inv.Currency, &inv.PaidAt); err != nil {
		return fmt.Errorf("load invoice %s: %w", invoiceID, err)
	}
	if inv.PaidAt.Valid {
		return ErrAlreadyPaid
	}
	ref, err := s.capturer.Capture(ctx, "invoice-"+inv.ID, inv.Amount, inv.Currency)
	if err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	if _, err := tx.ExecContext(ctx, "UPDATE invoices SET paid_at = $1, provider_ref = $2 WHERE id = $3", time.Now().UTC(), ref, inv.ID); err != nil {
		return err
	}
	return tx.Commit()
}`,
  },
  {
    conversation: "payment service",
    name: "shell call",
    kind: "tool_call",
    text: JSON.stringify({
      command: "cd services/billing && go test ./... -run 'TestSettle|TestOutbox' -count=1 -race 2>&1 | tail -n 60",
      description: "Run the settlement tests with the race detector",
      timeout: 180000,
    }),
  },
  {
    conversation: "payment service",
    name: "Go panic",
    kind: "tool_result",
    text: `--- FAIL: TestSettleTwice (0.03s)
panic: runtime error: invalid memory address or nil pointer dereference [recovered]
	panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x2 addr=0x18 pc=0x1029a4f3c]

goroutine 37 [running]:
testing.tRunner.func1.2({0x102b6e5a0, 0x102f1c0d0})
	/usr/local/go/src/testing/testing.go:1734 +0x1ac
github.com/northwind/shop/services/billing.(*Service).Settle(0x0, {0x102bb4f28, 0x1030a2ac0}, {0x102a3c1d5, 0x8})
	/Users/jonas/src/shop/services/billing/settle.go:31 +0x5c
github.com/northwind/shop/services/billing.TestSettleTwice(0x140001d6380)
	/Users/jonas/src/shop/services/billing/settle_test.go:58 +0x144
testing.tRunner(0x140001d6380, 0x102bb1a10)
	/usr/local/go/src/testing/testing.go:1792 +0xe4
created by testing.(*T).Run in goroutine 1
	/usr/local/go/src/testing/testing.go:1851 +0x374
FAIL	github.com/northwind/shop/services/billing	0.412s
FAIL`,
  },
  {
    conversation: "payment service",
    name: "diff",
    kind: "tool_result",
    text: `diff --git a/services/billing/settle.go b/services/billing/settle.go
index ${sha("a").slice(0, 7)}..${sha("b").slice(0, 7)} 100644
--- a/services/billing/settle.go
+++ b/services/billing/settle.go
@@ -28,12 +28,19 @@ func (s *Service) Settle(ctx context.Context, invoiceID string) error {
 	if inv.PaidAt.Valid {
 		return ErrAlreadyPaid
 	}
-	ref, err := s.capturer.Capture(ctx, inv.Amount, inv.Currency)
+	key := "invoice-" + inv.ID
+	ref, err := s.capturer.Capture(ctx, key, inv.Amount, inv.Currency)
 	if err != nil {
+		s.metrics.CaptureFailed.WithLabelValues(inv.Currency).Inc()
 		return fmt.Errorf("capture: %w", err)
 	}
+	if err := s.outbox.Add(ctx, tx, Event{Kind: "invoice.paid", Ref: inv.ID}); err != nil {
+		return fmt.Errorf("outbox: %w", err)
+	}
 	if _, err := tx.ExecContext(ctx, markPaid, time.Now().UTC(), ref, inv.ID); err != nil {
 		return err
 	}`,
  },
  {
    conversation: "payment service",
    name: "git log",
    kind: "tool_result",
    text: Array.from({ length: 12 }, (_, i) => {
      const subject = ["fix(billing): send the invoice id as idempotency key", "test: kill the worker mid-settlement"][
        i % 2
      ];
      return `commit ${sha(`commit ${i}`)}\nAuthor: Jonas Weber <jonas@northwind.example>\nDate:   Tue Mar ${i + 3} 09:1${i % 10}:42 2026 +0100\n\n    ${subject}\n`;
    }).join("\n"),
  },
];
