import { ActionIcon, Button, Checkbox, Loader } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { languageTags } from "@arcada/contract/kernel/languages";
import { formatNumber } from "../../i18n/format.ts";
import { currentLanguage, useTexts } from "../../i18n/texts.ts";
import styles from "./model-list.module.css";
import type { ReadyMesh } from "./mesh/load-mesh.worker.ts";
import type { SceneModel } from "./scene-model.ts";
import type { MeshLoad } from "./mesh/use-meshes.ts";
import type { ModelDisplayControls } from "./rendering/use-model-display-settings.ts";

interface Props {
  models: readonly SceneModel[];
  loads: ReadonlyMap<string, MeshLoad>;
  displaySettings: ModelDisplayControls;
  onRetry: (id: string) => void;
  onLoadSource: (id: string) => void;
}

/** The settings of each model: visibility, colour and opacity, and the problem of its file. */
export function ModelList({ models, loads, displaySettings, onRetry, onLoadSource }: Props) {
  const t = useTexts("viewer");
  return (
    <ul className={styles.list} aria-label={t("viewer.models.title")}>
      {models.map((model) => (
        <li key={model.id} className={styles.model}>
          <ModelRow
            model={model}
            load={loads.get(model.id)}
            displaySettings={displaySettings}
            onRetry={() => onRetry(model.id)}
            onLoadSource={() => onLoadSource(model.id)}
          />
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  model: SceneModel;
  load: MeshLoad | undefined;
  displaySettings: ModelDisplayControls;
  onRetry: () => void;
  onLoadSource: () => void;
}

function ModelRow({ model, load, displaySettings, onRetry, onLoadSource }: RowProps) {
  const t = useTexts("viewer");
  const fault =
    load?.state === "failed"
      ? t(`viewer.failed.${load.reason}`)
      : load?.state === "ready" && load.treeFault
        ? t("viewer.models.notMeasurable")
        : null;
  return (
    <>
      <ModelHeader model={model} displaySettings={displaySettings} />
      {(!load || load.state === "loading") && (
        <span className={styles.note}>
          <Loader size={12} />{" "}
          {load && load.came > 0
            ? t("viewer.models.came", { mb: formatNumber(load.came / 1e6, 1) })
            : t("viewer.loading.models")}
        </span>
      )}
      {fault && (
        <span className={styles.fault} role="alert">
          {fault}
          <Button size="compact-xs" variant="light" onClick={onRetry}>
            {t("viewer.again")}
          </Button>
        </span>
      )}
      {load?.state === "ready" && (
        <ReadyModel model={model} mesh={load.mesh} displaySettings={displaySettings} onLoadSource={onLoadSource} />
      )}
    </>
  );
}

function ModelHeader({ model, displaySettings }: Pick<RowProps, "model" | "displaySettings">) {
  const t = useTexts("viewer");
  const { isVisible, colour } = displaySettings.get(model.id);
  const isDrawn = displaySettings.effective.get(model.id)?.isVisible ?? false;
  const named = { name: model.name };
  return (
    <div className={styles.head}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-pressed={isVisible}
        aria-label={t(isVisible ? "viewer.models.hide" : "viewer.models.show", named)}
        onClick={() => displaySettings.change(model.id, { isVisible: !isVisible })}
      >
        {isDrawn ? <IconEye size={18} aria-hidden /> : <IconEyeOff size={18} aria-hidden />}
      </ActionIcon>
      <span className={styles.name} title={model.name}>
        {model.jaw ? `${t(`viewer.jaw.${model.jaw}`)} · ` : ""}
        {model.name}
      </span>
      <input
        className={styles.colour}
        type="color"
        value={colour}
        aria-label={t("viewer.models.colour", named)}
        onChange={(event) => displaySettings.change(model.id, { colour: event.currentTarget.value, ownColours: false })}
      />
    </div>
  );
}

function ReadyModel({
  model,
  mesh,
  displaySettings,
  onLoadSource,
}: Pick<RowProps, "model" | "displaySettings" | "onLoadSource"> & { mesh: ReadyMesh }) {
  const t = useTexts("viewer");
  const { opacity, ownColours } = displaySettings.get(model.id);
  const percent = Math.round(opacity * 100);
  return (
    <>
      <input
        className={styles.opacity}
        type="range"
        min={10}
        max={100}
        value={percent}
        aria-label={t("viewer.models.opacity", { name: model.name })}
        aria-valuetext={t("viewer.percent", { percent })}
        onChange={(event) => displaySettings.change(model.id, { opacity: Number(event.currentTarget.value) / 100 })}
      />
      {mesh.isStreamingCopy && model.glb && (
        <span className={styles.fault}>
          <span className={styles.note}>
            {t("viewer.models.light", { um: formatNumber(1000 * model.glb.error, 1) })}
          </span>
          {model.url !== "" && (
            <Button size="compact-xs" variant="light" onClick={onLoadSource}>
              {t("viewer.model.original")}
            </Button>
          )}
        </span>
      )}
      <span className={styles.note}>
        {t("viewer.models.triangles", { triangles: mesh.triangles.toLocaleString(languageTags[currentLanguage()]) })}
      </span>
      {mesh.colours && (
        <Checkbox
          size="xs"
          label={t("viewer.models.ownColours")}
          checked={ownColours}
          onChange={(event) => displaySettings.change(model.id, { ownColours: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
