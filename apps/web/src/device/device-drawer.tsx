import { Button, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { PermissionGate } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { DeviceHistory } from "./device-history.tsx";
import { DeviceState, factIf } from "./device-name-and-state.tsx";

interface DrawerProps {
  device: Device | undefined;
  onClose: () => void;
  children: ReactNode;
}
/** The details and the history of one of the clinic's devices. */
export function DeviceDrawer({ device, onClose, children }: DrawerProps) {
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
          <DescriptionList dense entries={listFacts(t, device)} />
          <Group gap="sm">
            {children}
            {device.state !== "unbound" && (
              <PermissionGate to={workorderCalls.create}>
                <Button
                  component={ScreenLink}
                  screen="workOrder"
                  search={{ new: "1", device: device.id }}
                  size="sm"
                  variant="default"
                >
                  {t("device.report")}
                </Button>
              </PermissionGate>
            )}
          </Group>
          <Stack gap="sm">
            <Title order={2} size="h4">
              {t("device.history")}
            </Title>
            <DeviceHistoryLoader id={device.id} />
          </Stack>
        </Stack>
      )}
    </Drawer>
  );
}

const listFacts = (t: Translate, device: Device): [string, ReactNode][] => [
  [t("device.product"), `${device.product} · ${device.model}`],
  [t("device.serialNumber"), device.serialNumber],
  [t("device.firmware"), device.firmware],
  [t("device.software"), device.softwareVersion],
  [t("device.boundAt"), formatTimestamp(device.boundAt)],
  ...factIf(device.unboundAt, (at) => [t("device.unboundAt"), formatTimestamp(at)]),
  ...factIf(device.keyBegins, (keyPrefix) => [t("device.key"), `${keyPrefix}…`]),
];

function DeviceHistoryLoader({ id }: { id: string }) {
  const query = useCall(deviceCalls.detail, { id });
  return <QueryResult of={query}>{({ history }) => <DeviceHistory history={history} isService={false} />}</QueryResult>;
}
