import { Anchor, Button, Chip, Group, Text, Timeline } from "@mantine/core";
import {
  IconArrowMerge,
  IconClipboardList,
  IconFileText,
  IconPhoto,
  IconRuler2,
  IconScan,
  IconSignature,
  IconStethoscope,
  IconUserPlus,
} from "@tabler/icons-react";
import { useState } from "react";
import type { ComponentType } from "react";
import { builtInEngine } from "@arcada/contract/analysis/analysis.calls";
import {
  patientRecordCalls,
  recordRules,
  timelineKinds,
  type TimelineKind,
} from "@arcada/contract/patient/record.calls";
import type { Output } from "@arcada/contract/kernel/call";
import type { ScreenName } from "@arcada/contract/screens";
import { showAgo, showTime } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import type { Search } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";

type Event = Output<typeof patientRecordCalls.timeline>["list"][number];
const fewEvents = 8;

/** The events of a patient, newest first, filtered by the chosen kind. */
export function PatientTimeline({ patientId }: { patientId: string }) {
  const t = useTexts("patient");
  const [kind, setKind] = useState<TimelineKind | "all">("all");
  const [pageSize, setPageSize] = useState<number>(fewEvents);
  const events = useCall(
    patientRecordCalls.timeline,
    { id: patientId, pageSize, ...(kind !== "all" && { kinds: kind }) },
    { keep: true },
  );
  const choose = (chosen: string) => {
    setKind(timelineKinds.find((one) => one === chosen) ?? "all");
    setPageSize(fewEvents);
  };
  return (
    <Section title={t("patient.timeline.title")}>
      <Kinds kind={kind} onChange={choose} />
      <Answer
        of={events}
        isEmpty={({ list }) => list.length === 0}
        empty={<EmptyState title={t("patient.timeline.none")} />}
      >
        {({ list, next }) => (
          <>
            <Timeline bulletSize={26} lineWidth={2} active={list.length}>
              {list.map((event) => (
                <Timeline.Item
                  key={event.kind + event.id + event.time}
                  bullet={<Bullet kind={event.kind} />}
                  title={<What event={event} patientId={patientId} />}
                >
                  <Text size="xs" c="dimmed">
                    <time dateTime={event.time} title={showTime(event.time)}>
                      {showAgo(event.time)}
                    </time>
                  </Text>
                </Timeline.Item>
              ))}
            </Timeline>
            {next !== null && pageSize < recordRules.timelineMost && (
              <Button
                variant="subtle"
                size="compact-sm"
                mt="sm"
                loading={events.isFetching}
                onClick={() => setPageSize((now) => Math.min(recordRules.timelineMost, now + recordRules.timelinePage))}
              >
                {t("patient.timeline.older")}
              </Button>
            )}
          </>
        )}
      </Answer>
    </Section>
  );
}

function Kinds({ kind, onChange }: { kind: string; onChange: (kind: string) => void }) {
  const t = useTexts("patient");
  return (
    <Chip.Group value={kind} onChange={(chosen) => onChange(String(chosen))}>
      <Group gap={6} mb="md" role="group" aria-label={t("patient.timeline.show")}>
        {(["all", ...timelineKinds.filter((one) => one !== "created")] as const).map((one) => (
          <Chip key={one} value={one} size="xs">
            {t(`patient.timeline.kind.${one}`)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

const bullets: Record<TimelineKind, ComponentType<{ size: number; stroke: number; "aria-hidden": true }>> = {
  created: IconUserPlus,
  study: IconPhoto,
  order: IconClipboardList,
  visit: IconStethoscope,
  analysis: IconScan,
  tracing: IconRuler2,
  report: IconFileText,
  consent: IconSignature,
  merge: IconArrowMerge,
};

function Bullet({ kind }: { kind: TimelineKind }) {
  const Icon = bullets[kind];
  return <Icon size={14} stroke={1.8} aria-hidden />;
}

/** The tab of the record with more details. */
const tabOf: Partial<Record<TimelineKind, string>> = { visit: "visits", report: "reports", consent: "consents" };

/** Returns the page with the details of an event; null if there is none. */
function placeOf(
  { kind, id, label, studyId }: Event,
  patientId: string,
): { screen: ScreenName; search: Search } | null {
  if (kind === "order") return { screen: "orderDetail", search: { id } };
  if (kind === "analysis") return { screen: "analysis", search: { id } };
  if (studyId) return { screen: screenOf(kind, label), search: { study: studyId } };
  const tab = tabOf[kind];
  return tab ? { screen: "patientDetail", search: { id: patientId, tab } } : null;
}
const screenOf = (kind: TimelineKind, label: string): ScreenName =>
  kind === "tracing" ? "cephViewer" : kind === "study" && label === "ct" ? "ctViewer" : "viewer";

function What({ event, patientId }: { event: Event; patientId: string }) {
  const t = useTexts("patient", "study", "consent");
  const place = placeOf(event, patientId);
  const words = wordsOf(t, event);
  return place ? (
    <Anchor component={ScreenLink} {...place} size="sm">
      {words}
    </Anchor>
  ) : (
    <Text size="sm" span>
      {words}
    </Text>
  );
}

function wordsOf(t: ReturnType<typeof useTexts>, { kind, label }: Event): string {
  if (kind === "study") return t(`study.kind.${label}`);
  if (kind === "consent") {
    const [, taken = "", of = ""] = /^(withdrawn\.)?(\w+)$/.exec(label) ?? [];
    return t(taken ? "patient.timeline.consentWithdrawn" : "patient.timeline.consent", {
      kind: t(`consent.kind.${of}`),
    });
  }
  if (kind === "visit" && label === "") return t("patient.timeline.visitPlain");
  if (kind === "analysis" && label === builtInEngine) return t("patient.timeline.measured");
  return t(`patient.timeline.${kind}`, { label, number: label });
}
