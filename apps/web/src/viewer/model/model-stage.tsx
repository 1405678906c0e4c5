import { useRef, useState } from "react";
import { useTexts } from "../../kernel/texts.ts";
import { Failed, Loading, Nothing } from "../frame/states.tsx";
import { useSize } from "../frame/use-size.ts";
import type { Spot } from "@arcada/imaging/view/measure";
import { toScreen } from "@arcada/imaging/view/model-camera";
import { MarksLayer } from "../marks/marks-layer.tsx";
import { MarkStatus } from "../marks/mark-status.tsx";
import { useOwnMarks } from "../marks/own-marks.ts";
import type { Marks } from "../marks/use-marks.ts";
import { Corner } from "../frame/corner.tsx";
import { ModelList } from "./model-list.tsx";
import styles from "./model-stage.module.css";
import { ModelTools, type ModelTool } from "./model-tools.tsx";
import type { ModelAddresses, SceneModel } from "./scene-model.ts";
import { useMeshes } from "./use-meshes.ts";
import { useModelCamera } from "./use-model-camera.ts";
import { useModelHand } from "./use-model-hand.ts";
import { useModelLooks } from "./use-model-looks.ts";
import { useModelMarks } from "./use-model-marks.ts";
import { useModelPainting } from "./use-model-painting.ts";

interface Props {
  models: readonly SceneModel[];
  marks: Marks | undefined;
  renew: ((id: string) => Promise<ModelAddresses | null>) | undefined;
}

/** Models in 3D with their tools and the list that shows, colours and hides them. */
export function ModelStage({ models, marks: kept, renew }: Props) {
  const t = useTexts("viewer");
  const pane = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const size = useSize(pane);
  const own = useOwnMarks();
  const marks = kept ?? own;
  const { loads, again } = useMeshes(models, renew);
  const controls = useModelCamera(models, loads, size);
  const looks = useModelLooks(models, controls.view);
  const [tool, setTool] = useState<ModelTool>("turn");
  const [isLight, setLight] = useState(false);
  const { camera } = controls;
  const painting = useModelPainting(host, loads, camera && size && { camera, size, looks: looks.shown });
  const pick = (at: Spot) => (camera && size && painting.painter ? painting.painter.pick(camera, size, at) : null);
  const drawing = useModelMarks(
    marks,
    models.map(({ id }) => id),
    (point) => (camera && size ? toScreen(camera, size, point) : [0, 0]),
  );
  useModelHand(pane, { tool, controls, drawing, pick, size });

  if (models.length === 0) return <Nothing label={t("viewer.noModels")} />;
  if (painting.state === "absent") return <Failed label={t("viewer.no3d")} />;
  const isWaiting = ![...loads.values()].some(({ state }) => state !== "loading");
  return (
    <>
      <ModelTools
        {...{ tool, controls, marks, drawing, isLight }}
        onTool={setTool}
        onLight={() => setLight(!isLight)}
      />
      <div className={styles.stage}>
        <div
          ref={pane}
          className={`${styles.pane} ${isLight ? (styles.light ?? "") : ""} ${tool === "length" ? (styles.aim ?? "") : ""}`}
          role="group"
          aria-label={t("viewer.kind.models")}
          tabIndex={0}
        >
          <div ref={host} className={styles.host} aria-hidden />
          <MarksLayer
            marks={drawing.shown}
            chosen={drawing.chosen}
            onChoose={drawing.choose}
            onMove={(id, index, to, isOver) => drawing.movePoint(id, index, pick(to)?.point ?? null, isOver)}
          />
          <Corner at="topRight">
            <MarkStatus marks={marks} />
          </Corner>
          {painting.state === "lost" && <Cover label={t("viewer.contextLost")} />}
          {painting.state !== "lost" && isWaiting && <Cover label={t("viewer.loading.models")} />}
        </div>
        <ModelList models={models} loads={loads} looks={looks} onAgain={again} />
      </div>
    </>
  );
}

const Cover = ({ label }: { label: string }) => (
  <div className={styles.cover}>
    <Loading label={label} />
  </div>
);
