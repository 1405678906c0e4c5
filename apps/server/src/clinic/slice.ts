import { clinicRoutes, clinicSearch } from "./clinic.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const clinicSlice: Slice = {
  name: "clinic",
  tables: ["clinic", "clinic_join"],
  reads: ["users", "institution", "membership", "device", "software_feedback", "work_order"],
  search: clinicSearch,
  routes: clinicRoutes,
};
