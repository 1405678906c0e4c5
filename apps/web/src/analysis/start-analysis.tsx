import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { IconScan } from "@tabler/icons-react";
import { useState } from "react";
import { analysisCalls, type Engine } from "@arcada/contract/analysis/analysis.calls";
import { modalityByKind } from "@arcada/contract/analysis/analysis.rules";
import type { Output } from "@arcada/contract/kernel/call";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { EngineCard } from "./engine-card.tsx";
import styles from "./engine-card.module.css";
import { getEngineName } from "./analysis-text.ts";

type Quota = Output<typeof analysisCalls.engines>["quota"];
interface Props {
  engines: readonly Engine[];
  quota: Quota;
  studies: readonly StudyRow[];
}

/** Selects an image and shows the engines with their cards, their costs and the remaining quota. */
export function StartAnalysis({ engines, quota, studies }: Props) {
  const t = useTexts("analysis", "study");
  const images = studies.filter(({ state, kind }) => state === "ready" && modalityByKind[kind] !== null);
  const [chosen, choose] = useState<string | null>(null);
  const study = images.find(({ id }) => id === chosen) ?? images[0];
  const left = Math.max(0, quota.allowed - quota.used);
  return (
    <Section title={t("analysis.start.title")} description={t("analysis.start.says")}>
      {!study ? (
        <EmptyState title={t("analysis.start.none")} text={t("analysis.start.noneText")} />
      ) : (
        <Stack gap="md">
          <Group align="flex-end" justify="space-between" gap="md">
            <Select
              label={t("analysis.start.image")}
              value={study.id}
              onChange={choose}
              allowDeselect={false}
              flex="1 1 260px"
              maw={460}
              data={images.map(({ id, kind, takenAt, createdAt, description }) => ({
                value: id,
                label: [formatDay(takenAt ?? createdAt), t(`study.kind.${kind}`), description]
                  .filter(Boolean)
                  .join(" · "),
              }))}
            />
            <Text size="sm" className="arcada-figures">
              {t("analysis.quota", { left, total: quota.allowed })}
            </Text>
          </Group>
          <ul className={styles.list}>
            {engines.map((engine) => (
              <EngineCard key={engine.id} engine={engine}>
                <StartButton engine={engine} study={study} left={left} />
              </EngineCard>
            ))}
          </ul>
        </Stack>
      )}
    </Section>
  );
}

function StartButton({ engine, study, left }: { engine: Engine; study: StudyRow; left: number }) {
  const t = useTexts("analysis");
  const start = useCommand(analysisCalls.start);
  const { info, on } = engine;
  const modality = modalityByKind[study.kind];
  const obstacle = !on
    ? "off"
    : modality === null || !info.modalities.includes(modality)
      ? "unfit"
      : info.quotaCost > left
        ? "usedUp"
        : null;
  const run = async () => {
    const started = await start.run({ studyId: study.id, engine: engine.id });
    if (!started) return;
    const isAlreadyDone = started.data.every(({ state }) => state === "done");
    toast(isAlreadyDone ? "info" : "success", t(isAlreadyDone ? "analysis.start.known" : "analysis.start.begun"));
  };
  return (
    <Group gap="sm">
      <Button
        size="sm"
        leftSection={<IconScan size={16} aria-hidden />}
        onClick={() => void run()}
        loading={start.busy}
        disabled={obstacle !== null}
        aria-label={`${t("analysis.start.button")}: ${getEngineName(t, info)}`}
      >
        {t("analysis.start.button")}
      </Button>
      {obstacle && (
        <Text size="xs" c="dimmed">
          {t(`analysis.start.${obstacle}`)}
        </Text>
      )}
    </Group>
  );
}
