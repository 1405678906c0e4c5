import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { linkedRecordKinds, createVersionId } from "@arcada/contract/service/linked-records.calls";
import type { LinkedRecordKind } from "@arcada/contract/service/linked-records.calls";
import { versionKey } from "@arcada/contract/upgrade/package-version";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

interface Device {
  id: string;
  clinic: string | null;
  product: string;
  version: string | null;
}
interface Fixtures {
  device: Device[];
  clinic: { id: string }[];
  feedback: {
    id: string;
    device: string | null;
    clinic: string | null;
    product: string;
    version: string;
    fixed: string | null;
  }[];
  workorder: { id: string; device: string | null; clinic: string; assignee: string }[];
  package: { id: string; product: string; version: string }[];
}

const pick = <T>(all: readonly T[]): T => present(all[Math.floor(Math.random() * all.length)]);
const repeat = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** Creates test data in which any record may belong to any other. */
async function seedFixtures(db: Db, people: AnyTestUser[]): Promise<Fixtures> {
  const mark = newId().slice(-6);
  const products = [`P1 ${mark}`, `P2 ${mark}`];
  const versions = ["1.0", "1.1", "2.0"];
  const clinic = repeat(3, () => ({ id: newId() }));
  const maybe = <T>(value: T): T | null => (Math.random() < 0.25 ? null : value);
  const device = repeat(7, () => ({
    id: newId(),
    clinic: maybe(pick(clinic).id),
    product: pick(products),
    version: maybe(pick(versions)),
  }));
  const feedback = repeat(6, () => {
    const on = maybe(pick(device));
    const product = on?.product ?? pick(products);
    return {
      id: newId(),
      device: on?.id ?? null,
      clinic: maybe(pick(clinic).id),
      product,
      version: pick(versions),
      fixed: maybe(pick(versions)),
    };
  });
  const workorder = repeat(7, () => ({
    id: newId(),
    device: maybe(pick(device).id),
    clinic: pick(clinic).id,
    assignee: pick(people).uid,
  }));
  const packages = products.flatMap((product) =>
    versions.slice(1).map((version) => ({ id: newId(), product, version })),
  );
  const by = people[0].uid;
  for (const { id } of clinic)
    await sql`insert into clinic (id, number, name, country, sort_name) values (${id}, ${id}, ${id}, 'CN', ${id})`.execute(
      db,
    );
  for (const { id, ...one } of device)
    await sql`insert into device (id, clinic_id, product, serial_number, model, software_version)
      values (${id}, ${one.clinic}, ${one.product}, ${id}, 'M', ${one.version})`.execute(db);
  for (const { id, ...one } of feedback)
    await sql`insert into software_feedback (id, device_id, clinic_id, product, software_version, page, description, state, fixed_in, created_by)
      values (${id}, ${one.device}, ${one.clinic}, ${one.product}, ${one.version}, 'scan', 'x', ${one.fixed ? "fixed" : "open"}, ${one.fixed}, ${by})`.execute(
      db,
    );
  for (const { id, ...one } of workorder)
    await sql`insert into work_order (id, number, type, clinic_id, device_id, product, model, serial_number, description, contact,
        contact_phone, assignee_id, created_by, created_side, haystack, grams)
      values (${id}, ${id}, 'repair', ${one.clinic}, ${one.device}, 'P', 'M', 'S', 'x', 'x', '1', ${one.assignee}, ${by}, 'service', '', '{}')`.execute(
      db,
    );
  for (const { id, product, version } of packages)
    await sql`insert into upgrade_package (id, name, product, version, version_key, description, file_name, sha256, bytes, signature, signed_by, published_by)
      values (${id}, 'x', ${product}, ${version}, ${versionKey(version)}, 'x', 'x', 'x', 1, 'x', 'x', ${by})`.execute(
      db,
    );
  return { device, clinic, feedback, workorder, package: packages };
}

/** The same by looking at everything, in words of the product. */
function expectedLinks(all: Fixtures): Record<LinkedRecordKind, Record<string, Record<string, Set<string>>>> {
  const found = Object.fromEntries(linkedRecordKinds.map((kind) => [kind, {}])) as ReturnType<typeof expectedLinks>;
  const join = (one: [LinkedRecordKind, string], other: [LinkedRecordKind, string]) => {
    for (const [[kind, id], [to, its]] of [
      [one, other],
      [other, one],
    ] as const)
      ((found[kind][id] ??= {})[to] ??= new Set()).add(its);
  };
  const deviceOf = (id: string | null) => all.device.find((device) => device.id === id);
  for (const device of all.device) {
    const versions = device.version ? [createVersionId(device.product, device.version)] : [];
    for (const version of versions) join(["device", device.id], ["version", version]);
    for (const one of all.package)
      if (one.product === device.product) {
        join(["device", device.id], ["package", one.id]);
        if (device.clinic) join(["clinic", device.clinic], ["package", one.id]);
      }
    if (!device.clinic) continue;
    join(["device", device.id], ["clinic", device.clinic]);
    for (const version of versions) join(["clinic", device.clinic], ["version", version]);
  }
  for (const one of all.feedback) {
    if (one.device) join(["feedback", one.id], ["device", one.device]);
    if (one.clinic) join(["feedback", one.id], ["clinic", one.clinic]);
    for (const version of [one.version, one.fixed].filter((version) => version !== null)) {
      join(["feedback", one.id], ["version", createVersionId(one.product, version)]);
      for (const pack of all.package)
        if (pack.product === one.product && pack.version === version) join(["feedback", one.id], ["package", pack.id]);
    }
    for (const order of all.workorder)
      if (order.device && order.device === one.device) join(["feedback", one.id], ["workorder", order.id]);
  }
  for (const order of all.workorder) {
    join(["workorder", order.id], ["clinic", order.clinic]);
    const device = deviceOf(order.device);
    if (!device) continue;
    join(["workorder", order.id], ["device", device.id]);
    if (device.version) join(["workorder", order.id], ["version", createVersionId(device.product, device.version)]);
    for (const pack of all.package)
      if (pack.product === device.product) join(["workorder", order.id], ["package", pack.id]);
  }
  for (const pack of all.package) join(["package", pack.id], ["version", createVersionId(pack.product, pack.version)]);
  return found;
}

const keyOf = (row: { id?: string; product?: string; version?: string }): string =>
  row.id ?? createVersionId(row.product ?? "", row.version ?? "");

describe("the links between service records", () => {
  it(
    "join each of the six kinds with the other five as a full scan does, in both directions",
    { timeout: 90_000 },
    async () => {
      const env = await getTestServer();
      const [manager, member] = [await env.createUser("afterSalesAdmin"), await env.createUser("afterSalesMember")];
      const all = await env.running.database.asSystem((db) => seedFixtures(db, [manager, member]));
      const truth = expectedLinks(all);
      let compared = 0;
      for (const of of linkedRecordKinds)
        for (const [id, beside] of Object.entries(truth[of])) {
          const [seen, own] = await Promise.all(
            [manager, member].map((person) => person.call("service.trail", { of, id, most: 100 })),
          );
          expect(seen[of]).toBeUndefined();
          for (const kind of linkedRecordKinds.filter((one) => one !== of)) {
            const expected = [...(beside[kind] ?? [])].toSorted();
            const found = present(seen[kind]);
            expect([of, kind, found.list.map(keyOf).toSorted(), found.total]).toEqual([
              of,
              kind,
              expected,
              expected.length,
            ]);
            // Others' work a member finds counted, and not named.
            const named = (one: string) =>
              kind !== "workorder" ||
              all.workorder.some(({ id: order, assignee }) => order === one && assignee === member.uid);
            expect([present(own[kind]).total, present(own[kind]).list.map(keyOf).toSorted()]).toEqual([
              expected.length,
              expected.filter(named),
            ]);
            compared += 1;
          }
        }
      expect(compared).toBeGreaterThan(100);
    },
  );

  it("are for after-sales staff only, and are not found for a record that does not exist", async () => {
    const { clinic, server: env } = await setup();
    const manager = await env.createUser("operator");
    expect(refusalOf(await clinic.ask("service.trail", { of: "clinic", id: clinic.iid }))).toBe("notAllowed");
    for (const [of, id] of [
      ["device", newId()],
      ["package", "x' or true"],
      ["version", "no version"],
      ["version", "Scanner@9.9.9"],
    ])
      expect(refusalOf(await manager.ask("service.trail", { of, id }))).toBe("notFound");
  });
});
