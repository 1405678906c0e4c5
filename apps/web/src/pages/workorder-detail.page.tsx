import { useSearchParams } from "../browser/navigation.tsx";
import { RelatedRecords } from "../service/related-records.tsx";
import { WorkorderDetail } from "../workorder/workorder-detail.tsx";

export function Page() {
  const { id = "" } = useSearchParams();
  return (
    <WorkorderDetail key={id} id={id}>
      <RelatedRecords subjectKind="workorder" id={id} />
    </WorkorderDetail>
  );
}
