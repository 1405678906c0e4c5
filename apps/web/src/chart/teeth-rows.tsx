import { VisuallyHidden } from "@mantine/core";
import { memo, useId, useRef } from "react";
import type { KeyboardEvent } from "react";
import { findTooth } from "@arcada/contract/chart/chart.rules";
import type { ChartContent, ChartTooth } from "@arcada/contract/chart/chart.schema";
import type { ToothSet } from "@arcada/contract/chart/expected-teeth-at-age";
import { isDeciduous } from "@arcada/contract/kernel/tooth-numbers";
import { useTexts } from "../i18n/texts.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { findNeighbour, rowsBySet, findToothSet } from "../ui/tooth-chart/tooth-chart-layout.ts";
import { describeTooth } from "./chart-text.ts";
import { ToothDrawing } from "./tooth-drawing.tsx";
import classes from "./teeth-rows.module.css";

interface TeethRowsProps {
  content: ChartContent;
  set: ToothSet;
  at: number;
  /** Teeth that are marked as changed. */
  changed: readonly number[];
  /** Teeth with an invalid state. */
  invalid?: readonly number[];
  onSelect: (tooth: number) => void;
  /** Returns true if the key was handled. */
  onKey?: (event: KeyboardEvent) => boolean;
}

/** The teeth in their rows, seen from the front. The tab key reaches one of them, arrow keys the others. */
export function TeethRows({ content, set, at, changed, invalid = [], onSelect, onKey }: TeethRowsProps) {
  const t = useTexts("chart");
  const help = useId();
  const chart = useRef<HTMLDivElement>(null);
  const rows = rowsBySet[set];
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.ctrlKey || event.metaKey || event.altKey ? undefined : findNeighbour(at, event.key, rows);
    if (next === undefined) {
      if (onKey?.(event)) event.preventDefault();
      return;
    }
    event.preventDefault();
    onSelect(next);
    focusTooth(chart.current, next);
  };
  return (
    <div
      ref={chart}
      role="group"
      aria-label={t("chart.label")}
      aria-describedby={onKey ? help : undefined}
      className={classes.teeth}
      data-set={set}
      onKeyDown={onKeyDown}
    >
      <div className={classes.sides} aria-hidden>
        <span>{t("chart.right")}</span>
        <span>{t("chart.left")}</span>
      </div>
      {rows.map((row) => (
        <div key={row[0]} className={classes.row} data-milk={isDeciduous(row[0]!) || undefined}>
          {[row.slice(0, row.length / 2), row.slice(row.length / 2)].map((half) => (
            <div key={half[0]} className={classes.half}>
              {half.map((fdi) => (
                <ToothButton
                  key={fdi}
                  tooth={findTooth(content, fdi)}
                  isSelected={fdi === at}
                  isChanged={changed.includes(fdi)}
                  isInvalid={invalid.includes(fdi)}
                  onSelect={onSelect}
                />
              ))}
            </div>
          ))}
        </div>
      ))}
      {onKey && <VisuallyHidden id={help}>{t("chart.keys.line")}</VisuallyHidden>}
    </div>
  );
}

interface ToothButtonProps {
  tooth: ChartTooth;
  isSelected: boolean;
  isChanged: boolean;
  isInvalid: boolean;
  onSelect: (tooth: number) => void;
}
// Memoised, because a key changes one tooth of up to 52.
const ToothButton = memo(function ToothButton({ tooth, isSelected, isChanged, isInvalid, onSelect }: ToothButtonProps) {
  const t = useTexts("chart");
  const { name, spoken } = useToothNames();
  const { fdi } = tooth;
  return (
    <button
      type="button"
      className={classes.tooth}
      data-tooth={fdi}
      data-changed={isChanged || undefined}
      data-wrong={isInvalid || undefined}
      tabIndex={isSelected ? 0 : -1}
      aria-current={isSelected}
      aria-label={t("chart.spoken", { tooth: spoken(fdi), what: describeTooth(t, tooth) })}
      onFocus={() => onSelect(fdi)}
      // Safari does not focus a clicked button.
      onClick={() => onSelect(fdi)}
    >
      <ToothDrawing tooth={tooth} name={name(fdi)} />
    </button>
  );
});

/** Teeth with entries stay visible, even if another set was chosen. */
export function getShownSet(chosen: ToothSet, { teeth }: ChartContent): ToothSet {
  const enteredTeeth = teeth.map(({ fdi }) => fdi);
  return enteredTeeth.length > 0 && findToothSet(enteredTeeth) !== chosen ? "mixed" : chosen;
}

export const focusTooth = (chart: ParentNode | null, tooth: number): void =>
  chart?.querySelector<HTMLElement>(`[data-tooth="${tooth}"]`)?.focus();
