import { useSearchParams } from "../kernel/link.tsx";
import { RelatedRecords } from "../service/service-trail.tsx";
import { WorkorderDetail } from "../workorder/workorder-detail.tsx";

export function Page() {
  const { id = "" } = useSearchParams();
  return (
    <WorkorderDetail key={id} id={id}>
      <RelatedRecords subjectKind="workorder" id={id} />
    </WorkorderDetail>
  );
}
