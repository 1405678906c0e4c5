import type { Study } from "@arcada/contract/study/study.calls";
import { ShareStudy } from "../share/share-button.tsx";
import { TellingStudies } from "../study/telling-studies.tsx";

/** The way from a study's page to a link that shows it; in the inbox it is nobody's yet, and from another organisation not one's own. */
export const shareOf = (study: Study) =>
  study.patientId === null ? null : (
    <ShareStudy studyId={study.id} isSign telling={<TellingStudies patientId={study.patientId} studies={[study]} />} />
  );
