import { sql } from "kysely";
import type { WebhookEvent } from "@arcada/contract/interface/interface.rules";
import { bypassTenantScope, sendPipelined } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import type { DomainEvent } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids.ts";
import { prepared } from "../platform/database/prepared-statements.ts";

type Happened<N extends DomainEvent["name"]> = Extract<DomainEvent, { name: N }>;
interface Told {
  event: WebhookEvent;
  houses: (string | null)[];
  /** Ids, numbers and states: a program reads the rest with a key, and receives what the key may see. */
  data: Record<string, string | null>;
}

/** The domain events that are sent to programs, with the institutions that receive them. */
const table: { [N in DomainEvent["name"]]?: (happening: Happened<N>) => Told | null } = {
  orderMoved: ({ orderId, number, action, to, sender, receiver }) => ({
    event: "order.moved",
    houses: [sender, receiver],
    data: { orderId, number, action, state: to, senderId: sender, receiverId: receiver },
  }),
  orderMessaged: ({ orderId, number, messageId, side, sender, receiver }) => ({
    event: "order.message",
    houses: [sender, receiver],
    data: { orderId, number, messageId, side },
  }),
  studyReady: ({ studyId, patientId, kind, institution, again }) =>
    again ? null : { event: "study.arrived", houses: [institution], data: { studyId, patientId, kind } },
  relationMoved: ({ relationId, action, state, tell, other }) => ({
    event: "relation.moved",
    houses: [tell],
    data: { relationId, action, state, partnerId: other },
  }),
};

/** Subscriber of all domain events: deliveries are written in the transaction of the event. */
export async function tellPrograms(db: Db, happening: DomainEvent): Promise<void> {
  const told = (table[happening.name] as ((what: DomainEvent) => Told | null) | undefined)?.(happening);
  if (!told) return;
  const houses = told.houses.filter((house) => house !== null);
  const { event } = told;
  // Unique ids that sort by time: the last digits count the endpoints.
  const id = newId().slice(0, -4);
  await bypassTenantScope(db, async () =>
    sendPipelined(
      db,
      sql`${prepared} insert into webhook_delivery (institution_id, webhook_id, id, event, body)
        select institution_id, id, (${id} || lpad(to_hex(row_number() over ()), 4, '0'))::uuid, ${event}, ${bodyOf(told)}
        from webhook where institution_id = any(${houses}::uuid[]) and state = 'on' and ${event}::text = any(events)`,
    ),
  );
}

const bodyOf = ({ event, data }: { event: string; data: Told["data"] }): string =>
  JSON.stringify({ type: event, timestamp: new Date().toISOString(), data });

interface Queued {
  iid: string;
  webhook: string;
  event: string;
  data: Record<string, string | null>;
}
/** Returns the delivery's id. */
export async function queueDelivery(db: Db, { iid, webhook, event, data }: Queued): Promise<string> {
  const id = newId();
  await sql`insert into webhook_delivery (institution_id, webhook_id, id, event, body)
    values (${iid}, ${webhook}, ${id}, ${event}, ${bodyOf({ event, data })})`.execute(db);
  return id;
}
