import { Badge, Button, Group, Stack } from "@mantine/core";
import { IconMessagePlus, IconRefresh, IconTool } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { showDay, showTime } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { Permit, useMay } from "../kernel/permit.tsx";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCommand } from "../kernel/use-command.ts";
import { Answer } from "../ui/answer.tsx";
import { ConfirmDialog } from "../ui/confirm.tsx";
import { Facts } from "../ui/facts.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { DeviceHistory } from "./device-history.tsx";
import { useDeviceSteps } from "./device-steps.tsx";
import { DeviceState, LastSeen, when } from "./device-words.tsx";
import { CodeOnce } from "./register-dialog.tsx";

/** One device as after-sales sees it; `children`: related records. */
export function DeviceDetail({ id, children }: { id: string; children: ReactNode }) {
  const t = useTexts("device");
  const query = useCall(deviceCalls.detail, { id });
  const { buttons, dialog } = useDeviceSteps("service");
  return (
    <Answer of={query}>
      {({ history, ...device }) => (
        <PageBody
          title={`${device.product} ${device.serialNumber}`}
          says={[device.model, device.name, device.institution?.name].filter(Boolean).join(" · ")}
          actions={
            <>
              <NewCode device={device} />
              <Report device={device} />
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
    </Answer>
  );
}

function DeviceFacts({ device }: { device: Device }) {
  const t = useTexts("device");
  const facts: [string, ReactNode][] = [
    [t("device.clinic"), device.institution?.name],
    ...when(device.lock?.side === "service" ? device.lock.code : null, (code) => [
      t("device.lockWhy"),
      t(`device.lockCode.${code}`),
    ]),
    [t("device.software"), device.softwareVersion],
    [t("device.firmware"), device.firmware],
    [t("device.seen"), <LastSeen key="seen" at={device.seenAt} />],
    ...when(device.waiting, (number) => [
      t("device.waiting"),
      t("device.waitingThere", { number, time: showTime(device.saidAt) }),
    ]),
    ...when(device.boundAt, (at) => [t("device.boundAt"), showTime(at)]),
    ...when(device.unboundAt, (at) => [t("device.unboundAt"), showTime(at)]),
    ...when(device.codeState, (state) => [
      t("device.activationCode"),
      <Code key="code" device={device} state={state} />,
    ]),
  ];
  return (
    <Stack gap="md">
      <DeviceState device={device} />
      <Facts of={facts} />
    </Stack>
  );
}

function Code({ device, state }: { device: Device; state: NonNullable<Device["codeState"]> }) {
  const t = useTexts("device");
  return (
    <Group gap="xs" component="span">
      <Badge variant="light" color={state === "open" ? "teal" : "gray"}>
        {t(`device.code.${state}`)}
      </Badge>
      {state === "open" && t("device.code.until", { day: showDay(device.codeExpiresAt) })}
    </Group>
  );
}

/** Links for a user at the device: to report feedback on its software or to order work. */
function Report({ device: { id, clinicId } }: { device: Device }) {
  const t = useTexts("workorder", "feedback");
  return (
    <>
      <Permit to={feedbackCalls.create}>
        <Button
          component={ScreenLink}
          screen="feedbackList"
          search={{ new: "1", device: id }}
          variant="default"
          leftSection={<IconMessagePlus size={16} aria-hidden />}
        >
          {t("feedback.new")}
        </Button>
      </Permit>
      <Permit to={workorderCalls.create}>
        <Button
          component={ScreenLink}
          screen="reportWorkorder"
          search={{ clinic: clinicId ?? undefined, device: id }}
          variant="default"
          leftSection={<IconTool size={16} aria-hidden />}
        >
          {t("workorder.list.report")}
        </Button>
      </Permit>
    </>
  );
}

function NewCode({ device }: { device: Device }) {
  const t = useTexts("device");
  const may = useMay(deviceCalls.newCode);
  const make = useCommand(deviceCalls.newCode);
  const [isAsking, setAsking] = useState(false);
  const [code, setCode] = useState<string | null>(null);
  if (code !== null) return <CodeOnce code={code} onClose={() => setCode(null)} />;
  if (!may || device.state !== "unbound") return null;
  const confirm = async () => {
    const made = await make.run({ id: device.id });
    setAsking(false);
    if (made) setCode(made.data.activationCode);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={make.busy}
        onClick={() => setAsking(true)}
      >
        {t("device.code.new")}
      </Button>
      {isAsking && (
        <ConfirmDialog
          opened
          onClose={() => setAsking(false)}
          onConfirm={() => void confirm()}
          busy={make.busy}
          title={t("device.code.newTitle")}
          text={t("device.code.newText")}
          confirm={t("device.code.new")}
        />
      )}
    </>
  );
}
