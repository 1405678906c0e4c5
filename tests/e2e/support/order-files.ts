import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { readMesh } from "@arcada/imaging/mesh/read-mesh";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createArchScan, createCrownDesign } from "@arcada/phantom/scan/arch-scan";
import { waitForIngest } from "../../../demo/wait-for-ingest.ts";
import type { Product } from "@arcada/testing/setup/product-process";
import { findRealFile, createScratchFolder, writeZip } from "./test-files.ts";
import { present } from "@arcada/testing/require-present";

const folder = createScratchFolder();
const head = makeHead("sides");

export const createShadePhoto = (): Promise<Buffer> =>
  sharp({ create: { width: 800, height: 600, channels: 3, background: "#d9c4a0" } })
    .jpeg()
    .toBuffer();

/** A crown, and the same 0.2 mm higher. */
export function writeDesignFile(number: number): string {
  const real = findRealFile("crown");
  const mesh = real ? readMesh(readFileSync(real), "stl") : present(createCrownDesign(head, 11));
  const positions = mesh.positions.map((value, at) => (at % 3 === 2 ? value + 0.2 * (number - 1) : value));
  const file = path.join(folder, String(number), "crown-11.stl");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, writeStl({ ...mesh, positions }));
  return file;
}

/** A real one where it is there. */
export function readScan(jaw: "upper" | "lower"): Uint8Array {
  const real = findRealFile(jaw);
  return real ? readFileSync(real) : writeStl(createArchScan(head, jaw));
}

/** An organisation and its manager's session. */
export async function createInstitutionAccount(product: Product, type: "clinic" | "lab", name: string, email: string) {
  const token = await product.register(email, type === "clinic" ? "clinicManager" : "labManager");
  const { id: iid } = await product.call(institutionCalls.create, { name, type, country: "CN" }, { token });
  const session = await product.call(institutionCalls.switch, { iid }, { token });
  if (type === "clinic") await keepOwnLicence(product, session);
  return { iid, session };
}

export const licence = "110441900000123";
/** A manager enters their own licence number, with which they sign reports. */
export async function keepOwnLicence(product: Product, session: { token: string }): Promise<void> {
  const { list } = await product.call(memberCalls.list, { pageSize: 1 }, session);
  const { id, version } = present(list[0]);
  await product.call(memberCalls.setLicence, { id, version, licence }, session);
}

/** A small CT of the patient. */
export async function uploadCt(product: Product, clinic: { token: string }, patientId: string): Promise<string> {
  const who = { id: "S-1", name: "Li^Dawei", sex: "M", birthDate: "19850607" } as const;
  const size = { columns: 64, rows: 64, slices: 48, voxel: 2.4 };
  const study = { key: "cbct", description: "CBCT" };
  const file = await writeZip(path.join(folder, "cbct.zip"), [...createCbctFiles(head, who, { size, study })]);
  return uploadStudy(product, clinic, patientId, "cbct.zip", readFileSync(file));
}

/** A patient with an intraoral scan of the upper jaw, which an order needs. */
export async function createPatientWithScan(
  product: Product,
  clinic: { token: string },
  name: string,
): Promise<string> {
  const person = { name, sex: "female", birthDate: "1990-02-03" } as const;
  const { id } = await product.call(patientCalls.create, person, clinic);
  await uploadStudy(product, clinic, id, "upper.stl", readScan("upper"));
  return id;
}

async function uploadStudy(
  product: Product,
  clinic: { token: string },
  patientId: string,
  name: string,
  bytes: Uint8Array,
): Promise<string> {
  const uploads = [await product.upload(clinic.token, name, bytes)];
  const { id } = await product.call(uploadJobCalls.open, { patientId, uploads }, clinic);
  const job = await waitForIngest(() => product.call(uploadJobCalls.job, { id }, clinic));
  return job.studies[0];
}
