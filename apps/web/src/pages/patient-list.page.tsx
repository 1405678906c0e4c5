import { Suspense, lazy } from "react";
import { useAppearance } from "../browser/appearance.ts";
import { PatientList } from "../patient/patient-list.tsx";

// Loaded only where the list is the start page.
const FirstSteps = lazy(async () => {
  const [{ FirstStepsCard }, { SamplePatientButton }, { NoticePresetMenu }] = await Promise.all([
    import("../institution/first-steps.tsx"),
    import("./sample-patient-button.tsx"),
    import("../notice/preset-menu.tsx"),
  ]);
  const offers = { patient: <SamplePatientButton />, notices: <NoticePresetMenu /> };
  return { default: () => <FirstStepsCard offers={offers} /> };
});

/** The clinic's patients; the first page of a reader who starts with the list. */
export function Page() {
  const { today } = useAppearance();
  return (
    <>
      {!today && (
        <Suspense>
          <FirstSteps />
        </Suspense>
      )}
      <PatientList />
    </>
  );
}
