import { consentRoutes } from "./consent.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const consentSlice: Slice = {
  name: "consent",
  routes: consentRoutes,
};
