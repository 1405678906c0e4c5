import { implantCalls } from "@arcada/contract/implant/implant.calls";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { send } from "../data/ask.ts";
import { SendOrder } from "../order/form/load-order-form.tsx";
import type { LoadPlan } from "../order/form/planned-implants.ts";

/** The geometry of implants is loaded with the first plan that goes into an order. */
const loadPlan: LoadPlan = async (id) => {
  const [{ marks }, documents, { listPlannedImplants }] = await Promise.all([
    send(annotationCalls.marks, { id }),
    // An order without the plan's documents is better than one without the plan.
    send(implantCalls.attach, { studyId: id }).catch(() => ({ files: [], outdated: [], isFailed: true })),
    import("../viewer/ct/arch/implant-plan/implant-plan.ts"),
  ]);
  return { implants: listPlannedImplants(marks), ...documents };
};

export const Page = () => <SendOrder loadPlan={loadPlan} />;
