import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { hl7Calls } from "@arcada/contract/hl7/hl7.calls";
import { deviceRules } from "@arcada/contract/device/device.rules";
import { GatewayProcess } from "@arcada/testing/peers/gateway-process";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { createClinic } from "../../bench/data/clinic.ts";
import type { Db } from "../../apps/server/src/platform/database/database.ts";
import { newId, newSecret, secretHash } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { inProductDatabase } from "./support/product-database.ts";
import { RepeatingSender, writePatients, type HeardMessage } from "./support/repeating-hl7-sender.ts";

const rounds = process.env["ARCADA_PROOF"] === "full" ? 20 : 4;
const [iid, hl7Port, gatewayPort] = [newId(), await freePort(), await freePort()];
const deviceKey = `${deviceRules.keyPrefix}${newSecret()}`;
const product = new Product({ HL7_PORT: String(hl7Port), HL7_SENDERS: `KIS@127.0.0.0/8=${iid}` });
let gateway: GatewayProcess | undefined;
/** The server alone, its database alone, both, and the gateway. */
const kills: readonly ((between: GatewayProcess) => Promise<void>)[] = [
  () => restart(false),
  // The server starts its database again, and lives on.
  async () => void process.kill(product.postmasterPid(), "SIGKILL"),
  () => restart(true),
  async (between) => {
    await between.stop("SIGKILL");
    await between.start();
  },
];
async function restart(alsoDatabase: boolean): Promise<void> {
  await product.kill(alsoDatabase);
  await product.start();
}
afterAll(async () => {
  await gateway?.remove();
  await product.remove();
});

it(
  `of ${rounds} kills while systems send by HL7, none loses an acknowledged message, and none makes one be done twice`,
  { timeout: 300_000 + rounds * 60_000 },
  async () => {
    await product.start();
    const token = await inProductDatabase(product, async (db, connection) => {
      const clinic = await createClinic(connection, 0, iid);
      await bindGateway(db, clinic.uid);
      return clinic.token;
    });
    const system = { name: "Hospital", application: "KIS", authority: "KIS", createsPatients: true } as const;
    await product.call(hl7Calls.saveConnection, { ...system, results: "off", port: 2575, tls: false }, { token });
    gateway = new GatewayProcess({
      GATEWAY_CLOUD: product.address,
      GATEWAY_KEY: deviceKey,
      GATEWAY_HL7_PORT: String(gatewayPort),
    });
    await gateway.start();

    const senders = ["A", "B", "C", "D"].map(
      (prefix, place) => new RepeatingSender(place === 3 ? gatewayPort : hl7Port, writePatients(prefix)),
    );
    const countHeard = (): number => senders.reduce((sum, { heard }) => sum + heard.length, 0);
    for (let round = 0; round < rounds; round++) {
      const from = senders.map((sender) => sender.heard.length);
      const wanted = countHeard() + 20 + Math.floor(Math.random() * 60);
      // All senders go on after the last kill.
      while (countHeard() < wanted || senders.some(({ heard }, place) => heard.length === from[place])) await delay(1);
      await delay(Math.random() * 15);
      await kills[round % kills.length]?.(gateway);
    }
    for (const sender of senders) await sender.stop();

    const heard = senders.flatMap((sender) => sender.heard);
    expect(senders.flatMap(({ contradictions }) => contradictions)).toEqual([]);
    await inProductDatabase(product, async (db) => {
      await expectLog(db, heard);
      await expectPatients(db, heard);
      await expectOrders(db, heard);
    });
    const repeated = senders.reduce((sum, sender) => sum + sender.repeated, 0);
    const byGateway = senders.at(-1)?.heard.length ?? 0;
    console.info(
      `${rounds} kills: ${heard.length} messages acknowledged (${byGateway} by the gateway), ${repeated} after a repetition`,
    );
  },
);

async function bindGateway(db: Db, uid: string): Promise<void> {
  const keyId = newId();
  await db.insertInto("users").values({ id: keyId, nick_name: "Gateway" }).execute();
  const key = { key_id: keyId, key_hash: secretHash(deviceKey), key_begins: deviceKey.slice(0, 20) };
  const kind = { product: "Arcada gateway", serial_number: "HL7-KILL", model: "G1", name: "Reception" };
  await db
    .insertInto("device")
    .values({ ...kind, ...key, id: newId(), institution_id: iid, state: "bound", created_by: uid })
    .execute();
}

/** The log has each message once, in its state. */
async function expectLog(db: Db, heard: readonly HeardMessage[]): Promise<void> {
  const rows = await db
    .selectFrom("hl7_message")
    .select(["control_id", "state"])
    .where("institution_id", "=", iid)
    .execute();
  const toText = (control: string, state: string): string => `${control} ${state}`;
  expect(rows.map((row) => toText(row.control_id, row.state)).toSorted()).toEqual(
    heard.map(({ control, state }) => toText(control, state)).toSorted(),
  );
}

/** Each patient is there once, as the last message about it says, and has changed as often as messages asked for it. */
async function expectPatients(db: Db, heard: readonly HeardMessage[]): Promise<void> {
  const rows = await db
    .selectFrom("patient as p")
    .select(["p.entry_number as number", "p.phone"])
    .select((of) =>
      ["patient.create", "patient.update"].map((action) =>
        of
          .selectFrom("audit as a")
          .select((inner) => inner.fn.countAll<string>().as("count"))
          .whereRef("a.institution_id", "=", "p.institution_id")
          .where("a.action", "=", action)
          .where((inner) => inner(inner.ref("a.subject"), "=", inner.cast<string>("p.id", "text")))
          .as(action === "patient.create" ? "made" : "changed"),
      ),
    )
    .where("p.institution_id", "=", iid)
    .execute();
  const expected = new Map<string, { phone: string | null; changed: number }>();
  for (const { event, segments, state } of heard) {
    const [, number = "", phone = ""] = /^PID\|1\|\|(\w+)\^.*\|(\d?)$/.exec(segments[0] ?? "") ?? [];
    if (state !== "done" || !event.startsWith("ADT")) continue;
    expected.set(number, { phone: phone || null, changed: Number(phone) });
  }
  expect(rows.map((row) => `${row.number} ${row.phone} ${row.made} ${row.changed}`).toSorted()).toEqual(
    [...expected].map(([number, { phone, changed }]) => `${number} ${phone} 1 ${changed}`).toSorted(),
  );
}

/** Each request is there once, in its last state. */
async function expectOrders(db: Db, heard: readonly HeardMessage[]): Promise<void> {
  const rows = await db
    .selectFrom("hl7_order")
    .select(["placer", "state", "description"])
    .where("institution_id", "=", iid)
    .execute();
  const expected = new Map<string, string>();
  for (const { segments } of heard) {
    const [, step = "", placer = ""] = /^ORC\|(\w+)\|(\w+)$/.exec(segments[1] ?? "") ?? [];
    if (placer === "") continue;
    // A cancellation keeps what was asked for.
    const was = { NW: "open first", XO: "open second", CA: "cancelled second" }[step] ?? step;
    expected.set(placer, was);
  }
  expect(rows.map((row) => `${row.placer} ${row.state} ${row.description}`).toSorted()).toEqual(
    [...expected].map(([placer, was]) => `${placer} ${was}`).toSorted(),
  );
}
