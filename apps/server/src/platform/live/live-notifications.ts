import pg from "pg";
import { hasAccess, serviceRoles } from "@arcada/contract/kernel/roles";
import type { LiveEvent, LiveTopic } from "@arcada/contract/notice/live-topics";
import type { Principal } from "../http/request-context.ts";

interface Message {
  to: string | null;
  iids: string[];
  service: boolean;
  topic: LiveTopic;
  id: string;
}
interface Listener {
  principal: Principal;
  send(event: LiveEvent | "again"): void;
}
export interface Live {
  /**
   * Subscribes, and first replays the messages of the last `ago` milliseconds, of which the client may have missed
   * some.
   */
  listen(listener: Listener, ago?: number): () => void;
  /**
   * Calls the observer with the person of each notification of this topic, before a client receives it; with null
   * after a gap in which notifications may have been lost.
   */
  observe(topic: LiveTopic, observer: (uid: string | null) => void): void;
  close(): Promise<void>;
}

const retryMs = 500;
// A connection that was cut silently would stay silent for ever: it is polled with a time limit.
const pollMs = 10_000;
const timeouts = { query_timeout: 5000, connectionTimeoutMillis: 5000, keepAlive: true } as const;

/** Opens one listening connection per process; after it broke, every client is notified to reload everything. */
export async function openLive(connection: pg.PoolConfig): Promise<Live> {
  const listeners = new Set<Listener>();
  const observers: { topic: LiveTopic; observer: (uid: string | null) => void }[] = [];
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const recent = createRecentNotifications<Message>();
  const deliver = (message: Message) => {
    recent.add(message);
    for (const { topic, observer } of observers) if (topic === message.topic) observer(message.to);
    const event = toLiveEvent(message);
    for (const listener of listeners) if (isRecipient(listener, message)) listener.send(event);
  };
  const reconnect = () => {
    if (closed) return;
    retry = setTimeout(
      () => void connect().then(() => listeners.forEach((listener) => listener.send("again")), reconnect),
      retryMs,
    );
  };
  const connect = async () => {
    const next = new pg.Client({ ...connection, ...timeouts, application_name: "arcada live" });
    next.on("error", () => {});
    next.on("notification", ({ payload }) => deliver(JSON.parse(payload ?? "{}") as Message));
    try {
      await next.connect();
      await next.query("listen arcada_live");
      recent.reset();
      for (const { observer } of observers) observer(null);
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
    listen(listener, ago = 0) {
      const replayed = ago > 0 ? recent.since(ago) : [];
      if (!replayed) listener.send("again");
      for (const message of replayed ?? []) if (isRecipient(listener, message)) listener.send(toLiveEvent(message));
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    observe: (topic, observer) => void observers.push({ topic, observer }),
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}

/** Recent notifications: a client that began to read a moment before it subscribed receives them, too. */
interface RecentNotifications<T> {
  add(notification: T): void;
  /** Returns all since this many milliseconds ago, oldest first; null if they are no longer complete. */
  since(ago: number): T[] | null;
  /** Starts again after a gap in which messages may have been lost. */
  reset(): void;
}

const maxRecentMs = 30_000;
const maxRecentEntries = 2000;

function createRecentNotifications<T>(): RecentNotifications<T> {
  let kept: { at: number; notification: T }[] = [];
  let from = Date.now();
  return {
    add(notification) {
      const now = Date.now();
      kept.push({ at: now, notification });
      // Old entries are dropped in bulk now and then, not one by one.
      if (kept.length < 2 * maxRecentEntries && kept[0]!.at > now - 2 * maxRecentMs) return;
      const recent = kept.filter(({ at }) => at > now - maxRecentMs).slice(-maxRecentEntries);
      from = Math.max(from, now - maxRecentMs, recent.length < kept.length ? (recent[0]?.at ?? now) : 0);
      kept = recent;
    },
    since(ago) {
      const start = Date.now() - ago;
      return start < from ? null : kept.filter(({ at }) => at >= start).map(({ notification }) => notification);
    },
    reset() {
      kept = [];
      from = Date.now();
    },
  };
}

const toLiveEvent = ({ topic, id }: Message): LiveEvent => ({ topic, id });
const isRecipient = ({ principal: { uid, iid, role } }: Listener, { to, iids, service }: Message): boolean =>
  to === uid || (iid !== null && iids.includes(iid)) || (service && hasAccess(serviceRoles, role));
