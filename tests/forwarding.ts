import { sql } from "kysely";
import type { Order } from "@arcada/contract/order/order.calls";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import type { OrderStepInput } from "./orders.ts";
import { takeStep } from "./orders.ts";
import type { TestUser, TestSetup } from "./world.ts";

/** A second lab that the first one works with; its manager and a member there. */
export interface SecondLab {
  secondLab: TestUser;
  technician: TestUser;
}
export async function addSecondLab({ server, lab }: Pick<TestSetup, "server" | "lab">): Promise<SecondLab> {
  const institution = await server.createInstitution("lab");
  const secondLab = await server.createUser("factoryAdmin", institution);
  await insertRelation(lab, secondLab);
  return { secondLab, technician: await server.createUser("factoryMember", institution) };
}

export const insertRelation = (one: TestUser, other: TestUser): Promise<unknown> =>
  one.server.running.database.asSystem((db) =>
    sql`insert into relation (id, institution_id, target_id, state, requested_by, established_at)
      values (${newId()}, ${one.iid}, ${other.iid}, 'established', ${one.uid}, now())`.execute(db),
  );

/** The sender permits a lab to forward its orders. */
export const permitForwarding = (sender: TestUser, may = true): Promise<unknown> =>
  sender.server.running.database.asSystem((db) =>
    sql`update relation set terms = jsonb_build_object(${sender.iid}::text, jsonb_build_object('mayForward', ${may}::boolean))
      where ${sender.iid}::uuid in (institution_id, target_id)`.execute(db),
  );

/** Creates the draft with which an accepted order is forwarded. */
export async function forwardOrder(
  lab: TestUser,
  order: Order,
  secondLab: TestUser,
  stepInput: Partial<OrderStepInput> = {},
): Promise<Order> {
  const parent = await lab.call("order.detail", { id: order.id });
  const moved = await takeStep(lab, parent, "prepareForward", { targetIid: secondLab.iid!, ...stepInput });
  return lab.call("order.detail", { id: moved.family.child!.order!.id });
}

export const viewOrder = (who: TestUser, { id }: { id: string }): Promise<Order> => who.call("order.detail", { id });
