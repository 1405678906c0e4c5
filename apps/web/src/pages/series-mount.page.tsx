import { SeriesMountPage } from "../viewer/series-mount/series-mount-page.tsx";

/** A patient's dental radiographs in a full-mouth series mount. */
export const Page = () => <SeriesMountPage />;
