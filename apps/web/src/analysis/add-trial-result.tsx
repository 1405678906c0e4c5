import { Button, FileButton } from "@mantine/core";
import { analysisCalls, type Engine } from "@arcada/contract/analysis/analysis.calls";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { getEngineName } from "./analysis-text.ts";

/** Adds the file that a pack's trial wrote. */
export function AddTrialResult({ engine: { id, info } }: { engine: Engine }) {
  const t = useTexts("analysis");
  const add = useCommand(analysisCalls.addTrial);
  const label = `${t("analysis.trial.add")}: ${getEngineName(t, info)}`;
  const addTrial = async (file: File | null) => {
    if (file && (await add.run({ id, file: await file.text() }))) toast("success", t("analysis.trial.added"));
  };
  return (
    <FileButton
      accept=".json,application/json"
      inputProps={{ "aria-label": label }}
      onChange={(file) => void addTrial(file)}
    >
      {(button) => (
        <Button {...button} size="sm" variant="default" loading={add.busy} aria-label={label}>
          {t("analysis.trial.add")}
        </Button>
      )}
    </FileButton>
  );
}
