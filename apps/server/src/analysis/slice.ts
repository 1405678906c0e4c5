import { analysisRoutes } from "./analysis.routes.ts";
import { readEngineTrust } from "./engines/engine-trust-settings.ts";
import { registerAnalysisJobs, startAutomaticAnalysis } from "./runs/analysis.jobs.ts";
import { analyseAssignedStudy, analyseNewStudy } from "./runs/analyse-on-upload.ts";
import { sweepAnalyses } from "./runs/run-analysis.ts";
import { openTrainingArchive } from "./training/training-archive.ts";
import { studyMoved, studyReady } from "../study/study.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const analysisSlice: Slice = {
  name: "analysis",
  tables: [
    "analysis",
    "analysis_artefact",
    "observation",
    "engine_pack",
    "engine_pack_permission",
    "engine_remote",
    "engine_included",
    "engine_on_upload",
    "quota_ledger",
  ],
  reads: [
    "users",
    "institution",
    "patient",
    "consent",
    "study",
    "series",
    "instance",
    "converted_file",
    "tooth_chart",
    "chart_decision",
    "ingest_job",
    "dicom_instance",
  ],
  routes: analysisRoutes,
  archives: (database) => ({ training: openTrainingArchive(database) }),
  registerJobs: ({ config, database, jobs }) => registerAnalysisJobs(jobs, database, readEngineTrust(config)),
  tasks: ({ database }) => [
    { name: "analysis.sweep", everyMs: 5000, toleratedMs: 300_000, run: () => sweepAnalyses(database) },
  ],
  subscribers: ({ ANALYSIS_AUTO }) => [
    on(studyReady, analyseNewStudy),
    on(studyMoved, analyseAssignedStudy),
    ...(ANALYSIS_AUTO ? [on(studyReady, startAutomaticAnalysis)] : []),
  ],
};
