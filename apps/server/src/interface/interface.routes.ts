import { interfaceCalls } from "@arcada/contract/interface/interface.calls";
import { scopesOf, webhookTest } from "@arcada/contract/interface/interface.rules";
import { roles } from "@arcada/contract/kernel/roles";
import type { MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { demandStepUp } from "../platform/security/step-up.ts";
import { insertKey, listKeys, revokeKey } from "./key.store.ts";
import { isEndpoint } from "./webhook.address.ts";
import {
  deleteWebhook,
  deliveryOf,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  rotateSecret,
  sendAgain,
  updateWebhook,
  webhookOf,
} from "./webhook.store.ts";
import { queueDelivery } from "./webhook.tell.ts";

export const interfaceRoutes = routes(interfaceCalls, {
  keys: (_, { db, asker }) => listKeys(db, asker.iid),
  makeKey: {
    apart: async ({ name, scopes, days, ...proof }, context) => {
      const allowed = scopesOf(roles[context.asker.role].side === "lab" ? "lab" : "clinic");
      if (!scopes.every((scope) => allowed.includes(scope))) refuse("badInput", { scopes: "invalid" });
      await demandStepUp(context, proof);
      return context.inTransaction(async ({ db, asker, address, requestId }) => {
        const made = await insertKey(db, { iid: asker.iid, uid: asker.uid, name, scopes, days });
        await audit(db, {
          institution_id: asker.iid,
          user_id: asker.uid,
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
  revokeKey: ({ id }, { db, asker }) => revokeKey(db, asker.iid, id),

  webhooks: (_, { db, asker }) => listWebhooks(db, asker.iid),
  makeWebhook: async (input, context) => {
    demandEndpoint(input.url, context);
    const made = await insertWebhook(context.db, context.asker.iid, context.asker.uid, input);
    context.subject = made.webhook.id;
    return made;
  },
  setWebhook: async (input, context) => {
    demandEndpoint(input.url, context);
    return updateWebhook(context.db, context.asker.iid, input);
  },
  rotateSecret: ({ id }, { db, asker }) => rotateSecret(db, asker.iid, id),
  removeWebhook: async ({ id }, { db, asker }) => {
    await deleteWebhook(db, asker.iid, id);
    return null;
  },
  deliveries: async ({ id, cursor }, { db, asker }) => {
    await webhookOf(db, asker.iid, id);
    return listDeliveries(db, asker.iid, id, cursor);
  },
  redeliver: async ({ id }, { db, asker }) => {
    const { webhook } = await deliveryOf(db, asker.iid, id);
    if ((await webhookOf(db, asker.iid, webhook)).state !== "on") refuse("webhookOff");
    return sendAgain(db, asker.iid, id);
  },
  tryWebhook: async ({ id }, { db, asker }) => {
    if ((await webhookOf(db, asker.iid, id)).state !== "on") refuse("webhookOff");
    const made = await queueDelivery(db, { iid: asker.iid, webhook: id, event: webhookTest, data: {} });
    return deliveryOf(db, asker.iid, made);
  },
});

function demandEndpoint(url: string, { config }: Pick<MemberContext, "config">): void {
  if (!isEndpoint(url, config.WEBHOOK_NETWORKS)) refuse("webhookAddress", { url: "webhookAddress" });
}
