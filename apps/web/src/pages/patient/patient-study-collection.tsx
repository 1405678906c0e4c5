import { ShareStudyButton } from "../../share/share-button.tsx";
import { UploadPanel } from "../../study/upload/upload-panel.tsx";
import { StudyCollection } from "../../study/study-collection.tsx";
import { IdentifyingStudies } from "../../study/identifying-pixels-notice.tsx";

/** A patient's images, each with its actions, and the place for new ones. */
export const PatientCollection = ({ patientId, patientName }: { patientId: string; patientName: string }) => (
  <StudyCollection
    patientId={patientId}
    upload={<UploadPanel patientId={patientId} patientName={patientName} />}
    actions={(study) => (
      <ShareStudyButton
        studyId={study.id}
        identifyingNotice={<IdentifyingStudies patientId={patientId} studies={[study]} />}
      />
    )}
  />
);
