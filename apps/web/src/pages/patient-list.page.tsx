import { Suspense, lazy } from "react";
import { useAppearance } from "../browser/appearance.ts";
import { PatientList } from "../patient/patient-list.tsx";

// Loaded only where the list is the start page.
const FirstSteps = lazy(async () => {
  const [{ FirstStepsCard }, { SamplePatientButton }] = await Promise.all([
    import("../institution/first-steps.tsx"),
    import("./sample-patient-button.tsx"),
  ]);
  return { default: () => <FirstStepsCard sample={<SamplePatientButton />} /> };
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
