import { DeviceDetail } from "../device/device-detail.tsx";
import { useSearchParams } from "../kernel/link.tsx";
import { RelatedRecords } from "../service/service-trail.tsx";

export function Page() {
  const { id = "" } = useSearchParams();
  return (
    <DeviceDetail key={id} id={id}>
      <RelatedRecords subjectKind="device" id={id} />
    </DeviceDetail>
  );
}
