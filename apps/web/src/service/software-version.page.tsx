import { versionId } from "@arcada/contract/service/service.calls";
import { useSearch } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { PageBody } from "../ui/page.tsx";
import { NotFoundState } from "../ui/states.tsx";
import { ServiceTrail } from "./service-trail.tsx";

/** A version of a product's software: the devices that run it, the feedback on it, and the package that installs it. */
export function Page() {
  const t = useTexts("service");
  const { product, version } = useSearch();
  if (!product || !version) return <NotFoundState />;
  return (
    <PageBody title={`${product} ${version}`} says={t("service.versionSays")}>
      <ServiceTrail of="version" id={versionId(product, version)} whole />
    </PageBody>
  );
}
