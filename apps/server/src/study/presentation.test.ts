import { expect, it, vi } from "vitest";
import type { Input } from "@arcada/contract/kernel/call";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { presentationCalls } from "@arcada/contract/study/presentation.calls";
import { presentationFor } from "@arcada/imaging/dicom/presentation";
import { readDicom } from "@arcada/imaging/dicom/read";
import { tags } from "@arcada/imaging/dicom/tags";
import { film } from "@arcada/imaging/phantom/film";
import { makeHead } from "@arcada/imaging/phantom/head";
import { newPatient, uploaded } from "../../../../tests/uploads.ts";
import { world } from "../../../../tests/world.ts";

it("what is shown of a picture leaves as a presentation state of that picture", async () => {
  const { clinic, lab } = await world();
  const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
  const { bytes } = film(makeHead("presentation"), wang);
  const [id] = (await uploaded(clinic, await newPatient(clinic), { "film.dcm": bytes })).studies;
  const { series } = await clinic.gets("study.detail", { id: id! });
  const wish: Input<typeof presentationCalls.presentation> = {
    id: id!,
    instanceId: series[0]!.instances[0]!.id,
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
  const { dicom } = await vi.waitFor(() => clinic.gets("study.presentation", wish), { timeout: 15_000 });
  const state = readDicom(Buffer.from(dicom, "base64"));
  const picture = readDicom(bytes);
  expect(presentationFor([state], picture)?.presentation).toMatchObject({ window: wish.window, inverted: true });
  expect(state.text(tags.patientName)).toBe(picture.text(tags.patientName));
  expect(state.uint16(tags.rotation)).toBe(90);
  expect((await lab.asks("study.presentation", wish)).code).toBe(refusals.notAllowed.code);
});
