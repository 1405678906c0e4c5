import { patientRules } from "@arcada/contract/patient/patient.calls";
import { deleteExpiredDownloads } from "./archive/patient-archive.store.ts";
import { openPatientArchive } from "./archive/patient-archive.ts";
import { patientMergeRoutes } from "./merge/merge.routes.ts";
import { practiceRoutes } from "./launch/practice.routes.ts";
import { patientSearch } from "./patient.search.ts";
import { deleteOldReadings } from "./patient-news.ts";
import { patientRoutes } from "./patient.routes.ts";
import { updateLastVisit } from "./patient.store.ts";
import { updateVisitDates } from "./patient.update-last-visit.ts";
import { patientRecordRoutes } from "./timeline-archive-erasure.routes.ts";
import { studyReady } from "../study/study.events.ts";
import { visitsChanged } from "../visit/visit.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const patientSlice: Slice = {
  name: "patient",
  tables: ["patient", "patient_merge", "patient_counter", "patient_download", "patient_reading"],
  reads: [
    "analysis",
    "ceph_tracing",
    "consent",
    "contact",
    "dicom_study",
    "ingest_job",
    "instance",
    "institution",
    "membership",
    "order_message",
    "orders",
    "report",
    "report_paper",
    "study",
    "users",
    "visit",
    "visit_file",
  ],
  retention: [
    {
      data: "patients in the bin, with everything that belongs to them",
      tables: ["patient"],
      period: `${patientRules.binDays} days`,
      from: "the removal; a medical record stays until the end of its period",
      enforcedIn: "retention/purge-expired.ts",
    },
    {
      data: "archives of a patient",
      tables: ["patient_download"],
      period: "1 day",
      from: "the request",
      enforcedIn: "patient/archive/patient-archive.store.ts",
    },
    {
      data: "when a person opened a patient last",
      tables: ["patient_reading"],
      period: `${patientRules.newsDays} days`,
      from: "the opening",
      enforcedIn: "patient/patient-news.ts",
    },
  ],
  search: patientSearch,
  routes: [...patientRoutes, ...patientRecordRoutes, ...patientMergeRoutes, ...practiceRoutes],
  archives: (database) => ({ patient: openPatientArchive(database) }),
  tasks: ({ database }) => [
    {
      name: "patient.deleteExpiredDownloads",
      everyMs: 600_000,
      toleratedMs: 7_200_000,
      run: () => deleteExpiredDownloads(database),
    },
    {
      name: "patient.deleteOldReadings",
      everyMs: 3_600_000,
      toleratedMs: 86_400_000,
      run: () => deleteOldReadings(database),
    },
  ],
  subscribers: () => [on(studyReady, updateLastVisit), on(visitsChanged, updateVisitDates)],
};
