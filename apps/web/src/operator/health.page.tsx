import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { healthRules } from "@arcada/contract/operator/health.calls";
import type { Health } from "@arcada/contract/operator/health.calls";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { showBytes, showNumber, showTime } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { Facts } from "../ui/facts.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { LoadingState } from "../ui/states.tsx";
import { FailedJobs } from "./failed-jobs.tsx";
import { Lights } from "./lights.tsx";
import { Queues } from "./queues.tsx";

/** The health of the instance, polled every few seconds. */
export function Page() {
  const t = useTexts("operator");
  const query = useCall(operatorCalls.health, {}, { every: healthRules.everySeconds * 1000 });
  const waiting = (
    <Section>
      <LoadingState lines={10} />
    </Section>
  );
  return (
    <PageBody
      title={t("operator.health.title")}
      says={t("operator.health.says", { seconds: healthRules.everySeconds })}
    >
      <Answer of={query} waiting={waiting}>
        {(health) => (
          <Stack gap="lg">
            <Section title={t("operator.lights")} says={t("operator.health.at", { time: showTime(health.at) })}>
              <Lights lights={health.lights} />
            </Section>
            <Section title={t("operator.health.queues")} flush>
              <Queues queues={health.queues} />
            </Section>
            <FailedJobs failed={health.queues.reduce((sum, { failed }) => sum + failed, 0)} />
            <Ready health={health} />
            <Stored health={health} />
            <Running health={health} />
            <Errors errors={health.errors} />
          </Stack>
        )}
      </Answer>
    </PageBody>
  );
}

function Ready({ health: { ready } }: { health: Health }) {
  const t = useTexts("operator");
  const said = (says: string) => (says === "ok" ? t("operator.lightState.good") : says);
  return (
    <Section title={t("operator.health.ready")}>
      <Facts of={ready.map(({ name, says }) => [t(`operator.light.${name}`), said(says)])} />
    </Section>
  );
}

function Stored({ health: { storage } }: { health: Health }) {
  const t = useTexts("operator");
  const { scrub, free, total } = storage;
  const sized = ({ files, bytes }: { files: number; bytes: number }) =>
    t("operator.health.filesOf", { count: files, size: showBytes(bytes) });
  return (
    <Section title={t("operator.light.storage")}>
      <Facts
        of={[
          [t("operator.health.kind"), t(`operator.health.kinds.${storage.kind}`)],
          [t("operator.health.originals"), sized(storage.originals)],
          [t("operator.health.converted"), sized(storage.converted)],
          [
            t("operator.health.free"),
            free === null || total === null
              ? "–"
              : t("operator.freeOf", { free: showBytes(free), total: showBytes(total) }),
          ],
          [
            t("operator.health.faults"),
            t("operator.health.faultsOf", { broken: storage.broken, missing: storage.missing }),
          ],
          [
            t("operator.health.scrub"),
            scrub ? (
              <>
                {showTime(scrub.finishedAt ?? scrub.startedAt)}
                <Text size="xs" c="dimmed">
                  {t(scrub.finishedAt ? "operator.health.scrubDone" : "operator.health.scrubRuns", {
                    files: scrub.files,
                    size: showBytes(scrub.bytes),
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

function Running({ health: { database, process } }: { health: Health }) {
  const t = useTexts("operator");
  const milliseconds = (value: number): ReactNode => t("operator.ms", { value: showNumber(value, 1) });
  return (
    <>
      <Section title={t("operator.light.database")}>
        <Facts
          of={[
            [t("operator.health.size"), showBytes(database.bytes)],
            [
              t("operator.health.connections"),
              t("operator.usedOf", { used: database.connections, allowed: database.connectionsMost }),
            ],
            [t("operator.health.databaseVersion"), database.version],
          ]}
        />
      </Section>
      <Section title={t("operator.light.process")} says={t("operator.health.processSays")}>
        <Facts
          of={[
            [t("operator.health.streams"), process.streams],
            [t("operator.health.lagMedian"), milliseconds(process.lag.median)],
            [t("operator.health.lagLate"), milliseconds(process.lag.late)],
            [t("operator.health.memory"), showBytes(process.memory)],
            [t("operator.health.since"), showTime(process.since)],
            [t("operator.health.version"), process.version],
            [t("operator.health.runtime"), process.runtime],
            [t("operator.health.isolation"), t(`operator.health.isolations.${process.isolation ?? "unknown"}`)],
          ]}
        />
      </Section>
    </>
  );
}

function Errors({ errors }: { errors: Health["errors"] }) {
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
            show: ({ at }) => <span className="arcada-figures">{showTime(at)}</span>,
          },
        ]}
        rows={errors}
        rowKey={({ at, message }) => `${at} ${message}`}
      />
    </Section>
  );
}
