import { Anchor, Text, Timeline } from "@mantine/core";
import type { DeviceEvent } from "@arcada/contract/device/device.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";

/** The history of a device, newest first. */
export function DeviceHistory({ history, isService }: { history: readonly DeviceEvent[]; isService: boolean }) {
  const t = useTexts("device");
  const getActor = ({ side, who, institution }: DeviceEvent): string =>
    [isService || side === "service" ? (side === "clinic" ? institution : t("device.side.service")) : null, who]
      .filter(Boolean)
      .join(" · ");
  // A clinic only enters a reason and chooses no code.
  const getReason = ({ side, code, reason }: DeviceEvent): string =>
    [side === "service" && code ? t(`device.lockCode.${code}`) : null, reason].filter(Boolean).join(" · ");
  return (
    <Timeline bulletSize={12} lineWidth={2} active={history.length}>
      {history.map((event) => (
        <Timeline.Item key={event.id} title={<Text size="sm">{t(`device.event.${event.action}`)}</Text>}>
          {getReason(event) && <Text size="sm">{getReason(event)}</Text>}
          {event.consent && (
            <Anchor size="sm" href={event.consent.url} download={event.consent.name}>
              {event.consent.name}
            </Anchor>
          )}
          <Text size="xs" c="dimmed">
            {getActor(event)} · <time dateTime={event.time}>{formatTimestamp(event.time)}</time>
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
