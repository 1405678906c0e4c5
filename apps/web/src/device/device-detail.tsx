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
import { PageBody, Section } from "../ui/page.tsx";
import { DeviceHistory } from "./device-history.tsx";
import { useDeviceSteps } from "./device-steps.tsx";
import { DeviceState, Fact, LastSeen } from "./device-words.tsx";
import { CodeOnce } from "./register-dialog.tsx";

/** One device as those see it who look after it; `children`: what else belongs to it. */
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
            <Facts device={device} />
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

function Facts({ device }: { device: Device }) {
  const t = useTexts("device");
  return (
    <Stack gap="md">
      <DeviceState device={device} />
      <Stack gap={6} component="dl" m={0}>
        <Fact name={t("device.clinic")}>{device.institution?.name ?? "–"}</Fact>
        {device.lock?.code && <Fact name={t("device.lockWhy")}>{t(`device.lockCode.${device.lock.code}`)}</Fact>}
        <Fact name={t("device.software")}>{device.softwareVersion ?? "–"}</Fact>
        <Fact name={t("device.firmware")}>{device.firmware ?? "–"}</Fact>
        <Fact name={t("device.seen")}>
          <LastSeen at={device.seenAt} />
        </Fact>
        {device.waiting !== null && (
          <Fact name={t("device.waiting")}>
            {t("device.waitingThere", { number: device.waiting, time: showTime(device.saidAt) })}
          </Fact>
        )}
        {device.boundAt && <Fact name={t("device.boundAt")}>{showTime(device.boundAt)}</Fact>}
        {device.unboundAt && <Fact name={t("device.unboundAt")}>{showTime(device.unboundAt)}</Fact>}
        {device.codeState && (
          <Fact name={t("device.activationCode")}>
            <Group gap="xs" component="span">
              <Badge variant="light" color={device.codeState === "open" ? "teal" : "gray"}>
                {t(`device.code.${device.codeState}`)}
              </Badge>
              {device.codeState === "open" && t("device.code.until", { day: showDay(device.codeExpiresAt) })}
            </Group>
          </Fact>
        )}
      </Stack>
    </Stack>
  );
}

/** What somebody who stands before it has to tell: work to be done, or something wrong with its software. */
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
