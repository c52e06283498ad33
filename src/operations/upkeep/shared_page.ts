/**
 * A conversation as an HTML file to share. The file leaves this machine, so dex redacts it again: by the rules of today,
 * and not only by those of the sync that archived it.
 */
import type { Indexed } from "../../conversations/export.ts";
import type { ConversationMeta } from "../../conversations/model.ts";
import { exportHtml } from "../../conversations/page/page.ts";
import { redactMessage } from "../../redact/message.ts";
import { redactText } from "../../redact/redact.ts";

export function sharedPage(meta: ConversationMeta, messages: readonly Indexed[]): string {
  const clean = messages.map(({ index, message }) => ({ index, message: redactMessage(message).message }));
  const named = {
    ...(meta.title !== undefined && { title: redactText(meta.title).text }),
    ...(meta.branch !== undefined && { branch: redactText(meta.branch).text }),
  };
  return exportHtml({ ...meta, ...named }, clean);
}
