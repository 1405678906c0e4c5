import { ActionIcon, Button, Checkbox, Loader } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { languageTags } from "@arcada/contract/kernel/languages";
import { showNumber } from "../../kernel/format.ts";
import { currentLanguage, useTexts } from "../../kernel/texts.ts";
import styles from "./model-list.module.css";
import type { ReadyMesh } from "./mesh.worker.ts";
import type { SceneModel } from "./scene-model.ts";
import type { MeshLoad } from "./use-meshes.ts";
import type { ModelLooks } from "./use-model-looks.ts";

interface Props {
  models: readonly SceneModel[];
  loads: ReadonlyMap<string, MeshLoad>;
  looks: ModelLooks;
  onAgain: (id: string) => void;
  onOriginal: (id: string) => void;
}

/** The settings of each model: visibility, colour and opacity, and the problem of its file. */
export function ModelList({ models, loads, looks, onAgain, onOriginal }: Props) {
  const t = useTexts("viewer");
  return (
    <ul className={styles.list} aria-label={t("viewer.models.title")}>
      {models.map((model) => (
        <li key={model.id} className={styles.model}>
          <ModelRow
            model={model}
            load={loads.get(model.id)}
            looks={looks}
            onAgain={() => onAgain(model.id)}
            onOriginal={() => onOriginal(model.id)}
          />
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  model: SceneModel;
  load: MeshLoad | undefined;
  looks: ModelLooks;
  onAgain: () => void;
  onOriginal: () => void;
}

function ModelRow({ model, load, looks, onAgain, onOriginal }: RowProps) {
  const t = useTexts("viewer");
  return (
    <>
      <ModelHead model={model} looks={looks} />
      {(!load || load.state === "loading") && (
        <span className={styles.note}>
          <Loader size={12} />{" "}
          {load && load.came > 0
            ? t("viewer.models.came", { mb: showNumber(load.came / 1e6, 1) })
            : t("viewer.loading.models")}
        </span>
      )}
      {load?.state === "failed" && (
        <span className={styles.fault} role="alert">
          {t(`viewer.failed.${load.reason}`)}
          <Button size="compact-xs" variant="light" onClick={onAgain}>
            {t("viewer.again")}
          </Button>
        </span>
      )}
      {load?.state === "ready" && <ReadyModel model={model} mesh={load.mesh} looks={looks} onOriginal={onOriginal} />}
    </>
  );
}

function ModelHead({ model, looks }: Pick<RowProps, "model" | "looks">) {
  const t = useTexts("viewer");
  const { isVisible, colour } = looks.of(model.id);
  const isDrawn = looks.shown.get(model.id)?.isVisible ?? false;
  const named = { name: model.name };
  return (
    <div className={styles.head}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-pressed={isVisible}
        aria-label={t(isVisible ? "viewer.models.hide" : "viewer.models.show", named)}
        onClick={() => looks.change(model.id, { isVisible: !isVisible })}
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
        onChange={(event) => looks.change(model.id, { colour: event.currentTarget.value, ownColours: false })}
      />
    </div>
  );
}

function ReadyModel({
  model,
  mesh,
  looks,
  onOriginal,
}: Pick<RowProps, "model" | "looks" | "onOriginal"> & { mesh: ReadyMesh }) {
  const t = useTexts("viewer");
  const { opacity, ownColours } = looks.of(model.id);
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
        onChange={(event) => looks.change(model.id, { opacity: Number(event.currentTarget.value) / 100 })}
      />
      {mesh.isLight && model.glb && (
        <span className={styles.fault}>
          <span className={styles.note}>{t("viewer.models.light", { um: showNumber(1000 * model.glb.error, 1) })}</span>
          {model.url !== "" && (
            <Button size="compact-xs" variant="light" onClick={onOriginal}>
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
          onChange={(event) => looks.change(model.id, { ownColours: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
