import { IconSend } from "@tabler/icons-react";
import { Suspense } from "react";
import { screens } from "@arcada/contract/screens";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import type { Study } from "@arcada/contract/study/study.schema";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { ViewerHeaderButton } from "../../viewer/ui/page/viewer-page-frame.tsx";

/** Starts an order with the implants that are planned in a study. It is absent without a planned implant. */
export function OrderFromPlanButton({ study: { id, patientId } }: { study: Study }) {
  // The page that opens, not a call of orders: their calls are not among the code of a viewer.
  const mayOrder = useCanAccess(screens.sendPage);
  const { data } = useCall(
    annotationCalls.marks,
    { id },
    { enabled: mayOrder && patientId !== null, awaitsFirstAnswer: true },
  );
  if (patientId === null || !data?.marks.some(({ tool }) => tool === "implant")) return null;
  return (
    <Suspense>
      <OrderButton patientId={patientId} plan={id} />
    </Suspense>
  );
}

function OrderButton(search: { patientId: string; plan: string }) {
  const t = useTexts("orderDetail");
  const go = useOpenScreen();
  return (
    <ViewerHeaderButton label={t("orderDetail.plan.order")} icon={IconSend} onPress={() => go("sendPage", search)} />
  );
}
