import { clinicRoutes } from "./clinic.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const clinicSlice: Slice = {
  name: "clinic",
  routes: clinicRoutes,
};
