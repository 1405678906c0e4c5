import pg from "pg";
import { hasAccess, serviceRoles } from "@arcada/contract/kernel/roles";
import type { LiveEvent, LiveTopic } from "@arcada/contract/notice/live-topics";
import { createDeliveryQueue, findLater, type Listener, type Place, type Recipient } from "./delivery-queue.ts";
import { addPosition, newPosition } from "./live-position.ts";

interface Message {
  position: string;
  to: string | null;
  iids: string[];
  service: boolean;
  topic: LiveTopic;
  id: string;
  /** The notification before it is the same, for other recipients. */
  isFurtherPart?: boolean;
}
/** A client's subscription. */
export interface Subscription {
  stop(): void;
  /**
   * Returns the position of a notification up to which the client has received everything that concerns it. It never
   * falls behind one that was sent to it. All processes receive the notifications in the same order.
   */
  position(): string;
}
/** The moment behind which a client needs the events: the position that it read last, or so many milliseconds ago. */
export type MissedSince = { position: string } | { ago: number };
export interface Live {
  /**
   * Subscribes, and first replays the messages that the client missed; "again" if they are no longer complete. Without
   * `since`, the client has missed nothing.
   */
  listen(listener: Listener, since?: MissedSince): Subscription;
  /**
   * Calls the observer with the person of each notification of this topic, before a client receives it; with null
   * after a gap in which notifications may have been lost.
   */
  observe(topic: LiveTopic, observer: (uid: string | null) => void): void;
  /**
   * Calls the observer with each person whose sessions may have ended or changed; with null after a gap in which that may
   * have concerned anybody. Events that are published later are delivered after that.
   */
  observeSessions(observer: (uid: string | null) => void): void;
  close(): Promise<void>;
}

/** The triggers of sessions, users and memberships notify it, with the id of the person. */
const sessionChannel = "arcada_sessions";
const retryMs = 500;
// A connection that was cut silently would stay silent for ever: it is polled with a time limit.
const pollMs = 10_000;
const timeouts = { query_timeout: 5000, connectionTimeoutMillis: 5000, keepAlive: true } as const;

/** Opens one listening connection per process; after it broke, every client is notified to reload everything. */
export async function openLive(connection: pg.PoolConfig): Promise<Live> {
  const listeners = createListenerIndex();
  const observers: { topic: LiveTopic; observer: (uid: string | null) => void }[] = [];
  const sessionObservers: ((uid: string | null) => void)[] = [];
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const recent = createRecentNotifications();
  const deliveries = createDeliveryQueue(() => [...listeners.all]);
  const deliver = (payload: string) => {
    const message = parseMessage(payload);
    const before = recent.place();
    recent.add(message, payload.length);
    const place = recent.place();
    for (const { topic, observer } of observers) if (topic === message.topic) observer(message.to);
    const { to, iids, service, topic, id, isFurtherPart = false } = message;
    const findRecipients = () => [...listeners.findRecipients(message)];
    const key = JSON.stringify([to, iids, service, topic, id]);
    deliveries.add({ key, findRecipients, event: toLiveEvent(message), isFurtherPart, place, before });
  };
  const reconnect = () => {
    if (closed) return;
    retry = setTimeout(
      () =>
        void connect().then(() => {
          const place = recent.place();
          deliveries.addForAll("again", { place, before: place });
        }, reconnect),
      retryMs,
    );
  };
  const connect = async () => {
    const next = new pg.Client({ ...connection, ...timeouts, application_name: "arcada live" });
    next.on("error", () => {});
    next.on("notification", ({ channel, payload = "" }) => {
      if (channel === sessionChannel) for (const observer of sessionObservers) observer(payload);
      else deliver(payload);
    });
    try {
      await next.connect();
      await next.query(`listen arcada_live; listen ${sessionChannel}`);
      recent.reset();
      // Clients that connect before the first event need a position, too.
      await next.query("select pg_notify('arcada_live', $1)", [messageToNobody()]);
      for (const observer of [...observers.map((one) => one.observer), ...sessionObservers]) observer(null);
      if (closed) throw new Error("closed meanwhile");
    } catch (error) {
      next.end().catch(() => {});
      throw error;
    }
    const poll = setInterval(() => void next.query("select 1").catch(onLost), pollMs);
    function onLost() {
      clearInterval(poll);
      if (client !== next) return;
      client = null;
      next.end().catch(() => {});
      reconnect();
    }
    // Only now: a connection that never came up both rejects and ends, and would be retried twice each time.
    next.once("end", onLost);
    client = next;
  };
  await connect();
  return {
    listen(listener, since) {
      const missed = since ? recent.since(since) : [];
      const recipient: Recipient = { ...listener, reached: recent.place() };
      if (!missed) listener.send("again", recipient.reached.position);
      for (const message of missed ?? [])
        if (isRecipient(listener, message)) listener.send(toLiveEvent(message), message.position);
      return {
        stop: listeners.add(recipient),
        position: () => findLater(recipient.reached, deliveries.placeBeforeFirst() ?? recent.place()).position,
      };
    },
    observe: (topic, observer) => void observers.push({ topic, observer }),
    observeSessions: (observer) => void sessionObservers.push(observer),
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}

function parseMessage(payload: string): Message {
  const message = JSON.parse(payload) as NewMessage & { position?: string };
  // A process of an older release, which is being replaced, sends no position.
  return { ...message, position: message.position ?? newPosition() };
}
const messageToNobody = (): string =>
  addPosition(JSON.stringify({ to: null, iids: [], service: false, topic: "notice", id: "" } satisfies NewMessage));
type NewMessage = Omit<Message, "position">;

/**
 * Recent notifications. A client that began to read a moment before it subscribed receives them, and one whose process
 * died: its position is at most a heartbeat old, and its retries are at most half a minute apart.
 */
interface RecentNotifications {
  add(message: Message, bytes: number): void;
  /** Returns the place of the newest. */
  place(): Place;
  /** Returns all since then, oldest first; null if they are no longer complete. */
  since(since: MissedSince): Message[] | null;
  /** Starts again after a gap in which messages may have been lost. */
  reset(): void;
}

const maxRecentMs = 60_000;
const maxRecentBytes = 2 * 1024 * 1024;

function createRecentNotifications(): RecentNotifications {
  let kept: { at: number; bytes: number; message: Message }[] = [];
  let bytes = 0;
  let order = 0;
  let from = Date.now();
  /** The position before the first that is kept; null if none is known. */
  let start: string | null = null;
  const dropOld = (now: number) => {
    let count = 0;
    for (; count < kept.length - 1; count++) {
      const { at, message, bytes: dropped } = kept[count]!;
      if (at > now - maxRecentMs && bytes <= maxRecentBytes) break;
      bytes -= dropped;
      start = message.position;
      from = at + 1;
    }
    kept = kept.slice(count);
  };
  return {
    add(message, added) {
      const now = Date.now();
      kept.push({ at: now, bytes: added, message });
      bytes += added;
      order += 1;
      // Old entries are dropped in bulk now and then, not one by one.
      if (bytes > 2 * maxRecentBytes || kept[0]!.at < now - 2 * maxRecentMs) dropOld(now);
    },
    place: () => ({ order, position: kept.at(-1)?.message.position ?? start ?? "" }),
    since(since) {
      if ("ago" in since) {
        const earliest = Date.now() - since.ago;
        return earliest < from ? null : kept.filter(({ at }) => at >= earliest).map(({ message }) => message);
      }
      const index = kept.findLastIndex(({ message }) => message.position === since.position);
      if (index === -1 && since.position !== start) return null;
      return kept.slice(index + 1).map(({ message }) => message);
    },
    reset() {
      kept = [];
      bytes = 0;
      // The positions before the gap lead nowhere any more.
      order += 1;
      start = null;
      from = Date.now();
    },
  };
}

interface ListenerIndex {
  readonly all: ReadonlySet<Recipient>;
  /** Returns a function that removes it again. */
  add(listener: Recipient): () => void;
  findRecipients(message: Message): Iterable<Recipient>;
}
/** Finds the recipients of a message by their keys: with thousands of streams, most events concern a few. */
function createListenerIndex(): ListenerIndex {
  const all = new Set<Recipient>();
  const byKey = new Map<string, Set<Recipient>>();
  return {
    all,
    add(listener) {
      const keys = listRecipientKeys(listener);
      all.add(listener);
      for (const key of keys) byKey.set(key, (byKey.get(key) ?? new Set()).add(listener));
      return () => {
        all.delete(listener);
        for (const key of keys) if (byKey.get(key)?.delete(listener) && byKey.get(key)!.size === 0) byKey.delete(key);
      };
    },
    findRecipients({ to, iids, service }) {
      const keys = [...iids, ...(to === null ? [] : [to]), ...(service ? [serviceKey] : [])];
      // A person of two of them receives it once.
      return new Set(keys.flatMap((key) => [...(byKey.get(key) ?? [])]));
    },
  };
}
const serviceKey = "service";
const listRecipientKeys = ({ principal: { uid, iid, role } }: Listener): string[] => [
  uid,
  ...(iid === null ? [] : [iid]),
  ...(hasAccess(serviceRoles, role) ? [serviceKey] : []),
];
const isRecipient = (listener: Listener, { to, iids, service }: Message): boolean =>
  listRecipientKeys(listener).some((key) => key === to || iids.includes(key) || (service && key === serviceKey));

const toLiveEvent = ({ topic, id }: Message): LiveEvent => ({ topic, id });
