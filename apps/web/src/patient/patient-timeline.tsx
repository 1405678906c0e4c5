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
} from "@arcada/contract/patient/patient-timeline-and-erasure.calls";
import type { Output } from "@arcada/contract/kernel/call";
import type { ScreenName } from "@arcada/contract/screens";
import { formatTimeAgo, formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import type { SearchParams } from "../browser/navigation.tsx";
import { formatStudyKind } from "../i18n/format-recorded-codes.ts";
import { useTexts, translateDynamic } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";

type TimelineEvent = Output<typeof patientRecordCalls.timeline>["list"][number];
const initialEventCount = 8;

/** The events of a patient, newest first, filtered by the chosen kind. */
export function PatientTimeline({ patientId }: { patientId: string }) {
  const t = useTexts("patient");
  const [kind, setKind] = useState<TimelineKind | "all">("all");
  const [pageSize, setPageSize] = useState<number>(initialEventCount);
  const events = useCall(
    patientRecordCalls.timeline,
    { id: patientId, pageSize, ...(kind !== "all" && { kinds: kind }) },
    { keepPrevious: true },
  );
  const choose = (chosen: string) => {
    setKind(timelineKinds.find((one) => one === chosen) ?? "all");
    setPageSize(initialEventCount);
  };
  return (
    <Section title={t("patient.timeline.title")}>
      <KindFilter kind={kind} onChange={choose} />
      <QueryResult
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
                  title={<EventTitle event={event} patientId={patientId} />}
                >
                  <Text size="xs" c="dimmed">
                    <time dateTime={event.time} title={formatTimestamp(event.time)}>
                      {formatTimeAgo(event.time)}
                    </time>
                  </Text>
                </Timeline.Item>
              ))}
            </Timeline>
            {next !== null && pageSize < recordRules.maxTimelineEntries && (
              <Button
                variant="subtle"
                size="compact-sm"
                mt="sm"
                loading={events.isFetching}
                onClick={() =>
                  setPageSize((now) => Math.min(recordRules.maxTimelineEntries, now + recordRules.timelinePage))
                }
              >
                {t("patient.timeline.older")}
              </Button>
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function KindFilter({ kind, onChange }: { kind: string; onChange: (kind: string) => void }) {
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

const iconByKind: Record<TimelineKind, ComponentType<{ size: number; stroke: number; "aria-hidden": true }>> = {
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
  const Icon = iconByKind[kind];
  return <Icon size={14} stroke={1.8} aria-hidden />;
}

/** The tab of the record with more details. */
const tabByKind: Partial<Record<TimelineKind, string>> = { visit: "visits", report: "reports", consent: "consents" };

/** Returns the page with the details of an event; null if there is none. */
function getTarget(
  { kind, id, label, studyId }: TimelineEvent,
  patientId: string,
): { screen: ScreenName; search: SearchParams } | null {
  if (kind === "order") return { screen: "orderDetail", search: { id } };
  if (kind === "analysis") return { screen: "analysis", search: { id } };
  if (studyId) return { screen: getScreen(kind, label), search: { study: studyId } };
  const tab = tabByKind[kind];
  return tab ? { screen: "patientDetail", search: { id: patientId, tab } } : null;
}
const getScreen = (kind: TimelineKind, label: string): ScreenName =>
  kind === "tracing" ? "cephViewer" : kind === "study" && label === "ct" ? "ctViewer" : "viewer";

function EventTitle({ event, patientId }: { event: TimelineEvent; patientId: string }) {
  const t = useTexts("patient", "study", "consent");
  const target = getTarget(event, patientId);
  const description = describeEvent(t, event);
  return target ? (
    <Anchor component={ScreenLink} {...target} size="sm">
      {description}
    </Anchor>
  ) : (
    <Text size="sm" span>
      {description}
    </Text>
  );
}

function describeEvent(t: ReturnType<typeof useTexts>, { kind, label }: TimelineEvent): string {
  if (kind === "study") return formatStudyKind(t, label);
  if (kind === "consent") {
    const [, withdrawn = "", consentKind = ""] = /^(withdrawn\.)?(\w+)$/.exec(label) ?? [];
    return t(withdrawn ? "patient.timeline.consentWithdrawn" : "patient.timeline.consent", {
      kind: translateDynamic(t, `consent.kind.${consentKind}`, consentKind),
    });
  }
  if (kind === "visit" && label === "") return t("patient.timeline.visitPlain");
  if (kind === "analysis" && label === builtInEngine) return t("patient.timeline.measured");
  return t(`patient.timeline.${kind}`, { label, number: label });
}
