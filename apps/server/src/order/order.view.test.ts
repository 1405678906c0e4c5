import { expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { sentOrder, smallScan, steps } from "../../../../tests/orders.ts";
import { transactionsOf } from "../../../../tests/trips.ts";
import { world } from "../../../../tests/world.ts";
import { viewOrder } from "./order.view.ts";

it("an order is shown as of one moment, though a step falls between the questions that are asked for it", async () => {
  const here = await world();
  const { dentist, lab } = here;
  const { id } = await sentOrder(here);
  const waiting = await lab.gets("order.detail", { id });
  let asked = 0;
  const stepAfterFirst = {
    transformQuery: <T>({ node }: { node: T }): T => node,
    transformResult: async <T>({ result }: { result: T }): Promise<T> => {
      if (asked++ === 0) await steps(lab, waiting, "accept", { promisedDate: "2030-01-01" });
      return result;
    },
  };
  const asker = { uid: dentist.uid, iid: dentist.iid!, role: dentist.role };
  const seen = await here.server.running.database.as({ system: false, iid: asker.iid, uid: asker.uid }, (db) =>
    viewOrder({ db: db.withPlugin(stepAfterFirst), asker, now: new Date() }, id),
  );
  expect(seen.events.at(-1)).toMatchObject({ action: "accept", to: seen.state });
  expect(seen).toMatchObject({ state: "awaiting_design", version: waiting.version + 1, promisedDate: "2030-01-01" });
});

it("a step answers with all that hangs on the order: what was attached, said, read and revised", async () => {
  const here = await world();
  const { dentist, designer } = here;
  const scan = await dentist.uploads("stump.stl", smallScan());
  let order = await sentOrder(here, { schemeRequired: true, uploads: [{ upload: scan, role: "upperScan" }] });
  const look = () => designer.gets("order.detail", { id: order.id });
  order = await steps(designer, await look(), "accept");
  expect(lines(order)).toEqual(lines(await look()));
  expect(order).toMatchObject({ files: [{ role: "upperScan" }], messages: [], revisions: [] });
  await dentist.gets("order.message", { id: order.id, text: "margin?" });
  order = await steps(designer, order, "submitScheme", { text: "screw at 11" });
  expect(lines(order)).toEqual(lines(await look()));
  expect(order).toMatchObject({
    messages: [{ text: "margin?" }],
    readings: [{ who: dentist.name }],
    revisions: [{ text: "screw at 11" }],
    unread: 1,
  });
});
// Addresses of images are signed at the moment of the response, and so differ.
const lines = ({ files, ...order }: Order) => ({ ...order, files: files.map(({ id, role }) => [id, role]) });

it("a step sends its statements in few trips: what it waits for is what fifty people at once feel", async () => {
  const here = await world();
  let order = await sentOrder(here);
  // Warm up: queries that run only once run here.
  order = await steps(here.lab, order, "requestInfo", { text: "A2?" });
  order = await steps(here.dentist, order, "supplyInfo", { text: "A2" });
  const heard = await transactionsOf(async () => {
    order = await steps(here.lab, order, "requestInfo", { text: "A3?" });
  });
  const step = heard.find(({ statements }) => statements.some((one) => one.includes('update "orders"')));
  expect(order.infoRequest).toBe("A3?");
  expect(step!.statements.at(-1)).toBe("commit");
  expect(step!.statements.length, step!.statements.join("\n")).toBeLessThanOrEqual(18);
  expect(step!.trips).toBeLessThanOrEqual(6);
});
