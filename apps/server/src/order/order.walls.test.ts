import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { orderStates } from "@arcada/contract/order/order.cycle";
import { receiverRights } from "@arcada/contract/order/order.rights";
import { crownFor, sentOrder, smallScan, steps, takenStudy } from "../../../../tests/orders.ts";
import { newPatient } from "../../../../tests/uploads.ts";
import { world } from "../../../../tests/world.ts";
import type { Person } from "../../../../tests/world.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids.ts";

const code = (name: RefusalName): number => refusals[name].code;
const walled = <T>({ server, iid, uid }: Person, work: (db: Db) => Promise<T>): Promise<T> =>
  server.running.database.as({ system: false, iid, uid }, work);

describe("a lab that the clinic hides names from", () => {
  it("never meets the patient's name: not in the order, lists, search, file names or DICOM headers", async () => {
    const here = await world({ clinic: { hidePatientNames: true } });
    const { clinic, dentist, lab, designer, server } = here;
    const patientId = await newPatient(clinic);
    const studies = [
      await takenStudy(server, clinic, patientId, "panorama"),
      await takenStudy(server, clinic, patientId, "ct"),
    ];
    const upload = await dentist.uploads("王小明 upper.stl", smallScan());
    const order = await sentOrder(here, { patientId, studies, uploads: [{ upload, role: "upperScan" }] });
    expect(order.files.map((file) => file.name)).toContain("王小明 upper.stl");
    await steps(designer, order, "accept");
    const seen = await designer.gets("order.detail", { id: order.id });
    const list = await lab.gets("order.list", {});
    expect(seen.patientName).toBe("王**");
    expect(seen.files.map((file) => [file.role, file.name, file.url !== null])).toEqual([
      ["upperScan", "upperScan-1.stl", true],
      ["image", "image-1.dcm", true],
      ["ct", "ct-1", false],
    ]);
    expect(decodeURIComponent(JSON.stringify([seen, list]))).not.toContain("小明");
    expect(JSON.stringify([seen, list])).not.toContain(patientId);
    for (const search of ["王小明", "wangxiaoming", "小"])
      expect((await lab.gets("order.list", { search })).total).toBe(0);
    expect((await dentist.gets("order.list", { search: "wangxiaoming" })).total).toBe(1);
    expect((await dentist.gets("order.detail", { id: order.id })).patientName).toBe("王小明");
  });

  it("meets it masked too when the dentist asks so for one order", async () => {
    const here = await world();
    const patientId = await newPatient(here.clinic, { name: "John Smith" });
    const order = await sentOrder(here, { patientId, maskName: true });
    expect((await here.lab.gets("order.detail", { id: order.id })).patientName).toBe("J*** S****");
  });
});

describe("a lab without the service's checks", () => {
  it("cannot open another study of the clinic by a file of its own", async () => {
    const here = await world();
    const patientId = await newPatient(here.clinic);
    const hidden = await takenStudy(here.server, here.clinic, patientId, "panorama");
    const order = await sentOrder(here, { patientId });
    const names = (study: string | null) =>
      walled(here.lab, (db) =>
        sql`insert into order_file (institution_id, order_id, id, owner_id, side, role, name, content, sha256, bytes, study_id)
          values (${here.clinic.iid}, ${order.id}, ${newId()}, ${here.lab.iid}, 'receiver', 'photo', 'x', 'png', 'x', 1, ${study})`.execute(
          db,
        ),
      );
    await names(null);
    await expect(names(hidden)).rejects.toMatchObject({ code: "42501" });
  });
});

describe("ids of others", () => {
  it("answer like ids that do not exist, in every place that takes one", async () => {
    const [here, there] = [await world(), await world()];
    const foreignPatient = await newPatient(there.clinic);
    const foreignStudy = await takenStudy(there.server, there.clinic, foreignPatient, "panorama");
    const foreignOrder = await sentOrder(there);
    const foreignUpload = await there.dentist.uploads("a.stl", smallScan());
    const patientId = await newPatient(here.clinic);
    const otherPatients = await takenStudy(here.server, here.clinic, await newPatient(here.clinic), "panorama");
    const save = (change: object) =>
      here.dentist.asks("order.save", { ...crownFor(patientId, here.lab.iid), ...change });
    const both = async (
      ask: (id: string) => Promise<{ code: number; data: unknown; msg: string }>,
      foreign: string,
    ) => {
      const [known, unknown] = [await ask(foreign), await ask(newId())];
      expect([known.code, known.data, known.msg]).toEqual([unknown.code, unknown.data, unknown.msg]);
      return known.code;
    };
    expect(await both((id) => save({ patientId: id }), foreignPatient)).toBe(code("notFound"));
    expect(await both((id) => save({ studies: [id] }), foreignStudy)).toBe(code("orderFileForeign"));
    expect(await both((id) => save({ studies: [id] }), otherPatients)).toBe(code("orderFileForeign"));
    expect(await both((upload) => save({ uploads: [{ upload, role: "bite" }] }), foreignUpload)).toBe(
      code("uploadUnknown"),
    );
    expect(await both((id) => save({ targetIid: id }), there.clinic.iid!)).toBe(code("institutionUnknown"));
    expect(await both((id) => save({ id, version: 0 }), foreignOrder.id)).toBe(code("notFound"));
    for (const who of [here.dentist, here.lab]) {
      expect(await both((id) => who.asks("order.detail", { id }), foreignOrder.id)).toBe(code("notFound"));
      expect(await both((id) => who.asks("order.message", { id, text: "hi" }), foreignOrder.id)).toBe(code("notFound"));
      expect(
        await both(
          (id) => who.asks("order.step", { id, action: "accept", version: foreignOrder.version }),
          foreignOrder.id,
        ),
      ).toBe(code("notFound"));
    }
    expect(await both((id) => here.dentist.asks("order.copy", { id }), foreignOrder.id)).toBe(code("notFound"));
    const order = await sentOrder(here);
    const accept = (assigneeId: string) =>
      here.lab.asks("order.step", { id: order.id, version: order.version, action: "accept", assigneeId });
    expect(await both(accept, there.designer.uid)).toBe(code("notFound"));
    expect(await both(accept, here.dentist.uid)).toBe(code("notFound"));
  });
});

describe("the database's own wall", () => {
  it("shows a lab no row of an order before its hand-over, and no file or study once it is over", async () => {
    const here = await world();
    const { clinic, dentist, lab, server } = here;
    const patientId = await newPatient(clinic);
    const studies = [await takenStudy(server, clinic, patientId, "panorama")];
    const draft = await dentist.gets("order.save", crownFor(patientId, lab.iid, { studies }));
    const tables = [
      "orders",
      "order_file",
      "order_event",
      "order_rx",
      "study",
      "series",
      "instance",
      "patient",
    ] as const;
    const rows = () =>
      walled(lab, async (db) =>
        Promise.all(
          tables.map(async (table) =>
            Number(
              (
                await db
                  .selectFrom(table)
                  .select(sql<number>`count(*)`.as("count"))
                  .executeTakeFirstOrThrow()
              ).count,
            ),
          ),
        ),
      );
    expect(await rows()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    const sent = await steps(dentist, draft, "submit");
    expect(await rows()).toEqual([1, 1, 1, 0, 1, 1, 1, 0]);
    const refused = await steps(lab, sent, "refuse", { reason: "no capacity" });
    expect(await rows()).toEqual([1, 0, 2, 0, 0, 0, 0, 0]);
    expect(refused).toMatchObject({ files: [], prescription: { items: [] }, patientId: null });
  });

  it("lets a lab write neither another's order nor a file in the sender's name", async () => {
    const here = await world();
    const other = await world();
    const order = await sentOrder(here);
    const touched = await walled(other.lab, (db) =>
      sql`update orders set state = 'cancelled' where id = ${order.id}`.execute(db),
    );
    expect(touched.numAffectedRows).toBe(0n);
    const forge = (db: Db) =>
      sql`insert into order_file (institution_id, order_id, id, owner_id, side, role, name, content, sha256, bytes)
        values (${here.clinic.iid}, ${order.id}, ${newId()}, ${here.clinic.iid}, 'sender', 'document', 'x', 'pdf', ${"a".repeat(64)}, 1)`.execute(
        db,
      );
    await expect(walled(here.lab, forge)).rejects.toThrow(/row-level security/);
  });

  it("reads in the same states as the table of rights", async () => {
    const here = await world();
    const answers = await walled(here.lab, (db) =>
      sql<{
        state: string;
        reads: boolean;
      }>`select state, order_read_by_receiver(state) as reads from unnest(${[...orderStates]}::text[]) as state`.execute(
        db,
      ),
    );
    // While a lab prepares to pass an order on, the order is in awaiting_sending and the lab can read it.
    for (const { state, reads } of answers.rows.filter((row) => row.state !== "awaiting_sending"))
      expect(reads, state).toBe(receiverRights[state as (typeof orderStates)[number]].reads === "all");
  });
});
