import { analysisRoutes } from "./analysis.routes.ts";
import { readEngineTrust } from "./engines/engine-trust.ts";
import { registerAnalysisJobs, startAutomaticAnalysis } from "./runs/analysis.jobs.ts";
import { sweepAnalyses } from "./runs/run-analysis.ts";
import { openTrainingArchive } from "./training/training-archive.ts";
import { studyReady } from "../study/study.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const analysisSlice: Slice = {
  name: "analysis",
  routes: analysisRoutes,
  archives: (database) => ({ training: openTrainingArchive(database) }),
  registerJobs: ({ config, database, jobs }) => registerAnalysisJobs(jobs, database, readEngineTrust(config)),
  schedules: ({ database }) => [{ everyMs: 5000, run: () => sweepAnalyses(database) }],
  subscribers: ({ ANALYSIS_AUTO }) => (ANALYSIS_AUTO ? [on(studyReady, startAutomaticAnalysis)] : []),
};
