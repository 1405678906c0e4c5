import { SegmentedControl, VisuallyHidden } from "@mantine/core";
import { useId, useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { chartSize, sortByArch, rowsBySet, findToothSet, toothSets, toothShapes } from "./tooth-chart-layout.ts";
import type { ToothSet, ToothShape } from "./tooth-chart-layout.ts";
import { useToothSelection } from "./tooth-selection.ts";
import type { ToothSelection } from "./tooth-selection.ts";
import classes from "./tooth-chart.module.css";

/** Teeth that form one item, drawn in one colour. */
interface ToothGroup {
  teeth: readonly number[];
  pontics: readonly number[];
  /** True if neighbouring teeth are joined by a bar. */
  isBridge: boolean;
  isActive: boolean;
  /** The restoration of the teeth, for screen readers. */
  restoration: string;
}
export type ToothCondition = "missing" | "implant";
/** The names of a tooth by its FDI number. */
interface ToothNames {
  name: (tooth: number) => string;
  text: (teeth: readonly number[]) => string;
  spoken: (tooth: number) => string;
}
interface ToothChartProps {
  names: ToothNames;
  groups: readonly ToothGroup[];
  /** Teeth that the patient's chart knows to be missing or replaced. */
  conditions?: ReadonlyMap<number, ToothCondition>;
  /** Without handlers the chart is a static image. */
  onTooth?: (tooth: number) => void;
  /** Called after a drag, or shift and arrow keys, across two teeth or more of one arch. */
  onSpan?: (teeth: number[]) => void;
}

export const toothColours = 6;

/** The teeth, seen from the front of the patient. */
export function ToothChart({ names, groups, conditions, onTooth, onSpan }: ToothChartProps) {
  const t = useTexts("order");
  const help = useId();
  const isStatic = !onTooth;
  const [chosen, setChosen] = useState<ToothSet>("permanent");
  const marked = findToothSet(groups.flatMap(({ teeth }) => teeth));
  // Marked teeth stay visible, even if another set was chosen.
  const set = isStatic ? marked : chooseShownSet(chosen, marked, groups.length > 0);
  const rows = rowsBySet[set];
  const shapes = toothShapes[set];
  const selection = useToothSelection(rows, onTooth, onSpan);
  const marks = createMarks(groups);
  return (
    <div className={classes.chart}>
      {!isStatic && <ToothSetControl set={set} onChosen={setChosen} />}
      <svg
        viewBox={`0 0 ${chartSize.width} ${chartSize.height}`}
        role={isStatic ? "img" : "group"}
        aria-label={isStatic ? `${t("order.chart.label")}: ${describeGroups(names, groups)}` : t("order.chart.label")}
        aria-describedby={isStatic ? undefined : help}
        {...(!isStatic && selection.surface)}
      >
        <DirectionLabels />
        {rows.flat().map((tooth) => (
          <Tooth
            key={tooth}
            names={names}
            shape={shapes.get(tooth)!}
            mark={marks.get(tooth)}
            condition={conditions?.get(tooth)}
            selection={isStatic ? null : selection}
          />
        ))}
        {groups.map(
          (group, at) => group.isBridge && <BridgeBars key={at} group={group} set={set} colour={at % toothColours} />,
        )}
      </svg>
      {!isStatic && <VisuallyHidden id={help}>{t("order.chart.keys")}</VisuallyHidden>}
    </div>
  );
}

/** A screw, in the coordinates of a tooth: its head and three threads. */
const implantSign = "M-6 -7H6M-4 -2H4M-3 3H3M0 -7V8";

function chooseShownSet(chosen: ToothSet, marked: ToothSet, hasMarks: boolean): ToothSet {
  return hasMarks && marked !== chosen ? "mixed" : chosen;
}

function ToothSetControl({ set, onChosen }: { set: ToothSet; onChosen: (set: ToothSet) => void }) {
  const t = useTexts("order");
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      mb="xs"
      aria-label={t("order.chart.sets")}
      data={toothSets.map((value) => ({ value, label: t(`order.chart.set.${value}`) }))}
      value={set}
      onChange={onChosen}
    />
  );
}

interface ToothMark {
  colour: number;
  isActive: boolean;
  isPontic: boolean;
  restoration: string;
}
const createMarks = (groups: readonly ToothGroup[]): Map<number, ToothMark> =>
  new Map(
    groups.flatMap(({ teeth, pontics, isActive, restoration }, at) =>
      teeth.map((tooth): [number, ToothMark] => [
        tooth,
        { colour: at % toothColours, isActive, isPontic: pontics.includes(tooth), restoration },
      ]),
    ),
  );
const describeGroups = (names: ToothNames, groups: readonly ToothGroup[]): string =>
  groups.map(({ teeth, restoration }) => `${sortByArch(teeth).map(names.spoken).join(", ")} ${restoration}`).join("; ");

interface ToothProps {
  names: ToothNames;
  shape: ToothShape;
  mark: ToothMark | undefined;
  condition: ToothCondition | undefined;
  selection: ToothSelection | null;
}
function Tooth({ names, shape, mark, condition, selection }: ToothProps) {
  const t = useTexts("order");
  const spoken = [names.spoken(shape.tooth), condition && t(`order.chart.condition.${condition}`)]
    .filter(Boolean)
    .join(", ");
  const restoration = mark && (mark.isPontic ? `${mark.restoration}, ${t("order.chart.pontic")}` : mark.restoration);
  return (
    <g
      className={classes.tooth}
      data-tooth={shape.tooth}
      data-tooth-colour={mark?.colour}
      data-active={mark?.isActive || undefined}
      data-pontic={mark?.isPontic || undefined}
      data-condition={condition}
      data-span={selection?.span.includes(shape.tooth) || undefined}
      {...(selection && {
        role: "checkbox",
        tabIndex: selection.tabStop === shape.tooth ? 0 : -1,
        "aria-checked": mark !== undefined,
        "aria-label": restoration
          ? t("order.chart.marked", { tooth: spoken, what: restoration })
          : t("order.chart.free", { tooth: spoken }),
      })}
    >
      <g transform={`translate(${shape.x} ${shape.y}) rotate(${shape.rotation})`}>
        <path d={shape.outline} className={classes.outline} />
        {shape.furrows && !condition && <path d={shape.furrows} className={classes.furrows} />}
        {condition === "implant" && <path d={implantSign} className={classes.implant} />}
      </g>
      <text x={shape.labelX} y={shape.labelY} className={classes.number} aria-hidden>
        {names.name(shape.tooth)}
      </text>
    </g>
  );
}

/** The bars that join the teeth of a bridge, from each tooth to its neighbour in the arch. */
function BridgeBars({ group, set, colour }: { group: ToothGroup; set: ToothSet; colour: number }) {
  const shapes = toothShapes[set];
  const pairs = rowsBySet[set].flatMap((arch) =>
    arch.flatMap((tooth, at): [number, number][] => {
      const next = arch[at + 1];
      return next && group.teeth.includes(tooth) && group.teeth.includes(next) ? [[tooth, next]] : [];
    }),
  );
  return pairs.map(([from, to]) => {
    const [a, b] = [shapes.get(from)!, shapes.get(to)!];
    return (
      <line
        key={from}
        x1={a.x}
        y1={a.y}
        x2={b.x}
        y2={b.y}
        className={classes.bar}
        data-tooth-colour={colour}
        aria-hidden
      />
    );
  });
}

function DirectionLabels() {
  const t = useTexts("order");
  const middle = chartSize.height / 2;
  return (
    <g className={classes.words} aria-hidden>
      <text x={chartSize.width / 2} y={middle - 44}>
        {t("order.chart.upper")}
      </text>
      <text x={chartSize.width / 2} y={middle + 44}>
        {t("order.chart.lower")}
      </text>
      <text x={104} y={middle}>
        {t("order.chart.right")}
      </text>
      <text x={chartSize.width - 104} y={middle}>
        {t("order.chart.left")}
      </text>
      <line x1={140} x2={chartSize.width - 140} y1={middle} y2={middle} className={classes.middle} />
    </g>
  );
}
