import type { Mail, OutgoingMessage, StoredMessage } from "../../../../apps/server/src/platform/mail/message-types.ts";

/** Takes every message of a test server: without the demo, a server keeps none. */
export function openMailbox(): Mail {
  const messages: StoredMessage[] = [];
  return {
    async send({ channel, to, subject, text, html }: OutgoingMessage) {
      messages.unshift({ channel, to, subject, text, html, at: new Date().toISOString() });
    },
    offers: () => true,
    textMessagesPerDay: 1_000_000,
    probe: async () => "reachable",
    outbox: async () => [...messages],
    close: () => {},
  };
}
