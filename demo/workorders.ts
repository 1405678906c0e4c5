import { sql } from "kysely";
import { roles } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import type { WorkorderAction, WorkorderState } from "@arcada/contract/workorder/workorder.lifecycle";
import type { Database, Db } from "../apps/server/src/platform/database/database.ts";
import { newId } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { buildSearchColumns } from "../apps/server/src/workorder/workorder.create.ts";
import { demoDevices } from "./devices.ts";

export const demoWorkorder = "0199a000-0000-7000-8000-00000000f005";

interface DemoWorkorder {
  id: string;
  /** Place among the demo's devices. */
  device: number;
  type: "installation" | "move_machine" | "repair";
  state: WorkorderState;
  days: number;
  description: string;
  hasAssignee: boolean;
  events: readonly (readonly [WorkorderAction | null, WorkorderState | null, string | null])[];
}
const demoOrder = (place: number, order: Omit<DemoWorkorder, "id">): DemoWorkorder => ({
  id: `${demoWorkorder.slice(0, -1)}${place}`,
  ...order,
});

const orders: readonly DemoWorkorder[] = [
  demoOrder(5, {
    device: 0,
    type: "repair",
    state: "in_progress",
    days: 4,
    description: "旋转臂转到一半停下，屏幕提示 E-104。 The arm stops half way and shows E-104.",
    hasAssignee: true,
    events: [
      ["start", "in_progress", null],
      [null, null, "皮带磨损，已订购备件。 The belt is worn; a new one is ordered."],
    ],
  }),
  demoOrder(6, {
    device: 0,
    type: "repair",
    state: "new",
    days: 1,
    description: "全景片右侧有一条竖线。 A vertical line at the right of every panorama.",
    hasAssignee: false,
    events: [],
  }),
  demoOrder(4, {
    device: 2,
    type: "move_machine",
    state: "transfer_review",
    days: 6,
    description: "从二楼移到一楼新的影像室。 From the second floor to the new imaging room.",
    hasAssignee: true,
    events: [
      ["start", "in_progress", null],
      ["askTransfer", "transfer_review", "本周在外地出差 Away this week"],
    ],
  }),
  demoOrder(3, {
    device: 3,
    type: "installation",
    state: "acceptance_review",
    days: 9,
    description: "新机安装与培训。 Installation and training.",
    hasAssignee: true,
    events: [
      ["start", "in_progress", null],
      ["submit", "acceptance_review", null],
    ],
  }),
  demoOrder(2, {
    device: 2,
    type: "repair",
    state: "finished",
    days: 20,
    description: "更换激光定位灯。 The positioning laser is replaced.",
    hasAssignee: true,
    events: [
      ["start", "in_progress", null],
      ["submit", "acceptance_review", null],
      ["pass", "finished", null],
    ],
  }),
  demoOrder(1, {
    device: 1,
    type: "repair",
    state: "closed",
    days: 70,
    description: "手柄按钮失灵。 A button of the handpiece does not react.",
    hasAssignee: true,
    events: [
      ["start", "in_progress", null],
      ["pass", "finished", null],
      ["close", "closed", null],
    ],
  }),
];

/** Work orders in every state; once. */
export const seedWorkorders = (database: Database): Promise<void> =>
  database.asSystem(async (db) => {
    const known = await db.selectFrom("work_order").select("id").where("id", "=", demoWorkorder).executeTakeFirst();
    if (known) return;
    const people = { admin: await findUserId(db, "afterSalesAdmin"), member: await findUserId(db, "afterSalesMember") };
    for (const order of orders) await seedWorkorder(db, order, people);
  });

type People = Record<"admin" | "member", string>;
async function seedWorkorder(db: Db, order: DemoWorkorder, people: People): Promise<void> {
  const device = demoDevices[order.device]!;
  const at = new Date(Date.now() - order.days * 86_400_000).toISOString();
  const later = new Date(Date.parse(at) + 86_400_000).toISOString();
  const { id, state, type } = order;
  const number = `W${at.slice(0, 10).replaceAll("-", "")}-9${id.at(-1)}`;
  const clinic = await sql<{
    id: string;
    institution_id: string | null;
    name: string;
  }>`select c.id, c.institution_id, c.name
    from device d join clinic c on c.id = d.clinic_id where d.id = ${device.id}`.execute(db);
  const place = clinic.rows[0];
  if (!place) return;
  const isOver = state === "finished" || state === "closed";
  const named = {
    device_id: device.id,
    product: device.product,
    model: device.model,
    serial_number: device.serial_number,
  };
  const contact = { contact: "林晓", contact_phone: "021-5550 1266" };
  await db
    .insertInto("work_order")
    .values({
      ...named,
      ...contact,
      ...buildSearchColumns({
        ...named,
        number,
        clinic: place.name,
        contact: contact.contact,
        phone: contact.contact_phone,
      }),
      id,
      number,
      type,
      state,
      clinic_id: place.id,
      institution_id: place.institution_id,
      description: order.description,
      alternate_contact: null,
      alternate_phone: null,
      tracking_number: type === "installation" ? "SF1390417720651" : null,
      to_clinic_id: null,
      to_address: type === "move_machine" ? "一楼影像室 Imaging room, ground floor" : null,
      assignee_id: order.hasAssignee ? people.member : null,
      alternate_id: null,
      reviewer_id: isOver ? people.admin : null,
      created_by: people.admin,
      created_side: "service",
      created_at: at,
      started_at: state === "new" ? null : at,
      submitted_at: isOver || state === "acceptance_review" ? later : null,
      finished_at: isOver ? later : null,
      closed_at: state === "closed" ? later : null,
      outcome: state === "closed" ? "done" : null,
      finish_serial: isOver || state === "acceptance_review" ? device.serial_number : "",
      finish_description: isOver || state === "acceptance_review" ? "已完成并试拍。 Done and tried out." : "",
    })
    .execute();
  await seedLog(db, order, place, people);
  // Both people have seen an order that is over.
  if (isOver)
    await db
      .insertInto("work_order_read")
      .values([people.admin, people.member].map((user_id) => ({ work_order_id: id, user_id })))
      .execute();
}

async function seedLog(db: Db, order: DemoWorkorder, place: { institution_id: string | null }, people: People) {
  await db
    .insertInto("work_order_event")
    .values(
      ([["create", "new", null], ...order.events] as const).map(([action, to, text], at) => ({
        id: newId(),
        work_order_id: order.id,
        institution_id: place.institution_id,
        user_id: at === 0 || action === "pass" || action === "close" ? people.admin : people.member,
        action,
        to_state: to,
        text,
        inner_only: action === "askTransfer" || action === "submit",
        at: new Date(Date.now() - order.days * 86_400_000 + at * 3_600_000).toISOString(),
      })),
    )
    .execute();
}

async function findUserId(db: Db, role: Role): Promise<string> {
  const { user_id } = await db
    .selectFrom("membership")
    .select("user_id")
    .where("authority_id", "=", roles[role].authorityId)
    .executeTakeFirstOrThrow();
  return user_id;
}
