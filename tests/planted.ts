import type { Order } from "@arcada/contract/order/order.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { measurementInfo } from "@arcada/analysis/measure/info";
import { createCrownDesign } from "@arcada/imaging/phantom/scan";
import { makeHead } from "@arcada/imaging/phantom/head";
import { writeStl } from "@arcada/imaging/mesh/write";
import { uploadStudy } from "./uploads.ts";
import { sql } from "kysely";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import type { TestUser, TestSetup } from "./world.ts";

const head = makeHead("planted");
/** A small closed model, some thousand triangles. */
export const crownStl = (): Uint8Array => writeStl(createCrownDesign(head, 11)!);

export interface Fixtures {
  patient: Patient;
  studyId: string;
  order: Order;
  /** A comment at the order's model. */
  pin: string;
  draft: Order;
  /** An engine's answer about the study, and what it saw. */
  analysis: string;
  observation: string;
}

export const prescription = (patientId: string, targetIid: string | null) => ({
  patientId,
  caseType: "restoration" as const,
  items: [{ teeth: [11], kind: "crown" as const, material: "zirconia" as const, shade: "A2" as const }],
  workKinds: ["design" as const, "machining" as const],
  targetIid,
  dueDate: "2030-01-15",
  noDigitalFiles: true,
});

/** A patient with a scan, an order with it at the lab, and a draft that nobody else may see. */
export async function createFixtures({ clinic, lab }: TestSetup): Promise<Fixtures> {
  const patient = await clinic.call("patient.create", { name: "王小明", sex: "male", birthDate: "1988-04-12" });
  const job = await uploadStudy(clinic, patient.id, { "upper.stl": crownStl() });
  const studyId = job.studies[0];
  if (!studyId) throw new Error(`nothing was taken in: ${JSON.stringify(job)}`);
  const orderInput = prescription(patient.id, lab.iid);
  const order = await clinic.call("order.save", { ...orderInput, studies: [studyId], send: true });
  const [scan] = order.files;
  const at = { file: scan!.id, point: [0, 0, 0] as [number, number, number], text: "margin" };
  const { id: pin } = await clinic.call("order.addPin", { id: order.id, ...at });
  const draft = await clinic.call("order.save", orderInput);
  return { patient, studyId, order, pin, draft, ...(await addSuggestedFinding(clinic, studyId)) };
}

/** Caries at a tooth of the clinic's study, as an engine would have suggested it. */
export async function addSuggestedFinding(
  { iid, server }: TestUser,
  study: string,
): Promise<Pick<Fixtures, "analysis" | "observation">> {
  const [analysis, observation] = [newId(), newId()];
  await server.running.database.asSystem(async (db) => {
    await sql`insert into analysis (institution_id, id, study_id, series_id, instance_id, image_sha256, engine_id, engine_version, engine,
        params_hash, state, cost, ended_at) select institution_id, ${analysis}, study_id, series_id, id, sha256, 'planted', '1.0.0',
        ${JSON.stringify(findingEngine)}::jsonb, '', 'done', 0, now() from instance where institution_id = ${iid} and study_id = ${study} limit 1`.execute(
      db,
    );
    await sql`insert into observation (institution_id, id, analysis_id, place, code, target, value, confidence, method)
      values (${iid}, ${observation}, ${analysis}, 0, 'FINDING_caries', '{"kind":"tooth","fdi":11}', 'true', '{"basis":"none"}', 'planted')`.execute(
      db,
    );
  });
  return { analysis, observation };
}
const findingEngine = { ...measurementInfo, id: "planted", kind: "learned", produces: ["FINDING_caries"] };
