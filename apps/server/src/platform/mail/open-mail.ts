import path from "node:path";
import type { Config } from "../runtime/config.ts";
import { MailError } from "./message-types.ts";
import type { Mail, MessageChannel, SendMessage } from "./message-types.ts";
import { openOutbox } from "./demo-outbox.ts";
import { openSms } from "./sms.ts";
import { openSmtp } from "./smtp.ts";

/** Only the demonstration keeps messages in files: whoever reads the folder can sign in as anybody. */
export const usesOutbox = ({ ARCADA_DEMO, SMTP_URL }: Config): boolean => ARCADA_DEMO && SMTP_URL === undefined;
export const outboxFolder = ({ dataDir }: Config): string => path.join(dataDir, "outbox");

/** Opens the mail service: email by SMTP, text messages by HTTP, each if it is configured; the demo has an outbox. */
export function openMail(config: Config): Mail {
  const outbox = usesOutbox(config) ? openOutbox(outboxFolder(config)) : null;
  const smtp = config.SMTP_URL === undefined ? null : openSmtp(config.SMTP_URL, config.MAIL_FROM);
  const senders: Record<MessageChannel, SendMessage | undefined> = {
    email: smtp?.send ?? outbox?.send,
    sms: config.SMS_URL === undefined ? outbox?.send : openSms(config, config.SMS_URL),
  };
  return {
    async send(message, signal) {
      const send = senders[message.channel];
      if (!send) throw new MailError(`${message.channel} is not configured`, message.channel === "sms");
      await send(message, signal);
    },
    textMessagesPerDay: config.SMS_DAILY_LIMIT,
    offers: (channel) => senders[channel] !== undefined,
    outbox: async () => (await outbox?.list()) ?? [],
    probe: async () => (smtp === null ? "reachable" : smtp.probe()),
    close: () => smtp?.close(),
  };
}
