import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Payment } from "@arcada/contract/capacity/capacity.calls";
import { plans } from "@arcada/contract/capacity/capacity.rules";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { readAnalysisUsage } from "../domain/analysis-quota.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { readStorageUsage } from "../platform/upload/storage-quota.ts";
import { toGigabytes, toPercent } from "./round-storage-usage.ts";
import { listCards, listPayments, requirePeriod, listPeriods } from "./capacity.store.ts";
import type { PaymentFilter } from "./capacity.store.ts";
import { activateCard } from "./card.activate.ts";
import { issueCards, voidCard } from "./card.issue.ts";
import { printCards } from "./card.document.ts";
import { settlePayment, withdrawPayment } from "./payment.ts";
import { readQuota, setQuota } from "./quota.store.ts";
import { renewExpired, resubscribe, subscribe, unsubscribe } from "./change-subscription.ts";

export const capacityRoutes = routes(capacityCalls, {
  quota: ({ id }, { db }) =>
    bypassTenantScope(db, async () => {
      await requireInstitution(db, id);
      return readQuota(db, id);
    }),
  setQuota: ({ id, ...wanted }, context) =>
    bypassTenantScope(context.db, async () => {
      await requireInstitution(context.db, id);
      context.detail = wanted;
      return setQuota(context.db, id, wanted);
    }),
  storage: async (input, { db, principal }) => {
    if (input.iid !== undefined && input.iid !== principal.iid) return refuse("notFound");
    const { stored, allowed } = await readStorageUsage(db, principal.iid);
    return {
      percent: toPercent(stored, allowed),
      totalSize: toGigabytes(stored),
      maxSize: toGigabytes(allowed),
    };
  },
  analyses: async (_, { db, principal }) => {
    const { used, allowed } = await readAnalysisUsage(db, principal.iid);
    return { percent: toPercent(used, allowed), noi: used, total: allowed };
  },
  plans: async () => [...plans],
  subscriptions: async (_, { db, principal }) => ({
    base: await readQuota(db, principal.iid),
    periods: await listPeriods(db, principal.iid, "plan"),
    payments: (await listPayments(db, { iid: principal.iid })).list,
  }),
  activations: (_, { db, principal }) => listPeriods(db, principal.iid, "card"),
  subscribe: async (input, context) =>
    requirePayment(context.db, { iid: context.principal.iid, id: await subscribe(context, input) }),
  withdraw: async ({ id }, context) => {
    await withdrawPayment(context, id);
    return requirePayment(context.db, { iid: context.principal.iid, id });
  },
  unsubscribe: async (chosen, context) => {
    await unsubscribe(context, chosen);
    return requirePeriod(context.db, context.principal.iid, chosen.id);
  },
  resubscribe: async (chosen, context) => {
    await resubscribe(context, chosen);
    return requirePeriod(context.db, context.principal.iid, chosen.id);
  },
  renewLate: async (chosen, context) =>
    requirePayment(context.db, { iid: context.principal.iid, id: await renewExpired(context, chosen) }),
  activate: async (input, context) =>
    requirePeriod(context.db, context.principal.iid, await activateCard(context, input)),
  issue: issueCards,
  print: { manualTransaction: printCards },
  cards: async ({ page, pageSize, ...request }, { db }) => {
    const { list, total } = await bypassTenantScope(db, () =>
      listCards(db, { ...request, offset: (page - 1) * pageSize, most: pageSize }),
    );
    return { list, total, next: null };
  },
  voidCard: ({ id, reason }, context) => voidCard(context, id, reason),
  payments: async ({ page, pageSize, state }, { db }) => {
    const { list, total } = await bypassTenantScope(db, () =>
      listPayments(db, { state }, { offset: (page - 1) * pageSize, most: pageSize }),
    );
    return { list, total, next: null };
  },
  confirmPayment: ({ id, paid, reason }, { db, principal, address }) =>
    bypassTenantScope(db, async () => {
      await settlePayment(db, id, { paid, reason, by: { uid: principal.uid, address } });
      return requirePayment(db, { id });
    }),
});

const requirePayment = async (db: Db, which: PaymentFilter): Promise<Payment> =>
  (await listPayments(db, which)).list[0] ?? refuse("notFound");

async function requireInstitution(db: Db, id: string): Promise<void> {
  const found = await db
    .selectFrom("institution")
    .select("id")
    .where("id", "=", id)
    .where("stub", "=", false)
    .executeTakeFirst();
  if (!found) refuse("notFound");
}
