import { sql } from "kysely";
import type { WebhookEvent } from "@arcada/contract/interface/interface.rules";
import { beyondWall } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import type { Happening } from "../kernel/events.ts";
import { newId } from "../kernel/ids.ts";

type Happened<N extends Happening["name"]> = Extract<Happening, { name: N }>;
interface Told {
  event: WebhookEvent;
  houses: (string | null)[];
  /** Ids, numbers and states: whoever is told asks for the rest with a key, and gets what it may see. */
  data: Record<string, string | null>;
}

/** Which happening is told to programs, of which organisations. */
const table: { [N in Happening["name"]]?: (happening: Happened<N>) => Told | null } = {
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

/** Listener of all happenings: what is to be sent stands or falls with what happened. */
export async function tellPrograms(db: Db, happening: Happening): Promise<void> {
  const told = (table[happening.name] as ((what: Happening) => Told | null) | undefined)?.(happening);
  if (!told) return;
  const houses = told.houses.filter((house) => house !== null);
  await beyondWall(db, async () => {
    const { rows } = await sql<{ iid: string; id: string }>`select institution_id as iid, id from webhook
      where institution_id = any(${houses}::uuid[]) and state = 'on' and ${told.event} = any(events)`.execute(db);
    for (const { iid, id } of rows) await queueDelivery(db, { iid, webhook: id, event: told.event, data: told.data });
  });
}

interface Queued {
  iid: string;
  webhook: string;
  event: string;
  data: Record<string, string | null>;
}
/** Answers the delivery's id. */
export async function queueDelivery(db: Db, { iid, webhook, event, data }: Queued): Promise<string> {
  const id = newId();
  const body = JSON.stringify({ type: event, timestamp: new Date().toISOString(), data });
  await sql`insert into webhook_delivery (institution_id, webhook_id, id, event, body)
    values (${iid}, ${webhook}, ${id}, ${event}, ${body})`.execute(db);
  return id;
}
