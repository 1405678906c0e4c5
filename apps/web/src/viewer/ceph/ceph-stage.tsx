import { useState } from "react";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { CephSpot } from "@arcada/contract/ceph/ceph.shape";
import type { Instance } from "@arcada/contract/study/study.calls";
import { uprightTurns } from "@arcada/analysis/ceph/frame";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import type { LoadedPicture } from "../picture/load-picture.ts";
import { besideLens } from "../picture/pane-layers.tsx";
import pane from "../picture/picture-pane.module.css";
import type { PaneLens } from "../picture/use-lens.ts";
import { CephLayer } from "./ceph-layer.tsx";
import { CephTools, type CephTool } from "./ceph-tools.tsx";
import styles from "./ceph.module.css";
import { useCephHand } from "./use-ceph-hand.ts";
import { useFilmView } from "./use-film-view.ts";
import type { Guide } from "./use-guide.ts";
import type { Ruling } from "./use-ruling.ts";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  film: { studyId: string; instanceId: string };
  instance: Instance;
  loaded: LoadedPicture;
  opened: CephOpened;
  tracing: Tracing;
  guide: Guide;
  ruling: Ruling;
  analysis: CephAnalysis;
  /** Puts the active landmark at its likely place, for users who work without a pointer. */
  placeLikely: () => void;
}

/** A landmark that is being dragged. */
export interface Held {
  landmark: NonNullable<Guide["active"]>;
  spot: CephSpot;
}

/** The radiograph under its tracing, with the tools for both. */
export function CephStage({ instance, loaded, opened, tracing, guide, ruling, ...rest }: Props) {
  const file = instance.picture;
  const [tool, setTool] = useState<CephTool>(tracing.maySave ? "place" : "pan");
  const [shows, setShows] = useState({ labels: true, lines: true, lens: true, profile: false });
  const [held, setHeld] = useState<Held | null>(null);
  const [turns] = useState(() => uprightTurns(tracing.content));
  const film = useFilmView(instance, loaded, turns, shows.lens && (tool === "place" || held !== null));
  const { frame, host, controls, lenses, lens, matrix, spotOf } = film;
  const range = file ? file.max - file.min : 256;
  useCephHand(frame, { tool, tracing, guide, ruling, controls, lenses, spotOf, held, setHeld, matrix, range });
  const { active } = guide;
  const { landmarks, profile } = opened.proposals;
  return (
    <div className={styles.stage}>
      <CephTools
        {...{ tool, controls, loaded, file, tracing, guide, shows, ...rest }}
        hasProfile={profile !== null}
        onTool={setTool}
        onShow={(change) => setShows((now) => ({ ...now, ...change }))}
      />
      <div ref={frame} className={`${pane.pane} ${tool === "place" ? pane.drawn : pane[tool]}`}>
        <div ref={host} className={pane.host} />
        {matrix && (
          <div className={pane.layers} style={lens ? { maskImage: besideLens(lens) } : undefined}>
            <CephLayer
              {...{ matrix, shows, active, ruling, spotOf }}
              content={withHeld(tracing.content, held)}
              suggested={(active && landmarks[active]) ?? null}
              profile={shows.profile ? profile : null}
              mayMove={tracing.maySave && !ruling.points}
              onChoose={guide.take}
              onHold={(next, at) => {
                setHeld(next);
                lenses.show(next && at, true);
              }}
              onPlace={(landmark, spot) => {
                setHeld(null);
                lenses.show(null);
                tracing.place(landmark, spot);
              }}
            />
          </div>
        )}
        {lens && <Rim lens={lens} />}
      </div>
    </div>
  );
}

const withHeld = (content: Tracing["content"], held: Held | null): Tracing["content"] =>
  held ? { ...content, landmarks: { ...content.landmarks, [held.landmark]: held.spot } } : content;

function Rim({ lens: { at, radius } }: { lens: PaneLens }) {
  const side = radius * 2;
  return (
    <div className={pane.rim} style={{ left: at[0] - radius, top: at[1] - radius, width: side, height: side }}>
      <span className={styles.cross} aria-hidden />
    </div>
  );
}
