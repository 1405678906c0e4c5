import { Anchor, Badge, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import {
  serviceCalls,
  linkedRecordKinds,
  linkedRecordLimits,
  createVersionId,
} from "@arcada/contract/service/linked-records.calls";
import type { LinkedRecords, LinkedRecordKind } from "@arcada/contract/service/linked-records.calls";
import { hasAccess } from "@arcada/contract/kernel/roles";
import { formatDay } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useRole } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import classes from "./service.module.css";

interface Props {
  subjectKind: LinkedRecordKind;
  id: string;
  /** Shows long lists, on a page that contains only the related records. */
  isComplete?: boolean;
}

/**
 * The records that belong to this one: the other five of device, clinic, software version, feedback, work order and
 * package.
 */
export function RelatedRecords({ subjectKind, id, isComplete = false }: Props) {
  // Clinics also see packages, but not the related records of others.
  return hasAccess(serviceCalls.trail.access, useRole()) ? (
    <LoadedRecords subjectKind={subjectKind} id={id} isComplete={isComplete} />
  ) : null;
}

function LoadedRecords({ subjectKind, id, isComplete }: Required<Props>) {
  const t = useTexts("service", "device", "feedback", "workorder", "upgrade");
  const query = useCall(serviceCalls.trail, {
    of: subjectKind,
    id,
    most: isComplete ? linkedRecordLimits.all : linkedRecordLimits.default,
  });
  return (
    <Section title={t("service.trail")} description={t("service.trailText")}>
      <QueryResult of={query}>
        {(trail) => (
          <div className={classes.kinds}>
            {linkedRecordKinds.map((kind) => {
              const part = trail[kind];
              return (
                part && (
                  <RecordGroup
                    key={kind}
                    kind={kind}
                    total={part.total}
                    lines={toLinesByKind[kind](trail as LinkedRecords, t)}
                  />
                )
              );
            })}
          </div>
        )}
      </QueryResult>
    </Section>
  );
}

interface RecordLine {
  key: string;
  link: ReactNode;
  badge?: string;
  more?: string;
}

function RecordGroup({ kind, total, lines }: { kind: LinkedRecordKind; total: number; lines: RecordLine[] }) {
  const t = useTexts("service");
  return (
    <section className={classes.kind} aria-labelledby={`trail-${kind}`}>
      <Group gap="xs" mb={6}>
        <Title order={3} size="h5" id={`trail-${kind}`}>
          {t(`service.kind.${kind}`)}
        </Title>
        <Badge variant="light" color="gray" className="arcada-figures">
          {total}
        </Badge>
      </Group>
      {total === 0 && (
        <Text size="sm" c="dimmed">
          {t("service.none")}
        </Text>
      )}
      <Stack component="ul" gap={8} className={classes.lines}>
        {lines.map(({ key, link, badge, more }) => (
          <li key={key}>
            <Group gap={6} wrap="wrap">
              {link}
              {badge && (
                <Badge size="sm" variant="light" color="gray">
                  {badge}
                </Badge>
              )}
            </Group>
            {more && (
              <Text size="xs" c="dimmed" lineClamp={2}>
                <bdi>{more}</bdi>
              </Text>
            )}
          </li>
        ))}
      </Stack>
      {total > lines.length && (
        <Text size="xs" c="dimmed" mt={8}>
          {t("service.andMore", { count: total - lines.length })}
        </Text>
      )}
    </section>
  );
}

const joinParts = (...parts: (string | null)[]): string => parts.filter(Boolean).join(" · ");

/** Each kind's rows as lines with a link. */
const toLinesByKind: { [K in LinkedRecordKind]: (trail: LinkedRecords, t: Translate) => RecordLine[] } = {
  device: ({ device }, t) =>
    device.list.map((one) => ({
      key: one.id,
      link: (
        <Anchor component={ScreenLink} screen="deviceDetail" search={{ id: one.id }} size="sm">
          {one.serialNumber}
        </Anchor>
      ),
      badge: t(`device.state.${one.state}`),
      more: joinParts(one.product, one.model, one.softwareVersion),
    })),
  clinic: ({ clinic }) =>
    clinic.list.map((one) => ({
      key: one.id,
      link: (
        <Anchor component={ScreenLink} screen="clinicDetail" search={{ id: one.id }} size="sm">
          {one.name}
        </Anchor>
      ),
      more: one.number,
    })),
  version: ({ version }, t) =>
    version.list.map((one) => ({
      key: createVersionId(one.product, one.version),
      link: (
        <Anchor
          component={ScreenLink}
          screen="softwareVersion"
          search={{ product: one.product, version: one.version }}
          size="sm"
        >
          {`${one.product} ${one.version}`}
        </Anchor>
      ),
      more: t("service.devices", { count: one.devices }),
    })),
  feedback: ({ feedback }, t) =>
    feedback.list.map((one) => ({
      key: one.id,
      link: (
        <Anchor component={ScreenLink} screen="feedbackDetail" search={{ id: one.id }} size="sm">
          {t("service.feedback", { number: one.number })}
        </Anchor>
      ),
      badge: joinParts(t(`feedback.states.${one.state}`), one.fixedIn),
      more: one.says,
    })),
  workorder: ({ workorder }, t) =>
    workorder.list.map((one) => ({
      key: one.id,
      link: (
        <Anchor component={ScreenLink} screen="workorderDetail" search={{ id: one.id }} size="sm">
          {one.number}
        </Anchor>
      ),
      badge: t(`workorder.state.${one.state}`),
      more: joinParts(t(`workorder.type.${one.type}`), formatDay(one.createdAt)),
    })),
  package: ({ package: packages }, t) =>
    packages.list.map((one) => ({
      key: one.id,
      link: (
        <Anchor component={ScreenLink} screen="packageDetail" search={{ id: one.id }} size="sm">
          {`${one.product} ${one.version}`}
        </Anchor>
      ),
      badge: t(`upgrade.states.${one.state}`),
      more: one.name,
    })),
};
