import type { FastifyInstance } from "fastify";
import pg from "pg";
import type { LiveEvent, LiveTopic } from "@arcada/contract/notice/notice.calls";
import type { Asker } from "./asker.ts";
import { refuse } from "./refuse.ts";
import type { Authenticate } from "./serve.ts";

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

/** One listening connection per process; after a broken one every tab is told to ask for everything again. */
export async function openLive(connection: pg.PoolConfig): Promise<Live> {
  const listeners = new Set<Listener>();
  let client: pg.Client | null = null;
  let closed = false;
  const deliver = (message: Message) => {
    for (const listener of listeners)
      if (
        message.to === listener.asker.uid ||
        (listener.asker.iid !== null && message.iids.includes(listener.asker.iid))
      )
        listener.send({ topic: message.topic, id: message.id });
  };
  const again = () => {
    client = null;
    if (closed) return;
    setTimeout(
      () => void connect().then(() => listeners.forEach((listener) => listener.send("again")), again),
      retryMs,
    ).unref();
  };
  const connect = async () => {
    const next = new pg.Client({ ...connection, application_name: "arcada live" });
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
    // Not before: one that never came up both refuses and ends, and would be tried again twice each time.
    next.once("end", again);
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
      await client?.end();
    },
  };
}

const beatMs = 15_000;
const checkMs = 800;

/** GET /v1/notice/stream: server-sent events, read by fetch so that the token travels in its header. */
export function serveLive(app: FastifyInstance, live: Live, authenticate: Authenticate): void {
  app.get("/v1/notice/stream", async (request, reply) => {
    const asker = (await authenticate(request, reply, "stays")) ?? refuse("unknownSession");
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    raw.write(": open\n\n");
    const stop = live.listen({
      asker,
      send: (event) =>
        raw.write(event === "again" ? "event: again\ndata: {}\n\n" : `data: ${JSON.stringify(event)}\n\n`),
    });
    const beat = setInterval(() => raw.write(": beat\n\n"), beatMs);
    // A session that ends takes its stream with it, within a second.
    const check = setInterval(() => void authenticate(request, reply, "stays").catch(() => raw.end()), checkMs);
    raw.on("close", () => {
      stop();
      clearInterval(beat);
      clearInterval(check);
    });
    return reply;
  });
}
