import type { Transporter } from "nodemailer";
import { MailError } from "./message-types.ts";
import type { SendMessage, ServerState } from "./message-types.ts";

/** The number of messages that one process sends at once. */
export const maxConnections = 4;
// The library's own limits are minutes long: a silent server would block every connection.
const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const;

interface Smtp {
  send: SendMessage;
  probe: () => Promise<ServerState>;
  close: () => void;
}

/** Sends email by SMTP. */
export function openSmtp(url: string, from: string): Smtp {
  let opened: Promise<Transporter> | undefined;
  const open = () => (opened ??= createTransport(url));
  return {
    async send({ id, to, subject, text, html }) {
      const transport = await open();
      await transport
        .sendMail({
          from,
          to,
          subject,
          text,
          html,
          // The header keeps out-of-office replies from answering a machine.
          headers: { "auto-submitted": "auto-generated" },
          messageId: `<${id}@${domainOf(from)}>`,
        })
        .catch((error: SmtpError) => {
          throw toMailError(error);
        });
    },
    probe: async () => {
      const transport = await open();
      return transport.verify().then(
        () => "reachable",
        ({ code }: SmtpError) => (code === "EAUTH" ? "refusesSignIn" : "away"),
      );
    },
    close: () => void opened?.then((transport) => transport.close()),
  };
}

/** The library takes 13 MB, and many processes never send an email: it is loaded with the first one. */
async function createTransport(url: string): Promise<Transporter> {
  const { createTransport: create } = await import("nodemailer");
  return create({ url, pool: true, maxConnections, ...limits });
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  syscall?: string;
  timeoutType?: string;
  responseCode?: number;
}
const toMailError = ({
  code = "",
  command = "",
  responseCode,
  message,
  syscall,
  timeoutType,
}: SmtpError): MailError => {
  // A refusal of the sender, the sign-in or the connection has to be fixed on our side, and the email waits for that.
  const refused = (command === "RCPT TO" || command === "DATA") && (responseCode ?? 0) >= 500;
  const noAddress = code === "EENVELOPE" && /^(Invalid recipient|No recipients)/.test(message);
  const isAway =
    code === "EDNS" || [syscall, timeoutType].some((phase) => phase !== undefined && connecting.has(phase));
  return new MailError(["mail", code, command, responseCode].filter(Boolean).join(" "), refused || noAddress, isAway);
};
/**
 * The library names a connection that was never made like one that was lost within a message, so the system's call,
 * or the library's own limit, decides. A server that hangs up counts as there: its emails wait by their own spacing.
 */
const connecting = new Set(["connect", "getaddrinfo", "CONNECT_TIMEOUT", "GREETING_TIMEOUT"]);
const domainOf = (from: string): string => /@([\w.-]+)/.exec(from)?.[1] ?? "localhost";
