import { SuperimpositionPage } from "../viewer/ceph/superimposition-page.tsx";

/** Two tracings of one patient, one over the other. */
export const Page = () => <SuperimpositionPage />;
