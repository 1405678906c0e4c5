import { CephPage } from "../viewer/ceph/ceph-page.tsx";

/** A lateral cephalogram and its tracing. */
export const Page = () => <CephPage />;
