import { useRef } from "react";
import { useTexts } from "../../kernel/texts.ts";
import { Corner } from "../frame/corner.tsx";
import { Loading, Nothing } from "../frame/states.tsx";
import { useSize } from "../frame/use-size.ts";
import { Without3d } from "../frame/without-3d.tsx";
import { MarksLayer } from "../marks/marks-layer.tsx";
import { MarkStatus } from "../marks/mark-status.tsx";
import { useOwnMarks } from "../marks/own-marks.ts";
import type { Marks } from "../marks/use-marks.ts";
import { AlignPlaces } from "./align/align-places.tsx";
import { LightNote } from "./light-note.tsx";
import { ComparePanel } from "./map/compare-panel.tsx";
import { MapLegend } from "./map/map-legend.tsx";
import { ModelList } from "./model-list.tsx";
import styles from "./model-stage.module.css";
import { ModelTools } from "./model-tools.tsx";
import { OrientationMenu } from "./orientation/orientation-menu.tsx";
import { OrientationNotice } from "./orientation/orientation-notice.tsx";
import { SceneSides } from "./orientation/scene-sides.tsx";
import { PinLayer } from "./pins/pin-layer.tsx";
import { PinPanel } from "./pins/pin-panel.tsx";
import type { Pin } from "./pins/use-pins.ts";
import type { SceneModel } from "./scene-model.ts";
import { SectionHandles } from "./section/section-handles.tsx";
import { SectionKeys, SectionPanel } from "./section/section-panel.tsx";
import { SidePanel } from "./side-panel.tsx";
import { useModelRoom, type ModelRoom, type RoomGiven } from "./use-model-room.ts";

interface Props extends RoomGiven {
  models: readonly SceneModel[];
  marks: Marks | undefined;
}

/**
 * Models in 3D with their tools, and beside them the panels for the models, the section, the comparison and the
 * comments.
 */
export function ModelStage({ models, marks: kept, ...given }: Props) {
  const t = useTexts("viewer");
  const pane = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const size = useSize(pane);
  const own = useOwnMarks();
  const marks = kept ?? own;
  const room = useModelRoom(models, marks, given, { pane, host, size });
  const { tool, switches, controls, drawing } = room;
  if (models.length === 0) return <Nothing label={t("viewer.noModels")} />;
  if (room.painting === "absent")
    return (
      <Without3d
        pictures={models.flatMap(({ id, name, thumbnailUrl }) => (thumbnailUrl ? [{ id, name, thumbnailUrl }] : []))}
      />
    );
  const ground = switches.isLight ? (styles.light ?? "") : "";
  const aim = tool === "turn" || tool === "pan" ? "" : (styles.aim ?? "");
  return (
    <>
      <ModelTools {...{ tool, controls, marks, drawing, switches }} onTool={room.setTool} />
      <SectionKeys section={room.section} />
      <div className={styles.stage}>
        <div
          ref={pane}
          className={`${styles.pane} ${ground} ${aim}`}
          role="group"
          aria-label={t("viewer.kind.models")}
          tabIndex={0}
        >
          <div ref={host} className={styles.host} aria-hidden />
          <Overlays room={room} />
          <Corner at="topRight">
            <MarkStatus marks={marks} />
          </Corner>
          <Corner at="topLeft">
            {room.notice && <span role="status">{room.notice}</span>}
            <LightNote models={models} loads={room.meshes.loads} drawing={drawing} />
          </Corner>
          <OrientationMenu orientation={room.orientation} />
          <OrientationNotice orientation={room.orientation} />
          <Waiting room={room} />
        </div>
        <Beside room={room} models={models} compares={given.compares} />
      </div>
    </>
  );
}

/** The overlays of the image. */
function Overlays({ room }: { room: ModelRoom }) {
  const { drawing, pick, scene, section, pins, align, map } = room;
  return (
    <>
      <MarksLayer
        marks={drawing.shown}
        chosen={drawing.chosen}
        onChoose={drawing.choose}
        onMove={(id, index, to, isOver) => {
          const hit = pick(to);
          drawing.movePoint(id, index, hit && drawing.within(hit, id).point, isOver);
        }}
      />
      {scene && (
        <>
          <SceneSides camera={scene.camera} orientation={room.orientation} onView={room.controls.look} />
          <SectionHandles section={section} camera={scene.camera} size={scene.size} line={room.line} />
          <AlignPlaces align={align} scene={scene} />
          <PinLayer pins={pins} scene={scene} pick={pick} onOpen={(id) => openPin(room, id)} />
        </>
      )}
      <MapLegend map={map} />
    </>
  );
}

function openPin({ pins, setTab }: ModelRoom, id: string): void {
  pins.choose(id);
  setTab("pins");
}

function Beside({ room, models, compares }: { room: ModelRoom } & Pick<Props, "models" | "compares">) {
  const { meshes, looks, section, controls, map, align, pins, scene } = room;
  const show = (pin: Pin) => {
    pins.choose(pin.id);
    const normal = scene?.surfaces.get(pin.model)?.normalAt(pin.point);
    if (normal) controls.face(pin.point, normal);
  };
  return (
    <SidePanel
      tab={room.tab}
      onTab={room.setTab}
      panels={{
        models: (
          <ModelList
            models={models}
            loads={meshes.loads}
            looks={looks}
            onAgain={meshes.again}
            onOriginal={meshes.bringOriginal}
          />
        ),
        section: <SectionPanel {...{ section, models, looks, controls }} />,
        compare: (
          <ComparePanel
            {...{ models, map, align }}
            first={compares && { kind: "version", ...compares }}
            ready={room.ready}
            aligned={room.aligned}
            onShow={(...pair) => {
              // A view of one jaw hides the other.
              if (pair.every((id) => looks.shown.get(id)?.isVisible ?? true)) controls.fit();
              else controls.look("front");
            }}
          />
        ),
        pins: <PinPanel pins={pins} onShow={show} />,
      }}
    />
  );
}

function Waiting({ room }: { room: ModelRoom }) {
  const t = useTexts("viewer");
  const isWaiting = ![...room.meshes.loads.values()].some(({ state }) => state !== "loading");
  if (room.painting === "lost") return <Cover label={t("viewer.contextLost")} />;
  return isWaiting ? <Cover label={t("viewer.loading.models")} /> : null;
}

const Cover = ({ label }: { label: string }) => (
  <div className={styles.cover}>
    <Loading label={label} />
  </div>
);
