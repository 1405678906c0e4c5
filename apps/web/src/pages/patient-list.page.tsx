import { FirstStepsCard } from "../institution/first-steps.tsx";
import { PatientList } from "../patient/patient-list.tsx";
import { SamplePatientButton } from "./sample-patient-button.tsx";

/** The clinic's patients. */
export const Page = () => (
  <>
    <FirstStepsCard sample={<SamplePatientButton />} />
    <PatientList />
  </>
);
