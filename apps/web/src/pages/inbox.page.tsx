import { Suspense, lazy, useState } from "react";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import type { InboxRow } from "@arcada/contract/study/inbox.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { InboxList } from "../study/inbox/inbox-list.tsx";

const PatientForm = lazy(async () => ({ default: (await import("../patient/patient-form.tsx")).PatientForm }));

/** Images without an assigned patient. A new patient can be created from the data in the files. */
export function Page() {
  const t = useTexts("inbox");
  const attach = useCommand(studyCalls.attach);
  const [study, setStudy] = useState<InboxRow | null>(null);
  const attachToPatient = async (to: InboxRow, patient: Patient) => {
    const request = { id: to.id, patientId: patient.id, acceptMismatch: true };
    if (await attach.run(request)) toast("success", t("inbox.attached", { name: patient.name }));
  };
  return (
    <>
      <InboxList onNewPatient={setStudy} />
      {study && (
        <Suspense>
          <PatientForm
            opened
            onClose={() => setStudy(null)}
            initial={{ key: study.id, values: toFormValues(study) }}
            onSaved={(patient) => void attachToPatient(study, patient)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The device's patient number becomes the record number, so that later studies are matched by it. */
const toFormValues = ({ person }: InboxRow) => ({
  name: person?.name ?? "",
  sex: person?.sex ?? ("" as const),
  birthDate: person?.birthDate ?? "",
  entryNumber: person?.number ?? "",
});
