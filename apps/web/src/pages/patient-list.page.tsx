import { useAppearance } from "../browser/appearance.ts";
import { FirstStepsCard } from "../institution/first-steps.tsx";
import { NoticePresetMenu } from "../notice/preset-menu.tsx";
import { PatientList } from "../patient/patient-list.tsx";
import { SamplePatientButton } from "./sample-patient-button.tsx";

/** The clinic's patients; the first page of a reader who starts with the list. */
export function Page() {
  const { today } = useAppearance();
  return (
    <>
      {!today && <FirstStepsCard offers={{ patient: <SamplePatientButton />, notices: <NoticePresetMenu /> }} />}
      <PatientList />
    </>
  );
}
