// Waits until the laboratory submits a design, and lists its files: node wait-for-design.ts ORDER_ID
// The key needs orders.read. A webhook for order.moved tells the same without asking: see docs/interface.md.

import { pause } from "../src/arcada-client.ts";
import { connect } from "./connect.ts";

const [id = ""] = process.argv.slice(2);
const arcada = connect();

for (;;) {
  const order = await arcada.call("order.detail", { id });
  const design = order.revisions.findLast(({ kind, state }) => kind === "design" && state === "submitted");
  if (design) {
    const files = order.files.filter((file) => file.revisionId === design.id);
    console.log(`design ${design.number}: ${files.map(({ name }) => name).join(" ")}`);
    break;
  }
  if (order.state === "cancelled" || order.state === "refused") throw new Error(`The order is ${order.state}.`);
  await pause(Number(process.env["POLL_SECONDS"] ?? 30) * 1000);
}
