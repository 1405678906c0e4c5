import { Badge, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { trustLevelOf } from "@arcada/contract/analysis/trust-levels";
import type { Engine } from "@arcada/contract/analysis/analysis.calls";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import { formatDay, formatNumber } from "../i18n/format.ts";
import { useLanguage, useTexts } from "../i18n/texts.ts";
import type { NameUnder } from "../i18n/texts.ts";
import styles from "./engine-card.module.css";
import { EngineTrial } from "./engine-trial-result.tsx";
import { getEngineName, formatTrustLevel, translateCard } from "./analysis-text.ts";

/** A card for an engine: its name and version, its cost, and its own claims. */
export function EngineCard({ engine, children }: { engine: Engine; children?: ReactNode }) {
  const t = useTexts("analysis");
  const { info, source } = engine;
  return (
    <li className={styles.card}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs" align="flex-start">
          <Stack gap={2} miw={0} flex="1 1 200px">
            <Text fw={600} className={styles.name}>
              {getEngineName(t, info)}
            </Text>
            <Text size="xs" c="dimmed">
              {[t(`analysis.engine.${source}`), t("analysis.engine.version", { version: info.version })].join(" · ")}
            </Text>
          </Stack>
          <Group gap={6}>
            <Badge variant="light" tt="none">
              {formatTrustLevel(t, trustLevelOf(info, info.produces))}
            </Badge>
            <Badge variant="default" tt="none">
              {info.quotaCost === 0 ? t("analysis.free") : t("analysis.cost", { number: info.quotaCost })}
            </Badge>
          </Group>
        </Group>
        {info.kind === "learned" && <EngineTrial trial={info.trial ?? null} />}
        <details className={styles.more}>
          <summary>{t("analysis.engine.card")}</summary>
          <EngineFacts info={info} signedBy={engine.signedBy} />
        </details>
        {children}
      </Stack>
    </li>
  );
}

/** The model card, in the reader's language where its maker translated it. */
export function EngineFacts({ info, signedBy }: { info: EngineInfo; signedBy: string | null }) {
  const t = useTexts("analysis");
  const card = translateCard(info.card, useLanguage());
  const isBuiltInEngine = info.kind === "measurement";
  const facts: [NameUnder<"analysis.engine">, ReactNode][] = [
    ["intendedUse", isBuiltInEngine ? t("analysis.builtIn.intendedUse") : card.intendedUse],
    ["limits", isBuiltInEngine ? t("analysis.builtIn.limits") : card.limits],
    ["licence", card.licence],
    ["trainedOn", card.trainedOn],
    ["clearance", card.clearance ?? t("analysis.engine.noClearance")],
    [
      "metrics",
      card.metrics.length > 0 &&
        card.metrics.map((metric) => <MetricLine key={metric.name + metric.set} metric={metric} />),
    ],
    ["signedBy", signedBy],
    ["hash", card.sha256],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, fact]) => Boolean(fact))
        .map(([name, fact]) => (
          <div key={name}>
            <dt>{t(`analysis.engine.${name === "metrics" && !isBuiltInEngine ? "claims" : name}`)}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
    </dl>
  );
}

function MetricLine({ metric: { name, value, n, set, date } }: { metric: EngineInfo["card"]["metrics"][number] }) {
  const t = useTexts("analysis");
  const values = {
    name,
    value: formatNumber(value, Number.isInteger(value) ? 0 : 3),
    n,
    set,
    date: formatDay(date) || date,
  };
  return <div>{t("analysis.engine.metric", values)}</div>;
}
