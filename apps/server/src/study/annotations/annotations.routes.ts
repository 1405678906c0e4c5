import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { notifyClients } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import {
  findAnnotations,
  findAnnotationsVersion,
  listAnnotationVersions,
  saveAnnotations,
} from "./annotations.store.ts";
import { requireOwnStudy } from "../study.guards.ts";
import { requireReadableStudy } from "../require-readable-study.ts";

export const annotationRoutes = routes(annotationCalls, {
  marks: async ({ id, version }, context) => {
    if (version === undefined) return findAnnotations(context.db, (await requireReadableStudy(context, id)).study);
    return (
      (await findAnnotationsVersion(context.db, await requireOwnStudy(context, id), version)) ?? refuse("notFound")
    );
  },
  markVersions: async ({ id }, context) => listAnnotationVersions(context.db, await requireOwnStudy(context, id)),
  saveMarks: async ({ id, version, marks }, context) => {
    const study = await requireOwnStudy(context, id);
    const saved = await saveAnnotations(context.db, study, context.principal.uid, { version, marks });
    if (!saved) return refuse("marksChanged", await findAnnotations(context.db, study));
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return saved;
  },
});
