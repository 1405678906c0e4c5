import { expect, it } from "vitest";
import { sentOrder, steps } from "../../../../tests/orders.ts";
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
