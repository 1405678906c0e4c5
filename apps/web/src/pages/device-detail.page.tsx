import { DeviceDetail } from "../device/device-detail.tsx";
import { useSearch } from "../kernel/link.tsx";
import { ServiceTrail } from "../service/service-trail.tsx";

export function Page() {
  const { id = "" } = useSearch();
  return (
    <DeviceDetail key={id} id={id}>
      <ServiceTrail of="device" id={id} />
    </DeviceDetail>
  );
}
