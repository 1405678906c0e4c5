import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, int32, pageOf, pagingParameters } from "../kernel/fields.ts";
import { institutionTypes } from "./institution-types.ts";

/** The organisations in the bar of every page, apart from the calls that change one. */
export const ownInstitutionCalls = {
  mine: call({
    method: "GET",
    path: "/v1/user/myInstitutionList",
    access: "signedIn",
    summary:
      "The organisations of the user by the status of membership, invitation or application; status 2 lists those where they are a normal member.",
    input: z.object({ ...pagingParameters, status: z.coerce.number().pipe(int32).optional() }),
    output: pageOf(
      z.object({
        iid: id,
        name: z.string(),
        number: z.string(),
        type: z.enum(institutionTypes),
        authorityId: z.int(),
        status: z.int(),
      }),
    ),
  }),
} as const;
