import { ShareStudyButton } from "../../share/share-button.tsx";
import { StudyCollection } from "../../study/study-collection.tsx";
import { IdentifyingStudies } from "../../study/identifying-pixels-notice.tsx";

/** A patient's images, each with its actions. */
export const PatientCollection = ({ patientId }: { patientId: string }) => (
  <StudyCollection
    patientId={patientId}
    actions={(study) => (
      <ShareStudyButton
        studyId={study.id}
        identifyingNotice={<IdentifyingStudies patientId={patientId} studies={[study]} />}
      />
    )}
  />
);
