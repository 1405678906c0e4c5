import type { FastifyReply, FastifyRequest } from "fastify";
import type { Role } from "@arcada/contract/kernel/roles";
import type { ResourceScope } from "@arcada/contract/smart/smart-scopes";
import type { SharedKind } from "@arcada/contract/share/share.rules";
import type { Config } from "../runtime/config.ts";
import type { Database, Db } from "../database/database.ts";
import type { Language } from "../text/texts.ts";

/** The session behind a request: the user, the active institution and the role. */
export interface Principal {
  sessionId: string;
  /** The hash of the token or key: see `Holder`. */
  tokenHash: string;
  uid: string;
  name: string;
  /** Null outside an institution. */
  iid: string | null;
  role: Role;
  /**
   * "key", "device": a program or a device, which makes only the calls that its key allows; its uid is the key's own.
   * "app": an app by SMART App Launch, in the name of a person or of itself.
   */
  kind: "browser" | "api" | "key" | "device" | "app";
  /** The app that asks, and what it may see: `demandAppAccess` compares. */
  app?: { id: string; name: string; scopes: readonly ResourceScope[]; patientId: string | null };
  /** The institution's time zone, in which its days begin; UTC outside an institution. */
  timeZone: string;
  /**
   * True if the institution requires two steps at sign-in and this user has only one: they must set up the second
   * first.
   */
  factorMissing?: boolean;
}

/** The guest session of a visitor without an account, who may see the one thing of a link. */
export interface GuestSession {
  id: string;
  /** The hash of the page's half: see `Holder`. */
  tokenHash: string;
  /**
   * The institution that owns the shared thing. `sharedBy` is the institution that created the link, perhaps its lab.
   */
  iid: string;
  sharedBy: string;
  shareId: string;
  kind: SharedKind;
  thingId: string;
  label: string;
  /** True if everything that names the patient is left out. */
  isDeidentified: boolean;
  mayDownload: boolean;
  /** Represents the visitor's address in the link's log. */
  visitorMark: string;
  /** The instants at which the link was made and at which the guest session ends. */
  since: string;
  until: string;
}

/** The active membership of a session: the institution, or null, and the authority (role) in it. */
export interface ActiveMembership {
  iid: string | null;
  authorityId: number;
}

/** The request context that every handler receives besides its parsed input. */
export interface Context {
  db: Db;
  database: Database;
  config: Config;
  language: Language;
  now: Date;
  requestId: string;
  /** The client's address, for limits and the audit log. */
  address: string;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The guest session of a visitor who came by a link; null otherwise. */
  guestSession: GuestSession | null;
  /** The subject of the call's audit row. The handler sets it if the input has no id. */
  subject: string | null;
  detail: Record<string, unknown>;
  /** Callbacks that run after the commit: a message must not be sent for something that never happened. */
  afterCommit: (() => Promise<void>)[];
}
export interface AuthenticatedContext extends Context {
  principal: Principal;
  /** Continues the session in another institution or role; the old token works for a minute more. */
  move(membership: ActiveMembership): Promise<{ token: string }>;
}
/**
 * The context of a handler that waits for a slow operation, such as a password hash. It holds no database connection
 * except within `inTransaction`; each call of it is a separate transaction.
 */
export type ManualTransactionContext<C extends Context> = Omit<C, "db" | "move"> & {
  inTransaction: <T>(work: (context: C) => Promise<T>) => Promise<T>;
};
/** The context of a call that only roles inside an institution may make. */
export interface MemberContext extends AuthenticatedContext {
  principal: Principal & { iid: string };
}
/** Returns the guest session of a call with the access "share", which nobody else may make. */
export function requireGuestSession({ guestSession }: Context): GuestSession {
  if (!guestSession) throw new Error("a call that only visits by a link make was asked otherwise");
  return guestSession;
}
