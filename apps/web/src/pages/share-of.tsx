import { lazy, Suspense } from "react";
import type { Study } from "@arcada/contract/study/study.calls";
import { ShareStudy } from "../share/share-button.tsx";

// It is part of a dialog that few users open.
const TellingStudies = lazy(async () => ({ default: (await import("../study/telling-studies.tsx")).TellingStudies }));

/** The share button of a study's page. It is absent for a study in the inbox and for another institution's study. */
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
