// Adds a scan to a patient's images: node upload-scan.ts PATIENT_ID upper.stl [lower.stl …]
// The key needs studies.write and studies.read.

import { pause } from "../src/arcada-client.ts";
import { uploadFile } from "../src/upload-file.ts";
import { connect } from "./connect.ts";

const [patientId = "", ...files] = process.argv.slice(2);
const arcada = connect();

const uploads: string[] = [];
for (const file of files) uploads.push(await uploadFile(arcada, file));

let job = await arcada.call("study.open", { patientId, uploads });
while (job.state === "waiting" || job.state === "running") {
  await pause(500);
  job = await arcada.call("study.job", { id: job.id });
}
for (const { name, refusal } of job.refused) console.log(`refused: ${name} (${refusal})`);
console.log(`${job.state} ${job.studies.join(" ")}`);
process.exitCode = job.state === "done" && job.refused.length === 0 ? 0 : 1;
