import { DeviceDetail } from "../device/device-detail.tsx";
import { useSearchParams } from "../browser/navigation.tsx";
import { RelatedRecords } from "../service/related-records.tsx";

export function Page() {
  const { id = "" } = useSearchParams();
  return (
    <DeviceDetail key={id} id={id}>
      <RelatedRecords subjectKind="device" id={id} />
    </DeviceDetail>
  );
}
