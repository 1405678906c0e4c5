import pg from "pg";
import { hasAccess, serviceRoles } from "@arcada/contract/kernel/roles";
import type { LiveEvent, LiveTopic } from "@arcada/contract/notice/notice.calls";
import type { Principal } from "../http/request-context.ts";
import { createRecentNotifications } from "./recent-notifications.ts";

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
  close(): Promise<void>;
}

const retryMs = 500;
// A connection that was cut silently would stay silent for ever: it is polled with a time limit.
const pollMs = 10_000;
const timeouts = { query_timeout: 5000, connectionTimeoutMillis: 5000, keepAlive: true } as const;

/** Opens one listening connection per process; after it broke, every client is notified to reload everything. */
export async function openLive(connection: pg.PoolConfig): Promise<Live> {
  const listeners = new Set<Listener>();
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const recent = createRecentNotifications<Message>();
  const deliver = (message: Message) => {
    recent.add(message);
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
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}

const toLiveEvent = ({ topic, id }: Message): LiveEvent => ({ topic, id });
const isRecipient = ({ principal: { uid, iid, role } }: Listener, { to, iids, service }: Message): boolean =>
  to === uid || (iid !== null && iids.includes(iid)) || (service && hasAccess(serviceRoles, role));
