import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { columnsOf, emptyColumns } from "@arcada/contract/patient/patient-fields";
import { detailFields, fieldsInOrder, fieldsWithUse, patientFields } from "@arcada/contract/patient/patient-fields";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { sampleDetails } from "@arcada/testing/fixtures/patient-samples";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { maskedValues } from "../domain/masked-patient-values.ts";
import { translate } from "../platform/text/texts.ts";

const wang = { name: "王小明", sex: "male", birthDate: "1990-01-01", evenIfDuplicate: true } as const;
let clinicAndLab: TestSetup;
beforeAll(async () => {
  clinicAndLab = await setup();
});
const createFull = () => clinicAndLab.clinic.call("patient.create", { ...wang, ...sampleDetails });

/** The details as a form sends them: without the seconds of a time. */
const detailsOf = (patient: Patient) =>
  Object.fromEntries(
    detailFields.map((field) => {
      const isTime = patientFields[field].control === "dateTime";
      return [field, isTime ? String(patient[field]).slice(0, 16) : patient[field]];
    }),
  );
async function readColumns(id: string): Promise<Record<string, unknown>> {
  const { running } = clinicAndLab.server;
  const { rows } = await running.database.asSystem((db) =>
    sql<Record<string, unknown>>`select * from patient where id = ${id}`.execute(db),
  );
  return rows[0];
}

describe("every field of a patient", () => {
  it("is stored as it was sent, and stays if a change leaves it out", async () => {
    const created = await createFull();
    expect(detailsOf(created)).toEqual(sampleDetails);
    const { id, version } = created;
    const renamed = await clinicAndLab.clinic.call("patient.update", { ...wang, id, version, name: "王大明" });
    expect(detailsOf(renamed)).toEqual(sampleDetails);
  });

  it("has its title and its value in the exported spreadsheet", async () => {
    const { clinic, server } = clinicAndLab;
    await createFull();
    const { url } = await clinic.call("patient.export", {});
    const answer = await fetch(new URL(url, server.running.address ?? ""));
    const cells = (await readZip(new Uint8Array(await answer.arrayBuffer()))).get("xl/worksheets/sheet1.xml");
    for (const field of fieldsInOrder)
      expect(String(cells), field).toContain(`>${translate("en", "patient", `field.${field}`)}<`);
    for (const value of Object.values(sampleDetails).filter((one) => String(one).startsWith("sample")))
      expect(String(cells)).toContain(`>${String(value)}<`);
  });

  it("moves to the kept record of a merge that has none", async () => {
    const { clinic } = clinicAndLab;
    const [kept, other] = [await clinic.call("patient.create", wang), await createFull()];
    const pair = { keepId: kept.id, otherId: other.id, keepVersion: kept.version, otherVersion: other.version };
    expect(detailsOf(await clinic.call("patient.merge", { ...pair, choices: {} }))).toEqual(sampleDetails);
  });

  it("is emptied by an erasure that keeps the record of a closed order", async () => {
    const { clinic, dentist } = clinicAndLab;
    const { id, number } = await createFull();
    await takeStep(dentist, await sendOrder(clinicAndLab, { patientId: id }), "cancel", { reason: "x" });
    await clinic.call("patient.erase", { id, number, reason: "asked for it" });
    expect(await readColumns(id)).toMatchObject(emptyColumns);
  });

  it("finds the patient if it is searched", async () => {
    const { clinic } = clinicAndLab;
    const { id } = await createFull();
    for (const field of fieldsWithUse("search")) {
      const search = field === "name" ? wang.name : String(sampleDetails[field]);
      const { list } = await clinic.call("patient.list", { search });
      expect(
        list.map((row) => row.id),
        field,
      ).toContain(id);
    }
  });

  it("is removed from the texts of files without the name if it is masked", async () => {
    const { id } = await createFull();
    const stored = await readColumns(id);
    const { rows } = await clinicAndLab.server.running.database.asSystem((db) =>
      sql<{ known: string[] }>`select ${maskedValues} as known from patient p where id = ${id}`.execute(db),
    );
    const columns = ["number", ...fieldsWithUse("masking").flatMap(columnsOf)];
    expect(rows[0].known).toEqual(columns.map((column) => stored[column]));
  });
});
