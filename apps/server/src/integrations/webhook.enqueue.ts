import { sql } from "kysely";
import type { WebhookEvent } from "@arcada/contract/integrations/integrations.rules";
import { bypassTenantScope, sendPipelined } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { orderMessageSent, orderTransitioned } from "../order/order.events.ts";
import { on } from "../platform/events/events.ts";
import type { EventType, Subscriber } from "../platform/events/events.ts";
import { relationTransitioned } from "../relation/relation.events.ts";
import { studyReady } from "../study/study.events.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { prepared } from "../platform/database/prepared-statements.ts";

interface WebhookMessage {
  event: WebhookEvent;
  institutions: (string | null)[];
  /** Ids, numbers and states: a program reads the rest with a key, and receives what the key may see. */
  data: Record<string, string | null>;
}

const send = <Data extends object>(event: EventType<Data>, build: (data: Data) => WebhookMessage | null): Subscriber =>
  on(event, async (db, data) => {
    const message = build(data);
    if (message) await enqueueMessage(db, message);
  });

/** The domain events that are sent to programs, with the institutions that receive them. */
export const webhookSubscribers: readonly Subscriber[] = [
  send(orderTransitioned, ({ orderId, number, action, to, sender, receiver }) => ({
    event: "order.moved",
    institutions: [sender, receiver],
    data: { orderId, number, action, state: to, senderId: sender, receiverId: receiver },
  })),
  send(orderMessageSent, ({ orderId, number, messageId, side, sender, receiver }) => ({
    event: "order.message",
    institutions: [sender, receiver],
    data: { orderId, number, messageId, side },
  })),
  send(studyReady, ({ studyId, patientId, kind, institution, again }) =>
    again ? null : { event: "study.arrived", institutions: [institution], data: { studyId, patientId, kind } },
  ),
  send(relationTransitioned, ({ relationId, action, state, recipient, other }) => ({
    event: "relation.moved",
    institutions: [recipient],
    data: { relationId, action, state, partnerId: other },
  })),
];

/** Deliveries are written in the transaction of the event. */
async function enqueueMessage(db: Db, message: WebhookMessage): Promise<void> {
  const institutions = message.institutions.filter((institution) => institution !== null);
  const { event } = message;
  // Unique ids that sort by time: the last digits count the endpoints.
  const id = newId().slice(0, -4);
  await bypassTenantScope(db, async () =>
    sendPipelined(
      db,
      sql`${prepared} insert into webhook_delivery (institution_id, webhook_id, id, event, body)
        select institution_id, id, (${id} || lpad(to_hex(row_number() over ()), 4, '0'))::uuid, ${event}, ${buildBody(message)}
        from webhook where institution_id = any(${institutions}::uuid[]) and state = 'on' and ${event}::text = any(events)`,
    ),
  );
}

const buildBody = ({ event, data }: { event: string; data: WebhookMessage["data"] }): string =>
  JSON.stringify({ type: event, timestamp: new Date().toISOString(), data });

interface DeliveryInput {
  iid: string;
  webhook: string;
  event: string;
  data: Record<string, string | null>;
}
/** Returns the delivery's id. */
export async function insertDelivery(db: Db, { iid, webhook, event, data }: DeliveryInput): Promise<string> {
  const id = newId();
  await sql`insert into webhook_delivery (institution_id, webhook_id, id, event, body)
    values (${iid}, ${webhook}, ${id}, ${event}, ${buildBody({ event, data })})`.execute(db);
  return id;
}
