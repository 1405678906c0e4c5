import { expect, it } from "vitest";
import { writeDicom } from "@arcada/imaging/dicom/write/write-dicom";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";

const made = (sopClassUid: string) =>
  writeDicom([[0x00080060, "CS", "SR"]], { sopClassUid, sopInstanceUid: "1.2.3.4" });
const directory = made("1.2.840.10008.1.3.10");
/** An image class without pixels is broken; a report has none by its nature, and is kept as a document. */
const emptyImage = made("1.2.840.10008.5.1.4.1.1.7");
const emptySegmentation = made("1.2.840.10008.5.1.4.1.1.66.4");
const textReport = made("1.2.840.10008.5.1.4.1.1.88.11");

it(
  "an image without pixels, and a directory without its files, are refused with separate reasons, and a report is kept",
  { timeout: 120_000 },
  async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic);
    expect(await uploadStudy(clinic, patient, { DICOMDIR: directory })).toMatchObject({
      state: "failed",
      refusal: "fileDirectoryOnly",
      refused: [{ name: "DICOMDIR", refusal: "fileDirectoryOnly" }],
    });
    for (const bytes of [emptyImage, emptySegmentation])
      expect(await uploadStudy(clinic, patient, { "empty.dcm": bytes })).toMatchObject({
        state: "failed",
        refusal: "fileNoPicture",
      });
    expect(await uploadStudy(clinic, patient, { "report.dcm": textReport })).toMatchObject({
      state: "done",
      refused: [],
    });
  },
);
