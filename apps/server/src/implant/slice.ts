import { on } from "../platform/events/events.ts";
import { studyMoved } from "../study/study.events.ts";
import { outdateDocuments } from "./implant.store.ts";
import { implantRoutes } from "./implant.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const implantSlice: Slice = {
  name: "implant",
  tables: ["implant_library", "implant_document"],
  reads: ["institution", "patient", "study", "study_marks", "users"],
  routes: implantRoutes,
  subscribers: () => [
    on(studyMoved, async (db, { institution, studyId }) => void (await outdateDocuments(db, institution, studyId))),
  ],
};
