import { Alert, Button, Group, MultiSelect, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import {
  analysisCalls,
  includedAudiences,
  type IncludedAudience,
  type IncludedEngine,
} from "@arcada/contract/analysis/analysis.calls";
import { analysisRules } from "@arcada/contract/analysis/analysis.rules";
import type { Output } from "@arcada/contract/kernel/call";
import { trustLevelOf } from "@arcada/contract/analysis/trust-levels";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { useLanguage, useTexts } from "../i18n/texts.ts";
import { EmptyState } from "../ui/page-states.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { formatTrustLevel, getEngineName, translateCard } from "./analysis-text.ts";
import { EngineFacts } from "./engine-card.tsx";
import styles from "./engine-card.module.css";

type Clinics = Output<typeof analysisCalls.included>["clinics"];

/** The engines that come with the product. The operator reads what each can do and decides for whom it runs. */
export function Page() {
  const t = useTexts("analysis");
  const query = useCall(analysisCalls.included, {});
  return (
    <PageBody title={t("shell.screen.aiEngines")} description={t("analysis.included.says")} width="reading">
      <QueryResult of={query}>
        {({ engines, refused, clinics }) => (
          <Stack gap="lg">
            {refused.map(({ file, fault }) => (
              <Alert key={file} color="red" title={t("analysis.included.refused", { file })}>
                {t(`analysis.error.${fault}`)}
              </Alert>
            ))}
            {engines.length === 0 && (
              <EmptyState title={t("analysis.included.none")} text={t("analysis.included.noneText")} />
            )}
            {engines.map((engine) => (
              <IncludedEngineSection key={engine.info.id} engine={engine} clinics={clinics} />
            ))}
          </Stack>
        )}
      </QueryResult>
    </PageBody>
  );
}

function IncludedEngineSection({ engine, clinics }: { engine: IncludedEngine; clinics: Clinics }) {
  const t = useTexts("analysis");
  const language = useLanguage();
  const { info, signedBy } = engine;
  const name = getEngineName(t, info);
  const version = t("analysis.engine.version", { version: info.version });
  return (
    <Section title={name} description={[info.id, version].join(" · ")}>
      <Stack gap="md">
        <Text size="sm">{translateCard(info.card, language).intendedUse}</Text>
        <Text size="sm">{formatTrustLevel(t, trustLevelOf(info, info.produces))}</Text>
        <Text size="sm">{t("analysis.included.notDevice")}</Text>
        <AudienceForm key={JSON.stringify(engine.institutions)} {...{ engine, clinics, name }} />
        <details className={styles.more}>
          <summary>{t("analysis.engine.card")}</summary>
          <EngineFacts info={info} signedBy={signedBy} />
        </details>
      </Stack>
    </Section>
  );
}

interface AudienceFormProps {
  engine: IncludedEngine;
  clinics: Clinics;
  name: string;
}

function AudienceForm({ engine, clinics, name }: AudienceFormProps) {
  const t = useTexts("analysis");
  const before = engine.institutions.map(({ id }) => id);
  const [audience, setAudience] = useState<IncludedAudience>(engine.audience);
  const [chosen, setChosen] = useState<readonly string[]>(before);
  const change = useCommand(analysisCalls.switchIncluded);
  const isChanged = audience !== engine.audience || (audience === "chosen" && chosen.join() !== before.join());
  const lacksClinic = audience === "chosen" && chosen.length === 0;
  const apply = async () => {
    const institutionIds = audience === "chosen" ? [...chosen] : [];
    const done = await change.run({ engine: engine.info.id, audience, institutionIds });
    if (done) toast("success", t("analysis.included.applied", { engine: name }));
  };
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t("analysis.included.audience")}
        aria-label={`${t("analysis.included.audience")}: ${name}`}
        value={audience}
        onChange={(value) => setAudience(includedAudiences.find((one) => one === value) ?? "nobody")}
      >
        <Group gap="lg" mt={6}>
          {includedAudiences.map((one) => (
            <Radio key={one} value={one} label={t(`analysis.included.${one}`)} />
          ))}
        </Group>
      </Radio.Group>
      {audience === "chosen" && (
        <MultiSelect
          label={t("analysis.included.clinics")}
          data={clinics.map(({ id, name: label }) => ({ value: id, label }))}
          value={[...chosen]}
          onChange={setChosen}
          maxValues={analysisRules.maxChosenClinics}
          searchable
          clearable
        />
      )}
      {lacksClinic && isChanged && (
        <Text size="sm" c="dimmed">
          {t("analysis.included.chooseOne")}
        </Text>
      )}
      {engine.audience === "nobody" && !isChanged && (
        <Text size="sm" c="dimmed">
          {t("analysis.included.off")}
        </Text>
      )}
      {isChanged && (
        <Button
          style={{ alignSelf: "flex-start" }}
          disabled={lacksClinic}
          loading={change.busy}
          onClick={() => void apply()}
        >
          {t("analysis.included.apply")}
        </Button>
      )}
    </Stack>
  );
}
