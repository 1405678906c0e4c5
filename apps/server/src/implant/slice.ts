import { implantRoutes } from "./implant.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const implantSlice: Slice = {
  name: "implant",
  tables: ["implant_library", "implant_document"],
  reads: ["institution", "patient", "study", "study_marks", "users"],
  routes: implantRoutes,
};
