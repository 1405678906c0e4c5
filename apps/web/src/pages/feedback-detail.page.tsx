import { FeedbackDetail } from "../feedback/feedback-detail.tsx";
import { useSearchParams } from "../kernel/link.tsx";
import { RelatedRecords } from "../service/service-trail.tsx";

export function Page() {
  const { id = "" } = useSearchParams();
  return (
    <FeedbackDetail key={id} id={id}>
      <RelatedRecords subjectKind="feedback" id={id} />
    </FeedbackDetail>
  );
}
