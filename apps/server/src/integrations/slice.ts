import { findActiveApiKeys } from "./authenticate-api-keys.ts";
import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import { integrationRoutes, labAgentReportRoutes } from "./integrations.routes.ts";
import { webhookSubscribers } from "./webhook.enqueue.ts";
import { dropOldDeliveries } from "./webhook.queue.ts";
import { webhookGauges } from "./webhook.gauges.ts";
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
      period: `${webhookRules.logDays} days, in whole weeks`,
      from: "the event",
      enforcedIn: "integrations/webhook.queue.ts",
    },
  ],
  routes: [...integrationRoutes, ...labAgentReportRoutes],
  validHolders: findActiveApiKeys,
  subscribers: () => webhookSubscribers,
  tasks: ({ database }) => [
    {
      name: "integrations.dropOldDeliveries",
      everyMs: 600_000,
      toleratedMs: 86_400_000,
      run: () => dropOldDeliveries(database),
    },
  ],
  gauges: webhookGauges,
  startBackground: ({ config, database }) => startWebhookSender(database, config),
};
