import { IconSend } from "@tabler/icons-react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import type { Study } from "@arcada/contract/study/study.schema";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { ViewerHeaderButton } from "../../viewer/ui/page/viewer-page-frame.tsx";

/** Starts an order with the implants that are planned in a study. It is absent without a planned implant. */
export function OrderFromPlanButton({ study: { id, patientId } }: { study: Study }) {
  const t = useTexts("orderDetail");
  const go = useOpenScreen();
  const mayOrder = useCanAccess(orderCalls.save);
  const { data } = useCall(annotationCalls.marks, { id }, { enabled: mayOrder && patientId !== null });
  if (patientId === null || !data?.marks.some(({ tool }) => tool === "implant")) return null;
  return (
    <ViewerHeaderButton
      label={t("orderDetail.plan.order")}
      icon={IconSend}
      onPress={() => go("sendPage", { patientId, plan: id })}
    />
  );
}
