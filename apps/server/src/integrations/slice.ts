import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import { findActiveApiKeys } from "./api-key.ts";
import { integrationRoutes } from "./integrations.routes.ts";
import { webhookSubscribers } from "./webhook.enqueue.ts";
import { deleteOldDeliveries } from "./webhook.queue.ts";
import { startWebhookSender } from "./webhook.send.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const integrationsSlice: Slice = {
  name: "integrations",
  tables: ["api_key", "webhook", "webhook_delivery"],
  reads: ["institution", "users"],
  retention: [
    {
      data: "messages to webhooks",
      tables: ["webhook_delivery"],
      period: `${webhookRules.logDays} days`,
      from: "the event",
      enforcedIn: "integrations/webhook.queue.ts",
    },
  ],
  routes: integrationRoutes,
  validHolders: findActiveApiKeys,
  subscribers: () => webhookSubscribers,
  schedules: ({ database }) => [{ everyMs: 600_000, run: () => deleteOldDeliveries(database) }],
  startBackground: ({ config, database }) => startWebhookSender(database, config),
};
