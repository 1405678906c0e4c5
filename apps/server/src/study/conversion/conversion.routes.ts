import { conversionCalls } from "@arcada/contract/study/conversion.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { findConversion, reconvertStudy } from "./reconvert-study.ts";
import { requireReadableStudy } from "../require-readable-study.ts";

export const conversionRoutes = routes(conversionCalls, {
  convert: async ({ id }, context) => {
    const { study, owns } = await requireReadableStudy(context, id);
    await reconvertStudy(context.db, study, owns ? context.principal.uid : study.created_by);
    return findConversion(context.db, study, owns);
  },
  conversion: async ({ id }, context) => {
    const { study, owns } = await requireReadableStudy(context, id);
    return findConversion(context.db, study, owns);
  },
});
