import { Anchor, Button, Text, Timeline } from "@mantine/core";
import { IconClipboardList, IconPhoto, IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { ComponentType } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { showAgo, showTime } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { Section } from "../ui/page.tsx";

type Event = Output<typeof patientCalls.timeline>[number];
const fewEvents = 8;

/** What happened to a patient, newest first. */
export function PatientTimeline({ patientId }: { patientId: string }) {
  const t = useTexts("patient");
  const [isAll, setAll] = useState(false);
  const events = useCall(patientCalls.timeline, { id: patientId });
  return (
    <Section title={t("patient.timeline.title")}>
      <Answer of={events}>
        {(list) => (
          <>
            <Timeline bulletSize={26} lineWidth={2} active={list.length}>
              {(isAll ? list : list.slice(0, fewEvents)).map((event) => (
                <Timeline.Item
                  key={event.kind + event.id}
                  bullet={<Bullet kind={event.kind} />}
                  title={<What event={event} />}
                >
                  <Text size="xs" c="dimmed">
                    <time dateTime={event.time} title={showTime(event.time)}>
                      {showAgo(event.time)}
                    </time>
                  </Text>
                </Timeline.Item>
              ))}
            </Timeline>
            {!isAll && list.length > fewEvents && (
              <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => setAll(true)}>
                {t("patient.timeline.more", { count: list.length - fewEvents })}
              </Button>
            )}
          </>
        )}
      </Answer>
    </Section>
  );
}

const bullets: Record<Event["kind"], ComponentType<{ size: number; stroke: number; "aria-hidden": true }>> = {
  created: IconUserPlus,
  study: IconPhoto,
  order: IconClipboardList,
};

function Bullet({ kind }: { kind: Event["kind"] }) {
  const Icon = bullets[kind];
  return <Icon size={14} stroke={1.8} aria-hidden />;
}

function What({ event }: { event: Event }) {
  const t = useTexts("patient", "study");
  if (event.kind === "created")
    return (
      <Text size="sm" span>
        {t("patient.timeline.created")}
      </Text>
    );
  return event.kind === "order" ? (
    <Anchor component={ScreenLink} screen="orderDetail" search={{ id: event.id }} size="sm">
      {t("patient.timeline.order", { number: event.label })}
    </Anchor>
  ) : (
    <Anchor
      component={ScreenLink}
      screen={event.label === "ct" ? "ctViewer" : "viewer"}
      search={{ study: event.id }}
      size="sm"
    >
      {t(`study.kind.${event.label}`)}
    </Anchor>
  );
}
