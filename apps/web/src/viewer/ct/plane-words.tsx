import type { Size } from "@arcada/imaging/view/picture-view";
import { depthOf, sliceIn, type PaneView, type PlaneName, type Stack } from "@arcada/imaging/view/plane";
import { trueWindow } from "@arcada/imaging/view/true-value";
import type { Vector } from "@arcada/imaging/view/vector";
import { showNumber } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { Corner } from "../frame/corner.tsx";
import { shapeText } from "../frame/shape-text.ts";
import styles from "./plane-pane.module.css";
import { scaleBar } from "./scale-bar.ts";
import type { CtControls } from "./use-ct-controls.ts";
import type { VolumeStore } from "./volume-store.ts";

interface Props {
  name: PlaneName;
  label: string;
  store: VolumeStore;
  controls: CtControls;
  stack: Stack;
  slice: number;
  pointed: Vector | null;
}

/** Shows the slice number, the value under the pointer, and the slider through the slices. */
export function PlaneWords({ name, label, store, controls, stack, slice, pointed }: Props) {
  const t = useTexts("viewer");
  const { slab, slabMode, window } = controls.look;
  const value = pointed && store.valueAt(pointed);
  const meanText = store.isHalf ? "viewer.valueHalf" : "viewer.valuePreview";
  const own = slab === 0 && store.isHalf ? sliceIn(store.whole, controls.planes[name], controls.cross) : null;
  const isSharp = own !== null && store.hasSharp(own);
  const place = t("viewer.sliceText", { slice: slice + 1, count: stack.count });
  return (
    <>
      <Corner at="topLeft">
        <strong className={styles[`${name}Name`]}>{label}</strong>
        <span>{place}</span>
        {isSharp && <span>{t("viewer.stage.sharp")}</span>}
        {slab > 0 && <span>{t(`viewer.slab.${slabMode}`, { mm: slab })}</span>}
      </Corner>
      <Corner at="topRight">
        <span>
          {shapeText(t, window)}
          {t("viewer.windowText", trueWindow(store.info, window))}
        </span>
      </Corner>
      <Corner at="bottomLeft" isRaised>
        {pointed && (
          <span>{t("viewer.unit.mm", { value: pointed.map((part) => showNumber(part, 1)).join(" / ") })}</span>
        )}
        {value && (
          <span>
            {t(value.isMean ? meanText : `viewer.value.${store.info.valueName}`, {
              value: value.value,
            })}
          </span>
        )}
      </Corner>
      <input
        className={styles.slices}
        data-holds-press
        type="range"
        min={0}
        max={stack.count - 1}
        value={slice}
        aria-label={t("viewer.sliceOf", { plane: label })}
        aria-valuetext={place}
        onChange={(event) => controls.setDepth(name, depthOf(stack, Number(event.currentTarget.value)))}
      />
    </>
  );
}

export function PlaneScale({ view, size }: { view: PaneView; size: Size }) {
  const t = useTexts("viewer");
  const { mm, pixels } = scaleBar(view.scale, Math.min(160, size.width / 3));
  return (
    <svg className={styles.layer} aria-hidden>
      <g transform={`translate(${size.width - pixels - 12} ${size.height - 40})`}>
        <path className={styles.bar} d={`M0 -4V0H${pixels}V-4`} />
        <text className={styles.barText} x={pixels / 2} y={-6} textAnchor="middle">
          {t("viewer.unit.mm", { value: mm })}
        </text>
      </g>
    </svg>
  );
}
