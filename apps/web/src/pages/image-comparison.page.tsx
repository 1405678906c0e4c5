import { ComparePage } from "../viewer/compare/compare-page.tsx";

/** Two images of one patient side by side. */
export const Page = () => <ComparePage />;
