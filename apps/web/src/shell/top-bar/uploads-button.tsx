import { Suspense, lazy, useEffect } from "react";
import { useSignedInUser } from "../../session/current-user.ts";
import { dropForeignBatches, getOwner, useBatches } from "../../study/upload/upload-batches.ts";

const UploadsProgress = lazy(async () => ({ default: (await import("./uploads-progress.tsx")).UploadsProgress }));

/** Shown while this tab has uploads: their number and progress, and whether one waits for an answer. */
export function UploadsButton() {
  const owner = getOwner(useSignedInUser());
  const all = useBatches();
  const hasUploads = all.length > 0;
  useEffect(() => {
    dropForeignBatches(owner);
    // The upload code is loaded with the first upload, or after a reload that interrupted one.
    if (hasUploads)
      void import("../../study/upload/upload-manager.ts").then(({ resumeAll: goOnWithAll }) => goOnWithAll());
  }, [hasUploads, owner]);
  return (
    hasUploads && (
      <Suspense>
        <UploadsProgress all={all} />
      </Suspense>
    )
  );
}
