import type { Config } from "../platform/runtime/config.ts";
import type { Database } from "../platform/database/database.ts";
import { describeError } from "../platform/telemetry/redact-error.ts";
import { logEvent } from "../platform/telemetry/log.ts";
import { withSpan } from "../platform/telemetry/tracing.ts";
import { postWebhook } from "./webhook.post.ts";
import { recordAttempt, claimDueDeliveries } from "./webhook.queue.ts";
import type { DueDelivery } from "./webhook.queue.ts";
import { decryptWebhookSecret, buildSignatures } from "./webhook.signature.ts";

const pollIntervalMs = 500;
/** Deliveries in progress at once in this process; a receiver that hangs occupies only its own few of them. */
const maxParallel = 64;
const graceMs = 3000;

/**
 * Sends deliveries that are due, next to any number of other processes. A hanging delivery occupies only its own slot;
 * another process sends the deliveries of a killed one again, under the same id.
 */
export function startWebhookSender(database: Database, config: Config): { stop(): Promise<void> } {
  const inFlight = new Set<Promise<void>>();
  let isStopped = false;
  let polling: Promise<void> | null = null;
  const poll = async () => {
    const freeSlots = maxParallel - inFlight.size;
    const due = freeSlots > 0 ? await claimDueDeliveries(database, freeSlots) : [];
    for (const one of due) {
      const sent = withSpan("webhook", { kind: "client" }, () => deliver(database, config, one))
        .catch(logError)
        .finally(() => {
          inFlight.delete(sent);
          // There may be more for this receiver.
          startPolling();
        });
      inFlight.add(sent);
    }
  };
  const startPolling = () => {
    if (isStopped || polling) return;
    polling = poll()
      .catch(logError)
      .finally(() => (polling = null));
  };
  const logError = (error: unknown) => {
    if (!isStopped) logEvent("error", "webhooks", describeError(error));
  };
  const timer = setInterval(startPolling, pollIntervalMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await polling;
      // A delivery that hangs longer is sent again by another process.
      await Promise.race([Promise.all(inFlight), new Promise((resume) => setTimeout(resume, graceMs).unref())]);
    },
  };
}

async function deliver(database: Database, config: Config, due: DueDelivery): Promise<void> {
  const { id, body, webhook } = due;
  const timestamp = Math.floor(Date.now() / 1000);
  const secrets = [due.secret, ...(due.old_secret ? [due.old_secret] : [])].map((one) =>
    decryptWebhookSecret(webhook, one),
  );
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Arcada-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": buildSignatures(secrets, { id, timestamp, body }),
  };
  await recordAttempt(database, due, await postWebhook(due.url, { headers, body }, config.WEBHOOK_NETWORKS));
}
