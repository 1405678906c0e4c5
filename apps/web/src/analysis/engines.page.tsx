import { Button, Group, Stack, Switch, Text, FileButton } from "@mantine/core";
import { useState } from "react";
import { analysisCalls, type Engine } from "@arcada/contract/analysis/analysis.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EngineOnUpload } from "./engine-on-upload.tsx";
import { EngineCard } from "./engine-card.tsx";
import styles from "./engine-card.module.css";
import { InstallPack } from "./install-pack.tsx";
import { RemoteEngineForm } from "./remote-engine-form.tsx";
import { TrainingSection } from "./training-export-section.tsx";
import { getEngineName } from "./analysis-text.ts";
import { toast } from "../browser/toast.ts";

/** The analysis engines of the institution's images. Its managers choose them. */
export function Page() {
  const t = useTexts("analysis");
  const query = useCall(analysisCalls.engines, {});
  const [isAdding, setAdding] = useState(false);
  return (
    <PageBody title={t("analysis.engines.title")} description={t("analysis.engines.says")}>
      <QueryResult of={query}>
        {({ engines, packs, onUpload, quota: { used, allowed } }) => (
          <Stack gap="lg">
            <Section
              title={t("analysis.engines.own")}
              description={t("analysis.quota", { left: Math.max(0, allowed - used), total: allowed })}
            >
              <ul className={styles.list}>
                {engines.map((engine) => (
                  <EngineCard key={engine.id} engine={engine}>
                    {engine.source === "pack" && !packs.allowed && (
                      <Text size="sm" c="orange.8">
                        {t("analysis.engines.resting")}
                      </Text>
                    )}
                    {(engine.source === "pack" || engine.source === "remote") && <EngineActions engine={engine} />}
                  </EngineCard>
                ))}
              </ul>
            </Section>
            <EngineOnUpload onUpload={onUpload} engines={engines} />
            <InstallPack packs={packs} />
            <Section
              title={t("analysis.remote.title")}
              description={t("analysis.remote.says")}
              actions={
                <Button variant="default" onClick={() => setAdding(true)}>
                  {t("analysis.remote.new")}
                </Button>
              }
            >
              {isAdding && <RemoteEngineForm onClose={() => setAdding(false)} />}
            </Section>
            <TrainingSection />
          </Stack>
        )}
      </QueryResult>
    </PageBody>
  );
}

function EngineActions({ engine }: { engine: Engine }) {
  const t = useTexts("analysis");
  const [openDialog, setOpenDialog] = useState<"remove" | "change" | null>(null);
  const change = useCommand(analysisCalls.switchEngine);
  const remove = useCommand(analysisCalls.removeEngine);
  const { id, on, remote } = engine;
  const name = getEngineName(t, engine.info);
  const close = () => setOpenDialog(null);
  return (
    <Group gap="sm">
      <Switch
        label={t("analysis.engines.on")}
        checked={on}
        disabled={change.busy}
        onChange={(event) => void change.run({ id, on: event.currentTarget.checked })}
        aria-label={`${t("analysis.engines.on")}: ${name}`}
      />
      {remote && (
        <Button size="sm" variant="default" onClick={() => setOpenDialog("change")}>
          {t("analysis.remote.change")}
        </Button>
      )}
      {engine.source === "pack" && <AddTrialResult engine={engine} />}
      <Button size="sm" variant="default" color="red" onClick={() => setOpenDialog("remove")}>
        {t("analysis.engines.remove")}
      </Button>
      {remote && (
        <Text size="xs" c="dimmed" dir="ltr">
          {remote.address}
        </Text>
      )}
      {openDialog === "change" && <RemoteEngineForm engine={engine} onClose={close} />}
      <ConfirmDialog
        opened={openDialog === "remove"}
        onClose={close}
        onConfirm={() => void remove.run({ id }).then((done) => done && close())}
        title={t("analysis.engines.removeTitle", { engine: name })}
        text={t("analysis.engines.removeText")}
        confirm={t("analysis.engines.remove")}
        danger
        busy={remove.busy}
      />
    </Group>
  );
}

/** Adds the file that a pack's trial wrote. */
function AddTrialResult({ engine: { id, info } }: { engine: Engine }) {
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
