import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { healthRules } from "@arcada/contract/operator/health.calls";
import type { Health } from "@arcada/contract/operator/health.calls";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { formatBytes, formatNumber, formatTimestamp } from "../i18n/format.ts";
import { useTexts, translateDynamic } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { LoadingState } from "../ui/page-states.tsx";
import { SectionedPage } from "../ui/sections/sectioned-page.tsx";
import type { PageSection } from "../ui/sections/sectioned-page.tsx";
import { BackupSection } from "./backup-section.tsx";
import { FailedJobs } from "./failed-jobs.tsx";
import { HealthLights } from "./health-lights.tsx";
import { Queues } from "./queues.tsx";
import { RepeatedTasks } from "./repeated-tasks.tsx";

/** The health of the instance, polled every few seconds. */
export function Page() {
  const t = useTexts("operator");
  const query = useCall(operatorCalls.health, {}, { pollMs: healthRules.everySeconds * 1000 });
  const title = t("operator.health.title");
  const description = t("operator.health.says", { seconds: healthRules.everySeconds });
  if (!query.data)
    return (
      <PageBody title={title} description={description}>
        <QueryResult of={query} loading={<LoadingState lines={10} />}>
          {() => null}
        </QueryResult>
      </PageBody>
    );
  return <SectionedPage title={title} description={description} sections={buildSections(t, query.data)} />;
}

const buildSections = (t: Translate, health: Health): PageSection[] => [
  {
    id: "lights",
    title: t("operator.lights"),
    content: (
      <Section title={t("operator.lights")} description={t("operator.health.at", { time: formatTimestamp(health.at) })}>
        <HealthLights lights={health.lights} />
      </Section>
    ),
  },
  { id: "backup", title: t("operator.light.backup"), content: <BackupSection backup={health.backup} /> },
  {
    id: "work",
    title: t("operator.health.queues"),
    content: (
      <>
        <Section title={t("operator.health.queues")} flush>
          <Queues queues={health.queues} />
        </Section>
        <FailedJobs failed={health.queues.reduce((sum, { failed }) => sum + failed, 0)} />
        <ErrorsSection errors={health.errors} />
      </>
    ),
  },
  {
    id: "tasks",
    title: t("operator.health.tasks"),
    content: (
      <Section title={t("operator.health.tasks")} flush>
        <RepeatedTasks tasks={health.tasks} />
      </Section>
    ),
  },
  { id: "ready", title: t("operator.health.ready"), content: <ReadinessSection health={health} /> },
  { id: "storage", title: t("operator.light.storage"), content: <StorageSection health={health} /> },
  { id: "process", title: t("operator.light.process"), content: <ProcessSection health={health} /> },
];

function ReadinessSection({ health: { ready } }: { health: Health }) {
  const t = useTexts("operator");
  const formatReadiness = (says: string) => (says === "ok" ? t("operator.lightState.good") : says);
  return (
    <Section title={t("operator.health.ready")}>
      <DescriptionList
        entries={ready.map(({ name, says }) => [
          translateDynamic(t, `operator.light.${name}`, name),
          formatReadiness(says),
        ])}
      />
    </Section>
  );
}

function StorageSection({ health: { storage } }: { health: Health }) {
  const t = useTexts("operator");
  const { scrub, free, total } = storage;
  const formatFiles = ({ files, bytes }: { files: number; bytes: number }) =>
    t("operator.health.filesOf", { count: files, size: formatBytes(bytes) });
  return (
    <Section title={t("operator.light.storage")}>
      <DescriptionList
        entries={[
          [t("operator.health.kind"), t(`operator.health.kinds.${storage.kind}`)],
          [t("operator.health.originals"), formatFiles(storage.originals)],
          [t("operator.health.converted"), formatFiles(storage.converted)],
          [
            t("operator.health.free"),
            free === null || total === null
              ? "–"
              : t("operator.freeOf", { free: formatBytes(free), total: formatBytes(total) }),
          ],
          [
            t("operator.health.faults"),
            t("operator.health.faultsOf", { broken: storage.broken, missing: storage.missing }),
          ],
          [
            t("operator.health.scrub"),
            scrub ? (
              <>
                {formatTimestamp(scrub.finishedAt ?? scrub.startedAt)}
                <Text size="xs" c="dimmed">
                  {t(scrub.finishedAt ? "operator.health.scrubDone" : "operator.health.scrubRuns", {
                    files: scrub.files,
                    size: formatBytes(scrub.bytes),
                  })}
                </Text>
              </>
            ) : (
              t("operator.health.never")
            ),
          ],
        ]}
      />
    </Section>
  );
}

function ProcessSection({ health: { database, process } }: { health: Health }) {
  const t = useTexts("operator");
  const formatMilliseconds = (value: number): ReactNode => t("operator.ms", { value: formatNumber(value, 1) });
  return (
    <>
      <Section title={t("operator.light.database")}>
        <DescriptionList
          entries={[
            [t("operator.health.size"), formatBytes(database.bytes)],
            [
              t("operator.health.connections"),
              t("operator.usedOf", { used: database.connections, allowed: database.connectionsMost }),
            ],
            [t("operator.health.databaseVersion"), database.version],
          ]}
        />
      </Section>
      <Section title={t("operator.light.process")} description={t("operator.health.processSays")}>
        <DescriptionList
          entries={[
            [t("operator.health.streams"), process.streams],
            [t("operator.health.lagMedian"), formatMilliseconds(process.lag.median)],
            [t("operator.health.lagLate"), formatMilliseconds(process.lag.late)],
            [t("operator.health.memory"), formatBytes(process.memory)],
            [t("operator.health.since"), formatTimestamp(process.since)],
            [t("operator.health.version"), process.version],
            [t("operator.health.runtime"), process.runtime],
            [t("operator.health.isolation"), t(`operator.health.isolations.${process.isolation ?? "unknown"}`)],
          ]}
        />
      </Section>
    </>
  );
}

function ErrorsSection({ errors }: { errors: Health["errors"] }) {
  const t = useTexts("operator");
  if (errors.length === 0) return null;
  return (
    <Section title={t("operator.health.errors")} flush>
      <DataTable
        label={t("operator.health.errors")}
        columns={[
          { key: "message", title: t("operator.health.message"), narrow: "head", show: ({ message }) => message },
          { key: "path", title: t("operator.health.path"), show: ({ path }) => path },
          {
            key: "at",
            title: t("operator.when"),
            show: ({ at }) => <span className="arcada-figures">{formatTimestamp(at)}</span>,
          },
        ]}
        rows={errors}
        rowKey={({ at, message }) => `${at} ${message}`}
      />
    </Section>
  );
}
