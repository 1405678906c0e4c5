import type { Language } from "@arcada/contract/kernel/languages";

/** A text message goes to a phone number with its country code, such as +8613912345678. */
export type MessageChannel = "email" | "sms";
export interface OutgoingMessage {
  /** A message that is sent again carries the same id, so that the receiver can recognise the duplicate. */
  id: string;
  channel: MessageChannel;
  to: string;
  subject: string;
  text: string;
  /** The same text for clients that show HTML. */
  html?: string | undefined;
  /** The entry of letter.json, its values and its language, for providers that hold the wording themselves. */
  name: string;
  values: Readonly<Record<string, string | number>>;
  language: Language;
}
export interface StoredMessage extends Pick<OutgoingMessage, "channel" | "to" | "subject" | "text" | "html"> {
  at: string;
}
/** A server that refuses our password must not be asked again and again: it might lock the account. */
export type ServerState = "reachable" | "away" | "refusesSignIn";

/** Sends the messages of one channel; throws MailError. */
export type SendMessage = (message: OutgoingMessage, signal?: AbortSignal) => Promise<void>;

export interface Mail {
  send: SendMessage;
  /** False: this installation cannot send messages of this channel. */
  offers(channel: MessageChannel): boolean;
  /** The limit of the whole installation. */
  textMessagesPerDay: number;
  /** Returns the messages in the file outbox, newest first; none if they are really sent. */
  outbox(): Promise<StoredMessage[]>;
  /** Connects to the mail server and signs in; "reachable" if there is none. */
  probe(): Promise<ServerState>;
  /** Closes the connections to the mail server. */
  close(): void;
}

/** The reason why a message was not sent. The server's own message is not kept: it may name the recipient. */
export class MailError extends Error {
  override name = "MailError";
  /** True if the server refuses this message for this recipient permanently. */
  readonly isPermanent: boolean;
  /** True if the server was not reached. */
  readonly isAway: boolean;
  constructor(message: string, isPermanent: boolean, isAway = false) {
    super(message);
    this.isPermanent = isPermanent;
    this.isAway = isAway;
  }
}
