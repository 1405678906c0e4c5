import { MountPage } from "../viewer/mount/mount-page.tsx";

/** A patient's dental films in a full-mouth mount. */
export const Page = () => <MountPage />;
