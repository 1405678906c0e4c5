import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { sendOrder } from "@arcada/testing/fixtures/orders";
import { getTestServer, setup, type TestServer } from "@arcada/testing/setup/test-server";
import { createDocumentedPatient } from "@arcada/testing/fixtures/patient-with-all-records";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
beforeAll(async () => {
  env = await getTestServer();
});

const run = <T>(statement: ReturnType<typeof sql<T>>) =>
  env.running.database.asSystem(async (db) => (await statement.execute(db)).rows);

describe("the list of who viewed a record", () => {
  it("is shown to the clinic: colleagues by name, a lab by its order, a guest by the link", async () => {
    const mine = await setup();
    const { clinic, dentist, designer } = mine;
    const { id, study } = await createDocumentedPatient(mine);
    const order = await sendOrder(mine, { patientId: id });
    await designer.call("order.detail", { id: order.id });
    await dentist.call("patient.detail", { id });
    const share = { kind: "study", id: study, label: "Dr. Li", factor: { kind: "birthDate" }, warned: true } as const;
    await clinic.call("share.create", share);
    const { list } = await dentist.call("trail.looks", { id });
    const told = list.map(({ action, who, house: other, order: by }) => [action, who, other, by?.number ?? null]);
    expect(told).toContainEqual(["patient.read", dentist.name, null, null]);
    const lab = (await run(sql<{ name: string }>`select name from institution where id = ${designer.iid}`))[0].name;
    expect(told).toContainEqual(["order.read", null, lab, order.number]);
    expect(JSON.stringify(list)).not.toContain(designer.name);
    const first = await dentist.call("trail.looks", { id, pageSize: 2 });
    const second = await dentist.call("trail.looks", { id, pageSize: 2, cursor: present(first.next, "next") });
    expect(new Set([...first.list, ...second.list].map((line) => line.id)).size).toBe(4);
    expect(refusalOf(await (await setup()).clinic.ask("trail.looks", { id }))).toBe("notFound");
  });
});
