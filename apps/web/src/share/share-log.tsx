import { Drawer, Text, Timeline } from "@mantine/core";
import { shareCalls, type Share, type ShareEvent } from "@arcada/contract/share/share.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";

/** The log of a link: its openings and its changes. */
export function ShareLog({ share, onClose }: { share: Share | null; onClose: () => void }) {
  const t = useTexts("share");
  return (
    <Drawer
      opened={share !== null}
      onClose={onClose}
      position="right"
      size={420}
      title={t("share.log.title", { label: share?.label ?? "" })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {share && <ShareEvents id={share.id} />}
    </Drawer>
  );
}

function ShareEvents({ id }: { id: string }) {
  const t = useTexts("share");
  const query = useCall(shareCalls.log, { id });
  return (
    <QueryResult of={query}>
      {(events) => (
        <>
          <Text size="xs" c="dimmed" mb="md">
            {t("share.log.markHint")}
          </Text>
          <Timeline active={-1} bulletSize={14} lineWidth={2}>
            {events.map((event) => (
              <Timeline.Item key={event.id} title={t(`share.log.what.${event.what}`)}>
                <EventFacts event={event} />
              </Timeline.Item>
            ))}
          </Timeline>
        </>
      )}
    </QueryResult>
  );
}

function EventFacts({ event: { time, who, from, agent } }: { event: ShareEvent }) {
  const t = useTexts("share");
  return (
    <>
      <Text size="xs" c="dimmed" className="arcada-figures">
        {[formatTimestamp(time), who ?? (from && t("share.log.visitor", { mark: from }))].filter(Boolean).join(" · ")}
      </Text>
      {agent && (
        <Text size="xs" c="dimmed" lineClamp={1} title={agent} dir="ltr">
          {agent}
        </Text>
      )}
    </>
  );
}
