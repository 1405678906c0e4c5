import { PatientList } from "../patient/patient-list.tsx";

/** The clinic's patients. */
export const Page = () => <PatientList />;
