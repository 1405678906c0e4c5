import { encode, wrap } from "nodemailer/lib/qp";

interface ComposedEmail {
  envelope: { from: string; to: string };
  /** The whole message, its lines end with CR LF. */
  raw: string;
}
interface EmailParts {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html?: string | undefined;
}

/** Addresses and names that need neither quotes nor an encoding. */
const plainAddress = /^[\w.%+'-]{1,64}@(?:[a-z0-9-]{1,63}\.){0,8}[a-z0-9-]{1,63}$/i;
const plainSender = /^(?:(?<name>[a-z0-9 ]{1,60}) )?<(?<address>[^<>\s]{3,254})>$/i;

/**
 * Writes an email (RFC 5322) as text, and as HTML if there is any (RFC 2046, 5.1.4). Returns null if an address is not a
 * plain one: nodemailer writes those. It sends what it has written itself in nine pieces, of which each is a call of the
 * system and takes longer than the message.
 */
export function composeEmail({ id, from, to, subject, text, html }: EmailParts, now: Date): ComposedEmail | null {
  const sender = plainSender.exec(from)?.groups?.["address"] ?? from;
  if (!plainAddress.test(sender) || !plainAddress.test(to)) return null;
  const boundary = `arcada-${id}`;
  const plain = encodePart("plain", text);
  const content =
    html === undefined
      ? [plain]
      : [
          `Content-Type: multipart/alternative; boundary="${boundary}"\r\n`,
          `--${boundary}\r\n${plain}`,
          `--${boundary}\r\n${encodePart("html", html)}`,
          `--${boundary}--\r\n`,
        ];
  const headers = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${encodeHeader(subject)}`,
    `Message-ID: <${id}@${sender.slice(sender.indexOf("@") + 1)}>`,
    `Date: ${now.toUTCString().replace("GMT", "+0000")}`,
    // The header keeps out-of-office replies from answering a machine.
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
  ];
  return { envelope: { from: sender, to }, raw: `${headers.join("\r\n")}\r\n${content.join("\r\n")}` };
}

/** Filters distrust text that is encoded without a reason, so the encoding is the one that changes least. */
function encodePart(subtype: "plain" | "html", text: string): string {
  const lines = text.replaceAll(/\r\n?|\n/g, "\r\n");
  const [encoding, body] = isSevenBit(lines)
    ? ["7bit", lines]
    : isMostlyAscii(lines)
      ? ["quoted-printable", wrap(encode(lines))]
      : ["base64", Buffer.from(lines).toString("base64").replaceAll(/.{76}/g, "$&\r\n")];
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;
}

// oxlint-disable-next-line no-control-regex -- 7bit is defined by these characters (RFC 2045, 2.7).
const sevenBitLine = /^[\t\x20-\x7e]{0,998}$/;
const isSevenBit = (lines: string): boolean => lines.split("\r\n").every((line) => sevenBitLine.test(line));
/** Quoted-printable is shorter than base64: a byte that is not ASCII takes three instead of four thirds. */
const isMostlyAscii = (text: string): boolean => {
  const bytes = Buffer.byteLength(text);
  const ascii = text.length - text.replaceAll(/[\x20-\x7e]/g, "").length;
  return 2 * (bytes - ascii) < bytes / 3;
};

/** Encoded words are at most 75 characters long and contain whole characters (RFC 2047, 2 and 5). */
const bytesOfAWord = 45;
function encodeHeader(value: string): string {
  if (/^[\x20-\x7e]{0,60}$/.test(value) && !value.includes("=?")) return value;
  const words = [""];
  for (const character of value) {
    const longer = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(longer) > bytesOfAWord) words.push(character);
    else words[words.length - 1] = longer;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join("\r\n ");
}
