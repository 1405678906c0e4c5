import { FeedbackDetail } from "../feedback/feedback-detail.tsx";
import { useSearch } from "../kernel/link.tsx";
import { ServiceTrail } from "../service/service-trail.tsx";

export function Page() {
  const { id = "" } = useSearch();
  return (
    <FeedbackDetail key={id} id={id}>
      <ServiceTrail of="feedback" id={id} />
    </FeedbackDetail>
  );
}
