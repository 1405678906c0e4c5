import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { send } from "../data/ask.ts";
import { queryKeyOf } from "../data/query-client.ts";
import { usePagedList } from "../data/use-paged-list.ts";

export type ClinicFilter = Pick<Input<typeof clinicCalls.list>, "search" | "country" | "province" | "city" | "has">;

/** The clinics that a search and its filters find, page after page. */
export const useClinics = (filter: ClinicFilter) =>
  usePagedList(queryKeyOf(clinicCalls.list, filter), (pageParam, signal) =>
    send(clinicCalls.list, { ...filter, ...pageParam }, { signal }),
  );
