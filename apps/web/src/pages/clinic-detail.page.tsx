import { ClinicDetail } from "../clinic/clinic-detail.tsx";
import { useSearch } from "../kernel/link.tsx";
import { ServiceTrail } from "../service/service-trail.tsx";
import { NotFoundState } from "../ui/states.tsx";

/** One clinic that after-sales looks after. */
export function Page() {
  const { id } = useSearch();
  if (!id) return <NotFoundState />;
  return (
    <ClinicDetail key={id} id={id}>
      <ServiceTrail of="clinic" id={id} />
    </ClinicDetail>
  );
}
