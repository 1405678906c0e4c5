import type { Size } from "@arcada/imaging/view/image-view";
import {
  getSliceDepth,
  findStoredSlice,
  type PlaneView,
  type PlaneName,
  type SliceStack,
} from "@arcada/imaging/view/plane-view";
import { rescaleWindow } from "@arcada/imaging/view/rescale-to-grey-values";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { formatNumber } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { ViewportCorner } from "../../ui/viewport/viewport-corner.tsx";
import { formatVoiFunction } from "../../ui/viewport/format-voi-function.ts";
import styles from "./plane-viewport.module.css";
import type { CtControls } from "../use-ct-controls.ts";
import type { VolumeStore } from "../loading/volume-store.ts";

interface Props {
  name: PlaneName;
  label: string;
  store: VolumeStore;
  controls: CtControls;
  stack: SliceStack;
  slice: number;
  hoveredPoint: Vector | null;
}

/** Shows the slice number, the value under the pointer, and the slider through the slices. */
export function PlaneReadout({ name, label, store, controls, stack, slice, hoveredPoint }: Props) {
  const t = useTexts("viewer");
  const { slab, slabMode, window } = controls.displaySettings;
  const value = hoveredPoint && store.valueAt(hoveredPoint);
  const meanText = store.isHalf ? "viewer.valueHalf" : "viewer.valuePreview";
  const own =
    slab === 0 && store.isHalf ? findStoredSlice(store.fullInfo, controls.planes[name], controls.crosshair) : null;
  const isFullResolution = own !== null && store.hasFullResolution(own);
  const sliceText = t("viewer.sliceText", { slice: slice + 1, count: stack.count });
  return (
    <>
      <ViewportCorner at="topLeft">
        <strong className={styles[`${name}Name`]}>{label}</strong>
        <span>{sliceText}</span>
        {isFullResolution && <span>{t("viewer.stage.sharp")}</span>}
        {slab > 0 && <span>{t(`viewer.slab.${slabMode}`, { mm: slab })}</span>}
      </ViewportCorner>
      <ViewportCorner at="topRight">
        <span>
          {formatVoiFunction(t, window)}
          {t("viewer.windowText", rescaleWindow(store.info, window))}
        </span>
      </ViewportCorner>
      <ViewportCorner at="bottomLeft" isRaised>
        {hoveredPoint && (
          <span>{t("viewer.unit.mm", { value: hoveredPoint.map((part) => formatNumber(part, 1)).join(" / ") })}</span>
        )}
        {value && (
          <span>
            {t(value.isMean ? meanText : `viewer.value.${store.info.valueName}`, {
              value: value.value,
            })}
          </span>
        )}
      </ViewportCorner>
      <input
        className={styles.slices}
        data-holds-press
        type="range"
        min={0}
        max={stack.count - 1}
        value={slice}
        aria-label={t("viewer.sliceOf", { plane: label })}
        aria-valuetext={sliceText}
        onChange={(event) => controls.setDepth(name, getSliceDepth(stack, Number(event.currentTarget.value)))}
      />
    </>
  );
}

export function PlaneScaleBar({ view, size }: { view: PlaneView; size: Size }) {
  const t = useTexts("viewer");
  const { mm, pixels } = computeScaleBar(view.scale, Math.min(160, size.width / 3));
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

/** The longest of 1, 2, 5, 10 … mm that takes at most `most` CSS pixels. */
function computeScaleBar(pixelsPerMm: number, maxPixels: number): { mm: number; pixels: number } {
  const availableMm = maxPixels / pixelsPerMm;
  const power = 10 ** Math.floor(Math.log10(availableMm));
  const mm = [5, 2, 1].map((step) => step * power).find((step) => step <= availableMm) ?? power;
  return { mm, pixels: mm * pixelsPerMm };
}
