import pg from "pg";
import type { LiveEvent, LiveTopic } from "@arcada/contract/notice/notice.calls";
import type { Asker } from "./asker.ts";

interface Message {
  to: string | null;
  iids: string[];
  topic: LiveTopic;
  id: string;
}
interface Listener {
  asker: Asker;
  send(event: LiveEvent | "again"): void;
}
export interface Live {
  listen(listener: Listener): () => void;
  close(): Promise<void>;
}

const retryMs = 500;
// A way that was cut without a word would stay silent for ever: it is asked, and not waited for.
const askMs = 10_000;
const silence = { query_timeout: 5000, connectionTimeoutMillis: 5000, keepAlive: true } as const;

/** One listening connection per process; after a broken one every tab is told to ask for everything again. */
export async function openLive(connection: pg.PoolConfig): Promise<Live> {
  const listeners = new Set<Listener>();
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const deliver = ({ to, iids, topic, id }: Message) => {
    const event: LiveEvent = { topic, id };
    for (const listener of listeners) {
      const { uid, iid } = listener.asker;
      if (to === uid || (iid !== null && iids.includes(iid))) listener.send(event);
    }
  };
  const again = () => {
    if (closed) return;
    retry = setTimeout(
      () => void connect().then(() => listeners.forEach((listener) => listener.send("again")), again),
      retryMs,
    );
  };
  const connect = async () => {
    const next = new pg.Client({ ...connection, ...silence, application_name: "arcada live" });
    next.on("error", () => {});
    next.on("notification", ({ payload }) => deliver(JSON.parse(payload ?? "{}") as Message));
    try {
      await next.connect();
      await next.query("listen arcada_live");
      if (closed) throw new Error("closed meanwhile");
    } catch (error) {
      next.end().catch(() => {});
      throw error;
    }
    const ask = setInterval(() => void next.query("select 1").catch(lost), askMs);
    function lost() {
      clearInterval(ask);
      if (client !== next) return;
      client = null;
      next.end().catch(() => {});
      again();
    }
    // Not before: one that never came up both refuses and ends, and would be tried again twice each time.
    next.once("end", lost);
    client = next;
  };
  await connect();
  return {
    listen(listener) {
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
