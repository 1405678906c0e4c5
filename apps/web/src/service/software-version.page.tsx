import { versionId } from "@arcada/contract/service/service.calls";
import { useSearchParams } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { PageBody } from "../ui/page.tsx";
import { NotFoundState } from "../ui/states.tsx";
import { RelatedRecords } from "./service-trail.tsx";

/** A version of a product's software: the devices that run it, the feedback on it, and the package that installs it. */
export function Page() {
  const t = useTexts("service");
  const { product, version } = useSearchParams();
  if (!product || !version) return <NotFoundState />;
  return (
    <PageBody title={`${product} ${version}`} description={t("service.versionSays")}>
      <RelatedRecords subjectKind="version" id={versionId(product, version)} isComplete />
    </PageBody>
  );
}
