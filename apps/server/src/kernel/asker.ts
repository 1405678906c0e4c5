import type { FastifyReply, FastifyRequest } from "fastify";
import type { Role } from "@arcada/contract/kernel/roles";
import type { SharedKind } from "@arcada/contract/share/share.rules";
import type { Config } from "./config.ts";
import type { Database, Db } from "./db.ts";
import type { Language } from "./texts.ts";

/** The session behind a request: who asks, in which organisation and role. */
export interface Asker {
  sessionId: string;
  /** The hash of the token or key: see `Holder`. */
  seal: string;
  uid: string;
  name: string;
  /** Null outside an organisation. */
  iid: string | null;
  role: Role;
  /** "key", "device": a program or a device, which makes only the calls that its key opens; its uid is the key's own. */
  kind: "browser" | "api" | "key" | "device";
  /** The organisation's zone, in which its days begin; UTC outside an organisation. */
  timeZone: string;
  /** The organisation wants two steps at sign-in and this person has one: first of all they set up the second. */
  factorMissing?: boolean;
}

/** Somebody without an account whom a link lets see one thing. */
export interface Visit {
  id: string;
  /** The hash of the page's half: see `Holder`. */
  seal: string;
  /** Whose the thing is, and who made the link: its lab, perhaps. */
  iid: string;
  house: string;
  shareId: string;
  kind: SharedKind;
  thingId: string;
  label: string;
  /** What names the patient is left out. */
  nameless: boolean;
  mayDownload: boolean;
  /** Stands for the visitor's address in the link's log. */
  mark: string;
  /** When the link was made, and when the visit ends. */
  since: string;
  until: string;
}

/** Where a session works: an organisation, or none, and in which authority. */
export interface Place {
  iid: string | null;
  authorityId: number;
}

/** What every handler gets beside its parsed input. */
export interface Context {
  db: Db;
  database: Database;
  config: Config;
  language: Language;
  now: Date;
  requestId: string;
  /** Address of the asker, for limits and the audit trail. */
  address: string;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Of somebody who came by a link. */
  visit: Visit | null;
  /** What the audit row of this call names as its subject; set by the handler where the input has no id. */
  subject: string | null;
  detail: Record<string, unknown>;
  /** Runs when the transaction has been committed: a message that must not leave for something that never happened. */
  afterCommit: (() => Promise<void>)[];
}
export interface AskedContext extends Context {
  asker: Asker;
  /** Continues the session in another organisation or role; the old token works for a minute more. */
  move(place: Place): Promise<{ token: string }>;
}
/**
 * Of a handler that waits for something long, such as the hash of a password: it holds no connection to the database but
 * within `inTransaction`, each of which stands by itself.
 */
export type ApartContext<C extends Context> = Omit<C, "db" | "move"> & {
  inTransaction: <T>(work: (context: C) => Promise<T>) => Promise<T>;
};
/** Of a call that only roles inside an organisation may make. */
export interface MemberContext extends AskedContext {
  asker: Asker & { iid: string };
}
/** Of a call with the access "share", which nobody else may make. */
export function visitOf({ visit }: Context): Visit {
  if (!visit) throw new Error("a call that only visits by a link make was asked otherwise");
  return visit;
}
