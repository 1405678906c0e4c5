import { Button } from "@mantine/core";
import { useState } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { useOpenScreen } from "../browser/navigation.tsx";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { useTexts } from "../i18n/texts.ts";
import { useSignedInUser } from "../session/current-user.ts";
import { getOwner } from "../study/upload/upload-batches.ts";
import cephalogramUrl from "./sample/cephalogram.jpg?url&no-inline";
import intraoralUrl from "./sample/intraoral.jpg?url&no-inline";
import panoramaUrl from "./sample/panorama.jpg?url&no-inline";

/** Drawn images of nobody, which `scripts/generate-sample-images.ts` has made. */
const images: readonly { kind: ChosenKind; name: string; url: string }[] = [
  { kind: "panorama", name: "sample-panorama.jpg", url: panoramaUrl },
  { kind: "lateralCeph", name: "sample-cephalogram.jpg", url: cephalogramUrl },
  { kind: "dentalFilm", name: "sample-intraoral.jpg", url: intraoralUrl },
];

/**
 * Creates a patient with whom a new clinic can try everything. The name and the remark say that nobody is meant; the
 * record is removed like any other.
 */
export function SamplePatientButton() {
  const t = useTexts("patient", "institution");
  const user = useSignedInUser();
  const go = useOpenScreen();
  const create = useCommand(patientCalls.create);
  const [busy, setBusy] = useState(false);
  const add = async () => {
    setBusy(true);
    const created = await create.run({
      name: t("institution.steps.sample.name"),
      sex: "female",
      birthDate: "1990-05-04",
      remark: t("institution.steps.sample.remark"),
      evenIfDuplicate: true,
    });
    if (created) {
      const { id, name } = created.data;
      // Sending files takes more code than the page around the button.
      const { uploadFiles } = await import("../study/upload/upload-manager.ts");
      for (const image of images)
        uploadFiles({ owner: getOwner(user), patient: { id, name }, kind: image.kind }, [await fetchImage(image)]);
      toast("success", t("institution.steps.sample.created"));
      go("patientDetail", { id });
    }
    setBusy(false);
  };
  return (
    <Button size="sm" variant="default" loading={busy} onClick={() => void add()}>
      {t("institution.steps.sample.add")}
    </Button>
  );
}

async function fetchImage({ name, url }: { name: string; url: string }): Promise<File> {
  const response = await fetch(url);
  return new File([await response.blob()], name, { type: "image/jpeg" });
}
