import { Button, Group } from "@mantine/core";
import { IconCube, IconSend } from "@tabler/icons-react";
import type { ChartTooth } from "@arcada/contract/chart/chart.schema";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { ScreenLink } from "../browser/navigation.tsx";
import { useCall } from "../data/use-call.ts";
import { useTexts } from "../i18n/texts.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { useCanAccess } from "../session/permission-gate.tsx";

interface ToothPlanLinksProps {
  patientId: string;
  tooth: Pick<ChartTooth, "fdi" | "presence">;
}

/** The ways from a tooth to what is done about it: an order, and for a missing tooth also a plan in the latest CT. */
export function ToothPlanLinks({ patientId, tooth: { fdi, presence } }: ToothPlanLinksProps) {
  const t = useTexts("chart");
  const { name } = useToothNames();
  const mayOrder = useCanAccess(orderCalls.save);
  const isMissing = presence === "missing" || presence === "pontic";
  const { data: studies } = useCall(studyCalls.list, { patientId }, { enabled: isMissing });
  const ct = studies
    ?.filter(({ kind, state }) => kind === "ct" && state === "ready")
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
  if (!mayOrder) return null;
  const tooth = name(fdi);
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="light"
        component={ScreenLink}
        screen="sendPage"
        search={{ patientId, tooth: String(fdi), replace: isMissing ? "true" : undefined }}
        leftSection={<IconSend size={15} aria-hidden />}
      >
        {t(isMissing ? "chart.next.replace" : "chart.next.order", { tooth })}
      </Button>
      {isMissing && ct && (
        <Button
          size="compact-sm"
          variant="default"
          component={ScreenLink}
          screen="ctViewer"
          search={{ study: ct.id }}
          leftSection={<IconCube size={15} aria-hidden />}
        >
          {t("chart.next.plan", { tooth })}
        </Button>
      )}
    </Group>
  );
}
