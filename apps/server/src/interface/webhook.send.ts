import type { Config } from "../platform/runtime/config.ts";
import type { Database } from "../platform/database/database.ts";
import { post } from "./webhook.post.ts";
import { settle, takeDue } from "./webhook.queue.ts";
import type { Due } from "./webhook.queue.ts";
import { openSecret, signatures } from "./webhook.sign.ts";

const lookEveryMs = 500;
/** Deliveries in progress at once in this process; a receiver that hangs occupies only its own few of them. */
const mostAtOnce = 64;
const graceMs = 3000;

/**
 * Sends deliveries that are due, next to any number of other processes. A hanging delivery occupies only its own slot;
 * another process sends the deliveries of a killed one again, under the same id.
 */
export function sendWebhooks(database: Database, config: Config): { stop(): Promise<void> } {
  const going = new Set<Promise<void>>();
  let isStopped = false;
  let looking: Promise<void> | null = null;
  const look = async () => {
    const room = mostAtOnce - going.size;
    const due = room > 0 ? await takeDue(database, room) : [];
    for (const one of due) {
      const sent = deliver(database, config, one)
        .catch(complain)
        .finally(() => {
          going.delete(sent);
          // There may be more for this receiver.
          begin();
        });
      going.add(sent);
    }
  };
  const begin = () => {
    if (isStopped || looking) return;
    looking = look()
      .catch(complain)
      .finally(() => (looking = null));
  };
  const complain = (error: unknown) => {
    if (!isStopped)
      console.error(JSON.stringify({ level: "error", about: "webhooks", message: (error as Error).message }));
  };
  const timer = setInterval(begin, lookEveryMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await looking;
      // A delivery that hangs longer is sent again by another process.
      await Promise.race([Promise.all(going), new Promise((resume) => setTimeout(resume, graceMs).unref())]);
    },
  };
}

async function deliver(database: Database, config: Config, due: Due): Promise<void> {
  const { id, body, webhook } = due;
  const timestamp = Math.floor(Date.now() / 1000);
  const secrets = [due.secret, ...(due.old_secret ? [due.old_secret] : [])].map((one) => openSecret(webhook, one));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Arcada-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures(secrets, { id, timestamp, body }),
  };
  await settle(database, due, await post(due.url, { headers, body }, config.WEBHOOK_NETWORKS));
}
