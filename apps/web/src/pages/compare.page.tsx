import { ComparePage } from "../viewer/compare/compare-page.tsx";

/** Two pictures of one patient side by side. */
export const Page = () => <ComparePage />;
