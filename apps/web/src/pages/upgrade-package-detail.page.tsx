import { useSearchParams } from "../browser/navigation.tsx";
import { RelatedRecords } from "../service/related-records.tsx";
import { PackageDetail } from "../upgrade/package-detail.tsx";

export function Page() {
  const { id = "" } = useSearchParams();
  return (
    <PackageDetail key={id} id={id}>
      <RelatedRecords subjectKind="package" id={id} />
    </PackageDetail>
  );
}
