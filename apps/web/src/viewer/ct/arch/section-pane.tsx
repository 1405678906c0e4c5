import { useEffect, useRef, useState } from "react";
import { useTexts } from "../../../kernel/texts.ts";
import { useSize } from "../../frame/use-size.ts";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { PaneProps } from "../layout/pane-props.ts";
import paneStyles from "../plane-pane.module.css";
import { ArchMissing } from "./arch-missing.tsx";
import { cellsFor, firstAround, fittedSection } from "./cells.ts";
import styles from "./plan-layer.module.css";
import { SectionCell } from "./section-cell.tsx";
import { zoomedArch } from "./wall-space.ts";

/** Cross-sections of the arch side by side, as many as fit; they turn over like pages. */
export function SectionPane(props: PaneProps) {
  const { place, controls, panes, arch, isActive } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useSize(element);
  const { columns, rows } = cellsFor(size ?? { width: 1, height: 1 }, arch.sectionLook.count);
  const count = Math.max(1, Math.min(columns * rows, arch.sections));
  const first = useFirst(arch.section, size && count, arch.sections);
  const cell: Size | null = size && { width: size.width / columns, height: size.height / rows };
  const hand = {
    step: (steps: number) => arch.goToSection(arch.section + steps),
    zoom: (factor: number) =>
      cell && arch.setSectionView(zoomedArch(arch.sectionView ?? fittedSection(cell), cell, null, factor, [0, 0])),
    fit: () => arch.setSectionView(null),
  };
  useEffect(() => {
    // Its cross-sections are viewports of their own; this entry is the target of keys and buttons.
    if (element.current) panes.set(place, { element: element.current, shown: () => null, hand });
  });
  useEffect(() => () => panes.delete(place), [panes, place]);

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
            <SectionCell
              key={index}
              {...props}
              index={index}
              number={first + index}
              path={arch.path!}
              fitted={fittedSection}
              step={hand.step}
            />
          ))}
        </div>
      ) : (
        <ArchMissing arch={arch} controls={controls} />
      )}
    </div>
  );
}

/**
 * The first of the shown cross-sections: they stay while the current one is among them.
 * @param count null until the number that fits is known
 */
function useFirst(section: number, count: number | null, sections: number): number {
  const [kept, keep] = useState(1);
  if (count === null) return section;
  const isAmong = section >= kept && section < kept + count;
  const wanted = isAmong ? kept + Math.floor(count / 2) : section;
  const first = firstAround(wanted, count, sections);
  if (first !== kept) keep(first);
  return first;
}
