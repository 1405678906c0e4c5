import { useSearch } from "../kernel/link.tsx";
import { ServiceTrail } from "../service/service-trail.tsx";
import { WorkorderDetail } from "../workorder/workorder-detail.tsx";

export function Page() {
  const { id = "" } = useSearch();
  return (
    <WorkorderDetail key={id} id={id}>
      <ServiceTrail of="workorder" id={id} />
    </WorkorderDetail>
  );
}
