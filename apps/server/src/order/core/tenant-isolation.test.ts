import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import { receiverRights } from "@arcada/contract/order/receiver-rights";
import { crownOrderInput, sendOrder, smallScanStl, takeStep, insertStudy } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

const walled = <T>(
  { server, iid, uid }: Pick<TestUser, "server" | "iid" | "uid">,
  work: (db: Db) => Promise<T>,
): Promise<T> => server.running.database.as({ system: false, iid, uid }, work);

describe("a lab that the clinic hides names from", () => {
  it("never sees the patient's name: not in the order, lists, search, file names or DICOM headers", async () => {
    const env = await setup({ clinic: { hidePatientNames: true } });
    const { clinic, dentist, lab, designer, server } = env;
    const patientId = await createPatient(clinic);
    const studies = [
      await insertStudy(server, clinic, patientId, "panorama"),
      await insertStudy(server, clinic, patientId, "ct"),
    ];
    const upload = await dentist.upload("王小明 upper.stl", smallScanStl());
    const order = await sendOrder(env, { patientId, studies, uploads: [{ upload, role: "upperScan" }] });
    expect(order.files.map((file) => file.name)).toContain("王小明 upper.stl");
    await takeStep(designer, order, "accept");
    const seen = await designer.call("order.detail", { id: order.id });
    const list = await lab.call("order.list", {});
    expect(seen.patientName).toBe("王**");
    expect(seen.files.map((file) => [file.role, file.name, file.url !== null])).toEqual([
      ["upperScan", "upperScan-1.stl", true],
      ["image", "image-1.dcm", true],
      ["ct", "ct-1", false],
    ]);
    expect(decodeURIComponent(JSON.stringify([seen, list]))).not.toContain("小明");
    expect(JSON.stringify([seen, list])).not.toContain(patientId);
    for (const search of ["王小明", "wangxiaoming", "小"])
      expect((await lab.call("order.list", { search })).total).toBe(0);
    expect((await dentist.call("order.list", { search: "wangxiaoming" })).total).toBe(1);
    expect((await dentist.call("order.detail", { id: order.id })).patientName).toBe("王小明");
  });

  it("sees it masked too if the dentist requests so for one order", async () => {
    const env = await setup();
    const patientId = await createPatient(env.clinic, { name: "John Smith" });
    const order = await sendOrder(env, { patientId, maskName: true });
    expect((await env.lab.call("order.detail", { id: order.id })).patientName).toBe("J*** S****");
  });
});

describe("a lab without the service's checks", () => {
  it("cannot open another study of the clinic by attaching a file to it", async () => {
    const env = await setup();
    const patientId = await createPatient(env.clinic);
    const hidden = await insertStudy(env.server, env.clinic, patientId, "panorama");
    const order = await sendOrder(env, { patientId });
    const names = (study: string | null) =>
      walled(env.lab, (db) =>
        sql`insert into order_file (institution_id, order_id, id, owner_id, side, role, name, content, sha256, bytes, study_id)
          values (${env.clinic.iid}, ${order.id}, ${newId()}, ${env.lab.iid}, 'receiver', 'photo', 'x', 'png', 'x', 1, ${study})`.execute(
          db,
        ),
      );
    await names(null);
    await expect(names(hidden)).rejects.toMatchObject({ code: "42501" });
  });
});

describe("ids of other organisations", () => {
  it("answer like ids that do not exist, in every call that accepts one", async () => {
    const [env, there] = [await setup(), await setup()];
    const foreignPatient = await createPatient(there.clinic);
    const foreignStudy = await insertStudy(there.server, there.clinic, foreignPatient, "panorama");
    const foreignOrder = await sendOrder(there);
    const foreignUpload = await there.dentist.upload("a.stl", smallScanStl());
    const patientId = await createPatient(env.clinic);
    const otherPatients = await insertStudy(env.server, env.clinic, await createPatient(env.clinic), "panorama");
    const save = (change: object) =>
      env.dentist.ask("order.save", { ...crownOrderInput(patientId, env.lab.iid), ...change });
    const both = async (
      ask: (id: string) => Promise<{ code: number; data: unknown; msg: string }>,
      foreign: string,
    ) => {
      const [known, unknown] = [await ask(foreign), await ask(newId())];
      expect([known.code, known.data, known.msg]).toEqual([unknown.code, unknown.data, unknown.msg]);
      return refusalOf(known);
    };
    expect(await both((id) => save({ patientId: id }), foreignPatient)).toBe("notFound");
    expect(await both((id) => save({ studies: [id] }), foreignStudy)).toBe("orderFileForeign");
    expect(await both((id) => save({ studies: [id] }), otherPatients)).toBe("orderFileForeign");
    expect(await both((upload) => save({ uploads: [{ upload, role: "bite" }] }), foreignUpload)).toBe("uploadUnknown");
    expect(await both((id) => save({ targetIid: id }), there.clinic.iid)).toBe("institutionUnknown");
    expect(await both((id) => save({ id, version: 0 }), foreignOrder.id)).toBe("notFound");
    for (const who of [env.dentist, env.lab]) {
      expect(await both((id) => who.ask("order.detail", { id }), foreignOrder.id)).toBe("notFound");
      expect(await both((id) => who.ask("order.message", { id, text: "hi" }), foreignOrder.id)).toBe("notFound");
      expect(
        await both(
          (id) => who.ask("order.step", { id, action: "accept", version: foreignOrder.version }),
          foreignOrder.id,
        ),
      ).toBe("notFound");
    }
    expect(await both((id) => env.dentist.ask("order.copy", { id }), foreignOrder.id)).toBe("notFound");
    const order = await sendOrder(env);
    const accept = (assigneeId: string) =>
      env.lab.ask("order.step", { id: order.id, version: order.version, action: "accept", assigneeId });
    expect(await both(accept, there.designer.uid)).toBe("notFound");
    expect(await both(accept, env.dentist.uid)).toBe("notFound");
  });
});

describe("the database's tenant scope", () => {
  it("shows a lab no row of an order before its hand-over, and no file or study once it has ended", async () => {
    const env = await setup();
    const { clinic, dentist, lab, server } = env;
    const patientId = await createPatient(clinic);
    const studies = [await insertStudy(server, clinic, patientId, "panorama")];
    const draft = await dentist.call("order.save", crownOrderInput(patientId, lab.iid, { studies }));
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
    const sent = await takeStep(dentist, draft, "submit");
    expect(await rows()).toEqual([1, 1, 1, 0, 1, 1, 1, 0]);
    const refused = await takeStep(lab, sent, "refuse", { reason: "no capacity" });
    expect(await rows()).toEqual([1, 0, 2, 0, 0, 0, 0, 0]);
    expect(refused).toMatchObject({ files: [], prescription: { items: [] }, patientId: null });
  });

  it("shows the timeline of an order to its two sides alone, and to the lab what followed the hand-over", async () => {
    const env = await setup();
    const { dentist, lab } = env;
    const patientId = await createPatient(env.clinic);
    const draft = await dentist.call("order.save", crownOrderInput(patientId, lab.iid));
    const readers = [dentist, lab, { server: lab.server, iid: newId(), uid: newId() }];
    const seen = async () =>
      Promise.all(
        readers.map((reader) =>
          walled(reader, async (db) => {
            const timeline = sql<{ entries: [id: string, at: string, action: string][] | null }>`
              select arcada_order_timeline(${dentist.iid}, ${draft.id}) as entries`;
            return (await timeline.execute(db)).rows[0]?.entries?.map(([, , action]) => action) ?? [];
          }),
        ),
      );
    expect(await seen()).toEqual([["create"], [], []]);
    await takeStep(dentist, draft, "submit");
    expect(await seen()).toEqual([["create", "submit", "handOver"], ["handOver"], []]);
  });

  it("lets a lab write neither to another lab's order nor a file in the sender's name", async () => {
    const env = await setup();
    const other = await setup();
    const order = await sendOrder(env);
    const touched = await walled(other.lab, (db) =>
      sql`update orders set state = 'cancelled' where id = ${order.id}`.execute(db),
    );
    expect(touched.numAffectedRows).toBe(0n);
    const forge = (db: Db) =>
      sql`insert into order_file (institution_id, order_id, id, owner_id, side, role, name, content, sha256, bytes)
        values (${env.clinic.iid}, ${order.id}, ${newId()}, ${env.clinic.iid}, 'sender', 'document', 'x', 'pdf', ${"a".repeat(64)}, 1)`.execute(
        db,
      );
    await expect(walled(env.lab, forge)).rejects.toThrow(/row-level security/);
  });

  it("permits reads in the same states as the table of rights", async () => {
    const env = await setup();
    const answers = await walled(env.lab, (db) =>
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
