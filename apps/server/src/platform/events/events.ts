import type { LiveTopic } from "@arcada/contract/notice/live-topics";
import { notifyOnCommit } from "../database/database.ts";
import type { Db } from "../database/database.ts";

/**
 * A kind of domain event, which a slice declares in its `.events.ts` and others subscribe to. Its data only names things:
 * no patient data.
 */
export interface EventType<Data extends object> {
  readonly name: string;
  /** Never present: it carries the type of the data. */
  readonly data?: Data;
}
export type EventData<Event> = Event extends EventType<infer Data> ? Data : never;

export const defineEvent = <Data extends object>(name: string): EventType<Data> => ({ name });

type Handler<Data> = (db: Db, data: Data) => Promise<void>;
export interface Subscriber {
  readonly event: string;
  readonly handle: Handler<never>;
}

/** The handler runs in the publisher's transaction: if it throws, the publisher's change is rolled back. */
export const on = <Data extends object>(event: EventType<Data>, handle: Handler<Data>): Subscriber => ({
  event: event.name,
  handle,
});

const handlersByEvent = new Map<string, Handler<never>[]>();

/** Replaces all subscribers; called only by the composition root. Those of one event run in the given order. */
export function setSubscribers(subscribers: readonly Subscriber[]): void {
  handlersByEvent.clear();
  for (const { event, handle } of subscribers)
    handlersByEvent.set(event, [...(handlersByEvent.get(event) ?? []), handle]);
}

export async function publish<Data extends object>(db: Db, event: EventType<Data>, data: NoInfer<Data>): Promise<void> {
  for (const handle of handlersByEvent.get(event.name) ?? []) await handle(db, data as never);
}

/**
 * Notifies open clients of these institutions, of one user, or of those who work for the platform, of a change. The
 * message is sent at the commit and reaches every process. Any number of institutions is possible.
 */
export async function notifyClients(
  db: Db,
  to: { institutions?: (string | null)[]; user?: string; service?: true },
  topic: LiveTopic,
  id: string,
): Promise<void> {
  const iids = (to.institutions ?? []).filter((iid) => iid !== null && iid !== "");
  const first = { to: to.user ?? null, iids, service: to.service ?? false, topic, id };
  const rest = { to: null, iids, service: false, topic, id, isFurtherPart: true };
  const room = maxMessageBytes - Buffer.byteLength(JSON.stringify({ ...first, iids: [], isFurtherPart: true }));
  const count = Math.max(1, Math.floor(room / bytesPerInstitution));
  for (let at = 0; at === 0 || at < iids.length; at += count)
    notifyOnCommit(db, JSON.stringify({ ...(at === 0 ? first : rest), iids: iids.slice(at, at + count) }));
}

/** PostgreSQL refuses a notification of 8,000 bytes; its position takes some of them. */
const maxMessageBytes = 7900;
/** A quoted UUID and a comma. */
const bytesPerInstitution = 39;
