import { FeedbackDetail } from "../feedback/feedback-detail.tsx";
import { useSearchParams } from "../browser/navigation.tsx";
import { RelatedRecords } from "../service/related-records.tsx";

export function Page() {
  const { id = "" } = useSearchParams();
  return (
    <FeedbackDetail key={id} id={id}>
      <RelatedRecords subjectKind="feedback" id={id} />
    </FeedbackDetail>
  );
}
