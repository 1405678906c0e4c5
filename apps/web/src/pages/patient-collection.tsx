import { ShareStudy } from "../share/share-button.tsx";
import { StudyCollection } from "../study/study-collection.tsx";
import { TellingStudies } from "../study/telling-studies.tsx";

/** A patient's images, each with its actions. */
export const PatientCollection = ({ patientId }: { patientId: string }) => (
  <StudyCollection
    patientId={patientId}
    actions={(study) => (
      <ShareStudy studyId={study.id} telling={<TellingStudies patientId={patientId} studies={[study]} />} />
    )}
  />
);
