import { sql } from "kysely";
import type { Delivery, Webhook } from "@arcada/contract/integrations/integrations.calls";
import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import type { WebhookEvent } from "@arcada/contract/integrations/integrations.rules";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { createWebhookSecret, encryptWebhookSecret } from "./webhook.signature.ts";

const webhookColumns = sql`w.id, w.name, w.url, w.events, w.state, w.failing_since as "failingSince",
  case when w.old_secret_until > now() then w.old_secret_until end as "oldSecretUntil", w.created_at as "createdAt",
  w.delivered_at as "lastDeliveredAt", (select count(*)::int from webhook_delivery d
    where d.institution_id = w.institution_id and d.webhook_id = w.id and d.state = 'waiting') as waiting`;

export const listWebhooks = async (db: Db, iid: string): Promise<Webhook[]> =>
  (
    await sql<Webhook>`select ${webhookColumns} from webhook w where w.institution_id = ${iid}
      order by w.created_at desc, w.id`.execute(db)
  ).rows;

export const requireWebhook = async (db: Db, iid: string, id: string): Promise<Webhook> =>
  (
    await sql<Webhook>`select ${webhookColumns} from webhook w where w.institution_id = ${iid} and w.id = ${id}`.execute(
      db,
    )
  ).rows[0] ?? refuse("notFound");

interface EndpointInput {
  name: string;
  url: string;
  events: readonly WebhookEvent[];
}
type CreatedWebhook = { webhook: Webhook; secret: string };

export async function insertWebhook(
  db: Db,
  iid: string,
  uid: string,
  { name, url, events }: EndpointInput,
): Promise<CreatedWebhook> {
  const [id, secret] = [newId(), createWebhookSecret()];
  if ((await listWebhooks(db, iid)).length >= webhookRules.max) refuse("webhookTooMany", { most: webhookRules.max });
  await sql`insert into webhook (institution_id, id, name, url, events, secret, created_by)
    values (${iid}, ${id}, ${name}, ${url}, ${[...new Set(events)]}, ${encryptWebhookSecret(id, secret)}, ${uid})`.execute(
    db,
  );
  return { webhook: await requireWebhook(db, iid, id), secret };
}

/** An endpoint that is switched on again starts afresh: earlier failures do not count. */
export async function updateWebhook(
  db: Db,
  iid: string,
  { id, name, url, events, on }: EndpointInput & { id: string; on: boolean },
): Promise<Webhook> {
  await sql`update webhook set name = ${name}, url = ${url}, events = ${[...new Set(events)]},
      failing_since = case when ${on} and state <> 'on' then null else failing_since end,
      state = case when ${on} then 'on' when state = 'on' then 'off' else state end
    where institution_id = ${iid} and id = ${id}`.execute(db);
  return requireWebhook(db, iid, id);
}

/** The previous secret remains valid beside the new one for a while, so that no delivery is lost during the change. */
export async function rotateSecret(db: Db, iid: string, id: string): Promise<CreatedWebhook> {
  const secret = createWebhookSecret();
  await sql`update webhook set old_secret = secret, secret = ${encryptWebhookSecret(id, secret)},
      old_secret_until = now() + make_interval(hours => ${webhookRules.rotationHours})
    where institution_id = ${iid} and id = ${id}`.execute(db);
  return { webhook: await requireWebhook(db, iid, id), secret };
}

export async function deleteWebhook(db: Db, iid: string, id: string): Promise<void> {
  const deleted = await sql`delete from webhook where institution_id = ${iid} and id = ${id}`.execute(db);
  if (deleted.numAffectedRows === 0n) refuse("notFound");
}

const deliveryColumns = sql`id, event, state, tries, created_at as "createdAt", last_try_at as "lastTryAt",
  case when state = 'waiting' then next_at end as "nextAt", status, milliseconds, problem, body`;

export async function listDeliveries(
  db: Db,
  iid: string,
  webhook: string,
  cursor: string | undefined,
): Promise<{ list: Delivery[]; next: string | null }> {
  const { rows } = await sql<Delivery>`select ${deliveryColumns} from webhook_delivery
    where institution_id = ${iid} and webhook_id = ${webhook} and ${cursor ? sql`id < ${cursor}` : sql`true`}
    order by id desc limit ${webhookRules.logPage + 1}`.execute(db);
  const list = rows.slice(0, webhookRules.logPage);
  return { list, next: rows.length > list.length ? list.at(-1)!.id : null };
}

export const requireDelivery = async (db: Db, iid: string, id: string): Promise<Delivery & { webhook: string }> =>
  (
    await sql<Delivery & { webhook: string }>`select ${deliveryColumns}, webhook_id as webhook from webhook_delivery
      where institution_id = ${iid} and id = ${id}`.execute(db)
  ).rows[0] ?? refuse("notFound");

/** Sends a delivery again from the first attempt; a delivery that is in progress is not changed. */
export async function redeliver(db: Db, iid: string, id: string): Promise<Delivery> {
  await sql`update webhook_delivery set state = 'waiting', tries = 0, next_at = now(), problem = null
    where institution_id = ${iid} and id = ${id} and (held_until is null or held_until < now())`.execute(db);
  return requireDelivery(db, iid, id);
}
