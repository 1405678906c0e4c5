import { lazy, Suspense } from "react";
import type { Study } from "@arcada/contract/study/study.schema";
import { ShareStudyButton } from "../../share/share-button.tsx";

// It is part of a dialog that few users open.
const TellingStudies = lazy(async () => ({
  default: (await import("../../study/identifying-pixels-notice.tsx")).IdentifyingStudies,
}));

/** The share button of a study's page. It is absent for a study in the inbox and for another institution's study. */
export const renderShareButton = (study: Study) =>
  study.patientId === null ? null : (
    <ShareStudyButton
      studyId={study.id}
      isIconOnly
      identifyingNotice={
        <Suspense>
          <TellingStudies patientId={study.patientId} studies={[study]} />
        </Suspense>
      }
    />
  );
