import path from "node:path";
import type pg from "pg";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { conversionCalls } from "@arcada/contract/study/conversion.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import type { Product } from "@arcada/testing/setup/product-process";
import { createClinic, type Clinic } from "./clinic.ts";

/** Creates a clinic with one patient and imports a file as the first study, ready for viewing. */
export async function ingestStudy(
  product: Product,
  name: string,
  bytes: Uint8Array,
): Promise<{ clinic: Clinic; id: string }> {
  const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
  const clinic = await createClinic(postgres.connection as pg.PoolConfig, 1).finally(() => postgres.stop());
  const token = { token: clinic.token };
  const person = { name: "Bench One", sex: "male", birthDate: "1990-01-01" } as const;
  const patient = await product.call(patientCalls.create, person, token);
  const upload = await product.upload(clinic.token, name, bytes);
  const input = { patientId: patient.id, uploads: [upload], acceptMismatch: true };
  let job = await product.call(uploadJobCalls.open, input, token);
  while (job.state !== "done") {
    if (job.state === "failed" || job.state === "cancelled") throw new Error(`the job ended ${job.state}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
    job = await product.call(uploadJobCalls.job, { id: job.id }, token);
  }
  const id = job.studies[0];
  for (;;) {
    const { state } = await product.call(conversionCalls.conversion, { id }, token);
    if (state === "ready") return { clinic, id };
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
