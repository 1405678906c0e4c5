import { LegalPage } from "./legal-page.tsx";

export const Page = () => <LegalPage kind="terms" />;
