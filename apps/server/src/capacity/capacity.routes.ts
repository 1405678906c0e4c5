import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Payment } from "@arcada/contract/capacity/capacity.calls";
import { plans } from "@arcada/contract/capacity/capacity.rules";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { usedAnalyses } from "../platform/upload/quota.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { usedBytes } from "../platform/upload/uploads.ts";
import { inGigabytes, percentOf } from "./capacity.ts";
import { cards, payments, periodById, periodsOf } from "./capacity.store.ts";
import type { PaymentsAsked } from "./capacity.store.ts";
import { activate } from "./card.activate.ts";
import { issueCards, voidCard } from "./card.issue.ts";
import { printCards } from "./card.paper.ts";
import { settlePayment, withdrawPayment } from "./payment.ts";
import { renewLate, resubscribe, subscribe, unsubscribe } from "./period.steps.ts";

export const capacityRoutes = routes(capacityCalls, {
  storage: async (input, { db, asker }) => {
    if (input.iid !== undefined && input.iid !== asker.iid) return refuse("notFound");
    const { stored, allowed } = await usedBytes(db, asker.iid);
    return {
      percent: percentOf(stored, allowed),
      totalSize: inGigabytes(stored),
      maxSize: inGigabytes(allowed),
    };
  },
  analyses: async (_, { db, asker }) => {
    const { used, allowed } = await usedAnalyses(db, asker.iid);
    return { percent: percentOf(used, allowed), noi: used, total: allowed };
  },
  plans: async () => [...plans],
  subscriptions: async (_, { db, asker }) => ({
    periods: await periodsOf(db, asker.iid, "plan"),
    payments: (await payments(db, { iid: asker.iid })).list,
  }),
  activations: (_, { db, asker }) => periodsOf(db, asker.iid, "card"),
  subscribe: async (input, context) =>
    paymentById(context.db, { iid: context.asker.iid, id: await subscribe(context, input) }),
  withdraw: async ({ id }, context) => {
    await withdrawPayment(context, id);
    return paymentById(context.db, { iid: context.asker.iid, id });
  },
  unsubscribe: async (chosen, context) => {
    await unsubscribe(context, chosen);
    return periodById(context.db, context.asker.iid, chosen.id);
  },
  resubscribe: async (chosen, context) => {
    await resubscribe(context, chosen);
    return periodById(context.db, context.asker.iid, chosen.id);
  },
  renewLate: async (chosen, context) =>
    paymentById(context.db, { iid: context.asker.iid, id: await renewLate(context, chosen) }),
  activate: async (input, context) => periodById(context.db, context.asker.iid, await activate(context, input)),
  issue: issueCards,
  print: { apart: printCards },
  cards: async ({ page, pageSize, ...asked }, { db }) => {
    const { list, total } = await bypassTenantScope(db, () =>
      cards(db, { ...asked, offset: (page - 1) * pageSize, most: pageSize }),
    );
    return { list, total, next: null };
  },
  voidCard: ({ id, reason }, context) => voidCard(context, id, reason),
  payments: async ({ page, pageSize, state }, { db }) => {
    const { list, total } = await bypassTenantScope(db, () =>
      payments(db, { state }, { offset: (page - 1) * pageSize, most: pageSize }),
    );
    return { list, total, next: null };
  },
  confirmPayment: ({ id, paid, reason }, { db, asker, address }) =>
    bypassTenantScope(db, async () => {
      await settlePayment(db, id, { paid, reason, by: { uid: asker.uid, address } });
      return paymentById(db, { id });
    }),
});

const paymentById = async (db: Db, which: PaymentsAsked): Promise<Payment> =>
  (await payments(db, which)).list[0] ?? refuse("notFound");
