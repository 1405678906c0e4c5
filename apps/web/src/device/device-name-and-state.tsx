import { Badge, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Device } from "@arcada/contract/device/device.calls";
import { formatTimeAgo } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";

const stateColours: Record<Device["state"], string> = { bound: "teal", locked: "orange", unbound: "gray" };

export function StateBadge({ state }: Pick<Device, "state">) {
  const t = useTexts("device");
  return (
    <Badge variant="light" color={stateColours[state]}>
      {t(`device.state.${state}`)}
    </Badge>
  );
}

/** The name of a device and the data on its type plate. */
export function DeviceName({ device: { name, product, model, serialNumber } }: { device: Device }) {
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {name ?? product}
      </Text>
      <Text size="xs" c="dimmed" fw={400} className="arcada-figures">
        {[name === null ? null : product, model, serialNumber].filter(Boolean).join(" · ")}
      </Text>
    </Stack>
  );
}

/** The state of a device, and the reason of a lock. */
export function DeviceState({ device: { state, lock } }: { device: Device }) {
  const t = useTexts("device");
  return (
    <Stack gap={4} align="flex-start">
      <StateBadge state={state} />
      {lock && (
        <Text size="xs" c="dimmed" maw={320}>
          {t(`device.lockedBy.${lock.side}`)}
          {lock.reason && ` · ${lock.reason}`}
        </Text>
      )}
    </Stack>
  );
}

export function LastSeen({ at }: { at: string | null }) {
  const t = useTexts("device");
  return at === null ? <>{t("device.never")}</> : <time dateTime={at}>{formatTimeAgo(at)}</time>;
}

/** Returns the row of a fact if it has a value. */
export const factIf = <T,>(value: T | null, row: (value: T) => [string, ReactNode]): [string, ReactNode][] =>
  value === null ? [] : [row(value)];
