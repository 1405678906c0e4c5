import { useSearch } from "../kernel/link.tsx";
import { ServiceTrail } from "../service/service-trail.tsx";
import { PackageDetail } from "../upgrade/package-detail.tsx";

export function Page() {
  const { id = "" } = useSearch();
  return (
    <PackageDetail key={id} id={id}>
      <ServiceTrail of="package" id={id} />
    </PackageDetail>
  );
}
