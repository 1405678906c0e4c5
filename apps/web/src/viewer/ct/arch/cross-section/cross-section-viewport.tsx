import { useEffect, useRef, useState } from "react";
import { useTexts } from "../../../../i18n/texts.ts";
import { useClientSize } from "../../../ui/viewport/use-client-size.ts";
import type { Size } from "@arcada/imaging/view/image-view";
import type { ViewportProps } from "../../layout/viewport-props.ts";
import paneStyles from "../../planes/plane-viewport.module.css";
import { ArchPlaceholder } from "../arch-placeholder.tsx";
import { findFirstShown } from "@arcada/imaging/arch/arch-display-settings";
import { arrangeCells, fitCrossSection } from "../../../ct-core/cross-section-grid.ts";
import styles from "../arch-overlays.module.css";
import { CrossSectionCell } from "./cross-section-cell.tsx";
import { zoomArchView } from "../panorama/panorama-space.ts";

/** Cross-sections of the arch side by side, as many as fit; they turn over like pages. */
export function CrossSectionViewport(props: ViewportProps) {
  const { viewportId, controls, viewports, arch, isActive } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useClientSize(element);
  const { columns, rows } = arrangeCells(size ?? { width: 1, height: 1 }, arch.crossSectionSettings.count);
  const count = Math.max(1, Math.min(columns * rows, arch.crossSectionCount));
  const first = useFirstShown(arch.currentCrossSection, size && count, arch.crossSectionCount);
  const cell: Size | null = size && { width: size.width / columns, height: size.height / rows };
  const actions = {
    step: (steps: number) => arch.goToCrossSection(arch.currentCrossSection + steps),
    zoom: (factor: number) =>
      cell &&
      arch.setCrossSectionView(
        zoomArchView(arch.crossSectionView ?? fitCrossSection(cell), cell, null, factor, [0, 0]),
      ),
    fit: () => arch.setCrossSectionView(null),
  };
  useEffect(() => {
    // Its cross-sections are viewports of their own; this entry is the target of keys and buttons.
    if (element.current) viewports.set(viewportId, { element: element.current, getContent: () => null, actions });
  });
  useEffect(() => () => viewports.delete(viewportId), [viewports, viewportId]);

  return (
    <div
      ref={element}
      className={`${paneStyles.pane} ${isActive ? (paneStyles.active ?? "") : ""}`}
      role="group"
      aria-label={t("viewer.pane.section")}
    >
      {arch.path ? (
        <div
          className={styles.cells}
          style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, gridTemplateRows: `repeat(${rows}, 1fr)` }}
        >
          {Array.from({ length: count }, (_, index) => (
            <CrossSectionCell
              key={index}
              {...props}
              index={index}
              number={first + index}
              path={arch.path!}
              fitView={fitCrossSection}
              step={actions.step}
            />
          ))}
        </div>
      ) : (
        <ArchPlaceholder arch={arch} controls={controls} />
      )}
    </div>
  );
}

/**
 * The first of the shown cross-sections: they stay while the current one is among them.
 * @param count null until the number that fits is known
 */
function useFirstShown(crossSection: number, count: number | null, crossSections: number): number {
  const [firstShown, setFirstShown] = useState(1);
  if (count === null) return crossSection;
  const isAmong = crossSection >= firstShown && crossSection < firstShown + count;
  const wanted = isAmong ? firstShown + Math.floor(count / 2) : crossSection;
  const first = findFirstShown(wanted, count, crossSections);
  if (first !== firstShown) setFirstShown(first);
  return first;
}
