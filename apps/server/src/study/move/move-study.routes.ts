import { moveStudyCalls } from "@arcada/contract/study/move-study.calls";
import { audit } from "../../platform/audit/audit.ts";
import { notifyClients } from "../../platform/events/events.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { requirePatient, requireOwnStudy } from "../study.guards.ts";
import { moveStudyOrRefuse } from "./move-study-or-refuse.ts";
import { createFileSigner } from "../file-signer.ts";
import { toStudyRow } from "../study.view.ts";

export const moveStudyRoutes = routes(moveStudyCalls, {
  move: async ({ id, reason, ...input }, context) => {
    const study = await requireOwnStudy(context, id);
    await requirePatient(context, input.patientId);
    await moveStudyOrRefuse(context, study, input);
    context.detail = { from: input.from, patient: input.patientId, reason };
    // The former patient's audit log records it too.
    await audit(context.db, {
      institution_id: context.principal.iid,
      user_id: context.principal.uid,
      action: "study.moveAway",
      subject: input.from,
      detail: { patient: input.from, study: id, reason },
    });
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return toStudyRow(await requireOwnStudy(context, id), createFileSigner());
  },
});
