// Orders a crown for a patient: node create-order.ts "Amelia Hart" 1990-05-05 16
// The key needs patients.read, patients.write, orders.write and organisation.read.

import { connect } from "./connect.ts";

const [name = "Amelia Hart", birthDate = "1990-05-05", tooth = "16"] = process.argv.slice(2);
const arcada = connect();

const { list: known } = await arcada.call("patient.list", { search: name });
const patient =
  known.find((one) => one.name === name && one.birthDate === birthDate) ??
  (await arcada.call("patient.create", { name, birthDate, sex: "female" }));

const relations = await arcada.call("relation.list", { state: "established" });
const laboratory = relations[0]?.other;
if (!laboratory) throw new Error("The clinic has no laboratory.");

const order = await arcada.call(
  "order.save",
  {
    patientId: patient.id,
    targetIid: laboratory.id,
    caseType: "restoration",
    items: [{ teeth: [Number(tooth)], kind: "crown", material: "zirconia", shade: "A2" }],
    workKinds: ["design", "machining"],
    dueDate: new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10),
    // A physical impression is sent by post; see upload-scan.ts for scans.
    noDigitalFiles: true,
    send: true,
  },
  // The key of your own record: if this program is started again, nothing is ordered twice.
  { idempotencyKey: `crown-${patient.id}-${tooth}` },
);
console.log(`${order.number} ${order.state} ${order.id}`);
