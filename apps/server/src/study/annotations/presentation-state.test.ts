import { expect, it, vi } from "vitest";
import type { Input } from "@arcada/contract/kernel/call";
import type { presentationCalls } from "@arcada/contract/study/presentation-state.calls";
import { resolvePresentation } from "@arcada/imaging/dicom/presentation/presentation-state";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { tags } from "@arcada/imaging/dicom/parse/tags";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

it("the display settings of an image are exported as a presentation state of that image", async () => {
  const { clinic, lab } = await setup();
  const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
  const { bytes } = createIntraoralRadiograph(makeHead("presentation"), wang);
  const [id] = (await uploadStudy(clinic, await createPatient(clinic), { "film.dcm": bytes })).studies;
  const { series } = await clinic.call("study.detail", { id: id });
  const input: Input<typeof presentationCalls.presentation> = {
    id: id,
    instanceId: series[0].instances[0].id,
    window: { center: 2000, width: 1500 },
    inverted: true,
    turns: 1,
    mirrored: false,
    graphics: [
      {
        lines: [
          [
            [10, 10],
            [60, 10],
          ],
        ],
        label: "2 mm",
        at: [60, 10],
      },
    ],
  };
  // The image's own data elements are indexed soon after the import.
  const { dicom } = await vi.waitFor(() => clinic.call("study.presentation", input), { timeout: 15_000 });
  const state = readDicom(Buffer.from(dicom, "base64"));
  const image = readDicom(bytes);
  expect(resolvePresentation([state], image)?.presentation).toMatchObject({ window: input.window, inverted: true });
  expect(state.text(tags.patientName)).toBe(image.text(tags.patientName));
  expect(state.uint16(tags.rotation)).toBe(90);
  expect(refusalOf(await lab.ask("study.presentation", input))).toBe("notAllowed");
});
