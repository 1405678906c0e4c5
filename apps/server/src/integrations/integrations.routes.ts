import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import { labAgentReportCalls } from "@arcada/contract/integrations/lab-agent-report.calls";
import { scopesForType, webhookTest } from "@arcada/contract/integrations/integrations.rules";
import { roles } from "@arcada/contract/kernel/roles";
import type { MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { demandStepUp } from "../platform/security/step-up.ts";
import { insertKey, listKeys, revokeKey, rotateKey, storeAgentReport } from "./api-key.store.ts";
import { isAllowedEndpoint } from "../platform/security/outbound-address-guard.ts";
import {
  deleteWebhook,
  requireDelivery,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  rotateSecret,
  redeliver,
  updateWebhook,
  requireWebhook,
} from "./webhook.store.ts";
import { insertDelivery } from "./webhook.enqueue.ts";

export const labAgentReportRoutes = routes(labAgentReportCalls, {
  report: (report, { db, principal }) => storeAgentReport(db, principal.iid, principal.uid, report),
});

export const integrationRoutes = routes(integrationCalls, {
  keys: (_, { db, principal }) => listKeys(db, principal.iid),
  makeKey: {
    manualTransaction: async ({ name, scopes, days, ...proof }, context) => {
      const allowed = scopesForType(roles[context.principal.role].side === "lab" ? "lab" : "clinic");
      if (!scopes.every((scope) => allowed.includes(scope))) refuse("badInput", { scopes: "invalid" });
      await demandStepUp(context, proof);
      return context.inTransaction(async ({ db, principal, address, requestId }) => {
        const made = await insertKey(db, { iid: principal.iid, uid: principal.uid, name, scopes, days });
        await audit(db, {
          institution_id: principal.iid,
          user_id: principal.uid,
          action: "interface.makeKey",
          subject: made.key.id,
          detail: { name, scopes },
          address,
          request_id: requestId,
        });
        return made;
      });
    },
  },
  rotateKey: {
    manualTransaction: async ({ id, ...proof }, context) => {
      await demandStepUp(context, proof);
      return context.inTransaction(async ({ db, principal, address, requestId }) => {
        const rotated = await rotateKey(db, principal.iid, id);
        await audit(db, {
          institution_id: principal.iid,
          user_id: principal.uid,
          action: "interface.rotateKey",
          subject: id,
          address,
          request_id: requestId,
        });
        return rotated;
      });
    },
  },
  revokeKey: ({ id }, { db, principal }) => revokeKey(db, principal.iid, id),

  webhooks: (_, { db, principal }) => listWebhooks(db, principal.iid),
  makeWebhook: async (input, context) => {
    requireEndpoint(input.url, context);
    const made = await insertWebhook(context.db, context.principal.iid, context.principal.uid, input);
    context.subject = made.webhook.id;
    return made;
  },
  setWebhook: async (input, context) => {
    requireEndpoint(input.url, context);
    return updateWebhook(context.db, context.principal.iid, input);
  },
  rotateSecret: ({ id }, { db, principal }) => rotateSecret(db, principal.iid, id),
  removeWebhook: async ({ id }, { db, principal }) => {
    await deleteWebhook(db, principal.iid, id);
    return null;
  },
  deliveries: async ({ id, cursor }, { db, principal }) => {
    await requireWebhook(db, principal.iid, id);
    return listDeliveries(db, principal.iid, id, cursor);
  },
  redeliver: async ({ id }, { db, principal }) => {
    const { webhook } = await requireDelivery(db, principal.iid, id);
    if ((await requireWebhook(db, principal.iid, webhook)).state !== "on") refuse("webhookOff");
    return redeliver(db, principal.iid, id);
  },
  tryWebhook: async ({ id }, { db, principal }) => {
    if ((await requireWebhook(db, principal.iid, id)).state !== "on") refuse("webhookOff");
    const made = await insertDelivery(db, { iid: principal.iid, webhook: id, event: webhookTest, data: {} });
    return requireDelivery(db, principal.iid, made);
  },
});

function requireEndpoint(url: string, { config }: Pick<MemberContext, "config">): void {
  if (!isAllowedEndpoint(url, config.WEBHOOK_NETWORKS)) refuse("webhookAddress", { url: "webhookAddress" });
}
