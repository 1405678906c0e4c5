import { createVersionId } from "@arcada/contract/service/linked-records.calls";
import { useSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { PageBody } from "../ui/page.tsx";
import { NotFoundState } from "../ui/page-states.tsx";
import { RelatedRecords } from "./related-records.tsx";

/** A version of a product's software: the devices that run it, the feedback on it, and the package that installs it. */
export function Page() {
  const t = useTexts("service");
  const { product, version } = useSearchParams();
  if (!product || !version) return <NotFoundState />;
  return (
    <PageBody title={`${product} ${version}`} description={t("service.versionSays")}>
      <RelatedRecords subjectKind="version" id={createVersionId(product, version)} isComplete />
    </PageBody>
  );
}
