import { useQuery } from "@tanstack/react-query";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { templateCalls } from "@arcada/contract/order/template.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { toast } from "../../browser/toast.ts";
import { useSearchParams } from "../../browser/navigation.tsx";
import { useSignedInUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { startOrder } from "./order-defaults.ts";
import type { OrderStart } from "./order-defaults.ts";
import { fillFromPlan } from "./planned-implants.ts";
import type { LoadPlan } from "./planned-implants.ts";

/**
 * Returns the start of a new order, from the page's address and from what the clinic usually orders; undefined while
 * that is loading. What cannot be loaded is left empty.
 */
export function useOrderStart(patientId: string, loadPlan: LoadPlan): OrderStart | undefined {
  const t = useTexts("order", "orderDetail");
  const { id: ownUserId } = useSignedInUser();
  const { tooth, replace, plan: planStudyId } = useSearchParams();
  const isKnown = patientId !== "";
  const relations = useCall(relationCalls.list, { state: "established" });
  const templates = useCall(templateCalls.list, {});
  const own = useCall(orderCalls.list, { personId: ownUserId, sort: "created", pageSize: 1 });
  const patients = useCall(orderCalls.list, { patientId, sort: "created", pageSize: 1 }, { enabled: isKnown });
  const studies = useCall(studyCalls.list, { patientId }, { enabled: isKnown });
  const plan = useQuery({
    queryKey: ["order", "plan", planStudyId],
    queryFn: async () => {
      const found = await loadPlan(planStudyId!);
      if (found.outdated.length > 0) toast("info", t("orderDetail.plan.outdated"));
      if (found.isFailed) toast("error", t("orderDetail.plan.failed"));
      return found;
    },
    enabled: planStudyId !== undefined,
  });
  if ([relations, templates, own, patients, studies, plan].some(({ isLoading }) => isLoading)) return undefined;
  const start = startOrder({
    patientId,
    labs: (relations.data ?? []).flatMap(({ other }) => (other.type === "lab" ? [other] : [])),
    templates: templates.data ?? [],
    own: own.data?.list[0],
    patients: patients.data?.list[0],
    studies: studies.data ?? [],
    tooth: allTeeth.find((one) => String(one) === tooth) ?? null,
    isReplaced: replace === "true",
  });
  if (!plan.data || !planStudyId) return start;
  const fields = fillFromPlan(t, start.draft, { studyId: planStudyId, ...plan.data }, start.item);
  return { ...start, draft: { ...start.draft, ...fields }, asked: Object.keys(fields) as (keyof typeof fields)[] };
}
