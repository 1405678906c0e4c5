import { ClinicDetail } from "../clinic/clinic-detail.tsx";
import { useSearchParams } from "../browser/navigation.tsx";
import { RelatedRecords } from "../service/related-records.tsx";
import { NotFoundState } from "../ui/page-states.tsx";

/** One clinic that after-sales looks after. */
export function Page() {
  const { id } = useSearchParams();
  if (!id) return <NotFoundState />;
  return (
    <ClinicDetail key={id} id={id}>
      <RelatedRecords subjectKind="clinic" id={id} />
    </ClinicDetail>
  );
}
