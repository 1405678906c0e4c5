import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { send } from "../kernel/ask.ts";
import { keyOf } from "../kernel/queries.ts";
import { usePages } from "../kernel/use-pages.ts";

export type Narrowing = Pick<Input<typeof clinicCalls.list>, "search" | "country" | "province" | "city" | "has">;

/** The clinics that a search and its filters find, page after page. */
export const useClinics = (narrowing: Narrowing) =>
  usePages(keyOf(clinicCalls.list, narrowing), (place, signal) =>
    send(clinicCalls.list, { ...narrowing, ...place }, { signal }),
  );
