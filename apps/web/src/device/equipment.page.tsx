import { Button, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { showTime } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { Permit } from "../kernel/permit.tsx";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { BindDialog } from "./bind-dialog.tsx";
import { DeviceHistory } from "./device-history.tsx";
import { useDeviceSteps } from "./device-steps.tsx";
import { DeviceName, DeviceState, Fact, LastSeen } from "./device-words.tsx";

const most = 500;

/** A clinic's devices: how they stand, what can be done, and what happened. */
export function Page() {
  const t = useTexts("device");
  const [isBinding, setBinding] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const query = useCall(deviceCalls.list, { pageSize: most });
  const { buttons, dialog } = useDeviceSteps("clinic");
  const bind = (
    <Permit to={deviceCalls.bind}>
      <Button leftSection={<IconLink size={18} aria-hidden />} onClick={() => setBinding(true)}>
        {t("device.bind.submit")}
      </Button>
    </Permit>
  );
  const device = query.data?.list.find(({ id }) => id === opened);
  return (
    <PageBody title={t("device.equipment.title")} says={t("device.equipment.says")} actions={bind}>
      <Section flush>
        <Answer
          of={query}
          isEmpty={({ list }) => list.length === 0}
          empty={<EmptyState title={t("device.equipment.empty")} text={t("device.equipment.emptyText")} />}
        >
          {({ list }) => (
            <DataTable
              label={t("device.equipment.title")}
              columns={columnsOf(t)}
              rows={list}
              rowKey={({ id }) => id}
              onOpen={({ id }) => setOpened(id)}
              actions={buttons}
              actionsTitle={t("common.actions")}
            />
          )}
        </Answer>
      </Section>
      <DeviceDrawer device={device} onClose={() => setOpened(null)}>
        {device && buttons(device)}
      </DeviceDrawer>
      {isBinding && <BindDialog onClose={() => setBinding(false)} />}
      {dialog}
    </PageBody>
  );
}

const columnsOf = (t: Translate): Column<Device>[] => [
  { key: "device", title: t("device.device"), narrow: "head", show: (device) => <DeviceName device={device} /> },
  { key: "state", title: t("device.stateTitle"), show: (device) => <DeviceState device={device} /> },
  { key: "seen", title: t("device.seen"), show: ({ seenAt }) => <LastSeen at={seenAt} /> },
  {
    key: "software",
    title: t("device.software"),
    show: ({ softwareVersion }) => <span className="arcada-figures">{softwareVersion ?? "–"}</span>,
  },
  {
    key: "bound",
    title: t("device.boundAt"),
    show: ({ boundAt }) => <span className="arcada-figures">{showTime(boundAt)}</span>,
  },
];

interface DrawerProps {
  device: Device | undefined;
  onClose: () => void;
  children: ReactNode;
}
function DeviceDrawer({ device, onClose, children }: DrawerProps) {
  const t = useTexts("device");
  return (
    <Drawer
      opened={device !== undefined}
      onClose={onClose}
      position="right"
      size={440}
      title={<Text fw={600}>{device?.name ?? device?.product}</Text>}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {device && (
        <Stack gap="lg">
          <DeviceState device={device} />
          <Stack gap={6} component="dl" m={0}>
            <Fact name={t("device.product")}>{`${device.product} · ${device.model}`}</Fact>
            <Fact name={t("device.serialNumber")}>{device.serialNumber}</Fact>
            <Fact name={t("device.firmware")}>{device.firmware ?? "–"}</Fact>
            <Fact name={t("device.software")}>{device.softwareVersion ?? "–"}</Fact>
            <Fact name={t("device.boundAt")}>{showTime(device.boundAt)}</Fact>
            {device.unboundAt && <Fact name={t("device.unboundAt")}>{showTime(device.unboundAt)}</Fact>}
            {device.keyBegins && (
              <Fact name={t("device.key")}>
                <span dir="ltr">{`${device.keyBegins}…`}</span>
              </Fact>
            )}
          </Stack>
          <Group gap="sm">
            {children}
            {device.state !== "unbound" && (
              <Permit to={workorderCalls.create}>
                <Button
                  component={ScreenLink}
                  screen="workOrder"
                  search={{ new: "1", device: device.id }}
                  size="sm"
                  variant="default"
                >
                  {t("device.report")}
                </Button>
              </Permit>
            )}
          </Group>
          <Stack gap="sm">
            <Title order={2} size="h4">
              {t("device.history")}
            </Title>
            <History id={device.id} />
          </Stack>
        </Stack>
      )}
    </Drawer>
  );
}

function History({ id }: { id: string }) {
  const query = useCall(deviceCalls.detail, { id });
  return <Answer of={query}>{({ history }) => <DeviceHistory history={history} isService={false} />}</Answer>;
}
