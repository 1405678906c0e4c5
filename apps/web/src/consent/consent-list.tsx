import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { consentCalls, consentKinds, type Consent, type ConsentKind } from "@arcada/contract/consent/consent.calls";
import { formatDateTime, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { ConsentForm } from "./consent-form.tsx";
import { WithdrawConsent } from "./withdraw-consent.tsx";
import classes from "./consent.module.css";

/** The consents of a patient by kind, each with its history. */
export function ConsentList({ patientId, patientName }: { patientId: string; patientName: string }) {
  const t = useTexts("consent");
  const [addedKind, setAddedKind] = useState<ConsentKind | null>(null);
  const query = useCall(consentCalls.list, { patientId });
  return (
    <Section
      title={t("consent.title")}
      description={t("consent.says")}
      actions={
        <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAddedKind("treatment")}>
          {t("consent.add")}
        </Button>
      }
    >
      <QueryResult of={query}>
        {(list) => (
          <Stack gap="md">
            {consentKinds.map((kind) => (
              <ConsentKindCard
                key={kind}
                kind={kind}
                patientId={patientId}
                patientName={patientName}
                consents={list.filter((consent) => consent.kind === kind)}
              />
            ))}
          </Stack>
        )}
      </QueryResult>
      {addedKind && (
        <ConsentForm
          patientId={patientId}
          patientName={patientName}
          kind={addedKind}
          onKind={setAddedKind}
          onClose={() => setAddedKind(null)}
        />
      )}
    </Section>
  );
}

interface ConsentKindCardProps {
  kind: ConsentKind;
  patientId: string;
  patientName: string;
  consents: readonly Consent[];
}

function ConsentKindCard({ kind, patientId, patientName, consents }: ConsentKindCardProps) {
  const t = useTexts("consent");
  const [isWithdrawing, setWithdrawing] = useState(false);
  const isValid = consents.some(({ withdrawn }) => withdrawn === null);
  const state = isValid ? "stands" : consents.length > 0 ? "withdrawn" : "notGiven";
  return (
    <article className={classes.kind}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <h3 className={classes.title}>{t(`consent.kind.${kind}`)}</h3>
          <Badge variant="light" color={stateColours[state]}>
            {t(`consent.${state}`)}
          </Badge>
        </Group>
        {isValid && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => setWithdrawing(true)}>
            {t("consent.withdraw.action")}
          </Button>
        )}
      </Group>
      {consents.length > 0 && (
        <ul className={classes.history} aria-label={t("consent.history")}>
          {consents.map((consent) => (
            <ConsentLine key={consent.id} consent={consent} />
          ))}
        </ul>
      )}
      {isWithdrawing && (
        <WithdrawConsent
          kind={kind}
          patientId={patientId}
          patientName={patientName}
          onClose={() => setWithdrawing(false)}
        />
      )}
    </article>
  );
}
const stateColours = { stands: "teal", withdrawn: "red", notGiven: "gray" } as const;

function ConsentLine({ consent }: { consent: Consent }) {
  const t = useTexts("consent");
  const { givenBy, givenFor, givenAt, textVersion, how, scan, words, note, recordedBy, withdrawn } = consent;
  const name = givenFor === "guardian" ? t("consent.asGuardian", { name: givenBy }) : givenBy;
  return (
    <li>
      <Text size="sm">{t("consent.givenLine", { name, time: formatDateTime(givenAt), version: textVersion })}</Text>
      <Text size="xs" c="dimmed">
        {[t(`consent.how.${how}`), t("consent.recordedBy", { name: recordedBy }), note].filter(Boolean).join(" · ")}
      </Text>
      {scan && (
        <Anchor href={scan.url} size="sm" download={scan.name}>
          {t("consent.openScan")}
        </Anchor>
      )}
      {words && (
        <details className={classes.words}>
          <summary>{t("consent.showWords")}</summary>
          <p dir="auto">{words}</p>
        </details>
      )}
      {withdrawn && (
        <Text size="sm" c="var(--mantine-color-error)">
          {[
            t("consent.withdrawnLine", {
              name: withdrawn.by,
              time: formatTimestamp(withdrawn.at),
              recorder: withdrawn.recordedBy,
            }),
            withdrawn.note,
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      )}
    </li>
  );
}
