import { sql } from "kysely";
import { newDigits, newId } from "../apps/server/src/platform/runtime/ids.ts";
import type { TestServer } from "./world.ts";

interface WorkOrderFields {
  clinic: string;
  by: string;
  assignee?: string | null;
  type?: "installation" | "move_machine" | "repair";
  state?: "new" | "in_progress" | "transfer_review" | "acceptance_review" | "finished" | "closed";
  createdAt?: string;
  finishedAt?: string | null;
  outcome?: "done" | "void" | null;
  reworks?: number;
}

/** Inserts a work order directly into the table, without the steps that lead to its state. Returns its id. */
export async function insertWorkOrder(server: TestServer, fields: WorkOrderFields): Promise<string> {
  const id = newId();
  const { state = "new", createdAt = new Date().toISOString(), finishedAt = null, outcome = null } = fields;
  await server.running.database.asSystem((db) =>
    sql`insert into work_order (id, number, type, state, clinic_id, institution_id, product, model, serial_number, description,
        contact, contact_phone, assignee_id, created_by, created_side, created_at, finished_at, closed_at, outcome, rework_count,
        haystack, grams)
      select ${id}, ${`W${newDigits(12)}`}, ${fields.type ?? "repair"}, ${state}, c.id, c.institution_id, 'Scanner', 'S1', 'SN', 'x',
        'x', '1', ${fields.assignee ?? null}, ${fields.by}, 'service', ${createdAt}, ${finishedAt},
        ${state === "closed" ? createdAt : null}, ${outcome}, ${fields.reworks ?? 0}, 'x', '{}'
      from clinic c where c.id = ${fields.clinic}`.execute(db),
  );
  return id;
}

/** A registered device; bound to an organisation where one is named. */
export async function insertDevice(
  server: TestServer,
  device: { clinic?: string; institution?: string; serial?: string; product?: string; version?: string | null },
): Promise<string> {
  const id = newId();
  const isBound = device.institution !== undefined;
  await server.running.database.asSystem((db) =>
    sql`insert into device (id, institution_id, clinic_id, product, serial_number, model, software_version, state, key_hash)
      values (${id}, ${device.institution ?? null}, ${device.clinic ?? null}, ${device.product ?? "Scanner"},
        ${device.serial ?? newDigits(10)}, 'S1', ${device.version ?? null}, ${isBound ? "bound" : "unbound"}, ${isBound ? id : null})`.execute(
      db,
    ),
  );
  return id;
}
