import { consentRoutes } from "./consent.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const consentSlice: Slice = {
  name: "consent",
  tables: ["consent"],
  reads: ["users", "patient"],
  routes: consentRoutes,
};
