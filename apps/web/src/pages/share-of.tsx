import { lazy, Suspense } from "react";
import type { Study } from "@arcada/contract/study/study.calls";
import { ShareStudy } from "../share/share-button.tsx";

// It stands in a dialog that few open.
const TellingStudies = lazy(async () => ({ default: (await import("../study/telling-studies.tsx")).TellingStudies }));

/** The way from a study's page to a link that shows it; in the inbox it is nobody's yet, and from another organisation not one's own. */
export const shareOf = (study: Study) =>
  study.patientId === null ? null : (
    <ShareStudy
      studyId={study.id}
      isSign
      telling={
        <Suspense>
          <TellingStudies patientId={study.patientId} studies={[study]} />
        </Suspense>
      }
    />
  );
