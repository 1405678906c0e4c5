import { serveFeedbackImages } from "./feedback.images.ts";
import { feedbackRoutes } from "./feedback.routes.ts";
import { moveFeedbackToClinic, returnFeedbackToClinic } from "./feedback.subscribers.ts";
import { clinicsMerged, clinicsSeparated } from "../clinic/clinic.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const feedbackSlice: Slice = {
  name: "feedback",
  tables: ["software_feedback", "feedback_word", "feedback_file"],
  reads: ["users", "clinic", "device"],
  routes: feedbackRoutes,
  serve: serveFeedbackImages,
  subscribers: () => [on(clinicsMerged, moveFeedbackToClinic), on(clinicsSeparated, returnFeedbackToClinic)],
};
