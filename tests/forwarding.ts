import { sql } from "kysely";
import type { Order } from "@arcada/contract/order/order.calls";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import type { StepInput } from "./orders.ts";
import { steps } from "./orders.ts";
import type { Person, World } from "./world.ts";

/** A second lab that the first one works with; its manager and a member there. */
export interface Plant {
  plant: Person;
  maker: Person;
}
export async function withPlant({ server, lab }: Pick<World, "server" | "lab">): Promise<Plant> {
  const house = await server.institution("lab");
  const plant = await server.person("factoryAdmin", house);
  await relate(lab, plant);
  return { plant, maker: await server.person("factoryMember", house) };
}

export const relate = (one: Person, other: Person): Promise<unknown> =>
  one.server.running.database.asSystem((db) =>
    sql`insert into relation (id, institution_id, target_id, state, requested_by, established_at)
      values (${newId()}, ${one.iid}, ${other.iid}, 'established', ${one.uid}, now())`.execute(db),
  );

/** The sender permits a lab to forward its orders. */
export const letForward = (sender: Person, may = true): Promise<unknown> =>
  sender.server.running.database.asSystem((db) =>
    sql`update relation set terms = jsonb_build_object(${sender.iid}::text, jsonb_build_object('mayForward', ${may}::boolean))
      where ${sender.iid}::uuid in (institution_id, target_id)`.execute(db),
  );

/** Creates the draft with which an accepted order is forwarded. */
export async function passOn(lab: Person, order: Order, plant: Person, way: Partial<StepInput> = {}): Promise<Order> {
  const parent = await lab.gets("order.detail", { id: order.id });
  const moved = await steps(lab, parent, "prepareForward", { targetIid: plant.iid!, ...way });
  return lab.gets("order.detail", { id: moved.family.child!.order!.id });
}

export const seen = (who: Person, { id }: { id: string }): Promise<Order> => who.gets("order.detail", { id });
