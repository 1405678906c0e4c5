import { Select, Stack } from "@mantine/core";
import { analysisCalls, type Engine, type OnUpload } from "@arcada/contract/analysis/analysis.calls";
import { analysisRules } from "@arcada/contract/analysis/analysis.rules";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { useTexts } from "../i18n/texts.ts";
import { Section } from "../ui/page.tsx";
import { getEngineName } from "./analysis-text.ts";

interface Props {
  onUpload: readonly OnUpload[];
  engines: readonly Engine[];
}

const byHand = "";

/** The engine that analyses new images without being asked: one at most for each kind, so that nothing is suggested twice. */
export function EngineOnUpload({ onUpload, engines }: Props) {
  const t = useTexts("analysis");
  const change = useCommand(analysisCalls.setOnUpload);
  if (onUpload.length === 0) return null;
  const describeEngine = (id: string): string => {
    const engine = engines.find((one) => one.id === id);
    return engine ? `${getEngineName(t, engine.info)} · ${engine.info.version}` : id;
  };
  const choose = async (modality: OnUpload["modality"], value: string | null) => {
    const done = await change.run({ modality, engine: value === byHand ? null : value });
    if (done) toast("success", t("analysis.onUpload.saved"));
  };
  return (
    <Section
      title={t("analysis.onUpload.title")}
      description={t("analysis.onUpload.says", { days: analysisRules.onUploadDays })}
    >
      <Stack gap="md" maw={460}>
        {onUpload.map(({ modality, engine, choices }) => (
          <Select
            key={modality}
            label={t(`analysis.onUpload.${modality}`)}
            data={[
              { value: byHand, label: t("analysis.onUpload.byHand") },
              ...choices.map((id) => ({ value: id, label: describeEngine(id) })),
            ]}
            value={engine ?? byHand}
            onChange={(value) => void choose(modality, value)}
            allowDeselect={false}
            disabled={change.busy}
          />
        ))}
      </Stack>
    </Section>
  );
}
