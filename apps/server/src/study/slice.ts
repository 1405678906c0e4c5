import { studyDownloadRules } from "@arcada/contract/study/study-download.calls";
import { studyRules } from "@arcada/contract/study/study.rules";
import { registerDownloadCleanup } from "./deidentify/deidentified-order-files.ts";
import { studyDownloadRoutes } from "./download/download.routes.ts";
import { openStudyArchive } from "./download/study-archive.ts";
import { guestStudyRoutes } from "./guest-study.routes.ts";
import { studyBinRoutes } from "./bin/bin.routes.ts";
import { moveStudyRoutes } from "./move/move-study.routes.ts";
import { inboxRoutes } from "./inbox/inbox.routes.ts";
import { questionRoutes } from "./inbox/question.routes.ts";
import { presentationStateRoutes } from "./annotations/presentation-state.routes.ts";
import { segmentationRoutes } from "./segmentation/segmentation.routes.ts";
import { seriesMountRoutes } from "./series-mount/series-mount.routes.ts";
import { reconvertLostFiles } from "./conversion/reconvert-study.ts";
import { annotationRoutes } from "./annotations/annotations.routes.ts";
import { conversionRoutes } from "./conversion/conversion.routes.ts";
import { uploadJobRoutes } from "./upload-job/upload-job.routes.ts";
import { studyRoutes } from "./study.routes.ts";
import { convertedFilesLost } from "../retention/scrub.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const studySlice: Slice = {
  name: "study",
  tables: [
    "study",
    "series",
    "instance",
    "converted_file",
    "study_question",
    "study_marks",
    "study_marks_version",
    "film_mount",
    "cleaned_file",
    "study_download",
  ],
  reads: [
    "api_key",
    "dicom_instance",
    "file_fault",
    "ingest_job",
    "order_file",
    "orders",
    "patient",
    "share",
    "stored_file",
    "study_person",
    "upload",
    "users",
  ],
  retention: [
    {
      data: "studies in the bin, with their files",
      tables: ["study", "series", "instance", "converted_file"],
      period: `${studyRules.binDays} days`,
      from: "the removal; longer while an order under way needs them",
      enforcedIn: "retention/purge-expired.ts",
    },
    {
      data: "questions about studies that name another patient",
      tables: ["study_question"],
      period: `${studyRules.questionDays} days`,
      from: "the question; then the study waits in the inbox",
      enforcedIn: "study/retention.writes.ts",
    },
    {
      data: "files made for viewing that nobody uses",
      tables: ["converted_file"],
      period: `${studyRules.convertedMonths} months`,
      from: "the last use",
      enforcedIn: "retention/drop-unused-derived-files.ts",
    },
    {
      data: "de-identified copies and prepared downloads",
      tables: ["cleaned_file", "study_download"],
      period: `${studyDownloadRules.retentionDays} days`,
      from: "the last use",
      enforcedIn: "study/deidentify/deidentified-order-files.ts",
    },
  ],
  routes: [
    ...studyRoutes,
    ...uploadJobRoutes,
    ...conversionRoutes,
    ...annotationRoutes,
    ...seriesMountRoutes,
    ...presentationStateRoutes,
    ...segmentationRoutes,
    ...studyDownloadRoutes,
    ...inboxRoutes,
    ...moveStudyRoutes,
    ...studyBinRoutes,
    ...questionRoutes,
    ...guestStudyRoutes,
  ],
  archives: (database) => ({ study: openStudyArchive(database) }),
  registerJobs: ({ database, jobs }) => registerDownloadCleanup(jobs, database),
  subscribers: () => [on(convertedFilesLost, reconvertLostFiles)],
};
