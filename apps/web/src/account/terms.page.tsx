import { LegalPage } from "./legal/legal-page.tsx";

export const Page = () => <LegalPage kind="terms" />;
