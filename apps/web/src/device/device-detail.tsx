import { Badge, Button, Group, Stack } from "@mantine/core";
import { IconMessagePlus, IconRefresh, IconTool } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { formatDay, formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { PermissionGate, useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { DeviceHistory } from "./device-history.tsx";
import { useDeviceTransitions } from "./use-device-transitions.tsx";
import { DeviceState, LastSeen, factIf } from "./device-name-and-state.tsx";
import { ActivationCodeOnce } from "./register-dialog.tsx";

/** One device as after-sales sees it; `children`: related records. */
export function DeviceDetail({ id, children }: { id: string; children: ReactNode }) {
  const t = useTexts("device");
  const query = useCall(deviceCalls.detail, { id });
  const { buttons, dialog } = useDeviceTransitions("service");
  return (
    <QueryResult of={query}>
      {({ history, ...device }) => (
        <PageBody
          title={`${device.product} ${device.serialNumber}`}
          description={[device.model, device.name, device.institution?.name].filter(Boolean).join(" · ")}
          actions={
            <>
              <NewCodeButton device={device} />
              <ReportLinks device={device} />
              {buttons(device)}
            </>
          }
        >
          <Section title={t("device.device")}>
            <DeviceFacts device={device} />
          </Section>
          <Section title={t("device.history")}>
            <DeviceHistory history={history} isService />
          </Section>
          {children}
          {dialog}
        </PageBody>
      )}
    </QueryResult>
  );
}

function DeviceFacts({ device }: { device: Device }) {
  const t = useTexts("device");
  const facts: [string, ReactNode][] = [
    [t("device.clinic"), device.institution?.name],
    ...factIf(device.lock?.side === "service" ? device.lock.code : null, (code) => [
      t("device.lockWhy"),
      t(`device.lockCode.${code}`),
    ]),
    [t("device.software"), device.softwareVersion],
    [t("device.firmware"), device.firmware],
    [t("device.seen"), <LastSeen key="seen" at={device.seenAt} />],
    ...factIf(device.waiting, (number) => [
      t("device.waiting"),
      t("device.waitingThere", { number, time: formatTimestamp(device.saidAt) }),
    ]),
    ...factIf(device.boundAt, (at) => [t("device.boundAt"), formatTimestamp(at)]),
    ...factIf(device.unboundAt, (at) => [t("device.unboundAt"), formatTimestamp(at)]),
    ...factIf(device.codeState, (state) => [
      t("device.activationCode"),
      <ActivationCode key="code" device={device} state={state} />,
    ]),
  ];
  return (
    <Stack gap="md">
      <DeviceState device={device} />
      <DescriptionList entries={facts} />
    </Stack>
  );
}

function ActivationCode({ device, state }: { device: Device; state: NonNullable<Device["codeState"]> }) {
  const t = useTexts("device");
  return (
    <Group gap="xs" component="span">
      <Badge variant="light" color={state === "open" ? "teal" : "gray"}>
        {t(`device.code.${state}`)}
      </Badge>
      {state === "open" && t("device.code.until", { day: formatDay(device.codeExpiresAt) })}
    </Group>
  );
}

/** Links for a user at the device: to report feedback on its software or to order work. */
function ReportLinks({ device: { id, clinicId } }: { device: Device }) {
  const t = useTexts("workorder", "feedback");
  return (
    <>
      <PermissionGate to={feedbackCalls.create}>
        <Button
          component={ScreenLink}
          screen="feedbackList"
          search={{ new: "1", device: id }}
          variant="default"
          leftSection={<IconMessagePlus size={16} aria-hidden />}
        >
          {t("feedback.new")}
        </Button>
      </PermissionGate>
      <PermissionGate to={workorderCalls.create}>
        <Button
          component={ScreenLink}
          screen="reportWorkorder"
          search={{ clinic: clinicId ?? undefined, device: id }}
          variant="default"
          leftSection={<IconTool size={16} aria-hidden />}
        >
          {t("workorder.list.report")}
        </Button>
      </PermissionGate>
    </>
  );
}

function NewCodeButton({ device }: { device: Device }) {
  const t = useTexts("device");
  const may = useCanAccess(deviceCalls.newCode);
  const createCode = useCommand(deviceCalls.newCode);
  const [isConfirming, setConfirming] = useState(false);
  const [code, setCode] = useState<string | null>(null);
  if (code !== null) return <ActivationCodeOnce code={code} onClose={() => setCode(null)} />;
  if (!may || device.state !== "unbound") return null;
  const confirm = async () => {
    const made = await createCode.run({ id: device.id });
    setConfirming(false);
    if (made) setCode(made.data.activationCode);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={createCode.busy}
        onClick={() => setConfirming(true)}
      >
        {t("device.code.new")}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          opened
          onClose={() => setConfirming(false)}
          onConfirm={() => void confirm()}
          busy={createCode.busy}
          title={t("device.code.newTitle")}
          text={t("device.code.newText")}
          confirm={t("device.code.new")}
        />
      )}
    </>
  );
}
